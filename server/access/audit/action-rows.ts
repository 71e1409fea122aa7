import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { SecurityActionRow } from './action-hash.ts';

export async function findLastAction(db: Db): Promise<Pick<SecurityActionRow, 'Id' | 'Hash'> | undefined> {
  return db<SecurityActionRow>('SecurityActions').orderBy('Id', 'desc').select('Id', 'Hash').first();
}

/** Returns the database time, with millisecond precision. */
export async function readTime(db: Db): Promise<Date> {
  const row = await db.select({ Time: dialectOf(db).now(db) }).first<{ Time: Date }>();
  return row.Time;
}

export async function insertActions(db: Db, rows: readonly SecurityActionRow[]): Promise<void> {
  await inRows(db, rows, (part) => db('SecurityActions').insert(part));
}
