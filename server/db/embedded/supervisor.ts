import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/base/log.ts';
import { StartError } from '#server/base/start-error.ts';
import type { Cluster } from './cluster.ts';
import type { Endpoint } from './endpoint.ts';
import { adoptOrLaunch, requestShutdown } from './postmaster.ts';
import type { Postmaster } from './postmaster.ts';
import { clientConfig, withClient } from './provision.ts';
import type { ServerAddress } from './provision.ts';

const WATCH_INTERVAL_MS = 250;
const MIN_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;
/** After running this long, a server counts as healthy: its next death does not belong to the previous series. */
const STEADY_MS = 60_000;
/** Crash recovery replays at most max_wal_size, which takes far less than this. */
const START_TIME_LIMIT_MS = 120_000;
const FAST_SHUTDOWN_LIMIT_MS = 60_000;

export interface Supervisor {
  /** The server's process, which changes when the server is restarted. */
  current(): Postmaster;
  /** Stops monitoring and shuts the server down, even if it was adopted. */
  stop(): Promise<void>;
  /** Stops monitoring; the server keeps running. */
  leave(): Promise<void>;
}

interface Supervised {
  cluster: Cluster;
  endpoint: Endpoint;
  address: ServerAddress;
  durable: boolean;
  log: Log;
}

/** Starts the server of a cluster and keeps it running until stop(). Throws a StartError if the first start fails. */
export async function supervise(supervised: Supervised): Promise<Supervisor> {
  const stopped = new AbortController();
  let postmaster = await bringUp(supervised, stopped.signal);
  const watching = watch(supervised, stopped.signal, postmaster, (next) => {
    postmaster = next;
  });
  const leave = async (): Promise<void> => {
    stopped.abort();
    await watching;
  };
  return {
    current: () => postmaster,
    leave,
    stop: async () => {
      await leave();
      await shutDown(supervised, postmaster);
    },
  };
}

async function watch(
  supervised: Supervised,
  stopped: AbortSignal,
  first: Postmaster,
  replace: (next: Postmaster) => void,
): Promise<void> {
  let postmaster = first;
  let backoff = MIN_BACKOFF_MS;
  let since = Date.now();
  while (!stopped.aborted) {
    await rest(WATCH_INTERVAL_MS, stopped);
    if (stopped.aborted || (await postmaster.isAlive())) continue;
    if (Date.now() - since > STEADY_MS) backoff = MIN_BACKOFF_MS;
    supervised.log.error(
      { serverPid: postmaster.pid },
      `The embedded PostgreSQL has ended; it is started again in ${backoff} ms`,
    );
    await rest(backoff, stopped);
    backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
    since = Date.now();
    if (stopped.aborted) return;
    try {
      postmaster = await bringUp(supervised, stopped);
      replace(postmaster);
      supervised.log.info({ serverPid: postmaster.pid }, 'the embedded PostgreSQL is running again');
    } catch (error) {
      if (!stopped.aborted) supervised.log.error({ err: error }, 'could not start the embedded PostgreSQL');
    }
  }
}

/** Waits without keeping the process alive; returns early when stopped. */
async function rest(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal: stopped, ref: false }).catch(() => {});
}

/** Messages of a server that cannot start because processes of a killed one are still running. */
const LEFT_OVER = /shared memory block|lock file .* already exists/;

/**
 * Launches the server until it responds. Left-over processes of a killed server prevent a start until they notice its
 * death.
 */
async function bringUp(supervised: Supervised, stopped: AbortSignal): Promise<Postmaster> {
  const { cluster, endpoint, durable, address } = supervised;
  const deadline = Date.now() + START_TIME_LIMIT_MS;
  for (;;) {
    const postmaster = await adoptOrLaunch(cluster, endpoint, durable);
    if (await answers(postmaster, address, deadline)) return postmaster;
    const { bySignal, words } = await postmaster.ending();
    const isTransient = bySignal || LEFT_OVER.test(words);
    if (stopped.aborted || !isTransient || Date.now() > deadline) {
      throw new StartError(`the embedded PostgreSQL did not start: ${words} (its log is ${cluster.paths.log})`);
    }
    await pause(MIN_BACKOFF_MS);
  }
}

/** Waits until the server accepts connections; returns false if its process ended or the time is up. */
async function answers(postmaster: Postmaster, address: ServerAddress, deadline: number): Promise<boolean> {
  while (Date.now() < deadline) {
    try {
      await withClient(clientConfig(address, 'postgres', 'postgres'), (client) => client.query('select 1'));
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      // For errors such as a wrong password, waiting does not help. 57P03 is "starting up", 53300 "too many clients
      // already".
      if (
        code &&
        /^[0-9A-Z]{5}$/.test(code) &&
        !['57P03', '53300', '57P01', '57P02'].includes(code) &&
        !code.startsWith('E')
      ) {
        throw new StartError(
          `the embedded PostgreSQL refused the connection of this program: ${(error as Error).message}`,
          {
            cause: error,
          },
        );
      }
    }
    if (!(await postmaster.isAlive())) return false;
    await pause(20);
  }
  return false;
}

async function shutDown({ cluster, log }: Supervised, postmaster: Postmaster): Promise<void> {
  if (!(await postmaster.isAlive())) return;
  await requestShutdown(cluster, postmaster);
  const deadline = Date.now() + FAST_SHUTDOWN_LIMIT_MS;
  while (await postmaster.isAlive()) {
    if (Date.now() > deadline) {
      log.warn(
        { serverPid: postmaster.pid },
        'The embedded PostgreSQL is still shutting down; the next start waits for it',
      );
      return;
    }
    await pause(20);
  }
}
