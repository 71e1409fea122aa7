/** Creates one consistent file of database and stored files while people work. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { VERSION } from '#server/base/version.ts';
import type { Database } from '#server/db/database.ts';
import type { Snapshot } from '#server/db/dialect/types.ts';
import type { StoredFilesRow } from '#server/db/tables.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { holdingDeletes } from '#server/files/held-deletes.ts';
import { createArchiveWriter, type ArchiveWriter } from './archive-writer.ts';
import {
  FILE_LIST,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST,
  pathOfFile,
  secretKeyCheck,
  type BackedUpFile,
  type Manifest,
} from './manifest.ts';

export interface BackUpDeps {
  database: Database;
  store: FileStore;
  secretKey: string;
}

export interface BackUpReport {
  /** SHA-256 of the whole file. */
  sha256: string;
  /** Null if the database must be backed up with its own tools. */
  tables: number | null;
  files: number;
  /** Keys of files that are missing, or differ from what was stored. The rest is complete. */
  damagedFiles: string[];
}

const PAGE = 500;

/**
 * Writes the backup to `path`, which must not exist. Rows and files are as of one point in time; later changes are not
 * included. If it fails, no file is left behind.
 */
export async function backUp(deps: BackUpDeps, path: string): Promise<BackUpReport> {
  const writer = await createArchiveWriter(path);
  try {
    return await holdingDeletes(deps.database, async () => {
      const manifest = await writeAll(deps, writer);
      await writer.add(MANIFEST, Readable.from([JSON.stringify(manifest, null, 1)]), { compress: true });
      const { files, damagedFiles } = manifest;
      const tables = manifest.database && manifest.database.tables.length;
      return { sha256: await writer.close(), tables, files: files.count, damagedFiles };
    });
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

async function writeAll(
  { database: { knex, dialect }, store, secretKey }: BackUpDeps,
  writer: ArchiveWriter,
): Promise<Manifest> {
  const head = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    id: randomBytes(16).toString('hex'),
    program: VERSION,
    secretKeyCheck: secretKeyCheck(secretKey),
  } as const;
  const timeOf = async (db: Knex): Promise<string> => {
    const row = await db.select({ now: dialect.now(db) }).first<{ now: Date }>();
    return new Date(row.now).toISOString();
  };
  const { snapshots } = dialect;
  if (!snapshots) {
    const time = await timeOf(knex);
    return { ...head, time, database: null, ...(await writeFiles(knex, store, writer)) };
  }
  return snapshots.take(knex, async (snapshot) => {
    const time = await timeOf(snapshot.db);
    const written = await writeTables(snapshot, writer);
    return { ...head, time, database: written, ...(await writeFiles(snapshot.db, store, writer)) };
  });
}

async function writeTables(snapshot: Snapshot, writer: ArchiveWriter): Promise<NonNullable<Manifest['database']>> {
  const migrations = await snapshot.db('Migrations').orderBy('id').pluck<string[]>('name');
  const sequences = await snapshot.sequences();
  const tables = [];
  for (const table of snapshot.tables) {
    const entry = await writer.add(`database/${table.name}.txt`, snapshot.read(table), { compress: true });
    tables.push({ ...table, ...entry });
  }
  return { migrations, tables, sequences };
}

type WrittenFiles = Pick<Manifest, 'files' | 'damagedFiles'>;

async function writeFiles(db: Knex, store: FileStore, writer: ArchiveWriter): Promise<WrittenFiles> {
  const lines: string[] = [];
  const damagedFiles: string[] = [];
  for await (const { StoreKey, Sha256 } of storedFiles(db)) {
    const file = await writeFile(store, writer, StoreKey);
    if (file) lines.push(`${JSON.stringify(file)}\n`);
    if (file?.sha256 !== Sha256) damagedFiles.push(StoreKey);
  }
  const list = await writer.add(FILE_LIST, Readable.from(lines), { compress: true });
  return { files: { count: lines.length, ...list }, damagedFiles };
}

type FileRow = Pick<StoredFilesRow, 'FileId' | 'StoreKey' | 'Sha256'>;

async function* storedFiles(db: Knex): AsyncGenerator<FileRow> {
  const seen = new Set<string>();
  // Files stored as deltas are in the tables.
  for (let last = ''; ;) {
    const rows = await db('StoredFiles')
      .where('FileId', '>', last)
      .whereNull('BaseFileId')
      .orderBy('FileId')
      .limit(PAGE)
      .select('FileId', 'StoreKey', 'Sha256');
    for (const row of rows) {
      if (!seen.has(row.StoreKey)) yield row;
      seen.add(row.StoreKey);
    }
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.FileId;
  }
}

/** Returns undefined if the file is missing: the rest is still worth backing up. */
async function writeFile(store: FileStore, writer: ArchiveWriter, key: string): Promise<BackedUpFile | undefined> {
  let content: Readable;
  try {
    content = await store.open(key);
  } catch (error) {
    if ((error as { code?: string }).code !== 'FileMissing') throw error;
    return undefined;
  }
  // Workbooks are already compressed.
  const { bytes, sha256 } = await writer.add(pathOfFile(key), content, { compress: false });
  return { key, bytes, sha256 };
}
