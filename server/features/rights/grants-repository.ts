import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { RolesRow, UsersRow } from '#server/db/tables.ts';
import { existingUsers, whereUserMatches } from '#server/access/user-queries.ts';
import type { CustomRight, StoredGrant, GranteeKind } from '#server/access/rights/grant-rows.ts';
import type { GrantKey } from '#server/access/rights/grants.ts';

/** Returns all grants, or those of the given rights. */
export async function listGrants(db: Db, rights?: readonly string[]): Promise<StoredGrant[]> {
  const query = db<StoredGrant>('Grants').select(
    'RightName',
    'KeyColumnName',
    'KeyColumnValue',
    'GranteeKind',
    'Grantee',
    'Access',
  );
  if (rights) void query.whereIn('RightName', rights);
  return query;
}

export interface GrantCount {
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
  GranteeKind: GranteeKind;
  Count: number;
  /** The access value; only meaningful for the internet. */
  Access: number;
}

/** Returns whether the user is in one of the roles, active or not. */
export async function isInRoles(db: Db, UserId: number, roles: readonly string[]): Promise<boolean> {
  const own = await db('RoleUsers').where({ UserId }).pluck('RoleName');
  return own.some((role) => roles.includes(role));
}

/** Counts the grantees by right, key value and kind of grantee. */
export async function countGrants(db: Db, right?: string): Promise<GrantCount[]> {
  const columns = ['RightName', 'KeyColumnName', 'KeyColumnValue', 'GranteeKind'];
  const query = db('Grants')
    .groupBy(columns)
    .select(columns)
    .count({ Count: '*' })
    .max<GrantCount[]>({ Access: 'Access' })
    .orderBy(['RightName']);
  if (right !== undefined) void query.where({ RightName: right });
  return query;
}

export async function insertCustomRight(db: Db, right: CustomRight): Promise<void> {
  await db('Rights').insert(right);
}

export async function updateCustomRight(db: Db, { Name, Description }: CustomRight): Promise<boolean> {
  return (await db('Rights').where({ Name }).update({ Description })) > 0;
}

/** Returns the current grants and denials of a right and value for one kind of grantee. */
export async function findGrantsOf(
  db: Db,
  kind: GranteeKind,
  key: GrantKey,
): Promise<Pick<StoredGrant, 'Grantee' | 'Access'>[]> {
  return db<StoredGrant>('Grants')
    .where({ GranteeKind: kind, ...key })
    .select('Grantee', 'Access');
}

export async function writeGrants(
  db: Db,
  kind: GranteeKind,
  key: GrantKey,
  change: { grantees: readonly string[]; Access: 1 | -1 | 0 },
): Promise<void> {
  const rows = change.grantees.map((Grantee) => ({ Grantee }));
  await inRows(db, rows, (part) =>
    db('Grants')
      .where({ GranteeKind: kind, ...key })
      .whereIn(
        'Grantee',
        part.map(({ Grantee }) => Grantee),
      )
      .delete(),
  );
  const { Access } = change;
  if (Access === 0) return;
  const added = rows.map(({ Grantee }) => ({ GranteeKind: kind, ...key, Grantee, Access }));
  await inRows(db, added, (part) => db('Grants').insert(part));
}

/**
 * Deletes the limits of a public link, because they belong to the grant that was just changed. Otherwise, a new grant
 * would expire together with an earlier one.
 */
export async function deleteLinkLimits(db: Db, { RightName, KeyColumnName, KeyColumnValue }: GrantKey): Promise<void> {
  if (RightName !== 'sk.RunActivity' || KeyColumnName !== 'Id') return;
  await db('PublicLinks').where('ActivityId', Number(KeyColumnValue)).delete();
}

export type RoleState = RolesRow;

export async function listRoleStates(db: Db): Promise<RoleState[]> {
  return db<RoleState>('Roles').orderBy('Name').select('Name', 'IsActive');
}

/** Returns the members of the given roles, or of all roles. */
export async function listMembers(db: Db, roles?: readonly string[]): Promise<{ RoleName: string; UserId: number }[]> {
  const query = db('RoleUsers').select('RoleName', 'UserId');
  if (roles) void query.whereIn('RoleName', roles);
  return query;
}

export type GrantUser = Pick<UsersRow, 'UserId' | 'UserName' | 'FirstName' | 'MiddleName' | 'LastName' | 'IsUserAdmin'>;

/** Returns users by name; a page of them if `Take` is set. */
export async function listGrantUsers(
  db: Db,
  { Search = '', Skip = 0, Take, enabledOnly = false }: GrantUserQuery,
): Promise<{ users: GrantUser[]; total: number }> {
  const matching = existingUsers(db);
  whereUserMatches(matching, db, Search);
  if (enabledOnly) void matching.where('Enabled', true);
  const [counted] = Take === undefined ? [] : await matching.clone().count<{ Total: number }[]>({ Total: '*' });
  const part = matching
    .orderBy('UserNameKey')
    .select<GrantUser[]>('UserId', 'UserName', 'FirstName', 'MiddleName', 'LastName', 'IsUserAdmin');
  if (Take !== undefined) void part.offset(Skip).limit(Take);
  const users = await part;
  return { users, total: counted?.Total ?? users.length };
}

export interface GrantUserQuery {
  Search?: string;
  Skip?: number;
  Take?: number;
  enabledOnly?: boolean;
}

/** Locks the grants against changes by others until the transaction ends. */
export async function lockGrants(trx: Parameters<ReturnType<typeof dialectOf>['lock']>[0]): Promise<void> {
  await dialectOf(trx).lock(trx, 'runsheet.grants');
}
