/**
 * Refuses an empty folder as the file store of a database that has files: their share is not mounted, or the folder is
 * the wrong one.
 */
import { join } from 'node:path';
import type { Knex } from 'knex';
import { StartError } from '#server/base/start-error.ts';
import { hasMarker, MARKER } from './folder-marker.ts';
import { listFiles } from './folder-store.ts';

const PAGE = 500;

/**
 * Accepts a folder with a marker, a folder of an older version without a marker but with files of the database, and any
 * folder while the database has no files. Throws a StartError otherwise, and changes nothing.
 */
export async function refuseLostFiles(knex: Knex, folder: string): Promise<void> {
  if (await hasMarker(folder)) return;
  if (!(await knowsFiles(knex)) || (await holdsKnownFile(knex, folder))) return;
  throw new StartError(
    `the folder ${folder} contains none of the files that the database refers to: mount their disk or share, or set RUNSHEET_DATA_DIR ` +
      `to its previous value; if the files are lost for good, create the empty file ${join(folder, MARKER)} and start again`,
  );
}

async function knowsFiles(knex: Knex): Promise<boolean> {
  // A database that a restore is about to fill has no tables.
  if (!(await knex.schema.hasTable('StoredFiles'))) return false;
  // A file stored as a delta is in its row.
  return (await knex('StoredFiles').whereNull('BaseFileId').first('FileId')) !== undefined;
}

async function holdsKnownFile(knex: Knex, folder: string): Promise<boolean> {
  for (let after: string | null = ''; after !== null;) {
    const { files, next } = await listFiles(folder, after, PAGE);
    const keys = files.map(({ key }) => key);
    if (keys.length > 0 && (await knex('StoredFiles').whereIn('StoreKey', keys).first('FileId'))) return true;
    after = next;
  }
  return false;
}
