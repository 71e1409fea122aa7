/** Uploads for inputs, and the tokens for downloading files. */
import type { Readable } from 'node:stream';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { discardAfter } from '#server/files/discard-after.ts';
import type { FileContent, FileStore } from '#server/files/file-store.ts';
import { insertStoredFiles, newFileId } from '#server/files/stored-files.ts';
import type { Person } from '#server/base/person.ts';
import { findByToken, insertToken, type DownloadableFile, type TokenOwner } from './download-tokens.ts';
import { safeFileName } from '#server/files/file-name.ts';
import type { ReceivedFile } from '#server/files/received-file.ts';

export interface FilesService {
  /** Registers stored files as a person's uploads for an input. Returns their ids. */
  addUploads(person: Person, inputId: number, files: readonly ReceivedFile[]): Promise<{ Id: string; Name: string }[]>;
  /**
   * Creates a token for a stored file; it works only while the person is enabled. Throws an AppError 404 with `missing`
   * if the file is no longer in the store.
   */
  tokenFor(person: TokenOwner, file: { FileId: string; StoreKey: string }, missing: string): Promise<string>;
  /** Stores a file created for one download and returns its token. The file is deleted some time later. */
  tokenForNew(person: TokenOwner, fileName: string, content: FileContent): Promise<string>;
  /** Returns whether the store still has the file. */
  exists(storeKey: string): Promise<boolean>;
  open(storeKey: string): Promise<Readable>;
  /** Returns the file for a token. Throws an AppError 404 if the token is unknown or has expired. */
  download(token: string): Promise<DownloadableFile & { content: Readable }>;
}

export function createFilesService(database: Database, store: FileStore): FilesService {
  const { knex } = database;

  return {
    exists: (storeKey) => store.has(storeKey),
    open: (storeKey) => store.open(storeKey),
    addUploads: async (person, inputId, files) => {
      const rows = files.map(({ FileName, stored }) => ({
        FileId: newFileId(),
        StoreKey: stored.key,
        FileName,
        ContentLength: stored.contentLength,
        Sha256: stored.sha256,
        Purpose: 'upload' as const,
        UserId: person.UserId,
        ActivityParameterId: inputId,
      }));
      await insertStoredFiles(knex, rows);
      return rows.map(({ FileId, FileName }) => ({ Id: FileId, Name: FileName }));
    },
    tokenFor: async (person, { FileId, StoreKey }, missing) => {
      if (!(await store.has(StoreKey))) throw new AppError('fileMissing', 404, missing);
      return insertToken(database, knex, person, FileId);
    },
    tokenForNew: async (person, fileName, content) => {
      const { key, contentLength, sha256 } = await store.put(content);
      try {
        const file = {
          FileId: newFileId(),
          StoreKey: key,
          FileName: safeFileName(fileName),
          ContentLength: contentLength,
        };
        return await inTransaction(knex, async (trx) => {
          await insertStoredFiles(trx, [
            { ...file, Sha256: sha256, Purpose: 'download', UserId: null, ActivityParameterId: null },
          ]);
          return insertToken(database, trx, person, file.FileId);
        });
      } catch (error) {
        await discardAfter(store, [key], error);
        throw error;
      }
    },
    download: async (token) => {
      const file = await findByToken(database, token);
      if (!file) throw new AppError('tokenUnknown', 404, 'The download is no longer available. Please start it again.');
      return { ...file, content: await store.open(file.StoreKey) };
    },
  };
}
