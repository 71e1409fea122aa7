import { currentSpan } from '#server/base/tracing.ts';
import type { Database } from '#server/db/database.ts';
import type { Executor } from '#server/executors/executor.ts';
import type { RunProcedures } from '#server/jobs/procedures/run-procedures.ts';
import type { RunSteps } from '#server/jobs/steps/run-steps.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { DeltaBases } from '#server/files/deltas.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { Log } from '#server/base/log.ts';
import { endedByClaim, finishRun, type FinishResult, type RunEnd } from '#server/jobs/queue/run-end.ts';
import type { RunQueue } from '#server/jobs/queue/run-queue.ts';
import type { ClaimedRun } from '#server/jobs/queue/claimed-run.ts';
import { answerOf, type RunAnswer } from '#server/jobs/queue/run-answer.ts';
import { isFailed, type RunStatus } from '#shared/contract/run-status.ts';
import { untilReachable } from '#server/jobs/queue/until-reachable.ts';

/** What the work on runs needs besides the run. */
export interface JobContext {
  database: Database;
  queue: RunQueue;
  versions: VersionCatalog;
  files: FileStore;
  /** What calculated workbooks are kept as deltas of; each is put into the store where absent. */
  deltaBases?: DeltaBases;
  executor: Executor;
  /** What steps may ask for; nothing where absent. */
  steps?: RunSteps;
  /** Without it runs of stored procedures end with a system error. */
  procedures?: RunProcedures;
  log: Log;
  /** Names this worker among all; a new name at every start. */
  worker: string;
  /** Milliseconds a calculation may take. */
  timeLimit: number;
  /** Milliseconds between two writes of progress. */
  journalInterval: number;
  /** Whether the licence allows runs now. */
  isLicensed(): Promise<boolean>;
  /** False while this process is to take no more runs; it may take them where absent. */
  mayTake?: () => boolean;
  /** Told of every end that this worker has written. */
  onEnded?: (ended: EndedRun) => void;
}

export interface EndedRun {
  Id: number;
  status: RunStatus;
  /** In the queue; 0 for a run that went from its start straight to this worker. */
  waitedSeconds: number;
  /** From the begin of its calculation; null where there was none. */
  ownSeconds: number | null;
  /** What a call is answered that started it and waited for its end; undefined where that has to be read. */
  answer: RunAnswer | undefined;
}

/**
 * Writes the end of a run, again and again while the database cannot be reached, until the worker has lost its lease. 'unknown':
 * a commit was sent and nobody knows whether it arrived; what was stored for the run must stay.
 */
export async function endRun(
  context: JobContext,
  run: ClaimedRun,
  end: RunEnd,
  signal: AbortSignal,
): Promise<{ result: FinishResult | 'unknown'; promoted: boolean }> {
  const { database, worker } = context;
  const ended: Awaited<ReturnType<typeof finishRun>> | undefined = await untilReachable(
    context,
    signal,
    async (attempt) => {
      const arrived = attempt > 1 && (await endedByClaim(database.knex, worker, run));
      return arrived ? { result: 'finished', promoted: true } : finishRun(database, worker, run, end);
    },
  );
  if (ended?.result === 'finished') tell(context, run, end, end.status, answerOf(run, end, ended.EndTime));
  if (ended?.result === 'cancelled') tell(context, run, end, 'Cancelled');
  return ended ?? { result: 'unknown', promoted: false };
}

function tell(
  { onEnded }: JobContext,
  run: ClaimedRun,
  { startedAt }: RunEnd,
  status: RunStatus,
  answer?: RunAnswer,
): void {
  const span = currentSpan();
  span?.annotate({ 'runsheet.run.status': status });
  if (isFailed(status)) span?.fail(status);
  const { Id, QueueTime, PickupTime } = run;
  onEnded?.({
    Id,
    status,
    waitedSeconds: QueueTime && PickupTime ? Math.max(0, PickupTime.getTime() - QueueTime.getTime()) / 1000 : 0,
    ownSeconds: startedAt === null ? null : (performance.now() - startedAt) / 1000,
    answer,
  });
}
