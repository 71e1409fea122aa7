/** What stands behind a file token: a browser's download sends no bearer header, so the token in the path is all it has. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { hashSecret } from '#server/files/stored-files.ts';

export const TOKEN_SECONDS = 120;

export interface DownloadableFile {
  StoreKey: string;
  FileName: string;
  ContentLength: number;
}

/** A token for a file, good for two minutes. Only its hash is stored. */
export async function insertToken({ dialect }: Pick<Database, 'dialect'>, db: Knex, fileId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db('DownloadTokens').insert({
    TokenHash: hashSecret(token),
    FileId: fileId,
    ExpiryTime: dialect.nowPlus(db, TOKEN_SECONDS),
  });
  return token;
}

export async function findByToken({ knex, dialect }: Database, token: string): Promise<DownloadableFile | undefined> {
  return knex('DownloadTokens as T')
    .join('StoredFiles as F', 'F.FileId', 'T.FileId')
    .where('T.TokenHash', hashSecret(token))
    .where('T.ExpiryTime', '>', dialect.now(knex))
    .first('F.StoreKey', 'F.FileName', 'F.ContentLength') as unknown as Promise<DownloadableFile | undefined>;
}
