/** Files created by runs, behind shareable links. Opening a link requires the right to see the run. */
import type { Document } from '#shared/contract/documents.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { Person } from '#server/base/person.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import { findOutputFile } from './run-files-repository.ts';

export interface DocumentsService {
  /**
   * Throws an AppError: 404 if there is no such document (any more), 403 if the person may not see the run that created
   * it.
   */
  find(person: Person, uniqueId: string): Promise<Document>;
}

export interface DocumentsDeps {
  database: Pick<Database, 'knex'>;
  access: RunAccess;
  files: Pick<FilesService, 'tokenFor'>;
}

const MISSING = 'The document is no longer available';
const FORBIDDEN = 'You do not have permissions to download this file';

export function createDocumentsService({ database: { knex }, access, files }: DocumentsDeps): DocumentsService {
  return {
    find: async (person, uniqueId) => {
      const file = await findOutputFile(knex, uniqueId);
      if (!file) throw new AppError('noDocument', 404, MISSING);
      // The 403 reveals nothing new: a person who knows the unguessable id already knows that the file exists.
      await access.require(knex, person, file.ActivityRunId).catch((cause: unknown) => {
        if (!(cause instanceof AppError) || cause.status !== 404) throw cause;
        throw new AppError('forbidden', 403, FORBIDDEN, { cause });
      });
      return { FileName: file.FileName, Token: await files.tokenFor(person, file, MISSING) };
    },
  };
}
