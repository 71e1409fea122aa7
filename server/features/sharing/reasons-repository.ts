import type { NameColumns } from '#server/base/full-name.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { whereVisible, type ActivityScopes } from '#server/access/activity-scopes.ts';
import type { Grant } from '#server/access/rights/grants.ts';
import { existingUsers } from '#server/access/user-queries.ts';
import type { PersonalGrant } from './reason-steps.ts';

/** Returns the grants of a user and of all their roles, also of roles that are not active. */
export async function listPersonalGrants(db: Db, UserId: number): Promise<PersonalGrant[]> {
  const roles = (await db('RoleUsers as M')
    .join('Roles as R', 'R.Name', 'M.RoleName')
    .where('M.UserId', UserId)
    .select('R.Name', 'R.IsActive')) as { Name: string; IsActive: boolean }[];
  const active = new Map(roles.map(({ Name, IsActive }) => [Name, IsActive]));
  const names = db('RoleUsers').where({ UserId }).select('RoleName');
  const rows = (await db('Grants')
    .where({ GranteeKind: 'user', Grantee: String(UserId) })
    .orWhere((ofRoles) => void ofRoles.where({ GranteeKind: 'role' }).whereIn('Grantee', names))
    .orderBy(['GranteeKind', 'Grantee', 'Id'])
    .select('RightName', 'KeyColumnName', 'KeyColumnValue', 'GranteeKind', 'Grantee', 'Access')) as {
    RightName: string;
    KeyColumnName: string;
    KeyColumnValue: string;
    GranteeKind: 'user' | 'role';
    Grantee: string;
    Access: number;
  }[];
  return rows.map(({ GranteeKind, Grantee, Access, ...key }) => ({
    ...key,
    Access: Access > 0 ? 1 : -1,
    RoleName: GranteeKind === 'role' ? Grantee : null,
    isActive: GranteeKind === 'user' || active.get(Grantee) === true,
  }));
}

export interface ExplainedUser extends NameColumns {
  UserId: number;
  UserName: string;
  Enabled: boolean;
  IsUserAdmin: boolean;
}

export async function findExplainedUser(db: Db, UserId: number): Promise<ExplainedUser | undefined> {
  return existingUsers(db)
    .where({ UserId })
    .first('UserId', 'UserName', 'FirstName', 'MiddleName', 'LastName', 'Enabled', 'IsUserAdmin') as Promise<
    ExplainedUser | undefined
  >;
}

export interface ExplainedActivity {
  Id: number;
  Name: string;
  Schema: string;
  IsActive: boolean;
}

export async function findExplainedActivity(db: Db, Id: number): Promise<ExplainedActivity | undefined> {
  return db('Activities').where({ Id }).first('Id', 'Name', 'Schema', 'IsActive');
}

/** Returns the grants and denials of the internet. */
export async function listInternetGrants(db: Db): Promise<Grant[]> {
  const rows = (await db('Grants')
    .where('GranteeKind', 'internet')
    .select('RightName', 'KeyColumnName', 'KeyColumnValue', 'Access')) as Omit<Grant, 'RoleName'>[];
  return rows.map((row) => ({ ...row, Access: row.Access > 0 ? 1 : -1, RoleName: null }));
}

/** Returns the activities that somebody with these scopes sees, or all (null), by name. */
export async function listSeen(
  db: Db,
  scopes: Pick<ActivityScopes, 'run' | 'edit'> | null,
  { search, id, limit }: { search: string; id?: number | undefined; limit: number },
): Promise<Omit<ExplainedActivity, 'IsActive'>[]> {
  const query = db('Activities as A').orderBy(['A.NameKey', 'A.Id']).limit(limit).select('A.Id', 'A.Name', 'A.Schema');
  if (scopes !== null) whereVisible(query, scopes);
  if (id !== undefined) void query.where('A.Id', id);
  if (search !== '') void query.where(dialectOf(db).contains(db, 'A.Name', search));
  return (await query) as Omit<ExplainedActivity, 'IsActive'>[];
}
