/** Restores a backup into an empty database and an empty file store. */
import { pipeline } from 'node:stream/promises';
import { StartError } from '#server/base/start-error.ts';
import type { Database } from '#server/db/database.ts';
import type { CopiedTable, Loading, Snapshots } from '#server/db/dialect/types.ts';
import { migrateExactly, migrateToLatest } from '#server/db/migrate.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { openArchive, type Archive } from './archive-reader.ts';
import { secretKeyCheck } from './manifest.ts';
import { clearRestoreMark, findRestoreMark, setRestoreMark } from './restore-mark.ts';

export interface RestoreDeps {
  database: Database;
  store: FileStore;
  secretKey: string;
}

export interface RestoreReport {
  /** The point in time of the backup. */
  time: string;
  files: number;
  /** Null if the backup contains only files. */
  tables: number | null;
  /** Files that the backup could not read. */
  damagedFiles: string[];
  hasOtherKey: boolean;
}

/**
 * Checks the whole backup, then restores it. Throws a StartError before any change if the backup is damaged, or if the
 * database or the store contains data. After an interruption, it can simply be run again.
 */
export async function restore({ database, store, secretKey }: RestoreDeps, path: string): Promise<RestoreReport> {
  const archive = await openArchive(path);
  try {
    await archive.verify();
    await (archive.manifest.database === null
      ? restoreFilesAlone(database, store, archive)
      : restoreAll(database, store, archive));
    const { time, files, damagedFiles } = archive.manifest;
    return {
      time,
      files: files.count,
      tables: archive.manifest.database && archive.manifest.database.tables.length,
      damagedFiles,
      hasOtherKey: archive.manifest.secretKeyCheck !== secretKeyCheck(secretKey),
    };
  } finally {
    archive.close();
  }
}

async function restoreAll(database: Database, store: FileStore, archive: Archive): Promise<void> {
  const { snapshots } = database.dialect;
  if (!snapshots)
    throw new StartError('the backup contains a PostgreSQL database, but this database is not PostgreSQL');
  const content = archive.manifest.database!;
  const isAgain = await isUnderWay(database, snapshots, archive.manifest.id);
  if (!isAgain) {
    await refuseFullStore(store);
    await migrateExactly(database, content.migrations);
    await setRestoreMark(database, archive.manifest.id);
  }
  await restoreFiles(store, archive);
  await snapshots.load(database.knex, (loading) => loadTables(loading, archive));
  await migrateToLatest(database);
}

/** Returns false for a database without tables, and true if a restore of the same backup has begun. */
async function isUnderWay(database: Database, snapshots: Snapshots, id: string): Promise<boolean> {
  const tables = await snapshots.listTables(database.knex);
  if (tables.length === 0) return false;
  if (tables.includes('Settings') && (await findRestoreMark(database)) === id) return true;
  throw new StartError('the database is not empty: a backup can be restored only into an empty database');
}

/** The database must already have been restored with its own tools. */
async function restoreFilesAlone(
  database: Database,
  store: FileStore,
  { manifest, ...archive }: Archive,
): Promise<void> {
  if (!(await database.knex.schema.hasTable('StoredFiles')))
    throw new StartError('the backup contains only files: first restore the database with the tools of SQL Server');
  if ((await findRestoreMark(database)) !== manifest.id) {
    await refuseFullStore(store);
    await setRestoreMark(database, manifest.id);
  }
  await restoreFiles(store, { manifest, ...archive });
  await clearRestoreMark(database);
}

async function refuseFullStore(store: FileStore): Promise<void> {
  const { files } = await store.list('', 1);
  if (files.length > 0)
    throw new StartError('the file store is not empty: a backup can be restored only into an empty file store');
}

async function restoreFiles(store: FileStore, archive: Archive): Promise<void> {
  for (const { key, sha256 } of archive.files.values()) {
    const stored = await store.restore(key, await archive.openFile(key));
    if (stored.sha256 !== sha256) throw new Error(`the file ${key} was not stored as it is in the backup`);
  }
}

async function loadTables(loading: Loading, archive: Archive): Promise<void> {
  const { tables, sequences } = archive.manifest.database!;
  const shape = (all: readonly CopiedTable[]): string =>
    all
      .map(({ name, columns }) => JSON.stringify([name, columns.toSorted()]))
      .toSorted()
      .join();
  if (shape(tables) !== shape(loading.tables))
    throw new StartError('the tables of the backup differ from those that its migrations create');
  for (const { name, columns, entry } of tables) {
    await pipeline(await archive.open(entry), loading.write({ name, columns }));
  }
  for (const sequence of sequences) await loading.setSequence(sequence);
}
