/** Composes test-beds of activities, and entering rows of a sheet. */
import type { FastifyInstance } from 'fastify';
import { readSheetRows } from '#server/executors/workbook/import/sheet-reader.ts';
import { createRowWorkbookBuilder } from '#server/sheets/row-workbook-builder.ts';
import { registerBatchesRoutes } from '#server/features/batches/batches-routes.ts';
import { createBatchesService, type BatchesService } from '#server/features/batches/batches-service.ts';
import {
  createRefusedVersionsService,
  type RefusedVersionsService,
} from '#server/features/test-beds/refused-versions-service.ts';
import { registerTestBedsRoutes } from '#server/features/test-beds/test-beds-routes.ts';
import { createTestBedsService, type TestBedsService } from '#server/features/test-beds/test-beds-service.ts';
import type { ActivityParts } from './activity-parts.ts';
import type { PortalDeps, PortalRoutesOptions } from './portal-deps.ts';
import type { RunParts } from './runs.ts';

export interface TestBedParts {
  testBeds: TestBedsService;
  refusedVersions: RefusedVersionsService;
  batches: BatchesService;
}

export function createTestBedParts(
  { database, fileStore: store, signals }: PortalDeps,
  parts: ActivityParts,
  { runs }: RunParts,
): TestBedParts {
  const sheets = { readRows: readSheetRows, buildRows: createRowWorkbookBuilder() };
  return {
    testBeds: createTestBedsService({ ...parts, ...sheets, database, store, runs }),
    batches: createBatchesService({ ...parts, ...sheets, database, signals }),
    refusedVersions: createRefusedVersionsService({ ...parts, database, store }),
  };
}

export function registerTestBedRoutes(http: FastifyInstance, parts: TestBedParts, options: PortalRoutesOptions): void {
  registerTestBedsRoutes(http, { ...parts, ...options });
  registerBatchesRoutes(http, { ...parts, ...options });
}
