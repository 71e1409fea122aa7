import type { Db } from '#server/db/dialect/types.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { SavedSearch } from '#shared/contract/saved-searches.ts';

export async function listSavedSearches(db: Db, UserId: number, ActivityId: number | null): Promise<SavedSearch[]> {
  return db('SavedSearches').where({ UserId, ActivityId }).orderBy(['Name', 'Id']).select('Id', 'Name', 'Search');
}

export async function insertSavedSearch(
  db: Db,
  row: Omit<SavedSearch, 'Id'> & { UserId: number; ActivityId: number | null },
): Promise<number> {
  return insertedId(db('SavedSearches').insert(row).returning('Id'));
}

export async function updateSavedSearch(db: Db, Id: number, change: Omit<SavedSearch, 'Id'>): Promise<void> {
  await db('SavedSearches').where({ Id }).update(change);
}

/** Returns whether the user had such a search. */
export async function deleteSavedSearch(db: Db, UserId: number, Id: number): Promise<boolean> {
  return (await db('SavedSearches').where({ UserId, Id }).delete()) > 0;
}
