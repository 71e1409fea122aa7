/** Stores a file as a delta of another one. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { deltaKey, deltaOf, type DeltaBase } from '#server/files/deltas.ts';
import { insertStoredFiles, newFileId, type NewStoredFile } from '#server/files/stored-files.ts';

export async function storeDelta(
  knex: Knex,
  bytes: Uint8Array,
  base: DeltaBase,
): Promise<NewStoredFile & { Delta: string }> {
  const FileId = newFileId();
  const file = {
    FileId,
    StoreKey: deltaKey(FileId),
    FileName: 'a.xlsx',
    ContentLength: bytes.byteLength,
    Sha256: createHash('sha256').update(bytes).digest('hex'),
    Purpose: 'output' as const,
    UserId: null,
    ActivityParameterId: null,
    BaseFileId: base.FileId,
    Delta: deltaOf(bytes, base.bytes)!,
  };
  await insertStoredFiles(knex, [file]);
  return file;
}
