import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { cancelPending, type CancelledRuns } from '#server/queue/cancel-pending.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { listRunStarts, lockRunStart } from '#server/queue/run-starts.ts';
import { makeChildRuns } from './make-child-runs.ts';

const CANCELLED_PARENT = 'Not run: the runs that it belongs to were cancelled';

/**
 * Cancels all descendants of a run: waiting runs end, running ones are stopped, and no further ones begin. Returns the
 * number of runs cancelled or stopped.
 */
export async function cancelChildRuns(database: Database, signals: RunSignals, parentRunId: number): Promise<number> {
  const { knex } = database;
  const starts = await listRunStarts(knex, parentRunId);
  if (starts.length === 0) return 0;
  const done = await inTransaction(knex, (trx) => cancelStarted(trx, parentRunId));
  for (const runId of done.ended) signals.changed(runId);
  for (const runId of done.running) signals.cancelled(runId);
  if (done.promoted) signals.queued();
  if (done.ended.length > 0) signals.childEnded(parentRunId);
  let count = done.ended.length + done.running.length;
  // Runs marked as cancelled start no others, but runs that ended earlier may have.
  const others = await knex('ActivityRuns as R')
    .join('RunStarts as S', 'S.ParentRunId', 'R.Id')
    .where('R.ParentRunId', parentRunId)
    .distinct()
    .pluck<number[]>('R.Id');
  for (const id of others) count += await cancelChildRuns(database, signals, id);
  return count;
}

async function cancelStarted(trx: Knex.Transaction, ParentRunId: number): Promise<CancelledRuns> {
  for (const { StepKey } of await listRunStarts(trx, ParentRunId)) {
    const start = await lockRunStart(trx, { ParentRunId, StepKey });
    // Create the runs first, so each row has a run that shows the cancellation.
    if (start && !start.IsMade) await makeChildRuns(trx, start);
  }
  return cancelPending(trx, { ParentRunId }, CANCELLED_PARENT);
}
