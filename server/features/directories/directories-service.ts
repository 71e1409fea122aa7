/** Sign-in with the password of a directory (LDAP, Active Directory). */
import { InvalidCredentialsError, NoSuchObjectError } from 'ldapts';
import type { SignInSources } from '#server/config/sign-in-sources.ts';
import type { Log } from '#server/base/log.ts';
import type { ExternalUsersService } from '#server/features/users/external-users-service.ts';
import type { UserRow } from '#server/features/users/users-service.ts';
import { createDirectory, type Directory, type DirectoryProfile } from './directory.ts';

export interface DirectoriesService {
  /** True if any directory is configured. */
  readonly isUsed: boolean;
  readonly keys: readonly string[];
  /**
   * Returns the user if a directory accepts the password.
   * @param user the user of this portal with that name, whose own directory is asked. If undefined, only directories
   * that may create users are asked.
   */
  signIn(
    user: UserRow | undefined,
    attempt: { userName: string; password: string; address: string },
  ): Promise<UserRow | null>;
  /**
   * Returns a directory's entry for the name: from the given directory, or from the first one that has it. Rejects if a
   * directory is not reachable.
   */
  find(userName: string, key?: string): Promise<(DirectoryProfile & { SourceName: string }) | null>;
  /** Returns how the check of a directory ends; undefined if there is no such directory. */
  check(key: string): Promise<DirectoryCheck> | undefined;
}

export interface DirectoryCheck {
  outcome: 'works' | 'refusesName' | 'hasNoBase' | 'unreachable';
  /** Why it does not work. */
  error?: unknown;
}

async function checkOne(directory: Directory): Promise<DirectoryCheck> {
  try {
    await directory.check();
    return { outcome: 'works' };
  } catch (error) {
    const causes: unknown[] = error instanceof AggregateError ? error.errors : [error];
    if (causes.some((cause) => cause instanceof InvalidCredentialsError)) return { outcome: 'refusesName', error };
    if (causes.some((cause) => cause instanceof NoSuchObjectError)) return { outcome: 'hasNoBase', error };
    return { outcome: 'unreachable', error };
  }
}

/** Throws a StartError if a file named in the settings cannot be read. */
export function createDirectories(sources: SignInSources): Directory[] {
  return sources.directories.map((settings) => {
    const { bindPassword, bindPasswordFile, caFile } = settings;
    const password = bindPassword ?? sources.readFile(bindPasswordFile!).replace(/\r?\n$/, '');
    return createDirectory(settings, {
      bindPassword: password,
      ...(caFile === undefined ? {} : { ca: sources.readFile(caFile) }),
    });
  });
}

export function createDirectoriesService(
  directories: readonly Directory[],
  externalUsers: ExternalUsersService,
  log: Log,
): DirectoriesService {
  /**
   * A directory that is not reachable accepts nobody. The person's error message does not reveal that a directory was
   * asked.
   */
  async function ask(directory: Directory, name: string, password: string): Promise<DirectoryProfile | null> {
    try {
      return await directory.authenticate(name, password);
    } catch (err) {
      log.error({ err, directory: directory.key }, 'could not query a directory');
      return null;
    }
  }

  async function admit(directory: Directory, name: string, profile: DirectoryProfile, address: string) {
    const { UserName, FirstName, LastName, Email, Dn } = profile;
    const source = { Source: 'AD' as const, SourceName: directory.key, SourceUserName: name };
    const identity = { ...source, UserName, FirstName, LastName, Email, SourceInfo: Dn };
    return (await externalUsers.admit(identity, { create: directory.createUsers, address })) ?? null;
  }

  return {
    isUsed: directories.length > 0,
    keys: directories.map(({ key }) => key),
    signIn: async (user, { userName, password, address }) => {
      if (user) {
        const source = user.Source === 'AD' ? await externalUsers.sourceOf(user.UserId) : undefined;
        const directory = directories.find(({ key }) => key === source?.SourceName);
        if (!source || !directory) return null;
        const profile = await ask(directory, source.SourceUserName, password);
        return profile && admit(directory, source.SourceUserName, profile, address);
      }
      for (const directory of directories.filter(({ createUsers }) => createUsers)) {
        const profile = await ask(directory, userName, password);
        if (profile) return admit(directory, profile.UserName, profile, address);
      }
      return null;
    },
    check: (key) => {
      const directory = directories.find((one) => one.key === key);
      return directory && checkOne(directory);
    },
    find: async (userName, key) => {
      for (const directory of directories) {
        if (key !== undefined && directory.key !== key) continue;
        const profile = await directory.find(userName);
        if (profile) return { ...profile, SourceName: directory.key };
      }
      return null;
    },
  };
}
