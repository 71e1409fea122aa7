import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { existingUsers, whereUserMatches } from './existing-users.ts';
import type { UserRow } from './users-repository.ts';

/** Narrows a list of users, and takes a part of it. */
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
/** With where they come from: null for local users. */
const COLUMNS = [
  ...[...OWN, ...CHOICES, 'LastLoginTime'].map((column) => `Users.${column}`),
  ...['SourceName', 'SourceUserName', 'SourceInfo'].map((column) => `UserSources.${column}`),
];

/** A part of the users by name, and how many there are in all. */
export async function listUsers(
  db: Db,
  { Search = '', Skip = 0, Take }: UserListQuery,
): Promise<{ rows: ListedUser[]; total: number }> {
  const matching = existingUsers(db);
  whereUserMatches(matching, db, Search);
  const [counted] = (await matching.clone().count({ Total: '*' })) as { Total: number }[];
  const part = matching
    .leftJoin('UserSources', 'UserSources.UserId', 'Users.UserId')
    .orderBy('Users.UserNameKey')
    .select(...COLUMNS);
  if (Skip > 0) void part.offset(Skip);
  if (Take !== undefined) void part.limit(Take);
  return { rows: (await part) as ListedUser[], total: counted?.Total ?? 0 };
}

export async function findListedUser(db: Db, UserId: number): Promise<ListedUser | undefined> {
  return (await existingUsers(db)
    .leftJoin('UserSources', 'UserSources.UserId', 'Users.UserId')
    .where({ 'Users.UserId': UserId })
    .first(...COLUMNS)) as ListedUser | undefined;
}

export async function findExistingUser(db: Db, UserId: number): Promise<UserRow | undefined> {
  return (await existingUsers(db).where({ UserId }).first()) as UserRow | undefined;
}

export async function updateUserRow(db: Db, UserId: number, values: Partial<UserRow>): Promise<void> {
  await db('Users').where({ UserId }).update(values);
}

/** What goes with a user in any case: grants, roles, keys. */
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
    'PasswordLinks',
    'RecoveryCodes',
    'OwnTableViews',
    'DashboardShares',
    'StartPages',
    'WorkbookDesigns',
  ])
    await db(table).where({ UserId }).delete();
}

export async function deleteUserRow(db: Db, UserId: number): Promise<void> {
  await db('Users').where({ UserId }).delete();
}

/** Keeps the row for the runs that name it; the name becomes free, and nobody can sign in with what is left. */
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
