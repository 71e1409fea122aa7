import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { lockWorkflowRun } from '#server/workflows/advance-workflow-run.ts';
import { insertWorkflowLogLine } from '#server/workflows/other-steps.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { ApprovalOutcome } from '#shared/contract/approvals.ts';
import { APPROVAL_LINES, findApproval, type ApprovalRow } from './approval-rows.ts';
import { mayDecide } from './approvers.ts';
import { isExpired } from './due-approvals.ts';
import { endApproval, expireApproval } from './end-approval.ts';

export interface Decision {
  ApprovalId: number;
  UserId: number;
  /** Used in the log of the run. */
  UserFullName: string;
  Approved: boolean;
  Comment: string;
}

/** The result of a decision: it counts, or the reason why it does not. */
export type Decided =
  | { result: 'decided'; Status: ApprovalOutcome }
  /** The approval had already ended. */
  | { result: 'late'; Status: ApprovalOutcome }
  /** The person had already decided. */
  | { result: 'again' }
  | { result: 'forbidden' };

/**
 * Records one person's decision, at most once. The lock on the workflow run serializes concurrent decisions, expiry and
 * cancellation: the first one takes effect and the others see its result. Throws an AppError 404 if the approval does
 * not exist.
 * @param record adds to the log of security actions, last in the transaction
 */
export async function decideApproval(
  { knex }: Pick<Database, 'knex'>,
  signals: Pick<RunSignals, 'stepEnded'>,
  decision: Decision,
  record: (trx: Knex.Transaction, approval: ApprovalRow) => Promise<void>,
): Promise<Decided> {
  const known = await findApproval(knex, decision.ApprovalId);
  if (!known) throw new AppError('approvalNotFound', 404, 'There is no such approval');
  const { decided, hasEnded } = await inTransaction(knex, async (trx) => {
    await lockWorkflowRun(trx, known.ChecklistRunId);
    return decide(trx, decision, record);
  });
  if (hasEnded) signals.stepEnded(known.ChecklistRunId);
  return decided;
}

async function decide(
  trx: Knex.Transaction,
  decision: Decision,
  record: (trx: Knex.Transaction, approval: ApprovalRow) => Promise<void>,
): Promise<{ decided: Decided; hasEnded: boolean }> {
  const { ApprovalId, UserId, Approved, Comment } = decision;
  const approval = (await findApproval(trx, ApprovalId))!;
  if (approval.Status !== 'Open') return { decided: { result: 'late', Status: approval.Status }, hasEnded: false };
  if (await isExpired(trx, ApprovalId)) {
    // The approval is overdue, but the periodic check has not expired it yet.
    await expireApproval(trx, approval);
    return { decided: { result: 'late', Status: 'Expired' }, hasEnded: true };
  }
  if (!(await mayDecide(trx, ApprovalId, UserId))) return { decided: { result: 'forbidden' }, hasEnded: false };
  if (await trx('ApprovalDecisions').where({ ApprovalId, UserId }).first('UserId')) {
    return { decided: { result: 'again' }, hasEnded: false };
  }
  await trx('ApprovalDecisions').insert({ ApprovalId, UserId, Approved, Comment });
  await logDecision(trx, approval, decision);
  const outcome = Approved ? await outcomeOfApprovals(trx, approval) : 'Rejected';
  if (outcome !== 'Open') await endApproval(trx, approval, outcome);
  await record(trx, approval);
  return { decided: { result: 'decided', Status: outcome }, hasEnded: outcome !== 'Open' };
}

async function outcomeOfApprovals(trx: Knex.Transaction, { Id, Needed }: ApprovalRow): Promise<'Open' | 'Approved'> {
  const approvals = await trx('ApprovalDecisions')
    .where({ ApprovalId: Id, Approved: true })
    .count({ Count: '*' })
    .first<{ Count: number }>();
  return approvals.Count >= Needed ? 'Approved' : 'Open';
}

async function logDecision(
  trx: Knex.Transaction,
  { ChecklistRunId, StepKey }: ApprovalRow,
  { UserFullName, Approved, Comment }: Decision,
): Promise<void> {
  const said = Comment === '' ? '' : `: ${Comment}`;
  await insertWorkflowLogLine(
    trx,
    { ChecklistRunId, StepKey },
    Approved
      ? { ...APPROVAL_LINES.approved, Message: `Approved by ${UserFullName}${said}` }
      : { ...APPROVAL_LINES.rejected, Message: `Rejected by ${UserFullName}${said}` },
  );
}
