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
  /** Whether it was running already, left over by a process that was killed. */
  adopted: boolean;
  isAlive(): Promise<boolean>;
  /** Of one that has ended: why. */
  ending(): Promise<Ending>;
}

export interface Ending {
  /** It was killed, or crashed, rather than refusing to start. */
  bySignal: boolean;
  /** What this server said last, and none that wrote to the same log. */
  words: string;
}

const LOG_SIZE_LIMIT = 10 * 1024 * 1024;

/** Takes over the cluster's live server, or starts one. Says nothing yet about whether it accepts connections. */
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
    // Its own process group, and a file for its output: neither Ctrl-C nor our end by kill -9 reaches it.
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

/** Windows refuses PostgreSQL to administrators; pg_ctl knows how to give their rights away first. */
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

/** Asks for the fast shutdown: clients are disconnected, everything is written, no recovery is due at the next start. */
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
 * What one launch of the server last wrote. Lines without a mark are its own too: it has none until it has read its settings, and
 * what processes of a killed server write has that one's.
 */
async function lastWords(path: string, start: number, launch: string): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const lines = bytes.subarray(start).toString('utf8').trimEnd().split('\n');
  const own = lines.filter((line) => line.includes(` ${launch}] `) || !/^\t|^\S+ \S+ UTC \[/.test(line));
  const telling = own.slice(-20).findLast((line) => /FATAL|PANIC|ERROR|cannot|error/.test(line));
  return (telling ?? own.at(-1) ?? '').replace(/^\S+ \S+ UTC \[[^\]]*\] /, '');
}
