/** Requests an approval. The step waits without a worker until people have decided or the approval expires. */
import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { inRows } from '#server/db/in-rows.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { BeginStep, StepContext } from '#server/workflows/step-context.ts';
import { beginOtherStep, insertEnded, insertWorkflowLogLine } from '#server/workflows/other-steps.ts';
import type { ApprovalStep } from '#shared/rules/workflows/types.ts';
import { insertMails } from './approval-mails.ts';
import { APPROVAL_LINES } from './approval-rows.ts';
import { approvers, approversIssue, startersOf, type ApproverRule } from './approvers.ts';
import { insertShownValues, readShownValues } from './shown-values.ts';

const SECONDS_PER_HOUR = 3600;
/** Fraction of the time until expiry after which people are reminded. */
const REMIND_AFTER = 0.8;

export async function prepareApproval(context: StepContext, step: ApprovalStep): Promise<BeginStep> {
  const { workflowRun } = context;
  const of = { ChecklistRunId: workflowRun.Id, StepKey: step.Key };
  const shown = await readShownValues(context, step);
  return async (trx) => {
    const Except = step.StarterMayApprove ? [] : await startersOf(trx, workflowRun.Id);
    const rule = { Roles: step.Roles, UserIds: step.UserIds, Except };
    const issue = 'issue' in shown ? shown.issue : await approversIssue(trx, step.Needed, rule);
    if (issue !== null) {
      const Status = ('issue' in shown && shown.status) || 'Failed';
      await insertEnded(trx, of, { Kind: 'Approval', Status, Text: issue });
      return { released: [], isMore: true };
    }
    await beginOtherStep(trx, of, 'Approval');
    const Id = await insertApproval(trx, step, { ...of, StarterId: workflowRun.UserId });
    await insertPeople(trx, Id, rule);
    if ('values' in shown) await insertShownValues(trx, Id, shown.values);
    const asked = await approvers(trx, rule).pluck<number[]>('U.UserId');
    await insertMails(trx, Id, 'Begun', asked);
    await insertWorkflowLogLine(trx, of, { ...APPROVAL_LINES.asked, Message: 'Waits for approval' });
    return { released: [], isMore: false };
  };
}

async function insertApproval(
  trx: Knex.Transaction,
  step: ApprovalStep,
  of: { ChecklistRunId: number; StepKey: string; StarterId: number },
): Promise<number> {
  const { Name, Text, Needed, OnExpiry, StarterMayApprove, ExpiresAfterHours } = step;
  const dialect = dialectOf(trx);
  const seconds = ExpiresAfterHours === null ? null : ExpiresAfterHours * SECONDS_PER_HOUR;
  const times =
    seconds === null
      ? {}
      : { ExpiryTime: dialect.nowPlus(trx, seconds), RemindTime: dialect.nowPlus(trx, seconds * REMIND_AFTER) };
  return insertedId(
    trx('Approvals')
      .insert({ ...of, ...times, Name, Text, Needed, OnExpiry, StarterMayApprove, Status: 'Open' })
      .returning('Id'),
  );
}

async function insertPeople(trx: Knex.Transaction, ApprovalId: number, rule: ApproverRule): Promise<void> {
  const { Roles, UserIds, Except } = rule;
  const roles = [...new Set(Roles)].map((RoleName) => ({ ApprovalId, RoleName }));
  await inRows(trx, roles, (part) => trx('ApprovalRoles').insert(part));
  const rowsOf = (ids: readonly number[]) => [...new Set(ids)].map((UserId) => ({ ApprovalId, UserId }));
  await inRows(trx, rowsOf(UserIds), (part) => trx('ApprovalUsers').insert(part));
  await inRows(trx, rowsOf(Except), (part) => trx('ApprovalStarters').insert(part));
}
