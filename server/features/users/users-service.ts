import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { hashPassword, isOutdated, passwordMatches } from './password-hash.ts';
import { deletePasswordLinks } from './password-links-repository.ts';
import { createPasswordPolicy, type PasswordPolicy } from '#server/access/sign-in/password-policy.ts';
import { randomPassword } from './random-password.ts';
import {
  clearSecondFactor,
  findUserById,
  findScreenChoices,
  findPublicVisitor,
  findUserByName,
  insertPublicVisitor,
  insertUser,
  isInputDownloadDisabled,
  updateAfterFailedLogin,
  updateAfterLogin,
  updatePassword,
  updateScreenChoices,
  userNameKey,
  type ScreenChoices,
  type UserRow,
} from './users-repository.ts';

export type { UserRow } from './users-repository.ts';
export { userNameKey } from './users-repository.ts';

export interface NewUser {
  UserName: string;
  password: string;
  FirstName?: string;
  LastName?: string;
  Email?: string;
  IsUserAdmin?: boolean;
  MustChangePassword?: boolean;
}

export interface UsersService {
  findByName(userName: string): Promise<UserRow | undefined>;
  findById(userId: number): Promise<UserRow | undefined>;
  /**
   * Adds a local user and returns the UserId. Throws an AppError 400 if the name is in use or the password violates the
   * policy.
   */
  createUser(user: NewUser, db?: Db): Promise<number>;
  /**
   * Returns whether the password is the user's. It takes the same time if there is no such user. Rehashes the password
   * if the stored hash is weaker than the current cost.
   */
  verifyPassword(user: UserRow | undefined, password: string): Promise<boolean>;
  /** Returns why a new password of that person is refused; null if it is accepted. */
  passwordIssue: PasswordPolicy['issue'];
  /**
   * Hashes a password that was checked against the policy. It takes several hundredths of a second, so call it outside
   * of transactions.
   */
  hashNewPassword(password: string): Promise<string>;
  /** Stores the hash of a person's new password, which need not be changed again. */
  storePassword(db: Db, userId: number, passwordHash: string): Promise<void>;
  recordLogin(userId: number, db: Db): Promise<void>;
  recordFailedLogin(userName: string): Promise<void>;
  /** Returns whether the user may not download input files of runs. */
  isInputDownloadDisabled(person: Pick<UserRow, 'UserId'>): Promise<boolean>;
  /** Returns the person's language and region; null for those of the browser. */
  screenChoicesOf(person: Pick<UserRow, 'UserId'>): Promise<ScreenChoices>;
  chooseForScreens(person: Pick<UserRow, 'UserId'>, choices: Partial<ScreenChoices>): Promise<void>;
  /** Returns the UserId of visitors' runs, creating the user when it is first needed. */
  publicVisitorId(): Promise<number>;
  /** Removes the second factor, in the transaction that also logs it. */
  clearSecondFactor(db: Db, userId: number): Promise<void>;
}

/**
 * Hash of an unknown password, which passwords of non-existing users are compared with. Shared by the whole process.
 */
let hashOfNobody: Promise<string> | undefined;

export function createUsersService(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  policy: PasswordPolicy = createPasswordPolicy(),
): UsersService {
  // Created in advance, so that the first sign-in of an unknown user takes no longer than others.
  const nobodysHash = (hashOfNobody ??= hashPassword(randomPassword()));

  const createUser: UsersService['createUser'] = async (user, db = knex) => {
    checkPolicy(policy, user);
    const { UserName, FirstName = UserName, LastName = '', Email = '', IsUserAdmin = false } = user;
    const row = {
      UserName,
      UserNameKey: userNameKey(UserName),
      FirstName,
      MiddleName: '',
      LastName,
      Email,
      IsUserAdmin,
    };
    const PasswordHash = await hashPassword(user.password);
    const MustChangePassword = user.MustChangePassword ?? false;
    try {
      return await insertUser(db, { ...row, Source: 'Local', Enabled: true, PasswordHash, MustChangePassword });
    } catch (error) {
      if (dialect.classify(error).fault !== 'unique') throw error;
      throw new AppError('userExists', 400, 'A user with this name already exists', { cause: error });
    }
  };

  async function verifyPassword(user: UserRow | undefined, password: string): Promise<boolean> {
    const phc = user?.PasswordHash ?? null;
    const matches = await passwordMatches(phc ?? (await nobodysHash), password);
    if (!user || phc === null || !matches) return false;
    if (isOutdated(phc)) await updatePassword(knex, user.UserId, { PasswordHash: await hashPassword(password) });
    return true;
  }

  return {
    findByName: (userName) => findUserByName(knex, userName),
    findById: (userId) => findUserById(knex, userId),
    createUser,
    verifyPassword,
    passwordIssue: (password, owner) => policy.issue(password, owner),
    hashNewPassword: (password) => hashPassword(password),
    storePassword: async (db, userId, PasswordHash) => {
      await updatePassword(db, userId, { PasswordHash, MustChangePassword: false });
      await deletePasswordLinks(db, userId);
    },
    recordLogin: (userId, db) => updateAfterLogin(db, userId),
    recordFailedLogin: (userName) => updateAfterFailedLogin(knex, userName),
    screenChoicesOf: ({ UserId }) => findScreenChoices(knex, UserId),
    chooseForScreens: ({ UserId }, choices) => updateScreenChoices(knex, UserId, choices),
    isInputDownloadDisabled: ({ UserId }) => isInputDownloadDisabled(knex, UserId),
    publicVisitorId: () => findOrInsertVisitor({ knex, dialect }),
    clearSecondFactor: (db, userId) => clearSecondFactor(db, userId),
  };
}

async function findOrInsertVisitor({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>): Promise<number> {
  const known = await findPublicVisitor(knex);
  if (known !== undefined) return known;
  try {
    return await insertPublicVisitor(knex);
  } catch (error) {
    if (dialect.classify(error).fault !== 'unique') throw error;
    // A concurrent call created it first.
    return (await findPublicVisitor(knex))!;
  }
}

function checkPolicy(policy: PasswordPolicy, user: NewUser): void {
  const issue = policy.issue(user.password, user);
  if (issue !== null) throw new AppError('passwordPolicy', 400, issue, { modelState: { '': [issue] } });
}
