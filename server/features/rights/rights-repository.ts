import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Grant } from './grants.ts';

interface GrantRow {
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
  GranteeKind: 'user' | 'role' | 'internet';
  Grantee: string;
  Access: number;
}

const activeRoles = (db: Db, userId: number) =>
  db('RoleUsers')
    .join('Roles', 'Roles.Name', 'RoleUsers.RoleName')
    .where({ 'RoleUsers.UserId': userId, 'Roles.IsActive': true });

/** Names of the active roles that a user is in. */
export async function findRoleNames(db: Db, userId: number): Promise<string[]> {
  return activeRoles(db, userId).orderBy('RoleUsers.RoleName').pluck('RoleUsers.RoleName') as Promise<string[]>;
}

/** A user's own grants, and those of the active roles they are in. */
export async function findGrants(db: Db, userId: number): Promise<Grant[]> {
  const roles = activeRoles(db, userId).select('RoleUsers.RoleName');
  const grants = db('Grants')
    .select('RightName', 'KeyColumnName', 'KeyColumnValue', 'GranteeKind', 'Grantee', 'Access')
    .where({ GranteeKind: 'user', Grantee: String(userId) })
    .orWhere((ofRoles) => void ofRoles.where({ GranteeKind: 'role' }).whereIn('Grantee', roles));
  const rows = (await prepared(grants)) as GrantRow[];
  return rows.map(({ GranteeKind, Grantee, Access, ...said }) => ({
    ...said,
    Access: Access > 0 ? 1 : -1,
    RoleName: GranteeKind === 'role' ? Grantee : null,
  }));
}

/** What the internet is granted or denied. */
export async function findInternetGrants(db: Db): Promise<Grant[]> {
  const rows = await db<GrantRow>('Grants')
    .select('RightName', 'KeyColumnName', 'KeyColumnValue', 'Access')
    .where({ GranteeKind: 'internet' });
  return rows.map(({ Access, ...said }) => ({ ...said, Access: Access > 0 ? 1 : -1, RoleName: null }));
}

export interface NewGrant {
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
  GranteeKind: 'user' | 'role' | 'internet';
  Grantee: string;
  Access: 1 | -1;
}

export async function insertGrant(db: Db, grant: NewGrant): Promise<void> {
  await db('Grants').insert(grant);
}

export async function deleteGrant(db: Db, grant: Omit<NewGrant, 'Access'>): Promise<void> {
  const { GranteeKind, Grantee, RightName, KeyColumnName, KeyColumnValue } = grant;
  await db('Grants').where({ GranteeKind, Grantee, RightName, KeyColumnName, KeyColumnValue }).delete();
}

/** '' where there is no such user. */
export async function findUserName(db: Db, UserId: number): Promise<string> {
  const row = (await db('Users').where({ UserId }).first('UserName')) as { UserName: string } | undefined;
  return row?.UserName ?? '';
}
