/**
 * Composes the tools around runs: trials and evaluations without a run, cells named in the log, reasons for waiting,
 * PDF files, what people save under a name, and the operator's view of failures.
 */
import type { FastifyInstance } from 'fastify';
import { createCellReader } from '#server/executors/workbook/cells/cell-reader.ts';
import { registerEvaluateRoutes, type EvaluateRoutesDeps } from '#server/features/evaluate/evaluate-routes.ts';
import { createEvaluateService, type EvaluateService } from '#server/features/evaluate/evaluate-service.ts';
import { registerInputSetsRoutes } from '#server/features/input-sets/input-sets-routes.ts';
import { createInputSetsService, type InputSetsService } from '#server/features/input-sets/input-sets-service.ts';
import { createDryRunService, type DryRunService } from '#server/features/runs/dry-run-service.ts';
import { registerFailuresRoutes, type FailuresRoutesDeps } from '#server/features/runs/failures/failures-routes.ts';
import { createFailuresService } from '#server/features/runs/failures/failures-service.ts';
import { createRetryPlanService } from '#server/features/runs/failures/retry-plan.ts';
import { createRetryRunsService } from '#server/features/runs/failures/retry-runs.ts';
import type { HistoryDeps } from '#server/features/runs/history-service.ts';
import type { RetryDeps } from '#server/features/runs/retry-run.ts';
import { createRunCellsService, type RunCellsService } from '#server/features/runs/run-cells-service.ts';
import { createRunPdfService, type RunPdfService } from '#server/features/runs/run-pdf-service.ts';
import { createRunWaitingService, type RunWaitingService } from '#server/features/runs/run-waiting.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import { createTimelineService } from '#server/features/runs/timeline-service.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import { registerSavedSearchesRoutes } from '#server/features/saved-searches/saved-searches-routes.ts';
import {
  createSavedSearchesService,
  type SavedSearchesService,
} from '#server/features/saved-searches/saved-searches-service.ts';
import { createRunReportBuilder } from '#server/sheets/report/run-report-builder.ts';
import type { ActivityParts } from './activity-parts.ts';
import type { PortalDeps } from './portal-deps.ts';

export interface RunTools extends FailuresRoutesDeps {
  savedSearches: SavedSearchesService;
  inputSets: InputSetsService;
  dryRuns: DryRunService;
  evaluations: EvaluateService;
  runCells: RunCellsService;
  runWaiting: RunWaitingService;
  pdfs: RunPdfService;
}

export function createRunTools(
  { database, fileStore, executor, isLicensed, evaluateLimits, users, timeZone, rights, signals }: PortalDeps,
  { access, runAccess, versions, activities, pickers, files, links }: ActivityParts,
  { starts, runs }: { starts: StartService; runs: RunsService },
): RunTools {
  const calculation = { database, versions, files: fileStore, executor, isLicensed };
  const history = { database, activityAccess: access, versions, files, links, rights };
  return {
    ...createOperatorParts(history, { database, runAccess, signals }),
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

function createOperatorParts(history: HistoryDeps, retry: RetryDeps): FailuresRoutesDeps {
  return {
    failures: createFailuresService(history),
    retryPlans: createRetryPlanService(history),
    retryRuns: createRetryRunsService(retry),
    timeline: createTimelineService(history),
  };
}

export function registerRunToolRoutes(http: FastifyInstance, tools: RunTools & EvaluateRoutesDeps): void {
  registerEvaluateRoutes(http, tools);
  registerFailuresRoutes(http, tools);
  registerSavedSearchesRoutes(http, tools.savedSearches);
  registerInputSetsRoutes(http, tools.inputSets);
}
