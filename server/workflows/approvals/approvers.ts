/**
 * Finds the people who may decide an approval. The database is read every time: anyone who lost the role or was
 * disabled may no longer decide.
 */
import type { Knex } from 'knex';
import { shortOfApprovers } from '#shared/rules/workflows/validate-approval.ts';
import { listContinued } from '#server/workflows/continued-runs.ts';

export interface ApproverRule {
  /** Names of roles. */
  Roles: readonly string[];
  UserIds: readonly number[];
  /** People who may not decide, even if they have one of the roles or are listed in UserIds. */
  Except: readonly number[];
}

/** Selects the rows of the table Users (as U) for the people who may decide. */
export function approvers(db: Knex, { Roles, UserIds, Except }: ApproverRule): Knex.QueryBuilder {
  const inRole = db('RoleUsers as M')
    .join('Roles as R', 'R.Name', 'M.RoleName')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['M.UserId', 'U.UserId'])
    .where('R.IsActive', true)
    .whereIn('M.RoleName', Roles);
  return db('Users as U')
    .whereNull('U.DeletedTime')
    .where('U.Enabled', true)
    .whereNotIn('U.UserId', Except)
    .where((either) => void either.whereIn('U.UserId', UserIds).orWhereExists(inRole));
}

export async function countApprovers(db: Knex, rule: ApproverRule): Promise<number> {
  const row = await approvers(db, rule).count({ Count: '*' }).first<{ Count: number }>();
  return row.Count;
}

/** Returns why there are too few people to give the approval, or null if there are enough. */
export async function approversIssue(db: Knex, Needed: number, rule: ApproverRule): Promise<string | null> {
  const issue = shortOfApprovers(Needed, await countApprovers(db, rule));
  if (issue === null || rule.Except.length === 0) return issue;
  const withStarters = shortOfApprovers(Needed, await countApprovers(db, { ...rule, Except: [] }));
  return withStarters === null ? `${issue}. The user who started the run may not approve` : issue;
}

/** Returns the users who started a workflow run and all the runs that it resumes. */
export async function startersOf(db: Knex, workflowRunId: number): Promise<number[]> {
  return [...new Set((await listContinued(db, workflowRunId)).map(({ UserId }) => UserId))];
}

/** Reads the rule of an approval that was requested. */
export async function ruleOf(db: Knex, ApprovalId: number): Promise<ApproverRule> {
  const Roles = await db('ApprovalRoles').where({ ApprovalId }).orderBy('RoleName').pluck('RoleName');
  const UserIds = await db('ApprovalUsers').where({ ApprovalId }).orderBy('UserId').pluck('UserId');
  const Except = await db('ApprovalStarters').where({ ApprovalId }).orderBy('UserId').pluck('UserId');
  return { Roles, UserIds, Except };
}

export async function mayDecide(db: Knex, approvalId: number, userId: number): Promise<boolean> {
  const rule = await ruleOf(db, approvalId);
  return (await approvers(db, rule).where('U.UserId', userId).first('U.UserId')) !== undefined;
}
