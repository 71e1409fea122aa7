import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import type { BatchesRow } from '#server/db/tables.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { BatchContent } from './batch-sheet.ts';

export type BatchRow = Pick<
  BatchesRow,
  'Id' | 'ActivityId' | 'ActivityVersion' | 'UserId' | 'FileName' | 'RowCount' | 'BadCount' | 'RunId'
>;

const COLUMNS = ['Id', 'ActivityId', 'ActivityVersion', 'UserId', 'FileName', 'RowCount', 'BadCount', 'RunId'];

export async function findBatch(db: Db, Id: number): Promise<BatchRow | undefined> {
  return db('Batches').where({ Id }).first<BatchRow | undefined>(COLUMNS);
}

/** Locks the batch until the transaction ends, so that nobody else starts it. */
export async function lockBatch(trx: Knex.Transaction, Id: number): Promise<BatchRow | undefined> {
  return trx('Batches').where({ Id }).forUpdate().first<BatchRow | undefined>(COLUMNS);
}

export async function readContent(db: Db, Id: number): Promise<BatchContent> {
  const { Content } = await db('Batches').where({ Id }).first<{ Content: string }>('Content');
  return JSON.parse(Content) as BatchContent;
}

export interface NewBatch extends Omit<BatchRow, 'Id' | 'RunId'> {
  content: BatchContent;
}

export async function insertBatch(db: Db, { content, ...row }: NewBatch): Promise<number> {
  return insertedId(
    db('Batches')
      .insert({ ...row, Content: JSON.stringify(content) })
      .returning('Id'),
  );
}

/**
 * Deletes batches that were checked but not started: immediately for the same user and activity, after one day for all
 * others.
 */
export async function deleteUnstarted(
  db: Db,
  dialect: Dialect,
  { UserId, ActivityId }: { UserId: number; ActivityId: number },
): Promise<void> {
  await db('Batches').whereNull('RunId').where({ UserId, ActivityId }).delete();
  await db('Batches').whereNull('RunId').where('Time', '<', dialect.nowPlus(db, -DAY_S)).delete();
}

const DAY_S = 24 * 60 * 60;

export interface ListedBatch extends BatchRow, NameColumns {
  Time: Date;
  RunId: number;
}

/** @param userId only this user's batches; undefined for all */
export async function listStarted(db: Db, activityId: number, userId: number | undefined, limit: number) {
  const query = db('Batches as B')
    .join('Users as U', 'U.UserId', 'B.UserId')
    .where('B.ActivityId', activityId)
    .whereNotNull('B.RunId')
    .orderBy('B.Id', 'desc')
    .limit(limit)
    .select([...COLUMNS, 'Time'].map((column) => `B.${column}`))
    .select<ListedBatch[]>('U.FirstName', 'U.MiddleName', 'U.LastName');
  if (userId !== undefined) void query.where('B.UserId', userId);
  return query;
}
