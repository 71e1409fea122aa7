import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '#server/base/start-error.ts';

export interface DataDirLock {
  release(): void;
}

/** Another process of this program uses the folder. */
export class DataDirInUse extends StartError {}

export interface DataDirLockOptions {
  /** The `runsheet` command that locks the folder; null for a server. */
  command?: string | null;
  /** How long to wait for a server that is stopping or was just killed. */
  lockTimeoutMs?: number;
}

/**
 * Locks a data folder exclusively: only the holder may start or stop its database. Node has no flock, but SQLite locks
 * files on every system. The kernel releases the lock whenever the process ends, so there is nothing stale to clean up.
 * Throws a DataDirInUse that names the other process if the folder is locked.
 */
export async function lockDataDir(
  folder: string,
  { command = null, lockTimeoutMs = 1000 }: DataDirLockOptions = {},
): Promise<DataDirLock> {
  const holder = join(folder, 'server.pid');
  const lock = await tryLock(join(folder, 'server.lock'), 'exclusive', lockTimeoutMs);
  if (lock === undefined) throw new DataDirInUse(inUseText(folder, await readFile(holder, 'utf8').catch(() => '')));
  // Used only in messages: a full disk must not prevent the lock.
  await writeFile(holder, `${process.pid}${command === null ? '' : ` ${command}`}\n`).catch(() => {});
  return lock;
}

function inUseText(folder: string, holder: string): string {
  const [, pid, command] = /^(\d+)(?: ([a-z-]+))?$/.exec(holder.trim()) ?? [];
  const by = pid === undefined ? '' : ` (process ${pid})`;
  const inUse = `the data folder ${folder} is in use by`;
  return command === undefined
    ? `${inUse} another Runsheet server${by}; stop that one, or give this one its own RUNSHEET_DATA_DIR`
    : `${inUse} "runsheet ${command}"${by}; wait until it has ended, or stop it, and start again`;
}

const COMMANDS_LOCK = 'commands.lock';
/** How long to wait for the last command to stop the database, which writes its memory to the disk. */
const JOIN_LIMIT_MS = 60_000;
const JOIN_INTERVAL_MS = 50;

/**
 * Registers a command that works with the database, in parallel to other commands and a server. Waits while the last
 * command stops the database.
 */
export async function joinCommands(folder: string): Promise<DataDirLock> {
  const deadline = performance.now() + JOIN_LIMIT_MS;
  for (;;) {
    const lock = await tryLock(join(folder, COMMANDS_LOCK), 'shared');
    if (lock) return lock;
    if (performance.now() > deadline) {
      throw new DataDirInUse(
        `the data folder ${folder} is in use by another runsheet command; wait until it has ended`,
      );
    }
    await pause(JOIN_INTERVAL_MS);
  }
}

/** Locks out all commands; returns undefined if one is running. */
export const lockOutCommands = (folder: string): Promise<DataDirLock | undefined> =>
  tryLock(join(folder, COMMANDS_LOCK), 'exclusive');

async function tryLock(path: string, mode: 'shared' | 'exclusive', timeout = 0): Promise<DataDirLock | undefined> {
  const database = new DatabaseSync(path, { timeout });
  try {
    if (mode === 'exclusive') database.exec('pragma locking_mode = exclusive; begin exclusive');
    // A transaction that has read something holds a shared lock.
    else database.exec('begin; select count(*) from sqlite_master');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    // SQLITE_BUSY. Other errors describe a problem with the folder.
    if ((error as { errcode?: number }).errcode === 5) return undefined;
    throw error;
  }
}
