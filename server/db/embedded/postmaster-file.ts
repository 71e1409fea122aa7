import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Returns the process id that the server of a cluster has written to the first line of postmaster.pid, if any. */
export async function readPostmasterPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Math.abs(Number.parseInt(text, 10));
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}

/**
 * Returns the process id of the running server of a cluster; undefined if the file is missing, or its process is dead
 * or unrelated.
 */
export async function findPostmaster(cluster: string): Promise<number | undefined> {
  const pid = await readPostmasterPid(cluster);
  return pid !== undefined && (await isPostmasterOf(pid, cluster)) ? pid : undefined;
}

/**
 * Returns true if `pid` is alive, not a zombie, and a PostgreSQL server; on Linux, also only if it is the server of
 * this cluster.
 */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!exists(pid)) return false;
  if (process.platform === 'linux') return isPostmasterOnLinux(pid, cluster);
  const { stdout } = await processLine(pid);
  return /postgres/i.test(stdout) && !/^\s*Z/.test(stdout);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isPostmasterOnLinux(pid: number, cluster: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name is in parentheses and may contain spaces and parentheses: proc(5).
  const state = status.slice(status.lastIndexOf(')') + 2, status.lastIndexOf(')') + 3);
  const name = status.slice(status.indexOf('(') + 1, status.lastIndexOf(')'));
  if (state === '' || state === 'Z' || state === 'X' || name !== 'postgres') return false;
  // The working directory of a server is the folder of its cluster. This distinguishes it from the server of another
  // cluster with the same pid.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return folder === undefined || folder === (await realpath(cluster));
}

async function processLine(pid: number): Promise<{ stdout: string }> {
  const [command, args] =
    process.platform === 'win32'
      ? ['tasklist', ['/FI', `PID eq ${pid}`, '/NH']]
      : ['ps', ['-o', 'stat=,comm=', '-p', String(pid)]];
  return execute(command, args).catch(() => ({ stdout: '' }));
}

/**
 * Makes the server ignore the pid of an unrelated process. PostgreSQL detects that a pid is dead, but takes a zombie,
 * or an unrelated process with the same pid, for a running server. The file is not deleted, because it also names the
 * shared memory by which the new server detects left-over processes of the old one. Only the pid is replaced by our
 * own, which PostgreSQL recognizes as its parent and ignores (CreateLockFile in miscinit.c).
 */
export async function disownPostmasterFile(cluster: string): Promise<void> {
  const path = join(cluster, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const lines = text.split('\n');
  // A file that was truncated before its memory key protects nothing, and Windows does not report parent processes.
  if (lines.length < 7 || process.platform === 'win32') {
    await rm(path, { force: true });
    return;
  }
  lines[0] = String(process.pid);
  await writeFile(path, lines.join('\n'));
}
