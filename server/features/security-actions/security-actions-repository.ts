import { dialectOf } from '#server/db/dialect/dialect.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { SecurityActionRow } from './action-hash.ts';

export async function findLastAction(db: Db): Promise<Pick<SecurityActionRow, 'Id' | 'Hash'> | undefined> {
  return db<SecurityActionRow>('SecurityActions').orderBy('Id', 'desc').select('Id', 'Hash').first();
}

/** Database time, to the millisecond. */
export async function readTime(db: Db): Promise<Date> {
  const [row] = (await db.select({ Time: dialectOf(db).now(db) })) as { Time: Date }[];
  return row!.Time;
}

export async function insertActions(db: Db, rows: readonly SecurityActionRow[]): Promise<void> {
  await inRows(db, rows, (part) => db('SecurityActions').insert(part));
}

/** Newest first, those before `lastId` or, for 0, from the end. */
export async function listActionsBefore(db: Db, lastId: number, limit: number): Promise<SecurityActionRow[]> {
  const query = db<SecurityActionRow>('SecurityActions').orderBy('Id', 'desc').limit(limit);
  if (lastId > 0) void query.where('Id', '<', lastId);
  return query;
}

/** Oldest first, those after `id`. */
export async function listActionsAfter(db: Db, id: number, limit: number): Promise<SecurityActionRow[]> {
  return db<SecurityActionRow>('SecurityActions').where('Id', '>', id).orderBy('Id').limit(limit);
}
