import type { FastifyInstance } from 'fastify';
import { readSheetRows } from '#server/executors/workbook/import/sheet-reader.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import type { PublishService } from '#server/features/versions/publish-service.ts';
import { createRefusedVersionsService } from './refused-versions-service.ts';
import { createReplayer, type Replayer } from './replay-cases.ts';
import { registerTestBedsRoutes } from './test-beds-routes.ts';
import { createTestBedsService } from './test-beds-service.ts';
import { createTestGate } from './test-gate-service.ts';

export interface RouteNeeds extends Core {
  activities: ActivitiesService;
  files: FilesService;
  publishing: PublishService;
  runs: RunsService;
  replayer: Replayer;
}

export const testBedsModule = {
  create: ({ database, fileStore, executor, log, license }: Core & { license: LicenseService }) => {
    const replayer = createReplayer({ executor, isLicensed: () => license.allowsRuns() });
    return { replayer, testGate: createTestGate({ database, files: fileStore, replayer, log }) };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const deps = { ...parts, store: parts.fileStore };
    registerTestBedsRoutes(http, {
      ...parts,
      testBeds: createTestBedsService({ ...deps, readRows: readSheetRows }),
      refusedVersions: createRefusedVersionsService(deps),
    });
  },
};
