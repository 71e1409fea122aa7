import type { Knex } from 'knex';

/** Number of parameters per statement; far below the limit of either database. */
const PART = 500;

const REFERENCES = [
  'RunInputs',
  'RunOutputs',
  'ActivityVersions',
  'RefusedVersions',
  'WorkbookDesigns',
  'WorkbookDesignParts',
];

/**
 * Deletes the rows of the given stored files that nothing refers to any more. Returns their keys in the store, to
 * delete there once the transaction is committed. A file without a row only wastes space, but a row without its file is
 * data loss.
 */
export async function deleteUnreferenced(trx: Knex.Transaction, fileIds: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  const bases = new Set<string>();
  for (let start = 0; start < fileIds.length; start += PART) {
    const query = trx('StoredFiles').whereIn('FileId', fileIds.slice(start, start + PART));
    for (const table of REFERENCES) {
      void query.whereNotExists(
        trx(table)
          .select(trx.raw('1'))
          .whereRaw('?? = ??', [`${table}.FileId`, 'StoredFiles.FileId']),
      );
    }
    void query.whereNotExists(
      trx('StoredFiles as Made').select(trx.raw('1')).whereRaw('?? = ??', ['Made.BaseFileId', 'StoredFiles.FileId']),
    );
    const deleted = await query.delete().returning(['StoreKey', 'BaseFileId']);
    keys.push(...deleted.map(({ StoreKey }) => StoreKey));
    for (const { BaseFileId } of deleted) if (BaseFileId) bases.add(BaseFileId);
  }
  // The bases that were only retained for these files.
  if (bases.size > 0) keys.push(...(await deleteUnreferenced(trx, [...bases])));
  return keys;
}
