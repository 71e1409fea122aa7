/** Uploads that were stored outside of the versions because their test cases failed. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { PublishService } from '#server/features/versions/publish-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { discardAfter } from '#server/files/discard-after.ts';
import { deleteUnreferenced } from '#server/files/unreferenced-files.ts';
import { findRefused, type RefusedRow } from './test-beds-repository.ts';

export interface RefusedVersionsService {
  /** Returns the version number. If cases still fail, throws the same error as the upload. */
  publish(person: Person, id: number, signal: AbortSignal): Promise<number>;
  /** Returns a download token. */
  download(person: Person, id: number): Promise<string>;
  delete(person: Person, id: number): Promise<void>;
}

export interface RefusedVersionsDeps {
  database: Database;
  access: ActivityAccess;
  publishing: Pick<PublishService, 'publish'>;
  files: Pick<FilesService, 'tokenFor'>;
  store: FileStore;
}

export function createRefusedVersionsService(deps: RefusedVersionsDeps): RefusedVersionsService {
  const { database, access, publishing, files, store } = deps;
  const { knex } = database;

  async function require(person: Person, id: number): Promise<RefusedRow> {
    const row = await findRefused(knex, id);
    if (!row) throw new AppError('refusedNotFound', 404, 'There is no such upload');
    await access.requireEdit(knex, person, row.ActivityId);
    return row;
  }

  async function remove({ Id, FileId }: RefusedRow): Promise<void> {
    const keys = await inTransaction(knex, async (trx) => {
      await trx('RefusedVersions').where({ Id }).delete();
      return deleteUnreferenced(trx, [FileId]);
    });
    await Promise.all(keys.map((key) => store.delete(key)));
  }

  return {
    publish: async (person, id, signal) => {
      const row = await require(person, id);
      const stored = await store.put(await store.read(row.StoreKey));
      try {
        const { Version } = await publishing.publish(person, row.Fields, { FileName: row.FileName, stored }, signal);
        await remove(row);
        return Version;
      } catch (error) {
        await discardAfter(store, [stored.key], error);
        // The upload was stored again, with the new results of the cases.
        if (error instanceof AppError && error.code === 'testCasesFailed') await remove(row);
        throw error;
      }
    },
    download: async (person, id) =>
      files.tokenFor(person, await require(person, id), 'The file of this upload no longer exists'),
    delete: async (person, id) => remove(await require(person, id)),
  };
}
