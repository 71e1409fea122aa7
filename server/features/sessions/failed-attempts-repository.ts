import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';

export interface FailuresRow {
  KeyHash: string;
  Failures: number;
  /** Seconds since the last one. */
  age: number;
}

export async function findFailures(db: Db, hashes: readonly string[]): Promise<FailuresRow[]> {
  return (await db('FailedAttempts')
    .whereIn('KeyHash', hashes)
    .select('KeyHash', 'Failures')
    .select({ age: dialectOf(db).secondsSince(db, 'LastTime') })) as FailuresRow[];
}

/** Counts one more, from one again where the last is older than that. Rejects where another one inserts the row at the same moment. */
export async function addFailure(db: Db, KeyHash: string, memorySeconds: number): Promise<number> {
  const dialect = dialectOf(db);
  const oldest = dialect.nowPlus(db, -memorySeconds);
  const LastTime = dialect.now(db);
  const Failures = db.raw('case when ?? < ? then 1 else ?? + 1 end', ['LastTime', oldest, 'Failures']);
  const changed = (await db('FailedAttempts')
    .where({ KeyHash })
    .update({ Failures, LastTime })
    .returning('Failures')) as Pick<FailuresRow, 'Failures'>[];
  if (changed[0]) return changed[0].Failures;
  await db('FailedAttempts').insert({ KeyHash, Failures: 1, LastTime });
  return 1;
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
