import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { exportHistory, runHistory } from '#shared/contract/run-history.ts';
import * as contract from '#shared/contract/runs.ts';
import type { HistoryService } from './history-service.ts';
import type { ParameterKind, RunDownloadsService } from './run-downloads-service.ts';
import type { RunsService } from './runs-service.ts';
import type { StartService } from './start-service.ts';

export interface RunsRoutesDeps {
  runs: RunsService;
  history: HistoryService;
  starts: StartService;
  downloads: RunDownloadsService;
}

/** Tables of hundreds of thousands of cells are sent with a start. */
const START_BODY_BYTES = 64 * 1024 * 1024;
const ROWS_BODY_BYTES = 16 * 1024 * 1024;

export function registerRunsRoutes(app: FastifyInstance, deps: RunsRoutesDeps): void {
  const { runs, history, starts } = deps;
  registerEndpoint(app, contract.startRun, ({ person, body }) => starts.start(person, body), {
    bodyLimit: START_BODY_BYTES,
  });
  registerEndpoint(app, contract.retryRun, ({ person, params }) => starts.retry(person, params.runId));
  registerEndpoint(app, contract.runDetails, ({ person, params }) => runs.details(person, params.id));
  registerEndpoint(app, contract.runState, ({ person, params }) => runs.state(person, params.id));
  registerEndpoint(app, contract.cancelRun, async ({ person, params }) => ({
    Message: await runs.cancel(person, params.runId),
  }));
  registerEndpoint(app, contract.provideInput, async ({ person, body }) => {
    await runs.provideInput(person, body);
    return null;
  });
  registerEndpoint(app, contract.cancelAllRuns, async ({ person }) => ({ Message: await runs.cancelAll(person) }));
  registerEndpoint(app, contract.wakeup, () => {
    runs.wakeup();
    return null;
  });
  registerEndpoint(app, contract.pendingRuns, ({ person }) => runs.pending(person));
  registerEndpoint(app, runHistory, ({ person, body }) => history.page(person, body));
  registerEndpoint(app, exportHistory, ({ person, body }) => history.export(person, body));
  registerDownloads(app, deps.downloads);
}

function registerDownloads(app: FastifyInstance, downloads: RunDownloadsService): void {
  const files = [
    ['input', contract.downloadInputFile, contract.downloadInputFileAt],
    ['output', contract.downloadOutputFile, contract.downloadOutputFileAt],
  ] as const;
  for (const [kind, first, indexed] of files) {
    const token = (person: Parameters<RunDownloadsService['file']>[0], params: FileParams): Promise<string> =>
      downloads.file(person, kind, { index: 0, ...params });
    registerEndpoint(app, first, ({ person, params }) => token(person, params as FileParams));
    registerEndpoint(app, indexed, ({ person, params }) => token(person, params as FileParams));
  }
  const tables: [ParameterKind, typeof contract.downloadInputData][] = [
    ['input', contract.downloadInputData],
    ['output', contract.downloadOutputData],
  ];
  for (const [kind, endpoint] of tables) {
    registerEndpoint(
      app,
      endpoint,
      ({ person, params, body }) => downloads.table(person, kind, params, body.FilteredRowIndices),
      { bodyLimit: ROWS_BODY_BYTES },
    );
  }
  registerEndpoint(app, contract.downloadRunFiles, ({ person, params }) => downloads.allFiles(person, params.runId));
  registerEndpoint(app, contract.errorReport, ({ person, params }) => downloads.errorReport(person, params.id));
}

interface FileParams {
  runId: number;
  parameterId: number;
  index?: number;
}
