import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';

export async function readDatabaseTime(db: Db): Promise<Date> {
  const row = await db.select({ Time: dialectOf(db).now(db) }).first<{ Time: Date }>();
  return row.Time;
}

/** Stores a key that is being set up. Returns false if the factor is already turned on. */
export async function storePendingKey(db: Db, UserId: number, SecondFactorKey: string): Promise<boolean> {
  const rows = await db('Users').where({ UserId, SecondFactorOn: false }).update({ SecondFactorKey });
  return rows > 0;
}

/**
 * Returns false if a code of this step or a later one has already been used, possibly on another server or
 * concurrently.
 */
export async function useStep(db: Db, UserId: number, step: number): Promise<boolean> {
  const rows = await db('Users')
    .where({ UserId })
    .where('SecondFactorStep', '<', step)
    .update({ SecondFactorStep: step });
  return rows > 0;
}

/** Returns false if it is already turned on. */
export async function turnOn(db: Db, UserId: number): Promise<boolean> {
  return (await db('Users').where({ UserId, SecondFactorOn: false }).update({ SecondFactorOn: true })) > 0;
}

export async function replaceRecoveryCodes(db: Db, UserId: number, hashes: readonly string[]): Promise<void> {
  await db('RecoveryCodes').where({ UserId }).delete();
  if (hashes.length > 0) await db('RecoveryCodes').insert(hashes.map((CodeHash) => ({ CodeHash, UserId })));
}

/** Uses up a recovery code. Returns false if the user has no such code. */
export async function takeRecoveryCode(db: Db, UserId: number, CodeHash: string): Promise<boolean> {
  return (await db('RecoveryCodes').where({ UserId, CodeHash }).delete()) > 0;
}

export async function countRecoveryCodes(db: Db, UserId: number): Promise<number> {
  const [counted] = await db('RecoveryCodes').where({ UserId }).count<{ Total: number }[]>({ Total: '*' });
  return counted?.Total ?? 0;
}
