/** Reads the schedules from Timetables for the page of an activity or checklist. */
import type { Db } from '#server/db/dialect/types.ts';
import { NEVER } from '#server/automation/schedules/schedule-occurrences.ts';
import type { AdditionalSchedules } from '#shared/contract/schedules.ts';
import { countAdditionalSchedules, findNextTime, type OwnerColumn } from './additional-schedules-repository.ts';

export async function readAdditionalSchedules(
  db: Db,
  column: OwnerColumn,
  ownerId: number,
): Promise<AdditionalSchedules> {
  const [Count, next] = await Promise.all([
    countAdditionalSchedules(db, column, ownerId),
    findNextTime(db, column, ownerId, NEVER),
  ]);
  return { Count, NextTime: next?.toISOString() ?? null };
}
