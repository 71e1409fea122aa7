/** Tests scheduled checklists: setting schedules, starting once per occurrence, skipping, refusing and resuming. */
import { pino } from 'pino';
import { describe, expect } from 'vitest';
import { createScheduler, type Scheduler } from '#server/automation/schedules/scheduler.ts';
import type { NotificationList } from '#shared/contract/notifications.ts';
import type { ChecklistPortal, User } from '#test/support/checklist-portal.ts';
import { test as base } from '#test/support/fixtures/checklist-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const log = pino({ level: 'silent' });
const HALF_PAST_TWO = 2.5 / 24;

/** A checklist of two activities without inputs. */
let ChecklistId: number;
/** The time that the schedulers see. */
let now: Date;

interface Setup {
  portal: ChecklistPortal;
  owner: User;
}

const plan = (more: object = {}): string =>
  JSON.stringify({ ScheduleType: 'Daily', TimeOfDay: HALF_PAST_TWO, RetryCount: 0, RetryInterval: 0, ...more });

const test = base.extend('schedules', { scope: 'file' }, async ({ portal }) => {
  const rows = (table: string, where: object) => portal.app.database.knex(table).where(where);
  const set = (id: number, Schedule = plan(), user: User = owner) =>
    portal.post('checklists/schedule', { ChecklistId: id, UserId: user.UserId, Schedule }, user);

  /** Creates a checklist with a schedule that is due at half past two on 21 November, Berlin time. */
  async function scheduled(more: object = {}): Promise<number> {
    const { knex } = portal.app.database;
    const { close } = portal.activities;
    ChecklistId = await portal.saved({ Activities: [{ Id: close }], Inputs: [] });
    const { status, body } = await set(ChecklistId, plan(more));
    if (status !== 200) throw new Error(JSON.stringify(body));
    await knex('ChecklistSchedules').whereNot({ ChecklistId }).delete();
    await knex('ChecklistSchedules')
      .where({ ChecklistId })
      .update({ NextTime: new Date('2026-11-21T01:30:00Z'), TimeZone: 'Europe/Berlin' });
    return ChecklistId;
  }

  function scheduler(): Scheduler {
    const parts = portal.app;
    const { database, signals } = parts;
    const { scheduleStarter: starter, workflowScheduleStarter: workflowStarter } = parts;
    const timeZone = 'Europe/Berlin';
    return createScheduler({ database, starter, workflowStarter, timeZone, log, signals, clock: async () => now });
  }

  async function tickAt(time: string, ...schedulers: Scheduler[]): Promise<void> {
    now = new Date(time);
    await Promise.all((schedulers.length > 0 ? schedulers : [scheduler()]).map((one) => one.tick()));
  }

  const runs = () => rows('ChecklistRuns', { ChecklistId }).orderBy('Id');
  const said = (ChecklistRunId: number): Promise<string[]> =>
    rows('ChecklistRunLogEntries', { ChecklistRunId }).orderBy('Id').pluck('Message');
  const end = (Id: number, Status: string, at: string) =>
    rows('ChecklistRuns', { Id }).update({ Status, EndTime: new Date(at) });
  const owner = await signedInUser(portal.app, ['sk.EditChecklist', { right: 'sk.RunActivity', Schema: 'Finance' }]);
  return { rows, owner, set, scheduled, scheduler, tickAt, runs, said, end };
});

describe('a schedule of a checklist', () => {
  test('is set by who may edit it, in their own name, and deleted', async ({
    portal,
    schedules: { scheduled, owner, set },
  }) => {
    await scheduled();
    const { body } = await portal.get(`checklists/schedule/${ChecklistId}`, owner);
    expect(body.result).toMatchObject({ ChecklistId, UserId: owner.UserId, CanSchedule: true });
    expect(JSON.parse(body.result.Schedule)).toMatchObject({ ScheduleType: 'Daily', RetryCount: 0 });
    const foreign = await portal.post(
      'checklists/schedule',
      {
        ChecklistId,
        UserId: portal.editor.UserId,
        Schedule: plan(),
      },
      owner,
    );
    expect([foreign.status, foreign.body.message]).toEqual([403, 'A schedule runs as the person who saves it']);
    const wrong = await set(ChecklistId, plan({ ScheduleType: 'Hourly' }));
    expect([wrong.status, wrong.body.message]).toEqual([400, 'Select Schedule Type']);
    expect((await portal.get(`checklists/schedule/${ChecklistId}`, portal.runner)).status).toBe(403);
    expect((await portal.post(`checklists/schedule/delete/${ChecklistId}`, {}, owner)).status).toBe(200);
    expect((await portal.post(`checklists/schedule/delete/${ChecklistId}`, {}, owner)).body.message).toBe(
      'There is no schedule',
    );
  });

  test('is refused at once where it asks for inputs, is not mapped, or has activities that one may not run', async ({
    portal,
    schedules: { set },
  }) => {
    const asks = await set(await portal.saved());
    expect([asks.status, asks.body.message]).toEqual([409, 'The checklist has inputs, so it cannot be scheduled']);
    const unmapped = await set(await portal.saved({ Inputs: [] }));
    expect(unmapped.body.message).toBe('The checklist cannot be run because some inputs have not been mapped');
    const { close } = portal.activities;
    const foreign = await portal.saved({ Activities: [{ Id: close }], Inputs: [] });
    const other = await signedInUser(portal.app, ['sk.EditChecklist']);
    const lacking = await set(foreign, plan(), other);
    expect(lacking.body.message).toBe("You do not have permissions to run these activities of the checklist: 'Close'");
  });
});

describe('what is due', () => {
  test('starts once, however many servers poll and however often they restart', async ({
    schedules: { scheduled, tickAt, runs, scheduler, owner, rows, said },
  }) => {
    await scheduled();
    await tickAt('2026-11-21T01:29:59Z');
    expect(await runs()).toEqual([]);
    await tickAt('2026-11-21T01:30:02Z', ...Array.from({ length: 6 }, () => scheduler()));
    await tickAt('2026-11-21T01:30:07Z', scheduler(), scheduler());
    const [run, ...more] = await runs();
    expect(more).toEqual([]);
    expect(run).toMatchObject({ Status: 'Started', UserId: owner.UserId, WorkflowVersion: null });
    expect(await rows('ActivityRuns', { ChecklistRunId: run.Id })).toMatchObject([{ WaitsForSteps: true }]);
    expect(await said(run.Id)).toEqual(['Started by the schedule of the checklist']);
    const [schedule] = await rows('ChecklistSchedules', { ChecklistId });
    expect(schedule.NextTime.toISOString()).toBe('2026-11-22T01:30:00.000Z');
  });

  test('starts once on the days on which the clocks are changed, and late where no server was there', async ({
    schedules: { scheduled, rows, tickAt, runs, said },
  }) => {
    await scheduled();
    await rows('ChecklistSchedules', { ChecklistId }).update({ NextTime: new Date('2026-03-28T01:30:00Z') });
    for (let hour = 0; hour < 48; hour++) {
      await tickAt(new Date(Date.UTC(2026, 2, 28, hour, 30)).toISOString());
      await rows('ChecklistRuns', { ChecklistId }).update({ Status: 'Succeeded', EndTime: new Date() });
    }
    expect(await runs()).toHaveLength(2);
    await tickAt('2026-04-03T12:00:00Z');
    const [, , late, ...more] = await runs();
    expect(more).toEqual([]);
    expect((await said(late.Id))[1]).toMatch(/^Starts late: it was due on 30\/Mar\/2026 02:30 \(Europe\/Berlin\)/);
  });

  test('is skipped, and reported as such, while the previous run is in progress', async ({
    portal,
    schedules: { scheduled, tickAt, runs, owner, end },
  }) => {
    await scheduled();
    await tickAt('2026-11-21T01:30:02Z');
    const [first] = await runs();
    await tickAt('2026-11-22T01:30:02Z');
    const [, skipped, ...more] = await runs();
    expect(more).toEqual([]);
    expect(skipped).toMatchObject({ Status: 'Cancelled', EndTime: expect.any(Date) });
    const shown = (await portal.get(`checklists/status/checklist/${skipped.Id}`, owner)).body.result;
    expect(shown).toMatchObject({
      ActivityRuns: [],
      Checklist: { CanResume: false, Status: 'Cancelled' },
      message: `Skipped: run ${first.Id}, which the schedule started before, had not ended`,
    });
    // The tile and the start page link to the run in progress.
    expect(await portal.listed(ChecklistId, owner)).toMatchObject({ LastRunId: first.Id, LastRunStatus: 'Started' });
    expect(await portal.details(ChecklistId, owner)).toMatchObject({ LastRunId: first.Id });
    const resume = await portal.post(`checklists/resume/${skipped.Id}`, {}, owner);
    expect([resume.status, resume.body.message]).toEqual([
      409,
      'The run was not started, so there is nothing to resume',
    ]);
    await end(first.Id, 'Succeeded', '2026-11-22T04:00:00Z');
    await tickAt('2026-11-23T01:30:02Z');
    expect((await runs()).map(({ Status }) => Status)).toEqual(['Succeeded', 'Cancelled', 'Started']);
  });

  test.for([
    [
      'is disabled',
      ({ portal: { app }, owner: { UserId } }: Setup, Enabled: boolean) =>
        app.database.knex('Users').where({ UserId }).update({ Enabled }),
      /^The user that the schedule runs as, .*, is disabled$/,
    ],
    [
      'may not run its activities any more',
      ({ portal: { app, activities } }: Setup, IsActive: boolean) =>
        app.database.knex('Activities').where({ Id: activities.close }).update({ IsActive }),
      /^The checklist cannot be run because of activities that are not active: 'Close'$/,
    ],
  ] as const)(
    'is kept with the reason where its person %s',
    async ([, change, reason], { portal, schedules: { scheduled, tickAt, runs, rows, said, owner } }) => {
      await scheduled({ RetryCount: 3, RetryInterval: 1 });
      await change({ portal, owner }, false);
      await tickAt('2026-11-21T01:30:02Z');
      await tickAt('2026-11-21T02:30:02Z');
      await change({ portal, owner }, true);
      const [run, ...more] = await runs();
      expect(more).toEqual([]);
      expect(run.Status).toBe('LogicError');
      expect(await rows('ScheduledChecklistRuns', { ChecklistRunId: run.Id })).toMatchObject([
        { Attempt: 0, SettledTime: expect.any(Date) },
      ]);
      expect((await said(run.Id)).at(-1)).toMatch(reason);
    },
  );

  test('is reported, if refused also to those who may edit it, and each removes it for themselves', async ({
    portal,
    schedules: { scheduled, rows, tickAt, runs, owner, end },
  }) => {
    const noticesOf = async (user: User) => {
      const { body } = await portal.get('activities/notifications', user);
      const { Checklists, Count } = body.result as NotificationList;
      return { Count, Own: Checklists.filter((one) => ids.includes(one.ChecklistRunId)) };
    };
    await scheduled();
    await rows('Activities', { Id: portal.activities.close }).update({ IsActive: false });
    await tickAt('2026-11-21T01:30:02Z');
    await rows('Activities', { Id: portal.activities.close }).update({ IsActive: true });
    await tickAt('2026-11-22T01:30:02Z');
    await tickAt('2026-11-23T01:30:02Z');
    const ids = (await runs()).map(({ Id }) => Number(Id));
    const [refused, startedId, skippedId] = ids;
    const of = (ChecklistRunId: number | undefined, Message: string, Category: number) =>
      expect.objectContaining({ ChecklistRunId, Name: 'Month-end close', IsWorkflow: false, Message, Category });
    const why = of(refused, "The checklist cannot be run because of activities that are not active: 'Close'", 3);
    const out = of(skippedId, `Skipped: run ${startedId}, which the schedule started before, had not ended`, 2);
    expect((await noticesOf(owner)).Own).toEqual([out, why]);
    expect((await noticesOf(portal.editor)).Own).toEqual([why]);
    expect((await noticesOf(portal.runner)).Own).toEqual([]);
    await end(startedId!, 'Succeeded', '2026-11-23T04:00:00Z');
    // A success is told for a month after its time, which is over when the tests run later.
    await rows('ScheduledChecklistRuns', { ChecklistRunId: startedId }).update({ SlotTime: new Date() });
    expect((await noticesOf(owner)).Own).toEqual([out, of(startedId, 'The run was successful', 1), why]);

    const { Count } = await noticesOf(portal.editor);
    const remove = (id: number | undefined, user: User) => portal.post(`checklists/dismiss/${id}`, {}, user);
    expect((await remove(refused, portal.editor)).status).toBe(200);
    expect(await noticesOf(portal.editor)).toEqual({ Count: Count - 1, Own: [] });
    expect((await noticesOf(owner)).Own).toContainEqual(why);
    expect((await remove(refused, portal.runner)).status).toBe(404);
    expect((await remove(skippedId, portal.editor)).status).toBe(404);
  });

  test('is resumed by count and interval where it failed, and not where a person did or cancelled it', async ({
    schedules: { scheduled, tickAt, runs, rows, end, scheduler, said },
  }) => {
    await scheduled({ RetryCount: 1, RetryInterval: 10 });
    await tickAt('2026-11-21T01:30:02Z');
    const [first] = await runs();
    await rows('ActivityRuns', { ChecklistRunId: first.Id }).update({ Status: 'Failed', EndTime: new Date() });
    await end(first.Id, 'Failed', '2026-11-21T01:31:00Z');
    await tickAt('2026-11-21T01:40:59Z');
    expect(await runs()).toHaveLength(1);
    await tickAt('2026-11-21T01:41:00Z', scheduler(), scheduler(), scheduler());
    const [, second, ...none] = await runs();
    expect(none).toEqual([]);
    expect(second).toMatchObject({ ResumeOf: first.Id, Status: 'Started' });
    expect(await said(second.Id)).toEqual(['Resumed by the schedule of the checklist: retry 1 of 1']);
    await end(second.Id, 'Failed', '2026-11-21T01:45:00Z');
    await tickAt('2026-11-21T03:00:00Z');
    expect(await runs()).toHaveLength(2);
    await tickAt('2026-11-22T01:30:02Z');
    const third = (await runs()).at(-1);
    await end(third.Id, 'Cancelled', '2026-11-22T01:31:00Z');
    await tickAt('2026-11-22T01:50:00Z');
    expect(await runs()).toHaveLength(3);
  });
});
