/** The commands `npm run backup`, `npm run restore` and `npm run verify-data`, with the settings of the portal. */
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { pino } from 'pino';
import { StartError } from '#server/base/start-error.ts';
import type { Config } from '#server/config/config-schema.ts';
import { loadSecretKey } from '#server/config/secret-key.ts';
import type { Database } from '#server/db/database.ts';
import { protectDataFolder } from '#server/db/embedded/data-folder.ts';
import { recordDataWork } from '#server/features/setup/data-records.ts';
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

/** Converts an error of the file store to a StartError; returns all other errors unchanged. */
function explainStoreFault(error: unknown): unknown {
  if (!isStoreFault(error)) return error;
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return new StartError(`the file store failed: ${reason}; fix this, then run the command again`, {
    cause: error,
  });
}

export interface BackUpOptions {
  /** A folder, in which the command chooses the file name, or the path of a new file that ends with .zip. */
  target: string;
  /** Number of newest backups in the folder that stay; all if absent. */
  keep?: number;
}

const NAME = /^runsheet-\d{8}-\d{6}\.zip$/;
const DRAFT_NAME = /^runsheet-\d{8}-\d{6}\.zip\.part$/;
/** A backup writes to its draft all the time, so an older draft belongs to a backup that was killed. */
const MIN_ABANDONED_DRAFT_AGE_MS = 24 * 60 * 60 * 1000;

/** The effect of `--keep` in the folder of the backups. */
interface Cleared {
  /** Names of deleted older backups, and of deleted drafts of killed backups. */
  deleted: string[];
  /** Names that could not be deleted, each with the error of the operating system. */
  undeletable: { name: string; reason: string }[];
}

export async function backUpCommand(
  config: Config,
  { target, keep }: BackUpOptions,
): Promise<BackUpReport & Cleared & { path: string }> {
  const path = await backupPath(target, keep !== undefined);
  const report = await withDatabaseAndStore(config, { command: 'backup', migrate: false }, async (database, store) => {
    await requireTables(database, 'there is nothing to back up');
    const secretKey = await loadSecretKey(config);
    const backedUp = await backUp({ database, store, secretKey }, path);
    const { files: Files, tables, damagedFiles } = backedUp;
    await record(database, 'backup', { Files, DamagedFiles: damagedFiles.length, HasDatabase: tables !== null });
    return backedUp;
  });
  const cleared = keep === undefined ? { deleted: [], undeletable: [] } : await deleteOlder(target, keep);
  return { ...report, ...cleared, path };
}

/** For the page Setup. The work is done, even if a database that just went away cannot note it. */
const record: typeof recordDataWork = (database, kind, work) => recordDataWork(database, kind, work).catch(() => {});

/** Returns the path of the new backup. Rejects unusable targets before the database is started. */
async function backupPath(target: string, isKeeping: boolean): Promise<string> {
  if (await isFolder(target)) return join(target, newName(new Date()));
  if (isKeeping) throw new StartError(`--keep needs a folder, and there is no folder ${target}: create it`);
  if (await stat(target).catch(() => undefined)) throw alreadyThere(target);
  // A missing folder, such as an unmounted disk, must not be mistaken for the name of the backup.
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

async function deleteOlder(folder: string, keep: number): Promise<Cleared> {
  const cleared: Cleared = { deleted: [], undeletable: [] };
  for (const name of await listUnneeded(folder, keep)) {
    try {
      for (const path of [join(folder, name), join(folder, `${name}.sha256`)]) await rm(path, { force: true });
      cleared.deleted.push(name);
    } catch (error) {
      cleared.undeletable.push({ name, reason: (error as Error).message });
    }
  }
  return cleared;
}

async function listUnneeded(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).toSorted();
  const backups = names.filter((name) => NAME.test(name));
  const drafts = await Promise.all(
    names
      .filter((name) => DRAFT_NAME.test(name))
      .map(async (name) => ((await isAbandoned(folder, name)) ? [name] : [])),
  );
  return [...backups.slice(0, Math.max(0, backups.length - keep)), ...drafts.flat()];
}

async function isAbandoned(folder: string, draft: string): Promise<boolean> {
  // Another command may just have finished the backup or deleted the draft.
  const found = await stat(join(folder, draft)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > MIN_ABANDONED_DRAFT_AGE_MS;
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
    const report = await verifyData(database, store, options);
    const faults = { MissingFiles: report.missing.length, ChangedFiles: report.changed.length };
    const IsLogIntact = report.chain.defect === null;
    await record(database, 'verification', { Files: report.files, ...faults, IsLogIntact });
    return report;
  });
}
