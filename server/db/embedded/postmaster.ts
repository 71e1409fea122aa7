import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { postgresEnvironment, takeOwnership } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { openEndpoint } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { disownPostmasterFile, findPostmaster, isPostmasterOf, readPostmasterPid } from './postmaster-file.ts';
import { serverSettings } from './settings.ts';

const execute = promisify(execFile);

/** A running PostgreSQL server process. */
export interface Postmaster {
  pid: number;
  /** True if it was already running, left over from a process that was killed. */
  adopted: boolean;
  isAlive(): Promise<boolean>;
  /** Returns why the server has ended. */
  ending(): Promise<Ending>;
}

export interface Ending {
  /** True if it was killed or crashed; false if it refused to start. */
  bySignal: boolean;
  /** The last log message of this server, not of others that write to the same log. */
  words: string;
}

const LOG_SIZE_LIMIT = 10 * 1024 * 1024;

/** Adopts the cluster's running server, or starts one. The server may not accept connections yet. */
export async function adoptOrLaunch(cluster: Cluster, endpoint: Endpoint, durable: boolean): Promise<Postmaster> {
  const folder = cluster.paths.cluster;
  const running = await findPostmaster(folder);
  if (running !== undefined) {
    const isAlive = (): Promise<boolean> => isPostmasterOf(running, folder);
    return { pid: running, adopted: true, isAlive, ending: async () => ({ bySignal: true, words: '' }) };
  }
  await disownPostmasterFile(folder);
  await takeOwnership(cluster);
  await openEndpoint(endpoint, cluster.runAs);
  await rotateLog(cluster.paths.log);
  const name = randomBytes(4).toString('hex');
  const settings = serverSettings(endpoint, durable, name);
  const { size: logStart } = await stat(cluster.paths.log).catch(() => ({ size: 0 }));
  const words = (): Promise<string> => lastWords(cluster.paths.log, logStart, name);
  return process.platform === 'win32' ? launchOnWindows(cluster, settings, words) : launch(cluster, settings, words);
}

type Words = () => Promise<string>;

async function launch({ paths, binaries, runAs }: Cluster, settings: string[], words: Words): Promise<Postmaster> {
  const log = await open(paths.log, 'a', 0o600);
  try {
    const [command = '', ...args] = [...runAs.prefix, binaries.postgres, '-D', paths.cluster, ...settings];
    // With its own process group and a file for its output, it survives Ctrl-C and a kill -9 of this process.
    const child = spawn(command, args, {
      ...runAs.identity,
      cwd: paths.cluster,
      env: postgresEnvironment(),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const pid = await spawned(child);
    child.unref();
    return {
      pid,
      adopted: false,
      isAlive: async () => child.exitCode === null && child.signalCode === null,
      ending: async () => ({ bySignal: child.signalCode !== null, words: await words() }),
    };
  } finally {
    await log.close();
  }
}

function spawned(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
}

/** PostgreSQL refuses to run as an administrator on Windows; pg_ctl can drop these rights first. */
async function launchOnWindows({ paths, binaries }: Cluster, settings: string[], words: Words): Promise<Postmaster> {
  const options = settings.map((part) => (part.includes(' ') ? `"${part}"` : part)).join(' ');
  await execute(binaries.pg_ctl, ['start', '-w', '-s', '-D', paths.cluster, '-l', paths.log, '-o', options], {
    env: postgresEnvironment(),
  });
  const pid = await readPostmasterPid(paths.cluster);
  if (pid === undefined) throw new Error('pg_ctl started no server');
  return {
    pid,
    adopted: false,
    isAlive: () => isPostmasterOf(pid, paths.cluster),
    ending: async () => ({ bySignal: false, words: await words() }),
  };
}

/**
 * Requests the fast shutdown: clients are disconnected, everything is written, and the next start needs no recovery.
 */
export async function requestShutdown(cluster: Cluster, postmaster: Postmaster): Promise<void> {
  if (process.platform === 'win32') {
    await execute(cluster.binaries.pg_ctl, ['stop', '-m', 'fast', '-D', cluster.paths.cluster]);
    return;
  }
  try {
    process.kill(postmaster.pid, 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function rotateLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > LOG_SIZE_LIMIT) await rename(path, `${path}.old`);
}

/**
 * Returns the last log message of one launch of the server. Lines without a launch mark belong to it too, because it
 * logs without one until it has read its settings. Left-over processes of a killed server log with the mark of that
 * server.
 */
async function lastWords(path: string, start: number, launch: string): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const lines = bytes.subarray(start).toString('utf8').trimEnd().split('\n');
  const own = lines.filter((line) => line.includes(` ${launch}] `) || !/^\t|^\S+ \S+ UTC \[/.test(line));
  const errorLine = own.slice(-20).findLast((line) => /FATAL|PANIC|ERROR|cannot|error/.test(line));
  return (errorLine ?? own.at(-1) ?? '').replace(/^\S+ \S+ UTC \[[^\]]*\] /, '');
}
