import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { withdrawApprovals } from '#server/workflows/approvals/end-approval.ts';
import { cancelChildRuns } from '#server/workflows/child-runs/cancel-child-runs.ts';
import { cancelPending, type CancelledRuns } from '#server/queue/cancel-pending.ts';
import type { CancelResult } from '#server/queue/cancel-run.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { CANCELLED_WORKFLOW } from '#shared/rules/workflows/advance.ts';
import { lockWorkflowRun } from './advance-workflow-run.ts';

interface Cancelled extends CancelledRuns {
  result: CancelResult;
}

/**
 * Cancels a workflow run. One transaction marks it, so no further step begins, and ends all waiting runs. Running runs
 * are then stopped. Returns 'ended' if there was nothing left to cancel.
 */
export async function cancelWorkflowRun(
  database: Database,
  signals: RunSignals,
  workflowRunId: number,
): Promise<CancelResult> {
  const done = await inTransaction(database.knex, (trx) => cancelAll(database, trx, workflowRunId));
  for (const runId of done.ended) signals.changed(runId);
  for (const runId of done.running) signals.cancelled(runId);
  if (done.promoted) signals.queued();
  if (done.result !== 'ended') {
    signals.stepEnded(workflowRunId);
    for (const runId of await startersOf(database, workflowRunId)) await cancelChildRuns(database, signals, runId);
  }
  return done.result;
}

async function cancelAll({ dialect }: Database, trx: Knex.Transaction, workflowRunId: number): Promise<Cancelled> {
  const workflowRun = await lockWorkflowRun(trx, workflowRunId);
  if (!workflowRun || workflowRun.EndTime) return { result: 'ended', running: [], ended: [], promoted: false };
  const now = dialect.now(trx);
  if (!workflowRun.CancelTime) await trx('ChecklistRuns').where('Id', workflowRunId).update({ CancelTime: now });
  const runs = await cancelPending(trx, { ChecklistRunId: workflowRunId }, CANCELLED_WORKFLOW);
  await trx('ChecklistRunSteps')
    .where({ ChecklistRunId: workflowRunId, Status: 'Started' })
    // For each steps end when their rows have ended.
    .whereNot('Kind', 'ForEach')
    .update({ Status: 'Cancelled', EndTime: now });
  await withdrawApprovals(trx, workflowRunId);
  return { result: runs.running.length > 0 ? 'stopping' : 'cancelled', ...runs };
}

/**
 * Returns runs that started others of which some are still pending: steps, and their descendants at any depth, even if
 * the runs in between have ended.
 */
async function startersOf({ knex }: Database, ChecklistRunId: number): Promise<number[]> {
  return knex('RunStarts as S')
    .join('ActivityRuns as Root', 'Root.Id', 'S.RootRunId')
    .where({ 'Root.ChecklistRunId': ChecklistRunId })
    .whereNull('S.EndTime')
    .distinct()
    .pluck<number[]>('S.ParentRunId');
}
