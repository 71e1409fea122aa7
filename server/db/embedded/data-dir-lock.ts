import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '#server/base/start-error.ts';

export interface DataDirLock {
  release(): void;
}

/** Another process of ours has the folder. */
export class DataDirInUse extends StartError {}

export interface DataDirLockOptions {
  /** The command of `runsheet` that takes the folder; null for a server. */
  command?: string | null;
  /** A server that is being stopped or was just killed is given this long to end. */
  patienceMs?: number;
}

/**
 * Takes a data folder for this process alone: only who has it starts or stops its database. Node has no flock; SQLite has one on every system, and
 * the kernel lets go of it when the process ends, however it ends, so there is nothing stale to clean up.
 * Throws a DataDirInUse that names the other process where the folder is taken.
 */
export async function lockDataDir(
  folder: string,
  { command = null, patienceMs = 1000 }: DataDirLockOptions = {},
): Promise<DataDirLock> {
  const holder = join(folder, 'server.pid');
  const lock = await tryLock(join(folder, 'server.lock'), 'exclusive', patienceMs);
  if (lock === undefined) throw new DataDirInUse(inUseText(folder, await readFile(holder, 'utf8').catch(() => '')));
  // For the text alone: a full disk keeps nobody from the folder.
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
/** The last command that ends stops the database, which writes to the disk what it holds in memory. */
const JOIN_LIMIT_MS = 60_000;
const JOIN_INTERVAL_MS = 50;

/** Says that a command works with the database of the folder, beside others and beside a server. Waits while the last one stops the database. */
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

/** Keeps all commands out; undefined where one works. */
export const lockOutCommands = (folder: string): Promise<DataDirLock | undefined> =>
  tryLock(join(folder, COMMANDS_LOCK), 'exclusive');

async function tryLock(path: string, mode: 'shared' | 'exclusive', timeout = 0): Promise<DataDirLock | undefined> {
  const database = new DatabaseSync(path, { timeout });
  try {
    if (mode === 'exclusive') database.exec('pragma locking_mode = exclusive; begin exclusive');
    // A transaction that has read keeps its shared lock.
    else database.exec('begin; select count(*) from sqlite_master');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    // SQLITE_BUSY. Others say what is wrong with the folder.
    if ((error as { errcode?: number }).errcode === 5) return undefined;
    throw error;
  }
}
