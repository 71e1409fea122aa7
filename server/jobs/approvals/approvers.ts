/** Who may decide an approval. Always looked up: who has lost the role, or was disabled, may not any more. */
import type { Knex } from 'knex';
import { shortOfApprovers } from '#shared/rules/chains/validate-approval.ts';

export interface ApproverRule {
  /** Names of roles. */
  Roles: readonly string[];
  UserIds: readonly number[];
  /** People who may not, although a role or their number says so. */
  Except: readonly number[];
}

/** Those of the table Users (as U) who may decide. */
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
  const row = (await approvers(db, rule).count({ Count: '*' }).first()) as unknown as { Count: number };
  return row.Count;
}

/** Why an approval could not be given by those who may decide; null where it could. */
export async function approversIssue(db: Knex, Needed: number, rule: ApproverRule): Promise<string | null> {
  const issue = shortOfApprovers(Needed, await countApprovers(db, rule));
  if (issue === null || rule.Except.length === 0) return issue;
  const withStarters = shortOfApprovers(Needed, await countApprovers(db, { ...rule, Except: [] }));
  return withStarters === null ? `${issue}. Who started the run may not approve` : issue;
}

/** Who started a chain, and all those that it goes on from. */
export async function startersOf(db: Knex, chainId: number): Promise<number[]> {
  const starters = new Set<number>();
  for (let id: number | null = chainId; id !== null;) {
    const row = (await db('ChecklistRuns').where('Id', id).first('UserId', 'ResumeOf')) as
      | { UserId: number; ResumeOf: number | null }
      | undefined;
    if (row) starters.add(row.UserId);
    id = row?.ResumeOf ?? null;
  }
  return [...starters];
}

/** Of an approval that was asked for. */
export async function ruleOf(db: Knex, ApprovalId: number): Promise<ApproverRule> {
  const Roles = (await db('ApprovalRoles').where({ ApprovalId }).orderBy('RoleName').pluck('RoleName')) as string[];
  const UserIds = (await db('ApprovalUsers').where({ ApprovalId }).orderBy('UserId').pluck('UserId')) as number[];
  const Except = (await db('ApprovalStarters').where({ ApprovalId }).orderBy('UserId').pluck('UserId')) as number[];
  return { Roles, UserIds, Except };
}

export async function mayDecide(db: Knex, approvalId: number, userId: number): Promise<boolean> {
  const rule = await ruleOf(db, approvalId);
  return (await approvers(db, rule).where('U.UserId', userId).first('U.UserId')) !== undefined;
}
