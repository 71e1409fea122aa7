/**
 * Takes the occurrences of daily schedules of activities and checklists. Each occurrence is taken once, however many
 * servers poll, and the schedule moves on to the next one.
 */
import type { Knex } from 'knex';
import type { RunLogLine } from '#server/executors/executor.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { nextOccurrence, countOccurrencesSince, formatOccurrence } from './daily-occurrences.ts';
import { information } from './scheduled-runs.ts';
import type { SchedulerContext } from './scheduler-context.ts';
import { lateText } from './slot-messages.ts';

/** The table of a kind of schedule, the key column of what it starts, and the table of the runs that it started. */
export interface ScheduleKind {
  table: 'ActivitySchedules' | 'ChecklistSchedules';
  key: 'ActivityId' | 'ChecklistId';
  runs: 'ScheduledRuns' | 'ScheduledChecklistRuns';
  /** Used in the log of what it starts. */
  what: 'activity' | 'checklist';
}

/** A schedule as it was read when it was due. */
export interface DueOccurrence {
  /** Id of the activity or checklist. */
  id: number;
  UserId: number;
  TimeOfDay: number;
  NextTime: Date;
}

/**
 * Due time of a schedule that is paused or has no further occurrence. It is a time instead of null, so the schedule
 * sorts last and no server finds it due.
 */
export const NEVER = new Date('9999-12-31T00:00:00Z');

/**
 * A run that starts later than this after its occurrence logs that it is late. This is far longer than polling takes,
 * and far shorter than a restart that people notice.
 */
export const LATE_MS = 60_000;

/**
 * Recomputes future occurrences that were computed in another time zone. Due occurrences stay due; those of paused
 * schedules are computed when the schedules are resumed.
 */
export async function adoptTimeZone(
  { database: { knex, dialect }, timeZone, clock }: SchedulerContext,
  { table, key }: ScheduleKind,
): Promise<void> {
  await inTransaction(knex, async (trx) => {
    const now = await clock(trx);
    const rows = await dialect.lockRows<Record<string, number> & { TimeOfDay: number }>(trx, {
      table,
      columns: [key, 'TimeOfDay'],
      where: (query) => void query.whereNot('TimeZone', timeZone).where('NextTime', '>', now).whereNull('PausedTime'),
      orderBy: [{ column: key }],
      locked: 'wait',
    });
    for (const row of rows) {
      const NextTime = nextOccurrence(now, row.TimeOfDay, timeZone);
      await trx(table).where(key, row[key]!).update({ NextTime, TimeZone: timeZone });
    }
  });
}

/** Returns false if another server has taken the occurrence, or the schedule was changed since it was read. */
export async function takeOccurrence(
  { database }: SchedulerContext,
  trx: Knex.Transaction,
  { kind: { table, key }, due }: { kind: ScheduleKind; due: DueOccurrence },
): Promise<boolean> {
  const { id, UserId, NextTime } = due;
  const rows = await database.dialect.lockRows(trx, {
    table,
    columns: [key],
    where: (query) => void query.where({ [key]: id, UserId, NextTime }),
    orderBy: [{ column: key }],
    locked: 'skip',
  });
  return rows.length === 1;
}

/** Moves the schedule to its next occurrence after now, and ends pending retries of earlier occurrences. */
export async function moveOn(
  { database: { dialect }, timeZone }: SchedulerContext,
  trx: Knex.Transaction,
  { kind: { table, key, runs }, due, now }: { kind: ScheduleKind; due: DueOccurrence; now: Date },
): Promise<void> {
  const NextTime = nextOccurrence(now, due.TimeOfDay, timeZone);
  await trx(table).where(key, due.id).update({ NextTime, TimeZone: timeZone });
  await trx(runs)
    .where(key, due.id)
    .whereNull('TimetableId')
    .whereNull('SettledTime')
    .update({ SettledTime: dialect.now(trx) });
}

/** Returns the first lines of a run's log. */
export function linesFor(
  { what }: ScheduleKind,
  { NextTime, TimeOfDay }: DueOccurrence,
  { now, timeZone }: { now: Date; timeZone: string },
): RunLogLine[] {
  const lines = [information(`Started by the schedule of the ${what}`)];
  if (now.getTime() - NextTime.getTime() <= LATE_MS) return lines;
  const missedCount = countOccurrencesSince(NextTime, now, TimeOfDay, timeZone);
  return [...lines, information(lateText(formatOccurrence(NextTime, timeZone), 'NoServer', missedCount))];
}
