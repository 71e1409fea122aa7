/**
 * The embedded PostgreSQL for CLI commands. Commands share it with each other, and with a server that starts while they
 * run.
 */
import type { Log } from '#server/base/log.ts';
import { clusterPaths, prepareFolders } from './cluster.ts';
import { DataDirInUse, joinCommands, lockOutCommands } from './data-dir-lock.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { findPostmaster } from './postmaster-file.ts';
import { findRunningPostgres } from './running-postgres.ts';

export interface BorrowedPostgres {
  url: string;
  /** True if a server uses the database, so its tables are up to date. */
  isOfServer: boolean;
  /** Stops the database unless a server or another command needs it. Close all pools first. */
  release(): Promise<void>;
}

/**
 * Starts the database if it is down. It runs without the lock of the data folder, so a server that starts during the
 * command can adopt it. Each command holds a shared lock, so the last one knows that it is the last.
 */
export async function borrowEmbeddedPostgres(dataDir: string, log: Log, command: string): Promise<BorrowedPostgres> {
  const folder = await prepareFolders(dataDir);
  const joined = await joinCommands(folder);
  try {
    const { url, isOfServer } = await bringUp(folder, log, command);
    const release = async (): Promise<void> => {
      joined.release();
      await stopUnlessNeeded(folder, log, command);
    };
    return { url, isOfServer, release };
  } catch (error) {
    joined.release();
    throw error;
  }
}

/**
 * Starts the embedded PostgreSQL for a command that must run alone, such as a restore. Throws a DataDirInUse if it
 * cannot.
 */
export async function startEmbeddedPostgresAlone(
  dataDir: string,
  log: Log,
  command: string,
): Promise<BorrowedPostgres> {
  const folder = await prepareFolders(dataDir);
  const alone = await lockOutCommands(folder);
  if (!alone) {
    throw new DataDirInUse(
      `the data folder ${folder} is in use by other runsheet commands; wait until they have ended`,
    );
  }
  try {
    const server = await startEmbeddedPostgres(folder, log, { command });
    const release = async (): Promise<void> => {
      await server.stop();
      alone.release();
    };
    return { url: server.url, isOfServer: false, release };
  } catch (error) {
    alone.release();
    throw error;
  }
}

async function bringUp(folder: string, log: Log, command: string): Promise<Omit<BorrowedPostgres, 'release'>> {
  try {
    const server = await startEmbeddedPostgres(folder, log, { command });
    await server.leave();
    return { url: server.url, isOfServer: false };
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    return { url: await findRunningPostgres(folder), isOfServer: true };
  }
}

async function stopUnlessNeeded(folder: string, log: Log, command: string): Promise<void> {
  if ((await findPostmaster(clusterPaths(folder).cluster)) === undefined) return;
  try {
    const server = await startEmbeddedPostgres(folder, log, { command, lockTimeoutMs: 0 });
    const alone = await lockOutCommands(folder);
    if (!alone) return await server.leave();
    await server.stop();
    alone.release();
  } catch (error) {
    // A server uses it, or a command that is starting or ending, which stops the database later.
    if (!(error instanceof DataDirInUse)) throw error;
  }
}
