import type { NameColumns } from '#server/base/full-name.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { ALL } from '#server/access/rights/grants.ts';
import { existingUsers, whereUserMatches } from '#server/access/user-queries.ts';
import { SHARED_RIGHTS, type SharedRight } from '#shared/rules/share-levels.ts';

export interface SharedGrant {
  RightName: SharedRight;
  KeyColumnName: string;
  GranteeKind: 'user' | 'role';
  Grantee: string;
  Access: number;
}

/** Returns the grants and denials of users and roles that decide who may run, see or edit the activity. */
export async function listSharedGrants(db: Db, { Id, Schema }: { Id: number; Schema: string }): Promise<SharedGrant[]> {
  const rows = db('Grants')
    .whereIn('RightName', SHARED_RIGHTS)
    .whereIn('GranteeKind', ['user', 'role'])
    .where((levels) => {
      void levels.where('KeyColumnName', ALL);
      void levels.orWhere({ KeyColumnName: 'Schema', KeyColumnValue: Schema });
      void levels.orWhere({ KeyColumnName: 'Id', KeyColumnValue: String(Id) });
    })
    .select('RightName', 'KeyColumnName', 'GranteeKind', 'Grantee', 'Access');
  return (await rows) as SharedGrant[];
}

/** Returns what was granted on the activity itself, without denials. */
export async function listOwnGrants(db: Db, activityId: number): Promise<SharedGrant[]> {
  return (await db('Grants')
    .whereIn('RightName', SHARED_RIGHTS)
    .whereIn('GranteeKind', ['user', 'role'])
    .where({ KeyColumnName: 'Id', KeyColumnValue: String(activityId), Access: 1 })
    .select('RightName', 'KeyColumnName', 'GranteeKind', 'Grantee', 'Access')) as SharedGrant[];
}

export interface UserRow extends NameColumns {
  UserId: number;
  UserName: string;
  Email: string;
  Enabled: boolean;
}

const USER_COLUMNS = ['UserId', 'UserName', 'FirstName', 'MiddleName', 'LastName', 'Email', 'Enabled'];

export async function findUsers(db: Db, userIds: readonly number[]): Promise<UserRow[]> {
  const { maxBindings } = dialectOf(db);
  const found: UserRow[] = [];
  for (let start = 0; start < userIds.length; start += maxBindings) {
    const part = userIds.slice(start, start + maxBindings);
    found.push(...((await existingUsers(db).whereIn('UserId', part).select(USER_COLUMNS)) as UserRow[]));
  }
  return found;
}

/** Returns users whose names or mail address match, by user name. */
export async function searchUsers(
  db: Db,
  search: string,
  { limit, isEnabledOnly }: { limit: number; isEnabledOnly: boolean },
): Promise<UserRow[]> {
  const query = existingUsers(db).orderBy('UserNameKey').limit(limit).select(USER_COLUMNS);
  if (isEnabledOnly) void query.where('Enabled', true);
  whereUserMatches(query, db, search);
  return (await query) as UserRow[];
}

export interface RoleRow {
  Name: string;
  IsActive: boolean;
  MemberCount: number;
}

/** @param search returns only active roles whose names contain it; all roles if omitted */
export async function listRoles(db: Db, search?: string): Promise<RoleRow[]> {
  const query = db('Roles as R')
    .leftJoin('RoleUsers as M', 'M.RoleName', 'R.Name')
    .groupBy('R.Name', 'R.IsActive')
    .orderBy('R.Name')
    .select('R.Name', 'R.IsActive')
    .count({ MemberCount: 'M.UserId' });
  if (search !== undefined) void query.where('R.IsActive', true).where(dialectOf(db).contains(db, 'R.Name', search));
  return (await query) as RoleRow[];
}

export async function countAdministrators(db: Db): Promise<number> {
  const row = (await existingUsers(db).where({ IsUserAdmin: true, Enabled: true }).count({ Count: '*' }).first()) as {
    Count: number;
  };
  return row.Count;
}

/** Returns the enabled members of the roles. */
export async function listRoleMembers(db: Db, roles: readonly string[], limit: number): Promise<number[]> {
  if (roles.length === 0) return [];
  const members = db('RoleUsers').whereIn('RoleName', roles).select('UserId');
  return existingUsers(db)
    .where('Enabled', true)
    .whereIn('UserId', members)
    .orderBy('UserId')
    .limit(limit)
    .pluck('UserId');
}

/** Returns all users who can sign in. */
export async function listEnabledUsers(db: Db): Promise<{ UserId: number; IsUserAdmin: boolean }[]> {
  return existingUsers(db).where('Enabled', true).orderBy('UserId').select('UserId', 'IsUserAdmin');
}
