import type { Db } from '#server/db/dialect/types.ts';

/** Returns keys of stored files. Their ids are random, so that the last ones by id are of any age. */
export async function sampleStoreKeys(db: Db, limit: number): Promise<string[]> {
  // Files that are stored as differences have none of their own in the store.
  const rows = db('StoredFiles').whereNull('BaseFileId').orderBy('FileId', 'desc').limit(limit);
  return (await rows.pluck('StoreKey')) as string[];
}
