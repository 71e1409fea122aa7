/** Searches of a history that a person saves under a name. They are visible only to that person. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import { SAVED_SEARCHES_MAX, type SavedSearch, type saveSearch } from '#shared/contract/saved-searches.ts';
import {
  deleteSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  updateSavedSearch,
} from './saved-searches-repository.ts';

export interface SavedSearchesService {
  list(person: Person, activityId: number | null): Promise<SavedSearch[]>;
  save(person: Person, search: BodyOf<typeof saveSearch>): Promise<{ Id: number }>;
  delete(person: Person, id: number): Promise<void>;
}

export function createSavedSearchesService(database: Database, access: ActivityAccess): SavedSearchesService {
  const { knex, dialect } = database;
  const requireActivity = async (person: Person, activityId: number | null): Promise<void> => {
    if (activityId !== null) await access.require(knex, person, activityId);
  };
  return {
    list: async (person, activityId) => {
      await requireActivity(person, activityId);
      return listSavedSearches(knex, person.UserId, activityId);
    },
    save: async (person, { ActivityId, Name: typed, Search }) => {
      await requireActivity(person, ActivityId);
      const Name = typed.trim();
      return inTransaction(knex, async (trx) => {
        // Prevents two windows that save at the same time from creating two searches with the same name.
        await dialect.lock(trx, `saved-searches/${person.UserId}`);
        const known = await listSavedSearches(trx, person.UserId, ActivityId);
        const same = known.find((search) => search.Name.toLowerCase() === Name.toLowerCase());
        if (same) {
          await updateSavedSearch(trx, same.Id, { Name, Search });
          return { Id: same.Id };
        }
        if (known.length >= SAVED_SEARCHES_MAX) {
          const text = `No more than ${SAVED_SEARCHES_MAX} searches can be saved: delete one first`;
          throw new AppError('savedSearchesTooMany', 409, text);
        }
        return { Id: await insertSavedSearch(trx, { UserId: person.UserId, ActivityId, Name, Search }) };
      });
    },
    delete: async (person, id) => {
      if (await deleteSavedSearch(knex, person.UserId, id)) return;
      throw new AppError('savedSearchNotFound', 404, 'There is no such search');
    },
  };
}
