/** Deletes files that nobody needs any more: uploads that no run has taken, and what was made for downloads that are over. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import type { FileStore } from '#server/files/file-store.ts';

const UPLOAD_SECONDS = 24 * 3600;
/** Long after its token: a slow download may still be reading it. */
const DOWNLOAD_SECONDS = 3600;
const CHUNK = 100;

/** Answers how many files it deleted. Any number of servers may do so at once; it can be stopped at any moment. */
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
  // Their designs are deleted with their activity or person, the files are not.
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

/** The row first: a file without a row is only lost space, a row without its file a broken promise. */
async function deleteSome(
  knex: Knex,
  store: FileStore,
  unneeded: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<number> {
  const fileIds = (await unneeded(knex('StoredFiles')).limit(CHUNK).pluck('FileId')) as string[];
  const rows = (await unneeded(knex('StoredFiles').whereIn('FileId', fileIds))
    .delete()
    .returning('StoreKey')) as unknown as { StoreKey: string }[];
  await Promise.all(rows.map(({ StoreKey }) => store.delete(StoreKey)));
  return rows.length;
}
