/** Whose password it is: one kept here, or one of a directory. */
import type { Log } from '#server/base/log.ts';
import type { DirectoriesService } from '#server/features/directories/directories-service.ts';
import { userNameKey, type UserRow, type UsersService } from '#server/features/users/users-service.ts';
import type { SignInDelays } from './sign-in-delays.ts';

export interface PasswordCheckDeps {
  log: Log;
  users: UsersService;
  delays: SignInDelays;
  directories: DirectoriesService;
  /** Whether users whose passwords are kept here may sign in. */
  allowLocalUsers: boolean;
}

/** The user, if the password is theirs; slower after failures, and as slow for names that nobody has. */
export type PasswordCheck = (userName: string, password: string, address: string) => Promise<UserRow | null>;

export function createPasswordCheck(deps: PasswordCheckDeps): PasswordCheck {
  const { log, users, delays, directories } = deps;

  /** The user whose password it is, here or in a directory. Takes as long here whether there is such a user or not. */
  async function ownerOf(userName: string, password: string, address: string): Promise<UserRow | null> {
    const user = await users.findByName(userName);
    const isLocal = user?.Source === 'Local';
    const matches = await users.verifyPassword(isLocal && deps.allowLocalUsers ? user : undefined, password);
    if (isLocal || !directories.isUsed) return user && matches ? user : null;
    return directories.signIn(user, { userName, password, address });
  }

  return async (userName, password, address) => {
    const account = userNameKey(userName);
    await delays.wait(account, address);
    const since = delays.clock();
    const user = await ownerOf(userName, password, address);
    if (user?.Enabled) {
      await delays.succeeded(account);
      return user;
    }
    await delays.failed(account, address);
    await users.recordFailedLogin(userName);
    log.warn({ user: account, address }, 'failed sign-in');
    // Whether a directory was asked must not be told by the time that took.
    if (directories.isUsed) await delays.levelOut(since);
    return null;
  };
}
