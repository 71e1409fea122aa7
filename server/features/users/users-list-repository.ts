import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { existingUsers, whereUserMatches } from '#server/access/user-queries.ts';
import type { UserRow } from './users-repository.ts';

/** Restricts a list of users, and selects a page of it. */
export interface UserListQuery {
  Search?: string;
  Skip?: number;
  Take?: number;
}

export type ListedUser = Pick<
  UserRow,
  | 'UserId'
  | 'UserName'
  | 'Source'
  | 'FirstName'
  | 'MiddleName'
  | 'LastName'
  | 'Email'
  | 'Enabled'
  | 'IsUserAdmin'
  | 'LastLoginTime'
  | 'SecondFactorOn'
  | 'SecondFactorRequired'
  | 'DisableInputDownload'
> & { SourceName: string | null; SourceUserName: string | null; SourceInfo: string | null };

const OWN = ['UserId', 'UserName', 'Source', 'FirstName', 'MiddleName', 'LastName', 'Email', 'Enabled', 'IsUserAdmin'];
const CHOICES = ['SecondFactorOn', 'SecondFactorRequired', 'DisableInputDownload'];
/** With the source of the user: null for local users. */
const COLUMNS = [
  ...[...OWN, ...CHOICES, 'LastLoginTime'].map((column) => `Users.${column}`),
  ...['SourceName', 'SourceUserName', 'SourceInfo'].map((column) => `UserSources.${column}`),
];

/** Returns a page of users by name, and their total number. */
export async function listUsers(
  db: Db,
  { Search = '', Skip = 0, Take }: UserListQuery,
): Promise<{ rows: ListedUser[]; total: number }> {
  const matching = existingUsers(db);
  whereUserMatches(matching, db, Search);
  const [counted] = await matching.clone().count<{ Total: number }[]>({ Total: '*' });
  const part = matching
    .leftJoin('UserSources', 'UserSources.UserId', 'Users.UserId')
    .orderBy('Users.UserNameKey')
    .select<ListedUser[]>(...COLUMNS);
  if (Skip > 0) void part.offset(Skip);
  if (Take !== undefined) void part.limit(Take);
  return { rows: await part, total: counted?.Total ?? 0 };
}

export async function findListedUser(db: Db, UserId: number): Promise<ListedUser | undefined> {
  return existingUsers(db)
    .leftJoin('UserSources', 'UserSources.UserId', 'Users.UserId')
    .where({ 'Users.UserId': UserId })
    .first<ListedUser | undefined>(...COLUMNS);
}

export async function findExistingUser(db: Db, UserId: number): Promise<UserRow | undefined> {
  return existingUsers(db).where({ UserId }).first<UserRow | undefined>();
}

export async function updateUserRow(db: Db, UserId: number, values: Partial<UserRow>): Promise<void> {
  await db('Users').where({ UserId }).update(values);
}

/**
 * Writes the values that differ from the row as it was read, so that of two people who change a user at the same moment
 * neither undoes what the other one changed.
 */
export async function updateChangedColumns(db: Db, user: UserRow, values: Partial<UserRow>): Promise<void> {
  const before: Record<string, unknown> = { ...user };
  const changed = Object.entries(values).filter(([column, value]) => before[column] !== value);
  if (changed.length > 0) await updateUserRow(db, user.UserId, Object.fromEntries(changed));
}

/** Deletes what is always deleted with a user: grants, roles, keys and more. */
export async function deleteUserParts(db: Db, UserId: number): Promise<void> {
  await db('Grants')
    .where({ GranteeKind: 'user', Grantee: String(UserId) })
    .delete();
  for (const table of [
    'RoleUsers',
    'ApiKeys',
    'Sessions',
    'UserSources',
    'SsoTickets',
    'SsoTests',
    'PasswordLinks',
    'RecoveryCodes',
    'OwnTableViews',
    'DashboardShares',
    'StartPages',
    'WorkbookDesigns',
    'CreationKeys',
  ])
    await db(table).where({ UserId }).delete();
}

export async function deleteUserRow(db: Db, UserId: number): Promise<void> {
  await db('Users').where({ UserId }).delete();
}

/** Keeps the row, because runs refer to it. The name becomes available, and nobody can sign in with the row. */
export async function markUserDeleted(db: Db, UserId: number): Promise<void> {
  await db('Users')
    .where({ UserId })
    .update({
      UserNameKey: `<deleted ${UserId}>`,
      Enabled: false,
      IsUserAdmin: false,
      PasswordHash: null,
      SecondFactorKey: null,
      Email: '',
      DeletedTime: dialectOf(db).now(db),
    });
}
