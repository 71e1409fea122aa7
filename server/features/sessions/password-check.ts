/** Whose password it is: one kept here, or one of a directory. */
import type { Log } from '#server/base/log.ts';
import type { DirectoriesService } from '#server/features/directories/directories-service.ts';
import { userNameKey, type UserRow, type UsersService } from '#server/features/users/users-service.ts';
import type { Entrance } from './entrance.ts';
import type { SessionsService } from './sessions-service.ts';
import type { SignInDelays } from './sign-in-delays.ts';

export interface PasswordCheckDeps {
  log: Log;
  users: UsersService;
  sessions: Pick<SessionsService, 'isKnownAddress'>;
  entrance: Pick<Entrance, 'mayEnter'>;
  delays: SignInDelays;
  directories: DirectoriesService;
  /** Whether users whose passwords are kept here may sign in. */
  allowLocalUsers: boolean;
}

export interface PasswordGiven {
  userName: string;
  password: string;
  address: string;
  /** What tells who tries from strangers, as of a PasswordAttempt. */
  device: string | null;
}

/**
 * The user, if the password is theirs and they may come in from the address; slower after failures, and as slow for names that nobody has.
 * That the password was right tells nobody who may not come in.
 */
export type PasswordCheck = (given: PasswordGiven) => Promise<UserRow | null>;

export function createPasswordCheck(deps: PasswordCheckDeps): PasswordCheck {
  const { log, users, sessions, entrance, delays, directories } = deps;

  /** The user whose password it is, here or in a directory. Takes as long here whether there is such a user or not. */
  async function ownerOf(user: UserRow | undefined, { userName, password, address }: PasswordGiven) {
    const isLocal = user?.Source === 'Local';
    const matches = await users.verifyPassword(isLocal && deps.allowLocalUsers ? user : undefined, password);
    if (isLocal || !directories.isUsed) return user && matches ? user : null;
    return directories.signIn(user, { userName, password, address });
  }

  async function judge(user: UserRow | undefined, given: PasswordGiven): Promise<UserRow | null> {
    const since = delays.clock();
    const { address } = given;
    // Before the password is looked at, so that a right one takes no longer than a wrong one.
    const mayEnter = user && (await entrance.mayEnter(user, address));
    const owner = await ownerOf(user, given);
    if (owner?.Enabled && (mayEnter ?? (await entrance.mayEnter(owner, address)))) return owner;
    await users.recordFailedLogin(given.userName);
    // What nobody here is called may be a password in the wrong field.
    const about = user ? { user: user.UserName, address } : { address };
    log.warn(mayEnter === false ? { ...about, reason: 'from outside the trusted networks' } : about, 'failed sign-in');
    // Whether a directory was asked must not be told by the time that took.
    if (directories.isUsed) await delays.levelOut(since);
    return null;
  }

  return async (given) => {
    const { userName, address, device } = given;
    const user = await users.findByName(userName);
    const isKnownAddress = await sessions.isKnownAddress(user?.UserId ?? 0, address);
    const attempt = { account: userNameKey(userName), address, device, isKnownAddress };
    return delays.inTurn(attempt, () => judge(user, given));
  };
}
