import type { Db, Dialect } from '#server/db/dialect/types.ts';
import type { RetentionPeriods } from '#shared/rules/retention-rules.ts';

export type RetentionRow = RetentionPeriods & { ActivityId: number };

export async function findRetention(db: Db, activityId: number): Promise<RetentionRow | undefined> {
  return db('ActivityRetentions').where('ActivityId', activityId).first();
}

export async function listRetentions(db: Db): Promise<RetentionRow[]> {
  return db('ActivityRetentions').orderBy('ActivityId');
}

export async function saveRetention(db: Db, dialect: Dialect, row: RetentionRow): Promise<void> {
  const update = ['RunRetention', 'RunDataRetention', 'RunInputsRetention'];
  await dialect.upsert(db, { table: 'ActivityRetentions', rows: [{ ...row }], key: ['ActivityId'], update });
}

export async function removeRetention(db: Db, activityId: number): Promise<boolean> {
  return (await db('ActivityRetentions').where('ActivityId', activityId).delete()) > 0;
}
