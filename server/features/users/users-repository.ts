import type { Db } from '#server/db/dialect/types.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { UsersRow } from '#server/db/tables.ts';

/**
 * SecondFactorRequired is set by an administrator, regardless of the configuration. SecondFactorKey is encrypted, and
 * already set while the factor is being set up. DisableInputDownload is true if the user may not download input files
 * of runs. Language and Region are null for those of the browser.
 */
export type UserRow = Omit<UsersRow, 'CreatedTime' | 'DeletedTime'>;

/** Columns that the database fills in for a new user. */
type Later =
  | 'Language'
  | 'Region'
  | 'LastLoginTime'
  | 'LastFailedLoginTime'
  | 'FailedLogins'
  | 'SecondFactorOn'
  | 'SecondFactorKey'
  | 'SecondFactorStep';
type Choices = 'SecondFactorRequired' | 'DisableInputDownload';
export type NewUserRow = Omit<UserRow, 'UserId' | Choices | Later> & Partial<Pick<UserRow, Choices>>;

/** Returns the name for comparison: people write their names with or without capitals. */
export function userNameKey(userName: string): string {
  return userName.trim().normalize('NFC').toLowerCase();
}

export async function findUserByName(db: Db, userName: string): Promise<UserRow | undefined> {
  return db<UserRow>('Users')
    .where({ UserNameKey: userNameKey(userName) })
    .first();
}

export async function findUserById(db: Db, UserId: number): Promise<UserRow | undefined> {
  return db<UserRow>('Users').where({ UserId }).first();
}

/** A missing user may not download anything either. */
export async function isInputDownloadDisabled(db: Db, UserId: number): Promise<boolean> {
  const row = await db('Users').where({ UserId }).first('DisableInputDownload');
  return row?.DisableInputDownload ?? true;
}

/** A person's choices for the screens; null for those of the browser. */
export type ScreenChoices = Pick<UserRow, 'Language' | 'Region'>;

export async function findScreenChoices(db: Db, UserId: number): Promise<ScreenChoices> {
  const row = await db('Users').where({ UserId }).first('Language', 'Region');
  return row ?? { Language: null, Region: null };
}

export async function updateScreenChoices(db: Db, UserId: number, choices: Partial<ScreenChoices>): Promise<void> {
  await db('Users').where({ UserId }).update(choices);
}

export async function insertUser(db: Db, user: NewUserRow): Promise<number> {
  const [row] = await db('Users').insert(user).returning('UserId');
  return row!.UserId;
}

export async function updatePassword(
  db: Db,
  UserId: number,
  values: Pick<UserRow, 'PasswordHash'> & Partial<Pick<UserRow, 'MustChangePassword' | 'Enabled'>>,
): Promise<void> {
  await db<UserRow>('Users').where({ UserId }).update(values);
}

export async function updateAfterLogin(db: Db, UserId: number): Promise<void> {
  await db('Users')
    .where({ UserId })
    .update({ LastLoginTime: dialectOf(db).now(db), FailedLogins: 0 });
}

/** Executes the same statement whether such a user exists or not. */
export async function updateAfterFailedLogin(db: Db, userName: string): Promise<void> {
  await db('Users')
    .where({ UserNameKey: userNameKey(userName) })
    .update({ LastFailedLoginTime: dialectOf(db).now(db), FailedLogins: db.raw('?? + 1', ['FailedLogins']) });
}

/** Not a valid user name. */
const VISITOR_KEY = '*public*';

/**
 * Returns the row that represents all visitors. It is marked as deleted, so that no list shows it and nobody can sign
 * in with it.
 */
export async function findPublicVisitor(db: Db): Promise<number | undefined> {
  const row = await db('Users').where({ UserNameKey: VISITOR_KEY }).first('UserId');
  return row?.UserId;
}

export async function insertPublicVisitor(db: Db): Promise<number> {
  const [row] = await db('Users')
    .insert({
      UserName: 'Public visitor',
      UserNameKey: VISITOR_KEY,
      Source: 'Local',
      FirstName: 'Public',
      LastName: 'visitor',
      Enabled: false,
      DeletedTime: dialectOf(db).now(db),
    })
    .returning('UserId');
  return row!.UserId;
}

/**
 * Removes the second factor. The next sign-in requires only the password, or sets up a new factor if one is required.
 */
export async function clearSecondFactor(db: Db, UserId: number): Promise<void> {
  await db('RecoveryCodes').where({ UserId }).delete();
  await db('Users').where({ UserId }).update({ SecondFactorOn: false, SecondFactorKey: null, SecondFactorStep: 0 });
}

export async function hasAnyUser(db: Db): Promise<boolean> {
  return (await db<UserRow>('Users').select('UserId').first()) !== undefined;
}
