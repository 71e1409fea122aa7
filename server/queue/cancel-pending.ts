/** Cancels all pending runs of a workflow run, or of the run that started them, in one transaction. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { endRuns, lockActivity, promoteNext } from './run-end.ts';
import { CANCELLED_LINE, NOT_RUN_LINE } from './run-log-lines.ts';

/**
 * Cancellation is retried because a run can return from a worker to the queue while it is being cancelled, which
 * happens only when a server stops.
 */
const ATTEMPTS = 5;

/** The workflow run or the parent run that the runs belong to. */
export type RunsOf = { ChecklistRunId: number } | { ParentRunId: number };

export interface CancelledRuns {
  /** Runs being executed, whose workers must be notified. */
  running: number[];
  ended: number[];
  /** True if a run that waited for one of them was queued. */
  promoted: boolean;
}

/** @param unreleased log message for runs that had not been queued yet */
export async function cancelPending(trx: Knex.Transaction, of: RunsOf, unreleased: string): Promise<CancelledRuns> {
  const now = dialectOf(trx).now(trx);
  const activities = await lockSingleRuns(trx, of);
  const running = new Set<number>();
  const ended = await endWaiting(trx, of, { now, unreleased });
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    for (const Id of await markRunning(trx, of, now)) running.add(Id);
    const again = await endWaiting(trx, of, { now, unreleased });
    if (again.length === 0) break;
    ended.push(...again);
  }
  let promoted = false;
  for (const activityId of activities) promoted = (await promoteNext(trx, activityId)) || promoted;
  return { running: [...running], ended, promoted };
}

/**
 * Locks the activities that prevent simultaneous runs before their runs are changed, in the same order as starts and
 * ends of such runs.
 */
async function lockSingleRuns(trx: Knex.Transaction, of: RunsOf): Promise<number[]> {
  const ids = await whereStatus(trx('ActivityRuns'), PENDING_STATUSES)
    .where({ ...of, SingleRun: true, WaitsForSteps: false })
    .distinct()
    .orderBy('ActivityId')
    .pluck<number[]>('ActivityId');
  for (const id of ids) await lockActivity(trx, id);
  return ids;
}

/** Ends runs that wait for a worker or for other steps, and logs it in each. */
async function endWaiting(
  trx: Knex.Transaction,
  of: RunsOf,
  { now, unreleased }: { now: Knex.Raw; unreleased: string },
): Promise<number[]> {
  const waiting = whereStatus(trx('ActivityRuns').where(of), ['Queued', 'QueuedInSeq']);
  const NotRunBecause = trx.raw("case when ?? = ? then 'Cancelled' end", ['WaitsForSteps', true]);
  const ended = await endRuns(
    trx,
    waiting,
    { Status: 'Cancelled', CancelTime: now, NotRunBecause },
    ({ WaitsForSteps }) => (WaitsForSteps ? { ...NOT_RUN_LINE, Message: unreleased } : CANCELLED_LINE),
  );
  return ended.map(({ Id }) => Id);
}

async function markRunning(trx: Knex.Transaction, of: RunsOf, now: Knex.Raw): Promise<number[]> {
  const rows = await whereStatus(trx('ActivityRuns').where(of), ['PickedUp', 'Started'])
    .update({ CancelTime: trx.raw('coalesce(??, ?)', ['CancelTime', now]) })
    .returning<{ Id: number }[]>('Id');
  return rows.map(({ Id }) => Id);
}
