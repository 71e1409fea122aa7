import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import { endRuns, lockActivity, promoteNext, type EndedRow } from './run-end.ts';
import { CANCELLED_LINE } from './run-log-lines.ts';
import type { RunSignals } from './run-signals.ts';

export type CancellableRun = Pick<ActivityRunsRow, 'Id' | 'ActivityId' | 'SingleRun'>;

/** 'ended' if there was nothing left to cancel. A run that is 'stopping' can only end as Cancelled. */
export type CancelResult = 'cancelled' | 'stopping' | 'ended';

/**
 * Cancellation is retried because a run can move between the queue and a worker while it is being cancelled, which
 * happens only when servers stop.
 */
const ATTEMPTS = 5;

/** Cancels a waiting run immediately; notifies the worker of a running one, on whichever server it is. */
export async function cancelRun(database: Database, signals: RunSignals, run: CancellableRun): Promise<CancelResult> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { result, promoted, of } = await tryCancel(database, run);
    if (promoted) signals.queued();
    if (result === 'stopping') signals.cancelled(run.Id);
    if (result === 'cancelled') {
      signals.changed(run.Id);
      if (of?.ChecklistRunId) signals.stepEnded(of.ChecklistRunId);
      if (of?.ParentRunId) signals.childEnded(of.ParentRunId);
    }
    if (result) return result;
  }
  throw new Error(`run ${run.Id} is neither waiting, running nor ended`);
}

async function tryCancel(
  { knex, dialect }: Database,
  { Id, ActivityId, SingleRun }: CancellableRun,
): Promise<{ result?: CancelResult; promoted?: boolean; of?: EndedRow }> {
  return inTransaction(knex, async (trx) => {
    if (SingleRun) await lockActivity(trx, ActivityId);
    const now = dialect.now(trx);
    const waiting = trx('ActivityRuns').where('Id', Id).whereIn('Status', ['Queued', 'QueuedInSeq']);
    const [of] = await endRuns(trx, waiting, { Status: 'Cancelled', CancelTime: now }, () => CANCELLED_LINE);
    if (of) {
      const promoted = SingleRun && (await promoteNext(trx, ActivityId));
      return { result: 'cancelled', promoted, of };
    }
    const running = await trx('ActivityRuns')
      .where('Id', Id)
      .whereIn('Status', ['PickedUp', 'Started'])
      .update({ CancelTime: trx.raw('coalesce(??, ?)', ['CancelTime', now]) });
    if (running === 1) return { result: 'stopping' };
    const ended = await trx('ActivityRuns').where('Id', Id).whereNotNull('EndTime').first('Id');
    return ended ? { result: 'ended' } : {};
  });
}
