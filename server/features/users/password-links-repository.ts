import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';

export async function insertPasswordLink(
  db: Db,
  link: { TokenHash: string; UserId: number },
  seconds: number,
): Promise<void> {
  const dialect = dialectOf(db);
  await db('PasswordLinks').where('ExpiryTime', '<', dialect.now(db)).delete();
  await db('PasswordLinks').insert({ ...link, ExpiryTime: dialect.nowPlus(db, seconds) });
}

export async function countPasswordLinks(db: Db, UserId: number): Promise<number> {
  const [counted] = await db('PasswordLinks')
    .where({ UserId })
    .where('ExpiryTime', '>', dialectOf(db).now(db))
    .count<{ Total: number }[]>({ Total: '*' });
  return counted?.Total ?? 0;
}

/** Deletes a link, which makes it single-use. Returns false if the user has no such link or it has expired. */
export async function takePasswordLink(db: Db, TokenHash: string, UserId: number): Promise<boolean> {
  const taken = await db('PasswordLinks')
    .where({ TokenHash, UserId })
    .where('ExpiryTime', '>', dialectOf(db).now(db))
    .delete();
  return taken > 0;
}

/** Deletes a user's links when the password or mail address changes. */
export async function deletePasswordLinks(db: Db, UserId: number): Promise<void> {
  await db('PasswordLinks').where({ UserId }).delete();
}
