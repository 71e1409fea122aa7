import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inRows } from '#server/db/in-rows.ts';
import { createRunSignals } from '#server/queue/run-signals.ts';
import type { RecurrencePlan } from '#shared/contract/additional-schedules.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertUser } from '#test/support/runs.ts';
import type { WorkflowScheduleStarter } from '#server/automation/schedules/workflow-schedule-starter.ts';
import type { SuppliedInputs, ScheduledStart } from '#server/automation/schedules/scheduled-runs.ts';
import { createScheduler, type Scheduler } from '#server/automation/schedules/scheduler.ts';

const log = pino({ level: 'silent' });
const workflowStarter: WorkflowScheduleStarter = {
  prepare: async () => ({ refused: 'None' }),
  refusal: async () => null,
};
const DAILY: RecurrencePlan = { Kind: 'Daily', TimeOfDay: 2.5 / 24 };
const QUARTERS: RecurrencePlan = { Kind: 'Cron', Cron: '*/15 * * * *' };

let database: TestDatabase;
let UserId: number;
let ActivityId: number;
let TimetableId: number;
let now: Date;
let start: ScheduledStart;
let asked: SuppliedInputs[];
let failuresLeft = 0;

beforeAll(async () => {
  database = await testDatabase();
  UserId = await insertUser(database.knex);
});
afterAll(() => database.drop());

beforeEach(async () => {
  await database.knex('Timetables').delete();
  ActivityId = await insertActivity(database.knex, { UserId });
  start = { refused: null, inputs: [] };
  asked = [];
});

function scheduler(): Scheduler {
  const starter = {
    prepare: async (_: number, __: number, supplied?: SuppliedInputs) => {
      asked.push(supplied);
      if (failuresLeft > 0) {
        failuresLeft -= 1;
        throw new Error('no connection');
      }
      return start;
    },
  };
  const signals = createRunSignals(database, log);
  return createScheduler({ database, starter, workflowStarter, timeZone: 'UTC', log, signals, clock: async () => now });
}

async function tickAt(time: string, ...schedulers: Scheduler[]): Promise<void> {
  now = new Date(time);
  await Promise.all((schedulers.length > 0 ? schedulers : [scheduler()]).map((one) => one.tick()));
}

async function insertSchedule(
  NextTime: string,
  Plan: RecurrencePlan,
  more: Record<string, unknown> = {},
): Promise<void> {
  const [row] = (await database
    .knex('Timetables')
    .insert({
      ActivityId,
      Name: 'Early',
      UserId,
      PlanText: JSON.stringify(Plan),
      InputsText: '[]',
      TimeZone: 'Europe/Berlin',
      HolidayRule: 'Keep',
      RetryCount: 0,
      RetryInterval: 0,
      Overlap: 'Start',
      Missed: 'Last',
      MissedMax: 1,
      NextTime: new Date(NextTime),
      ...more,
    })
    .returning('Id')) as { Id: number }[];
  TimetableId = row!.Id;
}

const row = () => database.knex('Timetables').where({ Id: TimetableId }).first();
const next = async (): Promise<string> => ((await row()).NextTime as Date).toISOString().slice(0, 16);
const runs = (): Promise<{ Id: number; Status: string }[]> =>
  database.knex('ActivityRuns').where({ ActivityId }).orderBy('Id').select('Id', 'Status');
const listOutcomes = async (): Promise<string[]> =>
  (
    (await database.knex('TimetableSlots').where({ TimetableId }).orderBy('SlotTime')) as {
      SlotTime: Date;
      Outcome: string;
    }[]
  ).map(({ SlotTime, Outcome }) => `${SlotTime.toISOString().slice(11, 16)} ${Outcome}`);
const messages = (ActivityRunId: number): Promise<string[]> =>
  database.knex('RunLogEntries').where({ ActivityRunId }).orderBy('Id').pluck('Message');
const endAll = (Status: string, at: string) =>
  database
    .knex('ActivityRuns')
    .where({ ActivityId })
    .update({ Status, EndTime: new Date(at) });

test('many servers at once start a moment once, in both changes of the clocks', async () => {
  for (const [year, month, day] of [
    [2027, 2, 27],
    [2027, 9, 30],
  ] as const) {
    await database.knex('Timetables').delete();
    const from = new Date(Date.UTC(year, month, day, 0));
    await insertSchedule(new Date(Date.UTC(year, month, day, month === 2 ? 1 : 0, 30)).toISOString(), DAILY);
    for (let hour = 0; hour < 48; hour += 1) {
      const time = new Date(from.getTime() + hour * 3_600_000 + 1_805_000).toISOString();
      await tickAt(time, ...Array.from({ length: 3 }, scheduler));
    }
  }
  expect(await runs()).toHaveLength(4);
  expect(await next()).toBe('2027-11-01T01:30');
});

test.each([
  ['None', 1, ['06:45 Missed']],
  ['Last', 1, ['06:30 Missed', '06:45 Started']],
  ['All', 3, ['06:00 Missed', '06:15 Started', '06:30 Started', '06:45 Started']],
])('of what was missed %s is made up for', async (Missed, MissedMax, expected) => {
  await insertSchedule('2026-11-23T05:00:00Z', QUARTERS, { Missed, MissedMax });
  await tickAt('2026-11-23T06:50:00Z', scheduler(), scheduler());
  await tickAt('2026-11-23T06:50:05Z');
  expect(await listOutcomes()).toEqual(expected);
  expect(await next()).toBe('2026-11-23T07:00');
  const [run] = await runs();
  if (run) expect((await messages(run.Id))[1]).toMatch(/^Starts late: it was due on 23\/Nov\/2026 07:\d5 \(Europe/);
});

test('what is in time starts whatever was missed', async () => {
  await insertSchedule('2026-11-23T05:00:00Z', QUARTERS, { Missed: 'None' });
  await tickAt('2026-11-23T06:45:20Z');
  expect(await listOutcomes()).toEqual(['06:30 Missed', '06:45 Started']);
});

test('while a run is in progress, the next occurrence is skipped or waits, and later ones follow the rule for missed occurrences', async () => {
  await insertSchedule('2026-11-23T06:00:00Z', QUARTERS, { Overlap: 'Skip' });
  await tickAt('2026-11-23T06:00:01Z');
  await tickAt('2026-11-23T06:15:01Z');
  expect(await listOutcomes()).toEqual(['06:00 Started', '06:15 LeftOut']);
  await database.knex('Timetables').where({ Id: TimetableId }).update({ Overlap: 'Wait', Missed: 'None' });
  await tickAt('2026-11-23T06:30:01Z');
  await tickAt('2026-11-23T06:50:01Z');
  expect([await runs(), await next()]).toMatchObject([[{ Status: 'Queued' }], '2026-11-23T06:30']);
  await endAll('Succeeded', '2026-11-23T06:52:00Z');
  await tickAt('2026-11-23T06:52:01Z', scheduler(), scheduler());
  expect(await listOutcomes()).toEqual(['06:00 Started', '06:15 LeftOut', '06:30 Started', '06:45 Missed']);
  const all = await runs();
  expect(all).toHaveLength(2);
  expect((await messages(all[1]!.Id))[1]).toContain('and waited for the previous run to end');
  expect(await next()).toBe('2026-11-23T07:00');
});

test('five hundred schedules that wait for their runs do not block the next one', async () => {
  const { knex } = database;
  await insertSchedule('2026-11-23T06:00:00Z', QUARTERS, { Overlap: 'Wait', IsWaiting: true });
  const { Id: _, ...waiting } = await row();
  await inRows(
    knex,
    Array.from({ length: 499 }, () => waiting),
    (part) => knex('Timetables').insert(part),
  );
  const ids = (await knex('Timetables').pluck('Id')) as number[];
  const started = { ActivityId, ActivityVersion: 1, UserId, Status: 'Started', MemoryCost: 0 };
  const pending: number[] = [];
  await inRows(
    knex,
    ids.map(() => started),
    async (part) => {
      const inserted = (await knex('ActivityRuns').insert(part).returning('Id')) as { Id: number }[];
      pending.push(...inserted.map(({ Id }) => Id));
    },
  );
  const SlotTime = new Date('2026-11-22T06:00:00Z');
  const slot = { ActivityId, UserId, SlotTime, Attempt: 0, RetryCount: 0, RetryInterval: 0 };
  const scheduled = ids.map((Id, at) => ({ ...slot, TimetableId: Id, ActivityRunId: pending[at] }));
  await inRows(knex, scheduled, (part) => knex('ScheduledRuns').insert(part));
  await insertSchedule('2026-11-23T06:15:00Z', QUARTERS);
  await tickAt('2026-11-23T06:15:30Z');
  expect(await listOutcomes()).toEqual(['06:15 Started']);
});

test('an occurrence that has waited starts although its first start failed after later ones were recorded', async () => {
  await insertSchedule('2026-11-23T06:00:00Z', QUARTERS, { Overlap: 'Wait', Missed: 'None' });
  await tickAt('2026-11-23T06:00:01Z');
  await tickAt('2026-11-23T06:15:01Z');
  await tickAt('2026-11-23T06:35:01Z');
  await endAll('Succeeded', '2026-11-23T06:36:00Z');
  failuresLeft = 1;
  await tickAt('2026-11-23T06:36:01Z');
  expect(await listOutcomes()).toEqual(['06:00 Started', '06:30 Missed']);
  await tickAt('2026-11-23T06:36:02Z');
  expect(await listOutcomes()).toEqual(['06:00 Started', '06:15 Started', '06:30 Missed']);
  expect(await next()).toBe('2026-11-23T06:45');
});

test('what was noted while a moment waited is not counted again with what is missed after it', async () => {
  await insertSchedule('2026-11-23T06:00:00Z', QUARTERS, { Overlap: 'Wait', Missed: 'None' });
  await tickAt('2026-11-23T06:00:01Z');
  await tickAt('2026-11-23T06:15:01Z');
  await endAll('Succeeded', '2026-11-23T06:36:00Z');
  failuresLeft = 1;
  await tickAt('2026-11-23T06:36:01Z');
  await tickAt('2026-11-23T07:25:01Z');
  expect(await listOutcomes()).toEqual(['06:00 Started', '06:15 Started', '06:30 Missed', '07:15 Missed']);
  const missed = await database.knex('TimetableSlots').where({ TimetableId, Outcome: 'Missed' }).orderBy('SlotTime');
  expect(missed.map(({ Message }) => Message)).toEqual([
    expect.stringContaining('No server was running'),
    '3 occurrences, of which this is the last',
  ]);
});

test('runs of others, of the daily schedule too, keep nothing waiting, and each retries its own', async () => {
  await insertSchedule('2026-11-23T06:00:00Z', QUARTERS, { Overlap: 'Skip', RetryCount: 1, RetryInterval: 5 });
  await database
    .knex('ActivityRuns')
    .insert({ ActivityId, ActivityVersion: 1, UserId, Status: 'Started', MemoryCost: 0 });
  await tickAt('2026-11-23T06:00:01Z');
  expect(await listOutcomes()).toEqual(['06:00 Started']);
  await endAll('Failed', '2026-11-23T06:01:00Z');
  await tickAt('2026-11-23T06:06:00Z', scheduler(), scheduler());
  await tickAt('2026-11-23T06:07:00Z');
  expect(await runs()).toHaveLength(3);
  // The retry uses the inputs of the failed run.
  expect(asked).toContain('kept');
  expect(await database.knex('ScheduledRuns').where({ TimetableId, Attempt: 1 })).toHaveLength(1);
  await endAll('Failed', '2026-11-23T06:08:00Z');
  await database.knex('Timetables').delete();
  await tickAt('2026-11-23T06:20:00Z');
  expect(await runs()).toHaveLength(3);
});

test('a relative date is that of the moment in the zone of the schedule, however late it starts', async () => {
  const inputs = [
    { Name: 'Day', Value: null, RelativeDate: 'today - 1 business day' },
    { Name: 'Rate', Value: '1.5', RelativeDate: null },
  ];
  // At 00:30 on Monday in Berlin, it is still Sunday in London.
  await insertSchedule(
    '2026-11-22T23:30:00Z',
    { Kind: 'Daily', TimeOfDay: 0.5 / 24 },
    { InputsText: JSON.stringify(inputs) },
  );
  await tickAt('2026-11-23T20:00:00Z');
  // 20 November 2026 is a Friday.
  expect(asked).toEqual([
    [
      { Name: 'Day', Value: '46346' },
      { Name: 'Rate', Value: '1.5' },
    ],
  ]);
});

test('where the person has gone it is paused with the reason; what else refuses it is kept as a run', async () => {
  await insertSchedule('2026-11-23T06:00:00Z', QUARTERS);
  start = { refused: 'Rate: a number' };
  await tickAt('2026-11-23T06:00:01Z');
  expect(await runs()).toMatchObject([{ Status: 'LogicError' }]);
  start = { refused: 'Ada is not enabled', isAboutPerson: true };
  await tickAt('2026-11-23T06:15:01Z', scheduler(), scheduler());
  await tickAt('2026-11-23T06:30:01Z');
  expect(await listOutcomes()).toEqual(['06:00 Refused', '06:15 Refused']);
  expect(await row()).toMatchObject({
    PausedReason: 'Ada is not enabled',
    PausedTime: new Date('2026-11-23T06:15:00Z'),
  });
  expect(await runs()).toMatchObject([{ Status: 'LogicError' }, { Status: 'LogicError' }]);
});

test('a schedule without moments to come rests, and one of an inactive activity starts nothing', async () => {
  await insertSchedule('2026-11-23T06:00:00Z', QUARTERS);
  await database.knex('Activities').where({ Id: ActivityId }).update({ IsActive: false });
  await tickAt('2026-11-23T06:00:01Z');
  expect([await listOutcomes(), await runs()]).toEqual([['06:00 LeftOut'], []]);
  const [{ Id: CalendarId }] = await database
    .knex('HolidayCalendars')
    .insert({ Name: 'Never', Weekend: '1234567' })
    .returning('Id');
  await database.knex('Timetables').where({ Id: TimetableId }).update({ CalendarId, HolidayRule: 'After' });
  await tickAt('2026-11-23T06:15:01Z');
  expect(await next()).toBe('9999-12-31T00:00');
});
