/** Checks whether database and file store belong together and are complete. */
import { createHash } from 'node:crypto';
import type { Database } from '#server/db/database.ts';
import type { StoredFilesRow } from '#server/db/tables.ts';
import { verifyChain, type ChainReport } from '#server/features/security-actions/security-actions-service.ts';
import type { FileStore } from '#server/files/file-store.ts';

export interface VerifyOptions {
  /** If true, also reads each file and compares its content with its hash. */
  readFiles: boolean;
}

export interface DataReport {
  /** Number of stored-file rows that were checked. */
  files: number;
  /** Ids of rows whose file is not in the store. */
  missing: string[];
  /** Ids of rows whose file differs from what was stored. */
  changed: string[];
  /**
   * Number of files in the store that no row refers to, such as those of a start or upload in progress; the portal
   * removes them after a day.
   */
  unreferenced: number;
  chain: ChainReport;
}

const PAGE = 500;

type FileRow = Pick<StoredFilesRow, 'FileId' | 'StoreKey' | 'Sha256'>;

/**
 * Only reads, and can run next to the portal: files stored or deleted in the meantime are checked again before they are
 * reported.
 */
export async function verifyData(
  { knex }: Pick<Database, 'knex'>,
  store: FileStore,
  { readFiles }: VerifyOptions,
): Promise<DataReport> {
  const report: Omit<DataReport, 'unreferenced' | 'chain'> = { files: 0, missing: [], changed: [] };
  for (let last = ''; ;) {
    const rows = await knex('StoredFiles')
      .where('FileId', '>', last)
      .orderBy('FileId')
      .limit(PAGE)
      .select('FileId', 'StoreKey', 'Sha256');
    for (const row of rows) {
      const fault = await faultOf(store, row, readFiles);
      if (fault !== null && (await isThere(knex, row))) report[fault].push(row.FileId);
    }
    report.files += rows.length;
    if (rows.length < PAGE) break;
    last = rows.at(-1)!.FileId;
  }
  return {
    ...report,
    unreferenced: await countUnreferenced(knex, store),
    chain: await verifyChain(knex),
  };
}

async function faultOf(
  store: FileStore,
  { StoreKey, Sha256 }: FileRow,
  readFiles: boolean,
): Promise<'missing' | 'changed' | null> {
  if (!(await store.has(StoreKey))) return 'missing';
  if (!readFiles) return null;
  try {
    const hash = createHash('sha256');
    for await (const chunk of (await store.open(StoreKey)) as AsyncIterable<Buffer>) hash.update(chunk);
    return hash.digest('hex') === Sha256 ? null : 'changed';
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'FileDamaged') return 'changed';
    if (code !== 'FileMissing') throw error;
    return 'missing';
  }
}

async function isThere(knex: Database['knex'], { FileId }: FileRow): Promise<boolean> {
  return (await knex('StoredFiles').where({ FileId }).first('FileId')) !== undefined;
}

async function countUnreferenced(knex: Database['knex'], store: FileStore): Promise<number> {
  let count = 0;
  for (let after: string | null = ''; after !== null;) {
    const { files, next } = await store.list(after, PAGE);
    const keys = files.map(({ key }) => key);
    const known = await knex('StoredFiles').whereIn('StoreKey', keys).distinct('StoreKey');
    count += keys.length - known.length;
    after = next;
  }
  return count;
}
