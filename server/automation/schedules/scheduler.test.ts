import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inRows } from '#server/db/in-rows.ts';
import { createRunSignals } from '#server/queue/run-signals.ts';
import type { WorkflowScheduleStarter } from './workflow-schedule-starter.ts';
import type { ScheduledStart, ScheduleStarter } from './scheduled-runs.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertUser } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';

const BERLIN = 'Europe/Berlin';
const HALF_PAST_TWO = 2.5 / 24;
const log = pino({ level: 'silent' });
const workflowStarter: WorkflowScheduleStarter = {
  prepare: async () => ({ refused: 'There are no checklists here' }),
  refusal: async () => null,
};

let database: TestDatabase;
let UserId: number;
let ActivityId: number;
/** Current time of the schedulers under test. */
let now: Date;
let start: ScheduledStart;

beforeAll(async () => {
  database = await testDatabase();
  UserId = await insertUser(database.knex);
});
afterAll(() => database.drop());

beforeEach(async () => {
  ActivityId = await insertActivity(database.knex, { UserId });
  start = { refused: null, inputs: [] };
});

function scheduler(timeZone = BERLIN): Scheduler {
  const starter: ScheduleStarter = { prepare: async () => start };
  const signals = createRunSignals(database, log);
  return createScheduler({ database, starter, workflowStarter, timeZone, log, signals, clock: async () => now });
}

async function tickAt(time: string, ...schedulers: Scheduler[]): Promise<void> {
  now = new Date(time);
  await Promise.all((schedulers.length > 0 ? schedulers : [scheduler()]).map((one) => one.tick()));
}

async function schedule(NextTime: string, more: Record<string, unknown> = {}): Promise<void> {
  await database.knex('ActivitySchedules').delete();
  await database.knex('ActivitySchedules').insert({
    ActivityId,
    UserId,
    ScheduleType: 'Daily',
    TimeOfDay: HALF_PAST_TWO,
    RetryCount: 0,
    RetryInterval: 0,
    TimeZone: BERLIN,
    NextTime: new Date(NextTime),
    ...more,
  });
}

interface Run {
  Id: number;
  Status: string;
  RetryOf: number | null;
}

const runs = (): Promise<Run[]> => database.knex('ActivityRuns').where({ ActivityId }).orderBy('Id');
const next = async (): Promise<string> => {
  const row = (await database.knex('ActivitySchedules').where({ ActivityId }).first('NextTime')) as { NextTime: Date };
  return row.NextTime.toISOString();
};
const messages = (ActivityRunId: number): Promise<string[]> =>
  database.knex('RunLogEntries').where({ ActivityRunId }).orderBy('Id').pluck('Message');
const end = (Id: number, Status: string, at: string) =>
  database
    .knex('ActivityRuns')
    .where({ Id })
    .update({ Status, EndTime: new Date(at) });

test('a schedule starts its run when its time has come, and not before', async () => {
  await schedule('2026-11-21T01:30:00Z');
  await tickAt('2026-11-21T01:29:59Z');
  expect(await runs()).toEqual([]);
  await tickAt('2026-11-21T01:30:02Z');
  const [run, ...more] = await runs();
  expect(run).toMatchObject({ Status: 'Queued', UserId, ActivityVersion: 1 });
  expect(more).toEqual([]);
  expect(await messages(run!.Id)).toEqual(['Started by the schedule of the activity']);
  expect(await next()).toBe('2026-11-22T01:30:00.000Z');
});

test('many servers at once, and again after restarts, start it once', async () => {
  await schedule('2026-11-21T01:30:00Z');
  await tickAt('2026-11-21T01:30:02Z', ...Array.from({ length: 8 }, () => scheduler()));
  await tickAt('2026-11-21T01:30:07Z', scheduler(), scheduler());
  expect(await runs()).toHaveLength(1);
});

test('what was missed while nothing ran starts once, late, and says so', async () => {
  await schedule('2026-11-18T01:30:00Z');
  await tickAt('2026-11-21T09:00:00Z');
  await tickAt('2026-11-21T09:00:05Z');
  const [run, ...more] = await runs();
  expect(more).toEqual([]);
  expect((await messages(run!.Id))[1]).toBe(
    'Starts late: it was due on 18/Nov/2026 02:30 (Europe/Berlin), when no server was running; ' +
      'later missed occurrences that will not be started: 3',
  );
  expect(await next()).toBe('2026-11-22T01:30:00.000Z');
});

test('it starts once on the days on which the clocks are changed', async () => {
  await schedule('2026-03-28T01:30:00Z');
  // On 29 March, 02:30 does not exist; on 25 October it occurs twice.
  for (let hour = 0; hour < 48; hour++) await tickAt(new Date(Date.UTC(2026, 2, 28, hour, 30)).toISOString());
  expect(await runs()).toHaveLength(2);
  await schedule('2026-10-24T00:30:00Z');
  for (let hour = 0; hour < 48; hour++) await tickAt(new Date(Date.UTC(2026, 9, 24, hour, 30)).toISOString());
  expect(await runs()).toHaveLength(4);
  expect(await next()).toBe('2026-10-26T01:30:00.000Z');
});

test('an activity that is not active rests', async () => {
  await schedule('2026-11-21T01:30:00Z');
  await database.knex('Activities').where({ Id: ActivityId }).update({ IsActive: false });
  await tickAt('2026-11-21T01:30:02Z');
  expect(await runs()).toEqual([]);
  expect(await next()).toBe('2026-11-22T01:30:00.000Z');
});

test('a run that may not start is kept with the reason, and not tried again', async () => {
  start = { refused: 'The user that the schedule runs as, Ada, is disabled' };
  await schedule('2026-11-21T01:30:00Z', { RetryCount: 3, RetryInterval: 1 });
  await tickAt('2026-11-21T01:30:02Z');
  await tickAt('2026-11-21T02:30:02Z');
  const [run, ...more] = await runs();
  expect(more).toEqual([]);
  expect(run!.Status).toBe('LogicError');
  expect((await messages(run!.Id)).at(-1)).toBe('The user that the schedule runs as, Ada, is disabled');
});

test('one that fails is retried by count and interval', async () => {
  await schedule('2026-11-21T01:30:00Z', { RetryCount: 2, RetryInterval: 10 });
  await tickAt('2026-11-21T01:30:02Z');
  const [first] = await runs();
  await end(first!.Id, 'Failed', '2026-11-21T01:31:00Z');
  await tickAt('2026-11-21T01:40:59Z');
  expect(await runs()).toHaveLength(1);
  await tickAt('2026-11-21T01:41:00Z', scheduler(), scheduler(), scheduler());
  const [, second, ...none] = await runs();
  expect(none).toEqual([]);
  expect(second).toMatchObject({ Status: 'Queued', RetryOf: first!.Id });
  expect(await messages(second!.Id)).toEqual(['Started by the schedule of the activity: retry 1 of 2']);
  await end(second!.Id, 'Abandoned', '2026-11-21T01:42:00Z');
  await tickAt('2026-11-21T01:52:00Z');
  const [, , third] = await runs();
  await end(third!.Id, 'Failed', '2026-11-21T01:53:00Z');
  await tickAt('2026-11-21T03:00:00Z');
  expect(await runs()).toHaveLength(3);
});

test('a thousand runs that wait for their retry do not block the next one', async () => {
  await schedule('2026-11-21T01:30:00Z', { RetryCount: 1, RetryInterval: 10 });
  await database.knex('ActivitySchedules').update({ NextTime: new Date('2026-11-22T01:30:00Z') });
  const EndTime = new Date('2026-11-21T01:31:00Z');
  const failed = { ActivityId, ActivityVersion: 1, UserId, Status: 'Failed', MemoryCost: 0, EndTime };
  const ids: number[] = [];
  await inRows(
    database.knex,
    Array.from({ length: 1001 }, () => failed),
    async (part) => {
      const inserted = (await database.knex('ActivityRuns').insert(part).returning('Id')) as { Id: number }[];
      ids.push(...inserted.map(({ Id }) => Id));
    },
  );
  ids.sort((a, b) => a - b);
  const slot = { ActivityId, UserId, SlotTime: new Date('2026-11-21T01:30:00Z'), Attempt: 0, RetryCount: 1 };
  const scheduled = ids.map((ActivityRunId, at) => ({ ...slot, ActivityRunId, RetryInterval: at < 1000 ? 600 : 10 }));
  await inRows(database.knex, scheduled, (part) => database.knex('ScheduledRuns').insert(part));
  await tickAt('2026-11-21T01:41:00Z');
  const retried = (await runs()).filter(({ RetryOf }) => RetryOf !== null);
  expect(retried).toMatchObject([{ RetryOf: ids[1000], Status: 'Queued' }]);
});

test('a thousand checklist runs that wait to be resumed do not block the next one', async () => {
  const { knex } = database;
  const [{ Id: ChecklistId }] = await knex('Checklists')
    .insert({ Name: 'Close', Schema: 'Test', UserId })
    .returning('Id');
  const [{ Id: PlanId }] = await knex('ChecklistPlans').insert({ Hash: 'close', Plan: '{}' }).returning('Id');
  const times = {
    ScheduleType: 'Daily',
    TimeOfDay: HALF_PAST_TWO,
    TimeZone: BERLIN,
    NextTime: new Date('2026-11-22T01:30:00Z'),
  };
  await knex('ChecklistSchedules').insert({ ChecklistId, UserId, RetryCount: 1, RetryInterval: 10, ...times });
  const ended = { QueueTime: new Date('2026-11-21T01:30:00Z'), EndTime: new Date('2026-11-21T01:31:00Z') };
  const failed = { ChecklistId, PlanId, UserId, Status: 'Failed', Inputs: '[]', ...ended };
  const ids: number[] = [];
  await inRows(
    knex,
    Array.from({ length: 1001 }, () => failed),
    async (part) => {
      const inserted = (await knex('ChecklistRuns').insert(part).returning('Id')) as { Id: number }[];
      ids.push(...inserted.map(({ Id }) => Id));
    },
  );
  ids.sort((a, b) => a - b);
  const slot = { ChecklistId, UserId, SlotTime: ended.QueueTime, Attempt: 0, RetryCount: 1 };
  const scheduled = ids.map((ChecklistRunId, at) => ({ ...slot, ChecklistRunId, RetryInterval: at < 1000 ? 600 : 10 }));
  await inRows(knex, scheduled, (part) => knex('ScheduledChecklistRuns').insert(part));
  await tickAt('2026-11-21T01:41:00Z');
  const settled = await knex('ScheduledChecklistRuns').whereNotNull('SettledTime').pluck('ChecklistRunId');
  expect(settled).toEqual([ids[1000]]);
  const lines = await knex('ChecklistRunLogEntries').where('ChecklistRunId', ids[1000]).pluck('Message');
  expect(lines).toEqual(['The schedule does not resume the run: There are no checklists here']);
});

test('a run that cannot be retried does not block the others', async () => {
  await schedule('2026-11-21T01:30:00Z', { RetryCount: 1, RetryInterval: 10 });
  await tickAt('2026-11-21T01:30:02Z');
  const other = await insertActivity(database.knex, { UserId });
  const row = await database.knex('ActivitySchedules').where({ ActivityId }).first();
  await database
    .knex('ActivitySchedules')
    .insert({ ...row, ActivityId: other, NextTime: new Date('2026-11-21T01:30:00Z') });
  await tickAt('2026-11-21T01:30:03Z');
  const ofOther = () => database.knex('ActivityRuns').where({ ActivityId: other }).orderBy('Id');
  for (const { Id } of [...(await runs()), ...(await ofOther())]) await end(Id, 'Failed', '2026-11-21T01:31:00Z');
  const starter: ScheduleStarter = {
    prepare: async (id) => {
      if (id === ActivityId) throw new Error('the definition cannot be read');
      return start;
    },
  };
  now = new Date('2026-11-21T01:42:00Z');
  const signals = createRunSignals(database, log);
  const deps = { database, starter, workflowStarter, timeZone: BERLIN, log, signals, clock: async () => now };
  await createScheduler(deps).tick();
  expect(await runs()).toHaveLength(1);
  expect(await ofOther()).toHaveLength(2);
});

test.each([
  ['succeeded', 'Succeeded'],
  ['was cancelled', 'Cancelled'],
])('one that %s is not retried', async (_, Status) => {
  await schedule('2026-11-21T01:30:00Z', { RetryCount: 2, RetryInterval: 1 });
  await tickAt('2026-11-21T01:30:02Z');
  const [run] = await runs();
  await end(run!.Id, Status, '2026-11-21T01:31:00Z');
  await tickAt('2026-11-21T02:31:00Z');
  expect(await runs()).toHaveLength(1);
});

test('nothing is retried where a person has done so, the schedule is gone, or its next time has come', async () => {
  const failed = async (): Promise<number> => {
    await schedule('2026-11-21T01:30:00Z', { RetryCount: 5, RetryInterval: 60 });
    await tickAt('2026-11-21T01:30:02Z');
    const run = (await runs()).at(-1)!;
    await end(run.Id, 'Failed', '2026-11-21T01:31:00Z');
    return run.Id;
  };
  const byHand = await failed();
  await database.knex('ActivityRuns').insert({
    ActivityId,
    ActivityVersion: 1,
    UserId,
    Status: 'Succeeded',
    MemoryCost: 0,
    RetryOf: byHand,
  });
  await tickAt('2026-11-21T03:00:00Z');
  expect(await runs()).toHaveLength(2);
  await failed();
  await database.knex('ActivitySchedules').delete();
  await tickAt('2026-11-21T03:00:00Z');
  expect(await runs()).toHaveLength(3);
  const old = await failed();
  await tickAt('2026-11-22T01:30:00Z');
  const all = await runs();
  expect(all).toHaveLength(5);
  expect(all.filter(({ RetryOf }) => RetryOf === old)).toEqual([]);
});

test('another time zone moves the times to come, not those that are due', async () => {
  await schedule('2026-11-21T01:30:00Z');
  await tickAt('2026-11-20T12:00:00Z', scheduler('America/New_York'));
  expect(await next()).toBe('2026-11-21T07:30:00.000Z');
  await schedule('2026-11-20T01:30:00Z');
  await tickAt('2026-11-20T12:00:00Z', scheduler('America/New_York'));
  expect(await runs()).toHaveLength(1);
});

test('a schedule that cannot be started does not keep the others waiting', async () => {
  await schedule('2026-11-21T01:30:00Z');
  const other = await insertActivity(database.knex, { UserId });
  const row = await database.knex('ActivitySchedules').where({ ActivityId }).first();
  await database.knex('ActivitySchedules').insert({ ...row, ActivityId: other });
  const starter: ScheduleStarter = {
    prepare: async (id) => {
      if (id === ActivityId) throw new Error('the definition cannot be read');
      return start;
    },
  };
  now = new Date('2026-11-21T01:31:00Z');
  const signals = createRunSignals(database, log);
  await createScheduler({
    database,
    starter,
    workflowStarter,
    timeZone: BERLIN,
    log,
    signals,
    clock: async () => now,
  }).tick();
  expect(await runs()).toEqual([]);
  expect(await database.knex('ActivityRuns').where({ ActivityId: other })).toHaveLength(1);
});

test('time is the database’s where nobody moves it', async () => {
  await schedule('2020-01-01T00:00:00Z');
  const starter: ScheduleStarter = { prepare: async () => start };
  const real = createScheduler({
    database,
    starter,
    workflowStarter,
    timeZone: BERLIN,
    log,
    signals: createRunSignals(database, log),
  });
  real.start();
  await until('the run is started', async () => (await runs()).length === 1);
  await real.stop();
  expect(Date.parse(await next())).toBeGreaterThan(Date.now());
});
