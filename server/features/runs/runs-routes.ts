import type { FastifyInstance } from 'fastify';
import { clientGone } from '#server/http/client-gone.ts';
import { idempotencyKeyOf, withIdempotencyKey } from '#server/http/idempotency-key.ts';
import { preferredWait } from '#server/http/prefer-wait.ts';
import { registerEndpoint, type Call } from '#server/http/register-endpoint.ts';
import type { EndpointParts } from '#shared/contract/endpoint.ts';
import { dryRun } from '#shared/contract/dry-runs.ts';
import { exportOutput, outputSeries } from '#shared/contract/output-series.ts';
import { exportHistory, runHistory, summarizeHistory } from '#shared/contract/run-history.ts';
import { runWaiting } from '#shared/contract/run-waiting.ts';
import { showCell } from '#shared/contract/run-cells.ts';
import * as contract from '#shared/contract/runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import type { DryRunService } from './dry-run-service.ts';
import type { HistoryService } from './history-service.ts';
import type { OutputSeriesService } from './output-series-service.ts';
import type { RunCellsService } from './run-cells-service.ts';
import type { ParameterKind, RunDownloadsService } from './run-downloads-service.ts';
import type { RunPdfService } from './run-pdf-service.ts';
import type { RunsService } from './runs-service.ts';
import type { HowToWait, RunEnds } from './run-ends.ts';
import type { RunWaitingService } from './run-waiting.ts';
import type { StartService } from './start-service.ts';

export interface RunsRoutesDeps {
  runs: RunsService;
  history: HistoryService;
  outputSeries: OutputSeriesService;
  starts: StartService;
  dryRuns: DryRunService;
  runCells: RunCellsService;
  runEnds: RunEnds;
  runWaiting: RunWaitingService;
  downloads: RunDownloadsService;
  pdfs: RunPdfService;
}

/** A start may contain tables with hundreds of thousands of cells. */
const START_BODY_BYTES = 64 * 1024 * 1024;
const ROWS_BODY_BYTES = 16 * 1024 * 1024;

export function registerRunsRoutes(app: FastifyInstance, deps: RunsRoutesDeps): void {
  const { runs, history, starts } = deps;
  registerWaitingCalls(app, deps);
  registerEndpoint(app, contract.retryRun, ({ person, params, request }) =>
    starts.retry(person, params.runId, idempotencyKeyOf(request)),
  );
  registerEndpoint(app, contract.runDetails, ({ person, params }) => runs.details(person, params.id));
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
  registerEndpoint(app, runWaiting, ({ person, params }) => deps.runWaiting.reasons(person, params.id));
  registerEndpoint(app, contract.pendingRuns, ({ person }) => runs.pending(person));
  registerEndpoint(app, runHistory, ({ person, body }) => history.page(person, body));
  registerEndpoint(app, exportHistory, ({ person, body }) => history.export(person, body));
  registerEndpoint(app, summarizeHistory, ({ person, body }) => history.summary(person, body));
  registerEndpoint(app, outputSeries, ({ person, body }) => deps.outputSeries.series(person, body));
  registerEndpoint(app, exportOutput, ({ person, body }) => deps.outputSeries.export(person, body));
  registerEndpoint(app, showCell, ({ person, params, body, reply }) =>
    deps.runCells.show(person, params.id, body, clientGone(reply)),
  );
  registerEndpoint(app, dryRun, ({ person, body, reply }) => deps.dryRuns.run(person, body, clientGone(reply)), {
    bodyLimit: START_BODY_BYTES,
  });
  registerDownloads(app, deps.downloads);
  registerEndpoint(app, contract.downloadRunPdf, ({ person, params, query, reply }) =>
    deps.pdfs.token(person, params.runId, query, clientGone(reply)),
  );
}

type WaitingCall = Pick<Call<EndpointParts>, 'person' | 'request' | 'reply'>;

/** Registers calls that wait for the end of a run if the caller prefers that. */
function registerWaitingCalls(app: FastifyInstance, { runs, starts, runEnds }: RunsRoutesDeps): void {
  /**
   * Returns whether the run ended while the caller waited; undefined if the caller does not want to wait, or if too
   * many calls are waiting.
   */
  async function waited(
    { person, request, reply }: WaitingCall,
    runId: number,
    how?: HowToWait,
  ): Promise<boolean | undefined> {
    const seconds = preferredWait(request);
    if (seconds === undefined) return undefined;
    const hasEnded = await runEnds.wait(person.UserId, runId, seconds, clientGone(reply), how);
    if (hasEnded !== undefined) reply.header('preference-applied', `wait=${seconds}`);
    return hasEnded;
  }

  registerEndpoint(
    app,
    contract.startRun,
    async (call) => {
      let startedAt: number | undefined;
      const onNew = (): void => void (startedAt = performance.now());
      const started = await starts.start(call.person, withIdempotencyKey(call.request, call.body), { onNew });
      const hasEnded = await waited(call, started.Id, { isNew: startedAt !== undefined });
      if (hasEnded === undefined) return started;
      if (!hasEnded) {
        call.reply.code(202);
        return started;
      }
      const { Status, EndTime, LogEntries, Outputs } = await runs.outcome(call.person, started.Id, startedAt);
      return { Id: started.Id, Status, EndTime, LogEntries, Outputs };
    },
    { bodyLimit: START_BODY_BYTES },
  );
  registerEndpoint(app, contract.runState, async (call) => {
    const readState = () => runs.state(call.person, call.params.id, call.body);
    const state = await readState();
    return isPending(state.Status) && (await waited(call, call.params.id)) ? readState() : state;
  });
  app.addHook('preClose', async () => runEnds.close());
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
