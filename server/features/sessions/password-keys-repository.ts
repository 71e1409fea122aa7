import type { Db } from '#server/db/dialect/types.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';

export interface PasswordKeyRow {
  KeyId: string;
  UserNameKey: string;
  /** PKCS #8, in base64. */
  PrivateKey: string;
}

export async function insertPasswordKey(db: Db, row: PasswordKeyRow, seconds: number): Promise<void> {
  await db('PasswordKeys').insert({ ...row, ExpiryTime: dialectOf(db).nowPlus(db, seconds) });
}

/** Deletes and returns a key, which makes it single-use. Undefined if that user has no such key or it has expired. */
export async function takePasswordKey(db: Db, KeyId: string, UserNameKey: string): Promise<string | undefined> {
  const rows = await db('PasswordKeys')
    .where({ KeyId, UserNameKey })
    .where('ExpiryTime', '>', dialectOf(db).now(db))
    .delete(['PrivateKey']);
  return rows[0]?.PrivateKey;
}

export async function deleteExpiredPasswordKeys(db: Db): Promise<void> {
  await db('PasswordKeys').where('ExpiryTime', '<', dialectOf(db).now(db)).delete();
}
