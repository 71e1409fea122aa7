import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inRows } from '#server/db/in-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { withdrawApprovals } from '#server/jobs/approvals/end-approval.ts';
import type { CancelResult } from '#server/jobs/queue/cancel-run.ts';
import { lockActivity, promoteNext } from '#server/jobs/queue/run-end.ts';
import { CANCELLED_LINE } from '#server/jobs/queue/run-log-lines.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { CANCELLED_CHAIN } from '#shared/rules/chains/advance.ts';
import { lockChain } from './advance-chain.ts';
import { NOT_RUN_LINE } from './step-runs.ts';

/** A run goes back from a worker to the queue at most when its server stops; then its cancellation is tried again. */
const ATTEMPTS = 5;

interface Cancelled {
  result: CancelResult;
  /** Runs at work, whose workers are told. */
  running: number[];
  ended: number[];
  promoted: boolean;
}

/**
 * Cancels a chain: in one transaction it is marked, so that nothing more begins, and all that waits ends; what runs is stopped. 'ended' where
 * there was nothing to cancel any more.
 */
export async function cancelChain(database: Database, signals: RunSignals, chainId: number): Promise<CancelResult> {
  const done = await inTransaction(database.knex, (trx) => cancelAll(database, trx, chainId));
  for (const runId of done.ended) signals.changed(runId);
  for (const runId of done.running) signals.cancelled(runId);
  if (done.promoted) signals.queued();
  if (done.result !== 'ended') signals.stepEnded(chainId);
  return done.result;
}

async function cancelAll({ dialect }: Database, trx: Knex.Transaction, chainId: number): Promise<Cancelled> {
  const chain = await lockChain(trx, chainId);
  if (!chain || chain.EndTime) return { result: 'ended', running: [], ended: [], promoted: false };
  const now = dialect.now(trx);
  if (!chain.CancelTime) await trx('ChecklistRuns').where('Id', chainId).update({ CancelTime: now });
  const activities = await lockSingleRuns(trx, chainId);
  const running = new Set<number>();
  const ended = await endWaiting(trx, chainId, now);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    for (const Id of await markRunning(trx, chainId, now)) running.add(Id);
    const again = await endWaiting(trx, chainId, now);
    if (again.length === 0) break;
    ended.push(...again);
  }
  await trx('ChecklistRunSteps')
    .where({ ChecklistRunId: chainId, Status: 'Started' })
    // Those end when their rows have.
    .whereNot('Kind', 'ForEach')
    .update({ Status: 'Cancelled', EndTime: now });
  await withdrawApprovals(trx, chainId);
  let promoted = false;
  for (const activityId of activities) promoted = (await promoteNext(trx, activityId)) || promoted;
  return { result: running.size > 0 ? 'stopping' : 'cancelled', running: [...running], ended, promoted };
}

/** Before their runs are changed, as starts and ends of such runs do it too. */
async function lockSingleRuns(trx: Knex.Transaction, ChecklistRunId: number): Promise<number[]> {
  const ids = (await whereStatus(trx('ActivityRuns'), PENDING_STATUSES)
    .where({ ChecklistRunId, SingleRun: true, WaitsForSteps: false })
    .distinct()
    .orderBy('ActivityId')
    .pluck('ActivityId')) as number[];
  for (const id of ids) await lockActivity(trx, id);
  return ids;
}

/** Ends what waits, for a worker or for other steps, and says so in the log of each. */
async function endWaiting(trx: Knex.Transaction, ChecklistRunId: number, now: Knex.Raw): Promise<number[]> {
  const rows = (await whereStatus(trx('ActivityRuns').where({ ChecklistRunId }), ['Queued', 'QueuedInSeq'])
    .update({
      Status: 'Cancelled',
      EndTime: now,
      CancelTime: now,
      NotRunBecause: trx.raw("case when ?? = ? then 'Cancelled' end", ['WaitsForSteps', true]),
    })
    .returning(['Id', 'WaitsForSteps'])) as { Id: number; WaitsForSteps: boolean }[];
  const lines = rows.map(({ Id, WaitsForSteps }) => {
    const { Message, StatusCode, Category } = WaitsForSteps
      ? { ...NOT_RUN_LINE, Message: CANCELLED_CHAIN }
      : CANCELLED_LINE;
    return { ActivityRunId: Id, Message, StatusCode, Category };
  });
  await inRows(trx, lines, (part) => trx('RunLogEntries').insert(part));
  return rows.map(({ Id }) => Id);
}

async function markRunning(trx: Knex.Transaction, ChecklistRunId: number, now: Knex.Raw): Promise<number[]> {
  const rows = (await whereStatus(trx('ActivityRuns').where({ ChecklistRunId }), ['PickedUp', 'Started'])
    .update({ CancelTime: trx.raw('coalesce(??, ?)', ['CancelTime', now]) })
    .returning('Id')) as { Id: number }[];
  return rows.map(({ Id }) => Id);
}
