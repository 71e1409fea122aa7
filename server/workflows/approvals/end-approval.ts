/** Ends approvals, each only once: the caller must hold the lock on the workflow run (lockWorkflowRun). */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { endOtherStep, insertWorkflowLogLine } from '#server/workflows/other-steps.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { dropUnsentMails, insertMails } from './approval-mails.ts';
import { APPROVAL_LINES, type ApprovalRow } from './approval-rows.ts';

type Outcome = 'Approved' | 'Rejected' | 'Expired' | 'NoApprovers';

/** Ends the approval and its step, and queues a mail to the person who started the run. */
export async function endApproval(trx: Knex.Transaction, approval: ApprovalRow, outcome: Outcome): Promise<void> {
  const { Id, ChecklistRunId, StepKey, OnExpiry, StarterId } = approval;
  const isApproved = outcome === 'Approved' || (outcome === 'Expired' && OnExpiry === 'Approve');
  const Status: RunStatus = isApproved ? 'Succeeded' : 'Failed';
  await trx('Approvals')
    .where({ Id, Status: 'Open' })
    .update({ Status: outcome, EndTime: dialectOf(trx).now(trx) });
  await endOtherStep(trx, { ChecklistRunId, StepKey }, Status);
  await dropUnsentMails(trx, Id);
  await insertMails(trx, Id, 'Ended', [StarterId]);
}

export async function expireApproval(trx: Knex.Transaction, approval: ApprovalRow): Promise<void> {
  const { ChecklistRunId, StepKey, OnExpiry } = approval;
  await endApproval(trx, approval, 'Expired');
  const line =
    OnExpiry === 'Approve'
      ? {
          ...APPROVAL_LINES.approvedByTime,
          Message: 'Approved because it expired before enough people had decided',
        }
      : { ...APPROVAL_LINES.expired, Message: 'Expired: not enough people decided in time' };
  await insertWorkflowLogLine(trx, { ChecklistRunId, StepKey }, line);
}

/**
 * Withdraws the open approvals of a workflow run, or of one step if StepKey is given, because nobody needs to decide
 * any more. The caller ends the steps.
 */
export async function withdrawApprovals(
  trx: Knex.Transaction,
  ChecklistRunId: number,
  StepKey?: string,
): Promise<void> {
  const open = trx('Approvals').where({
    ChecklistRunId,
    Status: 'Open',
    ...(StepKey === undefined ? {} : { StepKey }),
  });
  const ids = await open.pluck('Id');
  for (const Id of ids) {
    await trx('Approvals')
      .where({ Id })
      .update({ Status: 'Cancelled', EndTime: dialectOf(trx).now(trx) });
    await dropUnsentMails(trx, Id);
  }
}
