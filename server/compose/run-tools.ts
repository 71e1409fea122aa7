/**
 * Composes the tools around runs: trials and evaluations without a run, cells named in the log, reasons for waiting,
 * PDF files, and what people save under a name.
 */
import type { FastifyInstance } from 'fastify';
import { createCellReader } from '#server/executors/workbook/cells/cell-reader.ts';
import { registerEvaluateRoutes, type EvaluateRoutesDeps } from '#server/features/evaluate/evaluate-routes.ts';
import { createEvaluateService, type EvaluateService } from '#server/features/evaluate/evaluate-service.ts';
import { registerInputSetsRoutes } from '#server/features/input-sets/input-sets-routes.ts';
import { createInputSetsService, type InputSetsService } from '#server/features/input-sets/input-sets-service.ts';
import { createDryRunService, type DryRunService } from '#server/features/runs/dry-run-service.ts';
import { createRunCellsService, type RunCellsService } from '#server/features/runs/run-cells-service.ts';
import { createRunPdfService, type RunPdfService } from '#server/features/runs/run-pdf-service.ts';
import { createRunWaitingService, type RunWaitingService } from '#server/features/runs/run-waiting.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import { registerSavedSearchesRoutes } from '#server/features/saved-searches/saved-searches-routes.ts';
import {
  createSavedSearchesService,
  type SavedSearchesService,
} from '#server/features/saved-searches/saved-searches-service.ts';
import { createRunReportBuilder } from '#server/sheets/report/run-report-builder.ts';
import type { ActivityParts } from './activity-parts.ts';
import type { PortalDeps } from './portal-deps.ts';

export interface RunTools {
  savedSearches: SavedSearchesService;
  inputSets: InputSetsService;
  dryRuns: DryRunService;
  evaluations: EvaluateService;
  runCells: RunCellsService;
  runWaiting: RunWaitingService;
  pdfs: RunPdfService;
}

export function createRunTools(
  { database, fileStore, executor, isLicensed, evaluateLimits, users, timeZone }: PortalDeps,
  { access, runAccess, versions, activities, pickers, files }: ActivityParts,
  { starts, runs }: { starts: StartService; runs: RunsService },
): RunTools {
  const calculation = { database, versions, files: fileStore, executor, isLicensed };
  return {
    savedSearches: createSavedSearchesService(database, access),
    inputSets: createInputSetsService(database, access),
    dryRuns: createDryRunService({ ...calculation, starts }),
    evaluations: createEvaluateService({ ...calculation, access, activities, pickers, limits: evaluateLimits }),
    runCells: createRunCellsService({
      database,
      access: runAccess,
      versions,
      files: fileStore,
      cells: createCellReader(),
    }),
    runWaiting: createRunWaitingService(database, runAccess),
    pdfs: createRunPdfService({ runs, users, files, timeZone, reports: createRunReportBuilder() }),
  };
}

export function registerRunToolRoutes(http: FastifyInstance, tools: RunTools & EvaluateRoutesDeps): void {
  registerEvaluateRoutes(http, tools);
  registerSavedSearchesRoutes(http, tools.savedSearches);
  registerInputSetsRoutes(http, tools.inputSets);
}
