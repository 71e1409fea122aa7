import type { Language, RegionId } from '#shared/contract/auth.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';

export interface UserRow {
  UserId: number;
  UserName: string;
  UserNameKey: string;
  Source: 'Local' | 'AD' | 'SSO';
  FirstName: string;
  MiddleName: string;
  LastName: string;
  Email: string;
  PasswordHash: string | null;
  MustChangePassword: boolean;
  Enabled: boolean;
  IsUserAdmin: boolean;
  LastLoginTime: Date | null;
  LastFailedLoginTime: Date | null;
  FailedLogins: number;
  /** An administrator asks for it, whatever the configuration says. */
  SecondFactorRequired: boolean;
  /** Whether input files of runs are not theirs to download. */
  DisableInputDownload: boolean;
  /** Of the screens; null where the browser's counts. */
  Language: Language | null;
  /** By which values are read and shown; null where the browser's counts. */
  Region: RegionId | null;
  SecondFactorOn: boolean;
  /** Encrypted; there before it is on, while it is being set up. */
  SecondFactorKey: string | null;
  SecondFactorStep: number;
}

/** What the database fills in for a new user. */
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

/** The name as it is compared: people write theirs with capitals or without. */
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

/** Users that are gone may download nothing either. */
export async function isInputDownloadDisabled(db: Db, UserId: number): Promise<boolean> {
  const row = (await db('Users').where({ UserId }).first('DisableInputDownload')) as
    | Pick<UserRow, 'DisableInputDownload'>
    | undefined;
  return row?.DisableInputDownload ?? true;
}

/** What a person has chosen for the screens; null where the browser's counts. */
export type ScreenChoices = Pick<UserRow, 'Language' | 'Region'>;

export async function findScreenChoices(db: Db, UserId: number): Promise<ScreenChoices> {
  const row = (await db('Users').where({ UserId }).first('Language', 'Region')) as ScreenChoices | undefined;
  return row ?? { Language: null, Region: null };
}

export async function updateScreenChoices(db: Db, UserId: number, choices: Partial<ScreenChoices>): Promise<void> {
  await db('Users').where({ UserId }).update(choices);
}

export async function insertUser(db: Db, user: NewUserRow): Promise<number> {
  const [row] = (await db('Users').insert(user).returning('UserId')) as { UserId: number }[];
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

/** Runs the same statement whether there is such a user or not. */
export async function updateAfterFailedLogin(db: Db, userName: string): Promise<void> {
  await db('Users')
    .where({ UserNameKey: userNameKey(userName) })
    .update({ LastFailedLoginTime: dialectOf(db).now(db), FailedLogins: db.raw('?? + 1', ['FailedLogins']) });
}

/** No name that a user can have. */
const VISITOR_KEY = '*public*';

/** The row that stands for all visitors: as deleted, so that no list shows it and nobody signs in as it. */
export async function findPublicVisitor(db: Db): Promise<number | undefined> {
  const row = (await db('Users').where({ UserNameKey: VISITOR_KEY }).first('UserId')) as { UserId: number } | undefined;
  return row?.UserId;
}

export async function insertPublicVisitor(db: Db): Promise<number> {
  const [row] = (await db('Users')
    .insert({
      UserName: 'Public visitor',
      UserNameKey: VISITOR_KEY,
      Source: 'Local',
      FirstName: 'Public',
      LastName: 'visitor',
      Enabled: false,
      DeletedTime: dialectOf(db).now(db),
    })
    .returning('UserId')) as { UserId: number }[];
  return row!.UserId;
}

/** Takes the second factor off: the next sign-in is by password alone, or sets up another where one is required. */
export async function clearSecondFactor(db: Db, UserId: number): Promise<void> {
  await db('RecoveryCodes').where({ UserId }).delete();
  await db('Users').where({ UserId }).update({ SecondFactorOn: false, SecondFactorKey: null, SecondFactorStep: 0 });
}

export async function hasAnyUser(db: Db): Promise<boolean> {
  return (await db<UserRow>('Users').select('UserId').first()) !== undefined;
}
