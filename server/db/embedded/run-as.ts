import { execFile } from 'node:child_process';
import { chown, lchown, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '#server/base/start-error.ts';

const execute = promisify(execFile);

/**
 * PostgreSQL refuses to run as root, so a server started by root runs it under a uid that owns nothing else and has no
 * account. It lies inside the first 65,536 ids, which are all that a container with mapped users has.
 */
export const POSTGRES_UID = 65_432;

/** How the programs of PostgreSQL are started, and who owns the database's files. */
export interface RunAs {
  /** Owner of the cluster; undefined where the system has no uids. */
  owner: number | undefined;
  /** For child_process.spawn; empty where the process itself is no root. */
  identity: { uid?: number; gid?: number };
  /** Command put in front: `unshare --user` where files can be reached by root alone. */
  prefix: string[];
}

/** Whether a process of any other uid can reach `path`: each folder above it lets everybody pass, and it may be read. */
export async function isReachableByOthers(path: string): Promise<boolean> {
  const real = await realpath(path);
  if (((await stat(real)).mode & 0o005) !== 0o005) return false;
  return isPassable(dirname(real));
}

/** Whether the database's own user can pass through `folder` and all above it. */
async function isPassable(folder: string): Promise<boolean> {
  const real = await realpath(folder);
  for (let at = real; ; at = dirname(at)) {
    const { mode, gid } = await stat(at);
    const isOfGroup = gid === POSTGRES_UID && (mode & 0o010) !== 0;
    if ((mode & 0o001) === 0 && !isOfGroup) return false;
    if (dirname(at) === at) return true;
  }
}

/** Decides under which identity the database in `folder` runs. `folder` must exist. */
export async function chooseRunAs(folder: string): Promise<RunAs> {
  const uid = process.getuid?.();
  if (uid !== 0) return { owner: uid, identity: {}, prefix: [] };
  const separate: RunAs = {
    owner: POSTGRES_UID,
    identity: { uid: POSTGRES_UID, gid: POSTGRES_UID },
    prefix: [],
  };
  if ((await isPassable(folder)) && (await canRun('true', [], separate.identity))) return separate;
  // Inside a user namespace without a mapping, root is seen as nobody and keeps the reach of root's files, but no more.
  if (await canRun('unshare', ['--user', 'true'], {})) {
    return { owner: 0, identity: {}, prefix: ['unshare', '--user'] };
  }
  throw new StartError(
    `PostgreSQL does not run as root, and no other user can reach ${folder}; ` +
      'choose a RUNSHEET_DATA_DIR outside of private folders (such as /var/lib/runsheet), or start as an ordinary user',
  );
}

/** Whether a command runs and succeeds under an identity. */
export async function canRun(command: string, args: string[], identity: RunAs['identity']): Promise<boolean> {
  try {
    await execute(command, args, { ...identity, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/** Hands a file or a whole folder to the owner of the cluster. Only root can; for others it does nothing. */
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
