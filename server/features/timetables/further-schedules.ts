/** Reads the schedules from Timetables for the page of an activity or checklist. */
import type { Db } from '#server/db/dialect/types.ts';
import { NEVER } from '#server/jobs/schedules/schedule-slots.ts';
import type { FurtherSchedules } from '#shared/contract/schedules.ts';
import { countTimetables, findNextTime, type OwnerColumn } from './timetables-repository.ts';

export async function readFurther(db: Db, column: OwnerColumn, ownerId: number): Promise<FurtherSchedules> {
  const [Count, next] = await Promise.all([
    countTimetables(db, column, ownerId),
    findNextTime(db, column, ownerId, NEVER),
  ]);
  return { Count, NextTime: next?.toISOString() ?? null };
}
