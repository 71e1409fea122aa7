/** Deletes the workbooks of old versions. The results of their runs stay. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { deleteUnreferenced } from '#server/files/unreferenced-files.ts';
import type { Person } from '#server/base/person.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { takeVersionFiles } from './versions-repository.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';

export interface VersionPurge {
  /** Purges a version and all earlier ones; returns the number of deleted files. */
  purge(person: Person, activityId: number, version: number): Promise<number>;
}

export interface VersionPurgeDeps {
  database: Database;
  access: ActivityAccess;
  store: FileStore;
  versions: VersionCatalog;
}

export function createVersionPurge({ database, access, store, versions }: VersionPurgeDeps): VersionPurge {
  return {
    purge: async (person, activityId, version) => {
      const { activity } = await access.requireEdit(database.knex, person, activityId);
      if (version >= activity.Version) {
        throw new AppError('newestVersion', 409, 'The newest version cannot be purged');
      }
      const { keys, count } = await inTransaction(database.knex, async (trx) => {
        const fileIds = await takeVersionFiles(trx, activityId, version);
        return { keys: await deleteUnreferenced(trx, fileIds), count: fileIds.length };
      });
      versions.forget(activityId);
      await Promise.all(keys.map((key) => store.delete(key)));
      return count;
    },
  };
}
