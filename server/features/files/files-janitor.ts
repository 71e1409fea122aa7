/**
 * Deletes files that are no longer needed: uploads that no run has used, files created for finished downloads, and
 * files of deleted designs.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import type { FileStore } from '#server/files/file-store.ts';

const UPLOAD_SECONDS = 24 * 3600;
/** Much longer than the lifetime of its token, because a slow download may still be reading the file. */
const DOWNLOAD_SECONDS = 3600;
const CHUNK = 100;

/**
 * Returns the number of deleted files. Several servers may run this at the same time, and it can be aborted at any
 * time.
 */
export async function deleteUnneededFiles(database: Database, store: FileStore, signal: AbortSignal): Promise<number> {
  const { knex, dialect } = database;
  await knex('DownloadTokens').where('ExpiryTime', '<', dialect.now(knex)).delete();
  const uploads = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
    query
      .where('Purpose', 'upload')
      .whereNull('UsedTime')
      .where('CreatedTime', '<', dialect.nowPlus(knex, -UPLOAD_SECONDS));
  const downloads = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
    query.where('Purpose', 'download').where('CreatedTime', '<', dialect.nowPlus(knex, -DOWNLOAD_SECONDS));
  // A design is deleted with its activity or user, but its files are not.
  const designs = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
    query
      .where('Purpose', 'design')
      .where('CreatedTime', '<', dialect.nowPlus(knex, -DOWNLOAD_SECONDS))
      .whereNotIn('FileId', knex('WorkbookDesigns').select('FileId'))
      .whereNotIn('FileId', knex('WorkbookDesignParts').select('FileId'));
  let deleted = 0;
  for (const unneeded of [uploads, downloads, designs]) {
    while (!signal.aborted) {
      const count = await deleteSome(knex, store, unneeded);
      deleted += count;
      if (count < CHUNK) break;
    }
  }
  return deleted;
}

/** Deletes the row first: a file without a row only wastes space, but a row without its file is a broken reference. */
async function deleteSome(
  knex: Knex,
  store: FileStore,
  unneeded: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<number> {
  const fileIds = await unneeded(knex('StoredFiles')).limit(CHUNK).pluck<string[]>('FileId');
  const rows = await unneeded(knex('StoredFiles').whereIn('FileId', fileIds))
    .delete()
    .returning<{ StoreKey: string }[]>('StoreKey');
  await Promise.all(rows.map(({ StoreKey }) => store.delete(StoreKey)));
  return rows.length;
}
