/** Rows of StoredFiles: what the database knows about the files in the store. */
import { createHash, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { ChildRows } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';

/**
 * upload: by a person, for an input. version: a workbook. output: created by a run. download: created for one download
 * token. design: of a workbook that is being marked.
 */
export type FilePurpose = 'upload' | 'version' | 'output' | 'download' | 'design';

export interface NewStoredFile {
  FileId: string;
  StoreKey: string;
  FileName: string;
  ContentLength: number;
  Sha256: string;
  Purpose: FilePurpose;
  UserId: number | null;
  ActivityParameterId: number | null;
  /** Set if the file is stored as a delta of another: see deltas.ts. Absent or null if it is in the store. */
  BaseFileId?: string | null;
  Delta?: string | null;
}

export interface StoredFileRow extends NewStoredFile {
  UsedTime: Date | null;
}

/** 256 random bits: the id of a file cannot be guessed. */
export const newFileId = (): string => randomBytes(32).toString('base64url');

/** Returns the stored form of a secret that a client has. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export async function insertStoredFiles(db: Knex, files: readonly NewStoredFile[]): Promise<void> {
  await inRows(db, files, (part) => db('StoredFiles').insert(part));
}

/** Returns stored files as rows that are inserted with a change. */
export function storedFilesOf(files: readonly NewStoredFile[]): ChildRows {
  return {
    table: 'StoredFiles',
    columns: {
      FileId: 'text',
      StoreKey: 'text',
      FileName: 'text',
      ContentLength: 'bigint',
      Sha256: 'text',
      Purpose: 'text',
      UserId: 'integer',
      ActivityParameterId: 'integer',
      BaseFileId: 'text',
      Delta: 'text',
    },
    rows: files,
  };
}

export async function findStoredFiles(db: Knex, fileIds: readonly string[]): Promise<StoredFileRow[]> {
  const found: StoredFileRow[] = [];
  await inRows(
    db,
    fileIds.map((FileId) => ({ FileId })),
    async (part) => {
      const rows = await db('StoredFiles').whereIn(
        'FileId',
        part.map(({ FileId }) => FileId),
      );
      found.push(...rows);
    },
  );
  return found;
}
