/** The slots of daily schedules, of activities and of checklists: taken once, however many servers look, and moved on. */
import type { Knex } from 'knex';
import type { RunLogLine } from '#server/executors/executor.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { nextSlot, slotsSince, slotText } from './daily-slots.ts';
import { information } from './scheduled-runs.ts';
import type { SchedulerContext } from './scheduler-context.ts';

/** Where the schedules of a kind are kept, by the key of what they start, and the runs that they started. */
export interface ScheduleKind {
  table: 'ActivitySchedules' | 'ChecklistSchedules';
  key: 'ActivityId' | 'ChecklistId';
  runs: 'ScheduledRuns' | 'ScheduledChecklistRuns';
  /** In the log of what it starts. */
  what: 'activity' | 'checklist';
}

/** A schedule as it was read when its time had come. */
export interface DueSlot {
  /** Of the activity or checklist. */
  id: number;
  UserId: number;
  TimeOfDay: number;
  NextTime: Date;
}

/** When a schedule that rests is due: never. A time, and not null, so that it stands last in lists and no server finds it due. */
export const NEVER = new Date('9999-12-31T00:00:00Z');

/** Longer after its slot a run says that it is late. Far more than looking takes, far less than a restart that somebody notices. */
export const LATE_MS = 60_000;

/** Slots to come were found by the time zone of then; those that are due stay due, and those that are paused are found when they are resumed. */
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
      const NextTime = nextSlot(now, row.TimeOfDay, timeZone);
      await trx(table).where(key, row[key]!).update({ NextTime, TimeZone: timeZone });
    }
  });
}

/** False where another server has the slot, or the schedule was changed since it was read. */
export async function takeSlot(
  { database }: SchedulerContext,
  trx: Knex.Transaction,
  { kind: { table, key }, due }: { kind: ScheduleKind; due: DueSlot },
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

/** To the next slot after now; what is left of the retries of earlier slots is over with it. */
export async function moveOn(
  { database: { dialect }, timeZone }: SchedulerContext,
  trx: Knex.Transaction,
  { kind: { table, key, runs }, due, now }: { kind: ScheduleKind; due: DueSlot; now: Date },
): Promise<void> {
  const NextTime = nextSlot(now, due.TimeOfDay, timeZone);
  await trx(table).where(key, due.id).update({ NextTime, TimeZone: timeZone });
  await trx(runs)
    .where(key, due.id)
    .whereNull('TimetableId')
    .whereNull('SettledTime')
    .update({ SettledTime: dialect.now(trx) });
}

/** What the log of a run says first. */
export function linesFor(
  { what }: ScheduleKind,
  { NextTime, TimeOfDay }: DueSlot,
  { now, timeZone }: { now: Date; timeZone: string },
): RunLogLine[] {
  const lines = [information(`Started by the schedule of the ${what}`)];
  if (now.getTime() - NextTime.getTime() <= LATE_MS) return lines;
  const passedOver = slotsSince(NextTime, now, TimeOfDay, timeZone);
  const more = passedOver === 0 ? '' : `; later times that passed meanwhile and are not made up for: ${passedOver}`;
  const due = slotText(NextTime, timeZone);
  return [...lines, information(`Starts late: it was due on ${due}, when no server was there to start it${more}`)];
}
