import type { PasswordKey } from '#shared/contract/auth.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Person } from '#server/base/person.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { PasswordOwner } from '#server/access/sign-in/password-policy.ts';
import { userNameKey, type UserRow, type UsersService } from '#server/features/users/users-service.ts';
import { createPasswordCheck, type PasswordCheckDeps } from './password-check.ts';
import type { PasswordKeysService } from './password-keys-service.ts';
import { failedSince, type IssuedToken, type SignedIn } from '#server/access/sign-in/signed-in.ts';
import type { SessionsService } from './sessions-service.ts';
import type { SignInFactor } from './sign-in-factor.ts';

/**
 * The client recognizes this text: it then continues the sign-in with a change of password. Specification of security,
 * section 4.
 */
const MUST_CHANGE = 'You must change your password before you can continue';
const WRONG = 'Invalid user name or password';
const PASSWORD_NOT_STORED = 'Your password is not stored in this portal';
const NO_PERMISSION = 'You do not have permissions for this operation';
const UNCHANGED = 'The new password must differ from the old one';

export interface SignInAttempt {
  userName: string;
  encrypted: string;
  /** Code of the second factor. */
  code?: string;
  address: string;
  /** The browser, if it was in the account before; see KnownDevices. */
  device: string | null;
  /** The program's own name. */
  client?: string;
}

export interface SignInService {
  generateKey(userName: string): Promise<PasswordKey>;
  /**
   * @param encrypted the password, or the old and the new one joined by a newline; each encrypted with a generated key.
   * @throws AppError 'invalid_grant'; its text begins with 'display:', which the client requires for texts that it
   * shows.
   */
  signIn(attempt: SignInAttempt): Promise<SignedIn>;
  /** Throws an AppError 400 if the password is not the person's. Slows down like a sign-in. */
  confirmPassword(person: Person, encrypted: string, address: string): Promise<void>;
  /** Ends all sessions of the person, on all devices. */
  signOutEverywhere(person: Person, address: string): Promise<void>;
  /** Changes the person's own password and ends their other sessions. Throws an AppError 400 that says what is wrong. */
  changePassword(person: Person, change: { old: string; new: string; address: string }): Promise<void>;
}

export interface SignInDeps extends PasswordCheckDeps {
  database: Pick<Database, 'knex'>;
  sessions: SessionsService;
  keys: PasswordKeysService;
  factor: SignInFactor;
}

export function createSignInService(deps: SignInDeps): SignInService {
  const { database, users, sessions, keys, factor } = deps;
  const verify = createPasswordCheck(deps);
  const isOwn = async ({ UserName, SessionId }: Person, password: string, address: string): Promise<boolean> =>
    (await verify({ userName: UserName, password, address, device: `session ${SessionId}` })) !== null;

  return {
    generateKey: (userName) => keys.generate(userNameKey(userName)),

    signIn: async ({ userName, encrypted, code, address, device, client = '' }) => {
      const parts = encrypted.split('\n');
      if (parts.length > 2) throw shown(WRONG);
      const [password = '', newPassword] = await keys.decrypt(userNameKey(userName), parts).catch(asShown);
      const user = await verify({ userName, password, address, device });
      if (!user) throw shown(WRONG);
      if (newPassword !== undefined && user.Source !== 'Local') throw shown(PASSWORD_NOT_STORED);
      const issue =
        newPassword === undefined ? null : newPasswordIssue(users, user, { old: password, wanted: newPassword });
      if (issue !== null) throw shown(issue);
      if (newPassword === undefined && user.MustChangePassword) throw shown(MUST_CHANGE);
      // Checked last, because it uses up the code.
      const recoveryCodes = await factor(user, code, address);
      const issued = await startSession(deps, { user, newPassword, address, client });
      return { ...issued, recoveryCodes, lastLoginTime: user.LastLoginTime, lastFailedLoginTime: failedSince(user) };
    },

    confirmPassword: async (person, encrypted, address) => {
      const [password = ''] = await keys.decrypt(userNameKey(person.UserName), [encrypted]);
      if (!(await isOwn(person, password, address))) throw refused('The password is wrong');
    },

    signOutEverywhere: async (person, address) => {
      if (person.SessionId === '') throw new AppError('forbidden', 403, NO_PERMISSION);
      await inTransaction(database.knex, async (trx) => {
        await sessions.endAllOf(person.UserId, { db: trx });
        const action = { Action: 'LogOutEverywhere' as const, TargetUserName: person.UserName };
        await recordActions(trx, actorOf(person, address), [action]);
      });
    },

    changePassword: async (person, { old, new: wanted, address }) => {
      if (person.Source !== 'Local') throw refused(PASSWORD_NOT_STORED);
      const [password = '', newPassword = ''] = await keys.decrypt(userNameKey(person.UserName), [old, wanted]);
      if (!(await isOwn(person, password, address))) throw refused('The old password is wrong');
      const issue = newPasswordIssue(users, person, { old: password, wanted: newPassword });
      if (issue !== null) throw refused(issue);
      const PasswordHash = await users.hashNewPassword(newPassword);
      await inTransaction(database.knex, async (trx) => {
        await users.storePassword(trx, person.UserId, PasswordHash);
        await sessions.endAllOf(person.UserId, { except: person.SessionId, db: trx });
        await recordChange(trx, person, address);
      });
    },
  };
}

interface Entering {
  user: UserRow;
  newPassword: string | undefined;
  address: string;
  client: string;
}

async function startSession(
  { database, users, sessions }: SignInDeps,
  { user, newPassword, address, client }: Entering,
): Promise<IssuedToken> {
  const PasswordHash = newPassword === undefined ? undefined : await users.hashNewPassword(newPassword);
  return inTransaction(database.knex, async (trx) => {
    if (PasswordHash !== undefined) {
      await users.storePassword(trx, user.UserId, PasswordHash);
      await sessions.endAllOf(user.UserId, { db: trx });
    }
    await users.recordLogin(user.UserId, trx);
    const session = await sessions.start(trx, user.UserId, address, client);
    if (PasswordHash !== undefined) await recordChange(trx, user, address);
    return session;
  });
}

/** Logs, as a security action, that a person changed their own password. */
async function recordChange(trx: Db, person: Omit<Person, 'SessionId'>, address: string): Promise<void> {
  const actor = actorOf({ ...person, SessionId: '' }, address);
  await recordActions(trx, actor, [{ Action: 'ChangePassword', TargetUserName: person.UserName }]);
}

function newPasswordIssue(
  users: Pick<UsersService, 'passwordIssue'>,
  owner: PasswordOwner,
  { old, wanted }: { old: string; wanted: string },
): string | null {
  return users.passwordIssue(wanted, owner) ?? (wanted === old ? UNCHANGED : null);
}

function shown(text: string): AppError {
  return new AppError('invalid_grant', 400, `display:${text}`);
}

function asShown(error: unknown): never {
  if (error instanceof AppError) {
    throw new AppError('invalid_grant', error.status, `display:${error.message}`, { cause: error });
  }
  throw error;
}

function refused(text: string): AppError {
  return new AppError('password', 400, text, { modelState: { '': [text] } });
}
