/**
 * Resolves file tokens. A browser's download sends no bearer header, so the token in the path is the only credential.
 */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { StoredFilesRow } from '#server/db/tables.ts';
import { hashSecret } from '#server/files/stored-files.ts';

const TOKEN_SECONDS = 120;

export type DownloadableFile = Pick<StoredFilesRow, 'StoreKey' | 'FileName' | 'ContentLength'>;

/** The person who downloads with the token. A visitor has no account that could be disabled. */
export type TokenOwner = Pick<Person, 'UserId' | 'isVisitor'>;

/** Creates a token for a file. It is valid for two minutes, as long as its user is enabled. Only its hash is stored. */
export async function insertToken(
  { dialect }: Pick<Database, 'dialect'>,
  db: Knex,
  { UserId, isVisitor = false }: TokenOwner,
  fileId: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db('DownloadTokens').insert({
    TokenHash: hashSecret(token),
    FileId: fileId,
    UserId: isVisitor ? null : UserId,
    ExpiryTime: dialect.nowPlus(db, TOKEN_SECONDS),
  });
  return token;
}

export async function findByToken({ knex, dialect }: Database, token: string): Promise<DownloadableFile | undefined> {
  return knex('DownloadTokens as T')
    .join('StoredFiles as F', 'F.FileId', 'T.FileId')
    .leftJoin('Users as U', 'U.UserId', 'T.UserId')
    .where('T.TokenHash', hashSecret(token))
    .where((allowed) => void allowed.whereNull('T.UserId').orWhere('U.Enabled', true))
    .where('T.ExpiryTime', '>', dialect.now(knex))
    .first<DownloadableFile | undefined>('F.StoreKey', 'F.FileName', 'F.ContentLength');
}
