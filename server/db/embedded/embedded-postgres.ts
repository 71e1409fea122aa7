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
  /** The program's database, for createDatabase(). Holds the password: never print it. */
  url: string;
  /** A database of the same server as its superuser, for backups and tests. */
  adminUrl(database: string): string;
  /** Process id of the server now. */
  pid(): number;
  /** Whether it was found running, left over by a program that was killed. */
  adopted: boolean;
  /** Shuts the server down in good order and lets go of the data folder. Close all pools first. */
  stop(): Promise<void>;
  /** Lets go of the data folder but leaves the server running, for the next one to adopt. */
  leave(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** False in tests alone: no fsync, and more connections. */
  durable?: boolean;
  /** The command of `runsheet` that takes the folder for itself; null for a server. */
  command?: string | null;
  /** How long to wait for the folder; see lockDataDir. */
  patienceMs?: number;
}

/**
 * The PostgreSQL that a machine without a database gets: brought up below `dataDir`, watched, started again when it dies,
 * and adopted when an earlier program was killed and left it running.
 * Throws a StartError where an operator has to act: folder in use, other version, owner, no binaries for this machine.
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
