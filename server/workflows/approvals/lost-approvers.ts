/** Open approvals that can no longer be given because too few people are left who may decide. */
import type { Knex } from 'knex';
import { whereStatus } from '#server/db/where-status.ts';
import { insertWorkflowLogLine } from '#server/workflows/other-steps.ts';
import { APPROVAL_LINES, findApproval } from './approval-rows.ts';
import { endApproval } from './end-approval.ts';

interface LostApproval {
  Id: number;
  ChecklistRunId: number;
  /** Number of approvals that are still needed. */
  Missing: number;
  /** Number of people who may decide and have not. */
  Left: number;
}

/**
 * Finds all such approvals in one statement. A decision counts even if the person may no longer decide, as it does for
 * the outcome.
 */
export function lostApprovals(db: Knex): Knex.QueryBuilder {
  const approvalCount = db('ApprovalDecisions as D')
    .count('*')
    .whereRaw('?? = ??', ['D.ApprovalId', 'A.Id'])
    .where('D.Approved', true);
  const counted = whereStatus(db('Approvals as A'), ['Open'], 'A.Status').select(
    'A.Id',
    'A.ChecklistRunId',
    db.raw('?? - (?) as ??', ['A.Needed', approvalCount, 'Missing'] as Knex.RawBinding[]),
    countRemainingApprovers(db).as('Left'),
  );
  return db.from(counted.as('Open')).whereRaw('?? < ??', ['Open.Left', 'Open.Missing']);
}

/**
 * Starts from the few people of an approval instead of all users, because the count is computed for each open approval.
 */
function countRemainingApprovers(db: Knex): Knex.QueryBuilder {
  const ofApproval = (table: string): Knex.QueryBuilder =>
    db(`${table} as P`).whereRaw('?? = ??', ['P.ApprovalId', 'A.Id']);
  const ofUser = (table: string): Knex.QueryBuilder =>
    ofApproval(table).select(db.raw('1')).whereRaw('?? = ??', ['P.UserId', 'U.UserId']);
  const members = ofApproval('ApprovalRoles')
    .join('Roles as R', 'R.Name', 'P.RoleName')
    .join('RoleUsers as M', 'M.RoleName', 'R.Name')
    .where('R.IsActive', true)
    .select('M.UserId');
  return db
    .from(ofApproval('ApprovalUsers').select('P.UserId').union([members]).as('Named'))
    .join('Users as U', 'U.UserId', 'Named.UserId')
    .whereNull('U.DeletedTime')
    .where('U.Enabled', true)
    .whereNotExists(ofUser('ApprovalStarters'))
    .whereNotExists(ofUser('ApprovalDecisions'))
    .count('*');
}

/**
 * Fails the step if its approval still cannot be given. Returns true if it did. @param trx holds the workflow run
 * (lockWorkflowRun)
 */
export async function failLostApproval(trx: Knex.Transaction, Id: number): Promise<boolean> {
  const lost = await lostApprovals(trx).where({ Id }).first<LostApproval | undefined>('Missing', 'Left');
  const approval = lost && (await findApproval(trx, Id));
  if (!approval) return false;
  await endApproval(trx, approval, 'NoApprovers');
  const { ChecklistRunId, StepKey } = approval;
  await insertWorkflowLogLine(
    trx,
    { ChecklistRunId, StepKey },
    { ...APPROVAL_LINES.noApprovers, Message: lostText(lost) },
  );
  return true;
}

function lostText({ Missing, Left }: LostApproval): string {
  const cause =
    Left === 0
      ? 'Nobody can approve anymore: no member of its roles and none of the people listed may still decide'
      : `It still needs ${Missing} approvers, but only ${Left} may approve`;
  return `${cause}. Add members to its roles or enable people, then resume the run`;
}
