import type { Log } from '#server/base/log.ts';
import { findBinaries } from './binaries.ts';
import { clusterPaths, openCluster, prepareFolders } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { prepareEndpoint } from './endpoint.ts';
import { DATABASE_NAME, databaseUrl, provision } from './provision.ts';
import { chooseRunAs } from './run-as.ts';
import { supervise } from './supervisor.ts';

export interface EmbeddedPostgres {
  /** URL of the program's database for createDatabase(). Contains the password: never print it. */
  url: string;
  /** URL of a database on the same server as its superuser, for backups and tests. */
  adminUrl(database: string): string;
  /** Current process id of the server. */
  pid(): number;
  /** True if it was already running, left over from a program that was killed. */
  adopted: boolean;
  /** Shuts the server down cleanly and releases the data folder. Close all pools first. */
  stop(): Promise<void>;
  /** Releases the data folder but leaves the server running, for the next process to adopt. */
  leave(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** False only in tests: no fsync, and more connections. */
  durable?: boolean;
  /** The `runsheet` command that locks the folder; null for a server. */
  command?: string | null;
  /** How long to wait for the lock; see lockDataDir. */
  lockTimeoutMs?: number;
}

/**
 * Starts the PostgreSQL server for machines without a database. It runs below `dataDir`, is monitored and restarted if
 * it dies, and is adopted if an earlier program was killed and left it running. Throws a StartError if an operator must
 * act: folder in use, different version, wrong owner, or no binaries for this machine.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  log: Log,
  { durable = true, ...locking }: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const folder = await prepareFolders(dataDir);
  const lock = await lockDataDir(folder, locking);
  try {
    const cluster = await prepareCluster(folder, durable);
    const endpoint = await prepareEndpoint(cluster.paths, cluster.runAs);
    const address = { ...endpoint, password: cluster.password };
    const supervisor = await supervise({ cluster, endpoint, address, durable, log });
    await provision(address);
    const { pid, adopted } = supervisor.current();
    log.info(
      { serverPid: pid, adopted },
      adopted ? 'Adopted the running embedded PostgreSQL' : 'Started the embedded PostgreSQL',
    );
    return {
      url: databaseUrl(address, DATABASE_NAME, DATABASE_NAME),
      adminUrl: (database) => databaseUrl(address, 'postgres', database),
      pid: () => supervisor.current().pid,
      adopted,
      stop: async () => {
        await supervisor.stop();
        lock.release();
      },
      leave: async () => {
        await supervisor.leave();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function prepareCluster(folder: string, durable: boolean): Promise<Cluster> {
  const paths = clusterPaths(folder);
  const binaries = await findBinaries();
  const runAs = await chooseRunAs(paths.folder);
  return openCluster({ paths, binaries, runAs, durable });
}
