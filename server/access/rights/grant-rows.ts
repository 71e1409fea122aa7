import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';
import type { RightsRow } from '#server/db/tables.ts';
import type { Grant } from './grants.ts';

export type GranteeKind = 'user' | 'role' | 'internet';

interface GrantRow {
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
  GranteeKind: GranteeKind;
  Grantee: string;
  Access: number;
}

const activeRoles = (db: Db, userId: number) =>
  db('RoleUsers')
    .join('Roles', 'Roles.Name', 'RoleUsers.RoleName')
    .where('RoleUsers.UserId', userId)
    .where('Roles.IsActive', true);

/** Returns the names of the active roles of a user. */
export async function findRoleNames(db: Db, userId: number): Promise<string[]> {
  return activeRoles(db, userId).orderBy('RoleUsers.RoleName').pluck<string[]>('RoleUsers.RoleName');
}

/** Returns a user's own grants, and those of their active roles. */
export async function findGrants(db: Db, userId: number): Promise<Grant[]> {
  const roles = activeRoles(db, userId).select('RoleUsers.RoleName');
  const grants = db('Grants')
    .select('RightName', 'KeyColumnName', 'KeyColumnValue', 'GranteeKind', 'Grantee', 'Access')
    .where({ GranteeKind: 'user', Grantee: String(userId) })
    .orWhere((ofRoles) => void ofRoles.where({ GranteeKind: 'role' }).whereIn('Grantee', roles));
  const rows = await prepared(grants);
  return rows.map(({ GranteeKind, Grantee, Access, ...said }) => ({
    ...said,
    Access: Access > 0 ? 1 : -1,
    RoleName: GranteeKind === 'role' ? Grantee : null,
  }));
}

/** Returns the grants and denials of the internet, without those of public links that have expired. */
export async function findInternetGrants(db: Db): Promise<Grant[]> {
  const expired = db('PublicLinks as L')
    .select(db.raw('1'))
    .where('L.ExpiryTime', '<=', dialectOf(db).now(db))
    .where({ 'G.RightName': 'sk.RunActivity', 'G.KeyColumnName': 'Id' })
    .whereRaw('?? = cast(?? as varchar(20))', ['G.KeyColumnValue', 'L.ActivityId']);
  const rows = (await db('Grants as G')
    .select('G.RightName', 'G.KeyColumnName', 'G.KeyColumnValue', 'G.Access')
    .where('G.GranteeKind', 'internet')
    .whereNotExists(expired)) as Omit<GrantRow, 'GranteeKind' | 'Grantee'>[];
  return rows.map(({ Access, ...said }) => ({ ...said, Access: Access > 0 ? 1 : -1, RoleName: null }));
}

export interface NewGrant {
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
  GranteeKind: GranteeKind;
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

/** Returns '' if there is no such user. */
export async function findUserName(db: Db, UserId: number): Promise<string> {
  const row = await db('Users').where({ UserId }).first('UserName');
  return row?.UserName ?? '';
}

export interface StoredGrant {
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
  GranteeKind: GranteeKind;
  Grantee: string;
  Access: 1 | -1;
}

/** Returns the grants and denials of one user, one role, or the internet. */
export async function findGrantsOfGrantee(db: Db, GranteeKind: GranteeKind, Grantee: string): Promise<StoredGrant[]> {
  return db<StoredGrant>('Grants').where({ GranteeKind, Grantee }).select();
}

export type CustomRight = RightsRow;

export async function listCustomRights(db: Db): Promise<CustomRight[]> {
  return db<CustomRight>('Rights').orderBy('Name').select('Name', 'Description');
}
