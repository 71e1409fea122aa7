/** Checks passwords, whether they are stored here or in a directory. */
import type { Log } from '#server/base/log.ts';
import type { DirectoriesService } from '#server/features/directories/directories-service.ts';
import { userNameKey, type UserRow, type UsersService } from '#server/features/users/users-service.ts';
import type { NetworkPolicy } from '#server/access/sign-in/network-policy.ts';
import type { SessionsService } from './sessions-service.ts';
import type { SignInDelays } from '#server/access/sign-in/sign-in-delays.ts';

export interface PasswordCheckDeps {
  log: Log;
  users: UsersService;
  sessions: Pick<SessionsService, 'isKnownAddress'>;
  networkPolicy: Pick<NetworkPolicy, 'mayEnter'>;
  delays: SignInDelays;
  directories: DirectoriesService;
  /** True if users whose passwords are stored here may sign in. */
  allowLocalUsers: boolean;
}

export interface EnteredPassword {
  userName: string;
  password: string;
  address: string;
  /** Identifies the browser or session; see PasswordAttempt. */
  device: string | null;
}

/**
 * Returns the user if the password is correct and they may sign in from the address. It slows down after failures,
 * equally for unknown names. People who may not sign in do not learn that the password was correct.
 */
export type PasswordCheck = (entered: EnteredPassword) => Promise<UserRow | null>;

export function createPasswordCheck(deps: PasswordCheckDeps): PasswordCheck {
  const { log, users, sessions, networkPolicy, delays, directories } = deps;

  /**
   * Returns the user with that password, here or in a directory. The local check takes the same time whether such a
   * user exists or not.
   */
  async function ownerOf(user: UserRow | undefined, { userName, password, address }: EnteredPassword) {
    const isLocal = user?.Source === 'Local';
    const matches = await users.verifyPassword(isLocal && deps.allowLocalUsers ? user : undefined, password);
    if (isLocal || !directories.isUsed) return user && matches ? user : null;
    return directories.signIn(user, { userName, password, address });
  }

  async function judge(user: UserRow | undefined, entered: EnteredPassword): Promise<UserRow | null> {
    const since = delays.clock();
    const { address } = entered;
    // Checked before the password, so that a correct password takes no longer than a wrong one.
    const mayEnter = user && (await networkPolicy.mayEnter(user, address));
    const owner = await ownerOf(user, entered);
    if (owner?.Enabled && (mayEnter ?? (await networkPolicy.mayEnter(owner, address)))) return owner;
    await users.recordFailedLogin(entered.userName);
    // An unknown name is not logged, because it may be a password in the wrong field.
    const about = user ? { user: user.UserName, address } : { address };
    log.warn(mayEnter === false ? { ...about, reason: 'from outside the trusted networks' } : about, 'failed sign-in');
    // The duration must not reveal whether a directory was asked.
    if (directories.isUsed) await delays.levelOut(since);
    return null;
  }

  return async (entered) => {
    const { userName, address, device } = entered;
    const user = await users.findByName(userName);
    const isKnownAddress = await sessions.isKnownAddress(user?.UserId ?? 0, address);
    const attempt = { account: userNameKey(userName), address, device, isKnownAddress };
    return delays.serialize(attempt, () => judge(user, entered));
  };
}
