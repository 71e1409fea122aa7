/** Tests the list of schedules that a person may see, and paused schedules. */
import { pino } from 'pino';
import { describe, expect } from 'vitest';
import { createScheduler } from '#server/automation/schedules/scheduler.ts';
import type { ScheduledItem, ScheduleList } from '#shared/contract/schedule-overview.ts';
import { test as base } from '#test/support/fixtures/checklist-portal.ts';
import type { User } from '#test/support/checklist-portal.ts';
import { queriesOf } from '#test/support/queries.ts';
import { insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

const PLAN = JSON.stringify({ ScheduleType: 'Daily', TimeOfDay: 0.25, RetryInterval: 5, RetryCount: 2 });

const test = base.extend('overview', { scope: 'file' }, async ({ portal }) => {
  const list = async (user: User, query = ''): Promise<ScheduleList> =>
    (await portal.get(`schedules${query}`, user)).body.result;
  const names = async (user: User, query = ''): Promise<string[]> =>
    (await list(user, query)).Items.map(({ Name }) => Name);

  const only = async (user: User): Promise<ScheduledItem> => {
    const { Items } = await list(user);
    expect(Items).toHaveLength(1);
    return Items[0]!;
  };

  const schedule = (ActivityId: number, user = owner) =>
    portal.post('activities/schedule', { ActivityId, UserId: user.UserId, Schedule: PLAN }, user);

  async function scheduledChecklist(Name: string): Promise<number> {
    const ChecklistId = await portal.saved({ Name, Activities: [{ Id: portal.activities.close }], Inputs: [] });
    const body = { ChecklistId, UserId: owner.UserId, Schedule: PLAN };
    expect((await portal.post('checklists/schedule', body, owner)).status).toBe(200);
    return ChecklistId;
  }

  const change = (what: string, user = owner) => portal.post(what, {}, user);
  const owner = await signedInUser(portal.app, ['sk.EditActivity', 'sk.EditChecklist', 'sk.RunActivity']);

  const viewer = await signedInUser(portal.app, [
    { right: 'sk.RunActivity', Schema: 'Finance' },
    { right: 'sk.ViewRuns', Schema: 'Finance' },
  ]);

  return { owner, viewer, list, names, only, schedule, scheduledChecklist, change };
});

test.afterEach(async ({ portal }) => {
  const { knex } = portal.app.database;
  for (const table of ['ActivitySchedules', 'ChecklistSchedules', 'ScheduledRuns']) await knex(table).delete();
});

describe('the schedules that a person may see', () => {
  test('are those of activities and of checklists, with their next five times', async ({
    portal,
    overview: { schedule, scheduledChecklist, list, owner },
  }) => {
    await schedule(portal.activities.close);
    const id = await scheduledChecklist('Month end');
    const { Items, Next } = await list(owner);
    expect(Next).toBe(null);
    expect(Items).toMatchObject([
      {
        Kind: 'Activity',
        Id: portal.activities.close,
        Name: 'Close',
        Schema: 'Finance',
        Schedule: PLAN,
        LastRun: null,
      },
      { Kind: 'Checklist', Id: id, Name: 'Month end', IsWorkflow: false, CanEdit: true, PausedTime: null },
    ]);
    const times = Items[0]!.NextTimes.map((time) => Date.parse(time));
    expect(times).toHaveLength(5);
    expect(times[0]).toBeGreaterThan(Date.now());
    for (let at = 1; at < 5; at += 1) expect(times[at]! - times[at - 1]!).toBe(86_400_000);
  });

  test('are hidden from users who neither see the runs of others nor may edit', async ({
    portal,
    overview: { schedule, scheduledChecklist, names, viewer, list },
  }) => {
    await schedule(portal.activities.close);
    await schedule(portal.activities.other);
    await scheduledChecklist('Month end');
    expect(await names(portal.runner)).toEqual([]);
    expect(await names(portal.stranger)).toEqual([]);
    expect(await names(viewer)).toEqual(['Close', 'Month end']);
    expect((await list(viewer)).Items.map(({ CanEdit }) => CanEdit)).toEqual([false, false]);
    const ofOne = await signedInUser(portal.app, [
      { right: 'sk.RunActivity', Id: portal.activities.close },
      { right: 'sk.ViewRuns', Id: portal.activities.close },
    ]);
    // A right for one activity does not apply to a checklist that contains it.
    expect(await names(ofOne)).toEqual(['Close']);
    expect((await portal.app.http.inject({ url: '/api/schedules' })).statusCode).toBe(401);
  });

  test('show the last run that a schedule started to those who may see it', async ({
    portal,
    overview: { schedule, owner, only, viewer },
  }) => {
    const { knex } = portal.app.database;
    const ActivityId = portal.activities.close;
    await schedule(ActivityId);
    const [{ Id }] = await knex('ActivityRuns')
      .insert({
        ActivityId,
        ActivityVersion: 1,
        UserId: owner.UserId,
        Status: 'Failed',
        MemoryCost: 0,
        SingleRun: false,
      })
      .returning('Id');
    const occurrence = { UserId: owner.UserId, SlotTime: new Date(), Attempt: 0, RetryCount: 0, RetryInterval: 0 };
    await knex('ScheduledRuns').insert({ ActivityRunId: Id, ActivityId, ...occurrence });
    expect((await only(viewer)).LastRun).toMatchObject({ Id, Status: 'Failed' });
    expect((await only(owner)).LastRun).toMatchObject({ Id, Status: 'Failed' });
  });

  test('do not show the last run to users who may edit a checklist but see only their own runs', async ({
    portal,
    overview: { scheduledChecklist, owner, only, viewer },
  }) => {
    const { knex } = portal.app.database;
    const ChecklistId = await scheduledChecklist('Month end');
    const [plan] = await knex('ChecklistPlans').insert({ Hash: 'of schedules', Plan: '{}' }).returning('Id');
    const workflowRun = { ChecklistId, PlanId: plan.Id, UserId: owner.UserId, Status: 'Failed', Inputs: '[]' };
    const [{ Id: ChecklistRunId }] = await knex('ChecklistRuns').insert(workflowRun).returning('Id');
    const occurrence = { UserId: owner.UserId, SlotTime: new Date(), Attempt: 0, RetryCount: 0, RetryInterval: 0 };
    await knex('ScheduledChecklistRuns').insert({ ChecklistRunId, ChecklistId, ...occurrence });
    const editor = await signedInUser(portal.app, ['sk.EditChecklist']);
    expect(await only(editor)).toMatchObject({ CanEdit: true, LastRun: null });
    expect((await only(viewer)).LastRun).toMatchObject({ Id: ChecklistRunId, Status: 'Failed' });
  });

  test('are found by a part of their name, a page at a time and each once', async ({
    portal,
    overview: { owner, scheduledChecklist, list, names },
  }) => {
    const { knex } = portal.app.database;
    const made: number[] = [];
    for (let n = 0; n < 54; n += 1) {
      made.push(await insertActivity(knex, { UserId: owner.UserId, Name: `Report_${n}`, Schema: 'Finance' }));
    }
    const times = { ScheduleType: 'Daily', TimeOfDay: 0.25, RetryCount: 0, RetryInterval: 0, TimeZone: 'UTC' };
    // Half of them have the same time, and a page ends among these.
    const rows = made.map((ActivityId, n) => ({
      ActivityId,
      UserId: owner.UserId,
      ...times,
      NextTime: new Date(Date.UTC(2100, 0, 1 + Math.max(0, n - 27))),
    }));
    await knex('ActivitySchedules').insert(rows);
    const id = await scheduledChecklist('Month end');
    await knex('ChecklistSchedules')
      .where('ChecklistId', id)
      .update({ NextTime: new Date(Date.UTC(2100, 0, 20)) });
    const first = await list(owner);
    expect(first.Items).toHaveLength(50);
    const second = await list(owner, `?After=${first.Next}`);
    expect([second.Items.length, second.Next]).toEqual([5, null]);
    const seen = [...first.Items, ...second.Items].map(({ Name }) => Name);
    expect(new Set(seen).size).toBe(55);
    expect(await names(owner, '?Name=eport_5')).toEqual([
      'Report_5',
      'Report_50',
      'Report_51',
      'Report_52',
      'Report_53',
    ]);
    const { queries } = await queriesOf(knex, () => list(owner));
    const { queries: few } = await queriesOf(knex, () => list(owner, '?Name=Month'));
    expect(queries.length).toBe(few.length);
  });

  test.for(['x', '2026-01-01T00:00:00.000Z_Other_1', "2026-01-01T00:00:00.000Z_Activity_1'"])(
    'are not asked for after %s',
    async (after, { portal, overview: { owner } }) => {
      expect((await portal.get(`schedules?After=${encodeURIComponent(after)}`, owner)).status).toBe(400);
    },
  );
});

describe('a schedule that is paused', () => {
  test('has no next time until it is resumed, and stands last', async ({
    portal,
    overview: { schedule, change, list, owner },
  }) => {
    const { close, other } = portal.activities;
    await schedule(close);
    await schedule(other);
    expect((await change(`activities/schedule/pause/${close}`)).status).toBe(200);
    const { Items } = await list(owner);
    expect(Items.map(({ Id }) => Id)).toEqual([other, close]);
    expect(Items[1]).toMatchObject({ NextTimes: [], PausedTime: expect.any(String) });
    const details = (await portal.get(`activities/schedule/${close}`, owner)).body.result;
    expect(details).toMatchObject({ NextTime: null, PausedTime: Items[1]!.PausedTime });
    // The list of activities has a column with next times.
    const marks = (await portal.get('activities/marks', owner)).body.result;
    expect(marks.Activities.NextTimes.map(({ Id }: { Id: number }) => Id)).toEqual([other]);
    expect((await change(`activities/schedule/resume/${close}`)).status).toBe(200);
    expect((await list(owner)).Items).toMatchObject([{ PausedTime: null }, { PausedTime: null }]);
  });

  test('starts nothing, and tries nothing again', async ({
    portal,
    overview: { schedule, scheduledChecklist, owner, change },
  }) => {
    const parts = portal.app;
    const { database, signals } = parts;
    const { knex } = database;
    const ActivityId = portal.activities.close;
    await schedule(ActivityId);
    const checklist = await scheduledChecklist('Month end');
    const [{ Id }] = await knex('ActivityRuns')
      .insert({
        ActivityId,
        ActivityVersion: 1,
        UserId: owner.UserId,
        Status: 'Failed',
        EndTime: new Date(0),
        MemoryCost: 0,
        SingleRun: false,
      })
      .returning('Id');
    const occurrence = { UserId: owner.UserId, SlotTime: new Date(0), Attempt: 0, RetryCount: 2, RetryInterval: 5 };
    await knex('ScheduledRuns').insert({ ActivityRunId: Id, ActivityId, ...occurrence });
    await change(`activities/schedule/pause/${ActivityId}`);
    await change(`checklists/schedule/pause/${checklist}`);
    const counts = async () => [await knex('ActivityRuns').count('*'), await knex('ChecklistRuns').count('*')];
    const before = await counts();
    const scheduler = createScheduler({
      database,
      starter: parts.scheduleStarter,
      workflowStarter: parts.workflowScheduleStarter,
      timeZone: 'Europe/Berlin',
      log: pino({ level: 'silent' }),
      signals,
      clock: async () => new Date('2101-01-01T00:00:00Z'),
    });
    // In another time zone, next times must be computed again.
    await scheduler.tick();
    expect(await counts()).toEqual(before);
    await change(`activities/schedule/resume/${ActivityId}`);
    await scheduler.tick();
    expect(await counts()).not.toEqual(before);
  });

  test('continues when it is saved', async ({ portal, overview: { schedule, change, only, owner } }) => {
    const { close } = portal.activities;
    await schedule(close);
    await change(`activities/schedule/pause/${close}`);
    await schedule(close);
    expect(await only(owner)).toMatchObject({ PausedTime: null });
    expect((await only(owner)).NextTimes).toHaveLength(5);
  });

  test('is paused by who may edit it alone, and where there is one', async ({
    portal,
    overview: { scheduledChecklist, change, schedule, viewer, list, owner },
  }) => {
    const { close } = portal.activities;
    const checklist = await scheduledChecklist('Month end');
    expect((await change(`activities/schedule/pause/${close}`)).body.message).toBe('There is no schedule');
    await schedule(close);
    expect((await change(`activities/schedule/pause/${close}`, viewer)).status).toBe(403);
    expect((await change(`checklists/schedule/pause/${checklist}`, viewer)).status).toBe(403);
    const ofOther = await signedInUser(portal.app, [{ right: 'sk.EditActivity', Id: portal.activities.other }]);
    expect((await change(`activities/schedule/resume/${close}`, ofOther)).status).toBe(404);
    await change(`activities/schedule/pause/${close}`);
    const { PausedTime } = (await list(owner)).Items.find(({ Kind }) => Kind === 'Activity')!;
    await change(`activities/schedule/pause/${close}`);
    expect((await list(owner)).Items.find(({ Kind }) => Kind === 'Activity')!.PausedTime).toBe(PausedTime);
  });
});
