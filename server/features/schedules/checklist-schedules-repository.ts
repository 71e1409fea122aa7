import type { NameColumns } from '#server/base/full-name.ts';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import type { ScheduleRow } from './schedules-repository.ts';

export type ChecklistScheduleRow = Omit<ScheduleRow, 'ActivityId'> & { ChecklistId: number };

export async function findChecklistSchedule(
  db: Db,
  checklistId: number,
): Promise<(ChecklistScheduleRow & NameColumns) | undefined> {
  return db('ChecklistSchedules as S')
    .join('Users as U', 'U.UserId', 'S.UserId')
    .where('S.ChecklistId', checklistId)
    .first<(ChecklistScheduleRow & NameColumns) | undefined>('S.*', 'U.FirstName', 'U.MiddleName', 'U.LastName');
}

export async function saveChecklistSchedule(db: Db, dialect: Dialect, row: ChecklistScheduleRow): Promise<void> {
  const { ChecklistId: _, ...changing } = row;
  const update = Object.keys(changing);
  await dialect.upsert(db, { table: 'ChecklistSchedules', rows: [{ ...row }], key: ['ChecklistId'], update });
}

export async function removeChecklistSchedule(db: Db, ChecklistId: number): Promise<boolean> {
  return (await db('ChecklistSchedules').where({ ChecklistId }).delete()) > 0;
}
