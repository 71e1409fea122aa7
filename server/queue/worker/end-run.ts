import { currentSpan } from '#server/base/tracing.ts';
import type { Database } from '#server/db/database.ts';
import type { Executor } from '#server/executors/executor.ts';
import type { RunProcedures } from '#server/queue/procedures/run-procedures.ts';
import type { RunSteps } from '#server/queue/steps/run-steps.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { DeltaBases } from '#server/files/deltas.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { Log } from '#server/base/log.ts';
import { endedByClaim, finishRun, type FinishResult, type RunEnd } from '#server/queue/run-end.ts';
import type { RunQueue } from '#server/queue/run-queue.ts';
import type { ClaimedRun } from '#server/queue/claimed-run.ts';
import { answerOf, type RunAnswer } from '#server/queue/run-answer.ts';
import { isFailed, type RunStatus } from '#shared/contract/run-status.ts';
import { untilReachable } from '#server/queue/until-reachable.ts';

/** Dependencies for executing runs. */
export interface JobContext {
  database: Database;
  queue: RunQueue;
  versions: VersionCatalog;
  files: FileStore;
  /** Base files for storing calculated workbooks as deltas. If absent, each workbook is stored whole. */
  deltaBases?: DeltaBases;
  executor: Executor;
  /** Services for steps; none if absent. */
  steps?: RunSteps;
  /** If absent, runs of stored procedures end with a system error. */
  procedures?: RunProcedures;
  log: Log;
  /** Unique name of this worker; a new name at every start. */
  worker: string;
  /** Maximum duration of a calculation in milliseconds. */
  timeLimit: number;
  /** Milliseconds between two writes of progress. */
  journalInterval: number;
  /** Returns true if the license currently allows runs. */
  isLicensed(): Promise<boolean>;
  /** Returns false while this process must not take further runs. If absent, it may take them. */
  mayTake?: () => boolean;
  /** Called for every end that this worker has written. */
  onEnded?: (ended: EndedRun) => void;
}

export interface EndedRun {
  Id: number;
  status: RunStatus;
  /** Time in the queue; 0 for a run that went directly from its start to this worker. */
  waitedSeconds: number;
  /** Time since its calculation began; null if it did not begin. */
  ownSeconds: number | null;
  /**
   * The response to a call that started the run and waited for its end; undefined if it must be read from the database.
   */
  answer: RunAnswer | undefined;
}

/**
 * Writes the end of a run. Retries while the database cannot be reached, until the worker has lost its lease. 'unknown'
 * means that a commit was sent but its outcome is unknown; what was stored for the run must then stay.
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
  if (ended?.result === 'finished') publishEnd(context, run, end, end.status, answerOf(run, end, ended.EndTime));
  if (ended?.result === 'cancelled') publishEnd(context, run, end, 'Cancelled');
  return ended ?? { result: 'unknown', promoted: false };
}

function publishEnd(
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
