import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';

export interface FailuresRow {
  Failures: number;
  /** Seconds since the last attempt; negative if it is scheduled for later. */
  age: number;
}

export async function findFailures(db: Db, KeyHash: string): Promise<FailuresRow | undefined> {
  return db('FailedAttempts')
    .where({ KeyHash })
    .select('Failures')
    .select({ age: dialectOf(db).secondsSince(db, 'LastTime') })
    .first<FailuresRow | undefined>();
}

/**
 * Counts one more failure, starting from one again if the last failure is older. Rejects if another call inserts the
 * row concurrently.
 */
export async function addFailure(db: Db, KeyHash: string, memorySeconds: number): Promise<number> {
  const dialect = dialectOf(db);
  const oldest = dialect.nowPlus(db, -memorySeconds);
  const LastTime = dialect.now(db);
  const Failures = db.raw('case when ?? < ? then 1 else ?? + 1 end', ['LastTime', oldest, 'Failures']);
  const changed = await db('FailedAttempts').where({ KeyHash }).update({ Failures, LastTime }).returning('Failures');
  if (changed[0]) return changed[0].Failures;
  await db('FailedAttempts').insert({ KeyHash, Failures: 1, LastTime });
  return 1;
}

/** Writes the number of failures, and in how many seconds the last attempt is checked. The key must be locked. */
export async function putFailures(db: Db, KeyHash: string, Failures: number, seconds: number): Promise<void> {
  const LastTime = dialectOf(db).nowPlus(db, seconds);
  const changed = await db('FailedAttempts').where({ KeyHash }).update({ Failures, LastTime });
  if (changed === 0) await db('FailedAttempts').insert({ KeyHash, Failures, LastTime });
}

/** Takes back an attempt that turned out not to be a failure. */
export async function takeBackFailure(db: Db, KeyHash: string): Promise<void> {
  await db('FailedAttempts').where({ KeyHash }).where('Failures', '>', 0).decrement('Failures', 1);
}

export async function deleteFailure(db: Db, KeyHash: string): Promise<void> {
  await db('FailedAttempts').where({ KeyHash }).delete();
}

export async function deleteOldFailures(db: Db, seconds: number, limit: number): Promise<number> {
  const dialect = dialectOf(db);
  return dialect.deleteChunk(db, {
    table: 'FailedAttempts',
    key: 'KeyHash',
    where: (query) => void query.where('LastTime', '<', dialect.nowPlus(db, -seconds)),
    limit,
  });
}
