import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { QueueingColumns } from '#shared/contract/queueing.ts';
import type { ActivityRow } from '#server/access/find-activity.ts';

export async function lockActivityRow(trx: Knex.Transaction, id: number): Promise<ActivityRow | undefined> {
  return trx('Activities').where('Id', id).forUpdate().first();
}

export async function insertActivity(
  db: Db,
  row: Omit<ActivityRow, 'Id' | 'Revision' | keyof QueueingColumns> & { NameKey: string },
): Promise<number> {
  return insertedId(db('Activities').insert(row).returning('Id'));
}

export async function updateActivity(
  db: Db,
  id: number,
  changes: Partial<Omit<ActivityRow, 'Id' | 'Revision'>> & { NameKey?: string; Modified: Knex.Raw },
): Promise<void> {
  await db('Activities')
    .where('Id', id)
    .update({ ...changes, Revision: db.raw('?? + 1', ['Revision']) });
}
