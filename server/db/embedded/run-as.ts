import { execFile } from 'node:child_process';
import { chown, lchown, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '#server/base/start-error.ts';

const execute = promisify(execFile);

/**
 * PostgreSQL refuses to run as root, so a server started by root runs it under a uid that owns nothing else and has no
 * account. The uid is below 65,536, because containers with mapped users have no higher ones.
 */
export const POSTGRES_UID = 65_432;

/** How the PostgreSQL programs are started, and who owns the database's files. */
export interface RunAs {
  /** Owner of the cluster; undefined if the system has no uids. */
  owner: number | undefined;
  /** Options for child_process.spawn; empty if this process does not run as root. */
  identity: { uid?: number; gid?: number };
  /** Command prefix: `unshare --user` if only root can access the files. */
  prefix: string[];
}

/** Returns true if a process with any other uid can read `path`: everybody may pass through each folder above it. */
export async function isReachableByOthers(path: string): Promise<boolean> {
  const real = await realpath(path);
  if (((await stat(real)).mode & 0o005) !== 0o005) return false;
  return isPassable(dirname(real));
}

/** Returns true if the database's own user can pass through `folder` and all folders above it. */
async function isPassable(folder: string): Promise<boolean> {
  const real = await realpath(folder);
  for (let at = real; ; at = dirname(at)) {
    const { mode, gid } = await stat(at);
    const isOfGroup = gid === POSTGRES_UID && (mode & 0o010) !== 0;
    if ((mode & 0o001) === 0 && !isOfGroup) return false;
    if (dirname(at) === at) return true;
  }
}

/** Decides as which user the database in `folder` runs. `folder` must exist. */
export async function chooseRunAs(folder: string): Promise<RunAs> {
  const uid = process.getuid?.();
  if (uid !== 0) return { owner: uid, identity: {}, prefix: [] };
  const separate: RunAs = {
    owner: POSTGRES_UID,
    identity: { uid: POSTGRES_UID, gid: POSTGRES_UID },
    prefix: [],
  };
  if ((await isPassable(folder)) && (await canRun('true', [], separate.identity))) return separate;
  // In a user namespace without a mapping, root appears as nobody and can still access root's files, but has no other
  // privileges.
  if (await canRun('unshare', ['--user', 'true'], {})) {
    return { owner: 0, identity: {}, prefix: ['unshare', '--user'] };
  }
  throw new StartError(
    `PostgreSQL does not run as root, and no other user can reach ${folder}; ` +
      'choose a RUNSHEET_DATA_DIR outside of private folders (such as /var/lib/runsheet), or start as an ordinary user',
  );
}

/** Returns true if a command runs successfully as the given user. */
export async function canRun(command: string, args: string[], identity: RunAs['identity']): Promise<boolean> {
  try {
    await execute(command, args, { ...identity, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/** Gives a file or a whole folder to the owner of the cluster. Does nothing unless run by root. */
export async function giveTo(runAs: RunAs, path: string): Promise<void> {
  if (process.getuid?.() !== 0 || runAs.owner === undefined) return;
  const owner = runAs.owner;
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [];
    throw error;
  });
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), owner, owner);
  await chown(path, owner, owner);
}
