import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';

export interface NewNotice {
  UserId: number;
  Kind: 'Shared' | 'Granted';
  ActivityId: number;
  ActivityRunId: number | null;
  ByName: string;
  Message: string;
}

export interface NoticeRow extends NewNotice {
  Id: number;
  Name: string;
  Schema: string;
  CreateTime: Date;
}

export async function insertNotices(db: Db, notices: readonly NewNotice[]): Promise<void> {
  const rows = notices.map((notice) => ({ ...notice, ByName: notice.ByName.slice(0, 160) }));
  await inRows(db, rows, (part) => db('AccessNotices').insert(part));
}

/** Returns the newest notices of a person. */
export async function listNotices(db: Db, UserId: number, limit: number): Promise<NoticeRow[]> {
  return (await db('AccessNotices as N')
    .join('Activities as A', 'A.Id', 'N.ActivityId')
    .where('N.UserId', UserId)
    .orderBy('N.Id', 'desc')
    .limit(limit)
    .select('N.*', 'A.Name', 'A.Schema')) as NoticeRow[];
}

/** Returns whether the person had such a notice. */
export async function deleteNotice(db: Db, Id: number, UserId: number): Promise<boolean> {
  return (await db('AccessNotices').where({ Id, UserId }).delete()) > 0;
}

const RETENTION_SECONDS = 90 * 86_400;

/** Deletes requests and notices that are older than three months. */
export async function deleteOldAccess({ knex, dialect }: Pick<Database, 'knex' | 'dialect'>): Promise<void> {
  for (const table of ['AccessRequests', 'AccessNotices'])
    await knex(table).where('CreateTime', '<', dialect.nowPlus(knex, -RETENTION_SECONDS)).delete();
}
