/** What `npm run backup`, `npm run restore` and `npm run verify-data` do, with the settings of the portal. */
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { pino } from 'pino';
import { StartError } from '#server/base/start-error.ts';
import type { Config } from '#server/config/config-schema.ts';
import { loadSecretKey } from '#server/config/secret-key.ts';
import type { Database } from '#server/db/database.ts';
import { protectDataFolder } from '#server/db/embedded/data-folder.ts';
import { withDeltas } from '#server/files/deltas.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { openFileStore } from '#server/files/open-file-store.ts';
import { isStoreFault, withClearFaults } from '#server/files/store-faults.ts';
import { alreadyThere } from '#server/operations/backup/archive-writer.ts';
import { backUp, type BackUpReport } from '#server/operations/backup/back-up.ts';
import { restore, type RestoreReport } from '#server/operations/backup/restore.ts';
import { verifyData, type DataReport, type VerifyOptions } from '#server/operations/verify-data.ts';
import { withCommandDatabase, type CommandDatabaseOptions } from './command-database.ts';

const log = pino({ level: 'silent' });

async function withDatabaseAndStore<T>(
  config: Config,
  options: CommandDatabaseOptions & { isRestore?: boolean },
  work: (database: Database, store: FileStore) => Promise<T>,
): Promise<T> {
  return withCommandDatabase(
    config,
    log,
    async (database) => {
      const opened = await openFileStore(config, options.isRestore ? null : database);
      try {
        return await work(database, withDeltas(withClearFaults(opened.store, log), database));
      } catch (error) {
        throw explainStoreFault(error);
      } finally {
        opened.close();
      }
    },
    options,
  );
}

/** The same error, unless it is a fault of the file store. */
function explainStoreFault(error: unknown): unknown {
  if (!isStoreFault(error)) return error;
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return new StartError(`the file store failed: ${reason}; put that right, then run the command again`, {
    cause: error,
  });
}

export interface BackUpOptions {
  /** A folder, in which the command names the backup, or the path of a new file that ends with .zip. */
  target: string;
  /** Of the backups in the folder, how many of the newest stay; all where absent. */
  keep?: number;
}

const NAME = /^runsheet-\d{8}-\d{6}\.zip$/;

export async function backUpCommand(
  config: Config,
  { target, keep }: BackUpOptions,
): Promise<BackUpReport & { path: string; deleted: string[] }> {
  const path = await backupPath(target, keep !== undefined);
  const report = await withDatabaseAndStore(config, { command: 'backup', migrate: false }, async (database, store) => {
    await requireTables(database, 'there is nothing to back up');
    const secretKey = await loadSecretKey(config);
    return backUp({ database, store, secretKey }, path);
  });
  const deleted = keep === undefined ? [] : await deleteOlder(target, keep);
  return { ...report, path, deleted };
}

/** Where the backup goes. Refuses a target that cannot be meant before the database is brought up. */
async function backupPath(target: string, isKeeping: boolean): Promise<string> {
  if (await isFolder(target)) return join(target, newName(new Date()));
  if (isKeeping) throw new StartError(`--keep needs a folder, and there is no folder ${target}: create it`);
  if (await stat(target).catch(() => undefined)) throw alreadyThere(target);
  // A folder that is missing, such as a disk that is not mounted, must not pass for the name of the backup.
  if (extname(target) !== '.zip') {
    throw new StartError(`there is no folder ${target}: create it, or name a file that ends with .zip`);
  }
  const folder = dirname(target);
  if (!(await isFolder(folder))) throw new StartError(`there is no folder ${folder}: create it`);
  return target;
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

async function requireTables({ knex }: Database, consequence: string): Promise<void> {
  if (await knex.schema.hasTable('Migrations')) return;
  throw new StartError(`the database has no tables of Runsheet: ${consequence}`);
}

const newName = (now: Date): string =>
  `runsheet-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.zip`;

async function deleteOlder(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted();
  const deleted = names.slice(0, Math.max(0, names.length - keep));
  for (const name of deleted) {
    for (const path of [join(folder, name), join(folder, `${name}.sha256`)]) await rm(path, { force: true });
  }
  return deleted;
}

export async function restoreCommand(config: Config, path: string): Promise<RestoreReport> {
  if (config.databaseUrl === '') await protectDataFolder(config.dataDir, log);
  return withDatabaseAndStore(
    config,
    { command: 'restore', migrate: false, isAlone: true, mayBeNew: true, isRestore: true },
    async (database, store) => {
      const secretKey = await loadSecretKey(config);
      return restore({ database, store, secretKey }, path);
    },
  );
}

export async function verifyDataCommand(config: Config, options: VerifyOptions): Promise<DataReport> {
  return withDatabaseAndStore(config, { command: 'verify-data', migrate: false }, async (database, store) => {
    await requireTables(database, 'there is nothing to verify');
    return verifyData(database, store, options);
  });
}
