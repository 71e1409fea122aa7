/** What `npm run backup`, `npm run restore` and `npm run verify-data` do, with the settings of the portal. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { StartError } from '#server/base/start-error.ts';
import type { Config } from '#server/config/config-schema.ts';
import { loadSecretKey } from '#server/config/secret-key.ts';
import type { Database } from '#server/db/database.ts';
import { protectDataFolder } from '#server/db/embedded/data-folder.ts';
import { withDeltas } from '#server/files/deltas.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { openFileStore } from '#server/files/open-file-store.ts';
import { backUp, type BackUpReport } from '#server/operations/backup/back-up.ts';
import { restore, type RestoreReport } from '#server/operations/backup/restore.ts';
import { verifyData, type DataReport, type VerifyOptions } from '#server/operations/verify-data.ts';
import { withCommandDatabase, type CommandDatabaseOptions } from './command-database.ts';

const log = pino({ level: 'silent' });

async function withDatabaseAndStore<T>(
  config: Config,
  options: CommandDatabaseOptions,
  work: (database: Database, store: FileStore) => Promise<T>,
): Promise<T> {
  return withCommandDatabase(
    config,
    log,
    async (database) => {
      const opened = await openFileStore(config);
      try {
        return await work(database, withDeltas(opened.store, database));
      } finally {
        opened.close();
      }
    },
    options,
  );
}

export interface BackUpOptions {
  /** A folder, in which the backup gets a name of its own, or a file that is not there yet. */
  target: string;
  /** Of the backups in the folder, how many of the newest stay; all where absent. */
  keep?: number;
}

const NAME = /^runsheet-\d{8}-\d{6}\.zip$/;

export async function backUpCommand(
  config: Config,
  { target, keep }: BackUpOptions,
): Promise<BackUpReport & { path: string; deleted: string[] }> {
  const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() ?? false;
  if (keep !== undefined && !isFolder) throw new StartError('--keep needs the name of a folder that is there');
  const path = isFolder ? join(target, newName(new Date())) : target;
  if (await stat(path).catch(() => undefined)) throw new StartError(`${path} is there already`);
  const report = await withDatabaseAndStore(config, { migrate: false }, async (database, store) => {
    const secretKey = await loadSecretKey(config);
    return backUp({ database, store, secretKey }, path);
  });
  const deleted = keep === undefined ? [] : await deleteOlder(target, keep);
  return { ...report, path, deleted };
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
  return withDatabaseAndStore(config, { migrate: false, isAlone: true }, async (database, store) => {
    const secretKey = await loadSecretKey(config);
    return restore({ database, store, secretKey }, path);
  });
}

export async function verifyDataCommand(config: Config, options: VerifyOptions): Promise<DataReport> {
  return withDatabaseAndStore(config, { migrate: false }, (database, store) => verifyData(database, store, options));
}
