/** A checklist with a daily and a weekly schedule, while servers are killed: each occurrence starts it once. */
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { whereStatus } from '#server/db/where-status.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import { postTo, ADDITIONAL_SCHEDULES } from './check-additional-schedules.ts';

const SUNDAYS = ADDITIONAL_SCHEDULES['Sundays in Berlin']!;

/** Creates a checklist of one activity and returns its Id. */
export async function scheduledChecklist(
  { address, token, UserId }: { address: string; token: string; UserId: number },
  member: number,
  TimeOfDay: number,
): Promise<number> {
  const post = postTo(address, token);
  const named = { Id: 0, Name: 'Close', Schema: 'General', Activities: [{ Id: member }], Inputs: [] };
  const { Id } = await post<{ Id: number }>('/api/checklists/create', named);
  const Schedule = JSON.stringify({ ScheduleType: 'Daily', TimeOfDay, RetryCount: 0, RetryInterval: 0 });
  await post('/api/checklists/schedule', { ChecklistId: Id, UserId, Schedule });
  await post('/api/checklists/timetables', {
    Id: 0,
    OwnerId: Id,
    Name: 'Sundays',
    Plan: SUNDAYS.Plan,
    TimeZone: SUNDAYS.TimeZone,
    CalendarId: null,
    HolidayRule: 'Keep',
    Inputs: [],
    RetryCount: 0,
    RetryInterval: 0,
    Overlap: 'Start',
    Missed: SUNDAYS.Missed,
    MissedMax: 1,
  });
  return Id;
}

/** Returns true if the checklist is due or has a running run. */
export async function isChecklistOpen(knex: Knex, now: Date): Promise<boolean> {
  if (await knex('ChecklistSchedules').where('NextTime', '<=', now).first('ChecklistId')) return true;
  return (await whereStatus(knex('ChecklistRuns'), PENDING_STATUSES).first('Id')) !== undefined;
}

/** Expects one run of the checklist per occurrence, and one run of its activity in each. */
export async function checkChecklist(knex: Knex, ChecklistId: number, occurrences: readonly string[]): Promise<void> {
  const started = (await knex('ScheduledChecklistRuns')
    .where({ ChecklistId })
    .orderBy('ChecklistRunId')
    .select('ChecklistRunId', 'TimetableId', 'SlotTime')) as {
    ChecklistRunId: number;
    TimetableId: number | null;
    SlotTime: Date;
  }[];
  const occurrencesOf = (isDaily: boolean): string[] =>
    started
      .filter(({ TimetableId }) => (TimetableId === null) === isDaily)
      .map(({ SlotTime }) => SlotTime.toISOString())
      .toSorted();
  expect(occurrencesOf(true), 'each day').toEqual(occurrences.toSorted());
  expect(occurrencesOf(false), 'on Sundays').toEqual(SUNDAYS.starts);
  const runs = started.map(({ ChecklistRunId }) => ChecklistRunId);
  expect(await knex('ChecklistRuns').where({ ChecklistId }).orderBy('Id').pluck('Id')).toEqual(runs);
  const steps = (await knex('ActivityRuns').whereIn('ChecklistRunId', runs).pluck('ChecklistRunId')) as number[];
  expect(steps.toSorted((a, b) => a - b)).toEqual(runs);
}
