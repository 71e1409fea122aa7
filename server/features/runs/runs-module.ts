import type { FastifyInstance } from 'fastify';
import { createCellReader } from '#server/executors/workbook/cells/cell-reader.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { FormsService } from '#server/features/forms/forms-service.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { createRunReportBuilder } from '#server/sheets/report/run-report-builder.ts';
import { createChildRunEngine } from '#server/workflows/child-runs/child-run-engine.ts';
import { createWorkflowEngine } from '#server/workflows/workflow-engine.ts';
import { registerChildRunsRoutes } from './child-runs-routes.ts';
import { createChildRunsService } from './child-runs-service.ts';
import { registerDocumentsRoutes } from './documents-routes.ts';
import { createDocumentsService } from './documents-service.ts';
import { createDryRunService } from './dry-run-service.ts';
import { registerFailuresRoutes } from './failures/failures-routes.ts';
import { createFailuresService } from './failures/failures-service.ts';
import { createRetryPlanService } from './failures/retry-plan.ts';
import { createRetryRunsService } from './failures/retry-runs.ts';
import { createFindStartable } from './find-startable.ts';
import { createHistoryService, type HistoryService } from './history-service.ts';
import { createOutputSeriesService } from './output-series-service.ts';
import { createPrepareStep } from './prepare-step.ts';
import { createRunCellsService } from './run-cells-service.ts';
import { createRunDownloadsService, type RunDownloadsService } from './run-downloads-service.ts';
import { createRunEnds, type RunEnds } from './run-ends.ts';
import { createRunPdfService } from './run-pdf-service.ts';
import { createRunWaitingService } from './run-waiting.ts';
import { registerRunsRoutes } from './runs-routes.ts';
import { createRunsService, type RunsService } from './runs-service.ts';
import { createTimelineService } from './timeline-service.ts';
import { createStartService, type StartService } from './start-service.ts';

export type { RunEnds } from './run-ends.ts';

export interface Needs extends Core {
  users: UsersService;
  activities: ActivitiesService;
  forms: FormsService;
  pickers: PickersService;
  files: FilesService;
  links: LinksService;
}

export interface RouteNeeds extends Needs {
  license: LicenseService;
  runs: RunsService;
  history: HistoryService;
  starts: StartService;
  downloads: RunDownloadsService;
  runEnds: RunEnds;
}

export const runsModule = {
  create: (core: Needs) => {
    const deps = { ...core, activityAccess: core.access };
    const starts = createStartService(deps);
    const prepareStep = createPrepareStep({ ...deps, starts });
    const engine = { ...core, prepareStep };
    const ofRuns = { ...deps, access: core.runAccess };
    return {
      starts,
      runs: createRunsService(ofRuns),
      history: createHistoryService(deps),
      downloads: createRunDownloadsService(ofRuns),
      runEnds: createRunEnds(core),
      findStartable: createFindStartable(deps),
      prepareStep,
      /** Advances workflow runs. */
      workflowEngine: createWorkflowEngine(engine),
      /** Starts the runs that steps of other runs start, and passes their results on. */
      childRuns: createChildRunEngine(engine),
    };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { database, fileStore, files, license, runAccess } = parts;
    const deps = { ...parts, activityAccess: parts.access };
    const ofRuns = { ...deps, access: runAccess };
    const isLicensed = (): Promise<boolean> => license.allowsRuns();
    registerRunsRoutes(http, {
      ...parts,
      pdfs: createRunPdfService({ ...parts, reports: createRunReportBuilder() }),
      outputSeries: createOutputSeriesService(deps),
      dryRuns: createDryRunService({ ...deps, files: fileStore, isLicensed }),
      runCells: createRunCellsService({ ...ofRuns, files: fileStore, cells: createCellReader() }),
      runWaiting: createRunWaitingService(database, runAccess),
    });
    registerChildRunsRoutes(http, createChildRunsService(ofRuns));
    registerFailuresRoutes(http, {
      failures: createFailuresService(deps),
      retryPlans: createRetryPlanService(deps),
      retryRuns: createRetryRunsService(parts),
      timeline: createTimelineService(deps),
    });
    registerDocumentsRoutes(http, createDocumentsService(ofRuns), files);
  },
};
