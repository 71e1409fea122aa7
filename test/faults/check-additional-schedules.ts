/**
 * Schedules in addition to the daily ones, while servers are killed, and the occurrences at which each must start its
 * activity once.
 */
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { NEVER } from '#server/automation/schedules/schedule-occurrences.ts';
import type { HolidayRule, RecurrencePlan } from '#shared/contract/additional-schedules.ts';

interface Case {
  Plan: RecurrencePlan;
  TimeZone: string;
  Missed: 'None' | 'Last' | 'All';
  /** What happens to occurrences on holidays and weekends. If absent, the schedule has no holiday calendar. */
  holidays?: HolidayRule;
  /** Starts on the days through which the test moves: those on time, and those caught up after a jump. */
  starts: readonly string[];
  /** Additional starts if the test moves through all days. */
  atNight?: readonly string[];
}

const HALF_PAST_TWO = 2.5 / 24;
/** A leap day that is a holiday. */
export const HOLIDAY = '2028-02-29';

export const ADDITIONAL_SCHEDULES: Readonly<Record<string, Case>> = {
  // On March 28, 02:30 does not exist; on October 31, it occurs twice.
  'Sundays in Berlin': {
    Plan: { Kind: 'Weekly', TimeOfDay: HALF_PAST_TWO, Weekdays: [7] },
    TimeZone: 'Europe/Berlin',
    Missed: 'Last',
    starts: [
      '2027-03-28T01:30:00.000Z',
      '2027-10-24T00:30:00.000Z',
      '2027-10-31T00:30:00.000Z',
      '2028-02-27T01:30:00.000Z',
    ],
  },
  'Each day in Berlin, by cron': {
    Plan: { Kind: 'Cron', Cron: '30 2 * * *' },
    TimeZone: 'Europe/Berlin',
    Missed: 'None',
    starts: [
      '2027-03-28T01:30:00.000Z',
      '2027-10-31T00:30:00.000Z',
      '2028-02-28T01:30:00.000Z',
      '2028-02-29T01:30:00.000Z',
    ],
    atNight: ['2027-03-27T01:30:00.000Z', '2027-03-29T00:30:00.000Z', '2027-11-01T01:30:00.000Z'],
  },
  'Saturday evenings in New York, an hour apart': {
    // New York changes its clocks on other days: once the first hour corresponds to the occurrence in Berlin, once the
    // second.
    Plan: { Kind: 'Cron', Cron: '30 20,21 * * 6' },
    TimeZone: 'America/New_York',
    Missed: 'None',
    starts: ['2027-03-28T01:30:00.000Z', '2027-10-31T00:30:00.000Z'],
  },
  'The last Sunday of the month in Berlin': {
    Plan: { Kind: 'MonthlyWeekday', TimeOfDay: HALF_PAST_TWO, Week: 5, Weekday: 7 },
    TimeZone: 'Europe/Berlin',
    Missed: 'None',
    starts: ['2027-03-28T01:30:00.000Z', '2027-10-31T00:30:00.000Z'],
  },
  'Each business day in Berlin': {
    Plan: { Kind: 'Daily', TimeOfDay: HALF_PAST_TWO },
    TimeZone: 'Europe/Berlin',
    Missed: 'None',
    holidays: 'Skip',
    starts: ['2028-02-28T01:30:00.000Z'],
    atNight: ['2027-03-29T00:30:00.000Z', '2027-11-01T01:30:00.000Z'],
  },
  'The business day after each Sunday': {
    Plan: { Kind: 'Weekly', TimeOfDay: HALF_PAST_TWO, Weekdays: [7] },
    TimeZone: 'Europe/Berlin',
    Missed: 'None',
    holidays: 'After',
    starts: ['2028-02-28T01:30:00.000Z'],
    atNight: ['2027-03-29T00:30:00.000Z', '2027-11-01T01:30:00.000Z'],
  },
  'The 30th, in February the day before the leap day off': {
    Plan: { Kind: 'MonthlyDay', TimeOfDay: HALF_PAST_TWO, Day: 30 },
    TimeZone: 'Europe/Berlin',
    Missed: 'None',
    holidays: 'Before',
    starts: ['2028-02-28T01:30:00.000Z'],
  },
  'The last business day in Kolkata': {
    Plan: { Kind: 'MonthlyBusinessDay', TimeOfDay: 7 / 24, BusinessDay: 1, FromEnd: true },
    TimeZone: 'Asia/Kolkata',
    Missed: 'None',
    holidays: 'Keep',
    starts: ['2028-02-28T01:30:00.000Z'],
  },
  'The last day of the month, the last two of those missed': {
    Plan: { Kind: 'MonthlyLastDay', TimeOfDay: 1.5 / 24 },
    TimeZone: 'UTC',
    Missed: 'All',
    starts: [
      '2027-08-31T01:30:00.000Z',
      '2027-09-30T01:30:00.000Z',
      '2027-12-31T01:30:00.000Z',
      '2028-01-31T01:30:00.000Z',
      '2028-02-29T01:30:00.000Z',
    ],
    // Otherwise it is the third of the missed occurrences.
    atNight: ['2027-10-31T01:30:00.000Z'],
  },
};

/** Returns a function that makes calls and returns their results. */
export const postTo =
  (address: string, token: string) =>
  async <T>(path: string, body: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return (JSON.parse(text) as { result: T }).result;
  };

/** Creates the schedules through API calls, as a user would. */
export async function createAdditionalSchedules(address: string, token: string, OwnerId: number): Promise<void> {
  const post = postTo(address, token);
  const Days = [{ Day: HOLIDAY, Name: 'Leap day' }];
  const calendar = await post<{ Id: number }>('/api/holidayCalendars', { Id: 0, Name: 'Rest', Weekend: [6, 7], Days });
  for (const [Name, { Plan, TimeZone, Missed, holidays }] of Object.entries(ADDITIONAL_SCHEDULES)) {
    await post('/api/activities/timetables', {
      Id: 0,
      OwnerId,
      Name,
      Plan,
      TimeZone,
      CalendarId: holidays === undefined ? null : calendar.Id,
      HolidayRule: holidays ?? 'Keep',
      Inputs: [],
      RetryCount: 0,
      RetryInterval: 0,
      Overlap: 'Start',
      Missed,
      MissedMax: 2,
    });
  }
}

/** Returns true if an occurrence is due that has not been processed. */
export async function isAdditionalScheduleDue(knex: Knex, now: Date): Promise<boolean> {
  return (await knex('Timetables').where('NextTime', '<=', now).first('Id')) !== undefined;
}

/** Expects one run for each expected occurrence and no others. No start was refused, and all schedules are active. */
export async function checkAdditionalSchedules(knex: Knex, activityId: number, isNight: boolean): Promise<void> {
  // Outcomes of occurrences are deleted after a month; the runs remain.
  const started = (await knex('ScheduledRuns as S')
    .leftJoin('Timetables as T', 'T.Id', 'S.TimetableId')
    .where('S.ActivityId', activityId)
    .orderBy('S.ActivityRunId')
    .select('T.Name', 'S.SlotTime', 'S.ActivityRunId')) as {
    Name: string | null;
    SlotTime: Date;
    ActivityRunId: number;
  }[];
  const startedByName = Map.groupBy(started, ({ Name }) => Name);
  const found = [...startedByName].map(([name, of]) => [
    name,
    of.map(({ SlotTime }) => SlotTime.toISOString()).toSorted(),
  ]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(
      Object.entries(ADDITIONAL_SCHEDULES).map(([name, { starts, atNight = [] }]) => [
        name,
        [...starts, ...(isNight ? atNight : [])].toSorted(),
      ]),
    ),
  );
  const runs = (await knex('ActivityRuns').where('ActivityId', activityId).orderBy('Id').pluck('Id')) as number[];
  expect(started.map(({ ActivityRunId }) => ActivityRunId)).toEqual(runs);
  expect(await knex('TimetableSlots').whereNotIn('Outcome', ['Started', 'Missed'])).toEqual([]);
  expect(await knex('Timetables').where('NextTime', NEVER).orWhereNotNull('PausedTime')).toEqual([]);
}
