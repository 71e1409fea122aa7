/**
 * Tests additional schedules of checklists on the page of all schedules, and who is notified if the person
 * they run as has left.
 */
import { pino } from 'pino';
import { expect } from 'vitest';
import { createScheduler } from '#server/automation/schedules/scheduler.ts';
import type { ScheduledItem, ScheduleList } from '#shared/contract/schedule-overview.ts';
import type { AdditionalScheduleUpdate } from '#shared/contract/additional-schedules.ts';
import { test as base } from '#test/support/fixtures/checklist-portal.ts';
import type { User } from '#test/support/checklist-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const test = base.extend('timetables', { scope: 'file' }, async ({ portal }) => {
  const save = async (root: 'activities' | 'checklists', OwnerId: number, Name: string): Promise<number> => {
    const body: AdditionalScheduleUpdate = {
      Id: 0,
      OwnerId,
      Name,
      Plan: { Kind: 'Daily', TimeOfDay: 0.5 },
      TimeZone: 'UTC',
      CalendarId: null,
      HolidayRule: 'Keep',
      Inputs: [],
      RetryCount: 0,
      RetryInterval: 0,
      Overlap: 'Start',
      Missed: 'Last',
      MissedMax: 1,
    };
    const answer = await portal.post(`${root}/timetables`, body, owner);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return answer.body.result.Id;
  };

  const shown = async (query = ''): Promise<ScheduleList> => (await portal.get(`schedules${query}`, other)).body.result;

  async function tick(): Promise<void> {
    const { app } = portal;
    const scheduler = createScheduler({
      database: app.database,
      starter: app.scheduleStarter,
      workflowStarter: app.workflowScheduleStarter,
      timeZone: 'UTC',
      log: pino({ level: 'silent' }),
      signals: { queued: () => undefined, stepEnded: () => undefined } as never,
    });
    await scheduler.tick();
  }

  const rights = ['sk.EditActivity', 'sk.EditChecklist', 'sk.RunActivity'] as const;
  const owner = await signedInUser(portal.app, [...rights]);
  const other = await signedInUser(portal.app, [...rights]);
  const checklist = await portal.saved({
    Name: 'Month end',
    Activities: [{ Id: portal.activities.close }],
    Inputs: [],
  });
  return { owner, other, checklist, save, shown, tick };
});

test('all schedules stand on one page, and a checklist starts by its own', async ({
  portal,
  timetables: { save, checklist, shown, tick, other },
}) => {
  const ofChecklist = await save('checklists', checklist, 'Noon');
  const ofActivity = await save('activities', portal.activities.close, 'Noon too');
  const { Items } = await shown();
  expect(Items).toMatchObject([
    { Kind: 'Activity', Id: portal.activities.close, Schedule: null, Timetable: { Id: ofActivity, Name: 'Noon too' } },
    { Kind: 'Checklist', Id: checklist, Timetable: { Id: ofChecklist, Text: 'Daily at 12:00 (UTC)' }, LastRun: null },
  ]);
  expect(Items.every(({ NextTimes }) => NextTimes.length === 5)).toBe(true);
  const { NextTimes } = Items[0]!;
  const rest = await shown(`?After=${NextTimes[0]}_ActivityTimetable_${ofActivity}`);
  expect(rest.Items.map(({ Kind }) => Kind)).toEqual(['Checklist']);
  await portal.app.database
    .knex('Timetables')
    .where({ Id: ofChecklist })
    .update({ NextTime: new Date(NextTimes[0]!) });
  await portal.app.database
    .knex('Timetables')
    .where({ Id: ofChecklist })
    .update({ NextTime: new Date(Date.parse(NextTimes[0]!) - 86_400_000) });
  await tick();
  await tick();
  const runs = await portal.app.database.knex('ScheduledChecklistRuns').where({ TimetableId: ofChecklist });
  expect(runs).toHaveLength(1);
  expect((await portal.get(`checklists/timetables/${checklist}`, other)).body.result.Items[0].Slots).toMatchObject([
    { Outcome: 'Started', RunId: runs[0].ChecklistRunId },
  ]);
});

test('a time that is due and waits says for which run', async ({
  portal,
  timetables: { save, checklist, other, tick, shown, owner },
}) => {
  const { knex } = portal.app.database;
  const Id = await save('checklists', checklist, 'Waits');
  await knex('Timetables').where({ Id }).update({ Overlap: 'Wait' });
  const waitsFor = async (): Promise<number | null> => {
    const { Items } = (await portal.get(`checklists/timetables/${checklist}`, other)).body.result;
    return Items.find((item: { Id: number }) => item.Id === Id).WaitsFor;
  };
  const yesterday = new Date(`${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`);
  await knex('Timetables').where({ Id }).update({ NextTime: yesterday });
  await tick();
  expect(await waitsFor()).toBeNull();
  const { ChecklistRunId } = await knex('ScheduledChecklistRuns').where('TimetableId', Id).first('ChecklistRunId');
  await knex('Timetables').where({ Id }).update({ NextTime: new Date(), IsWaiting: true });
  await tick();
  expect(await waitsFor()).toBe(ChecklistRunId);
  const ofAll = async () => (await shown()).Items.find(({ Timetable }) => Timetable?.Id === Id)!;
  expect(await ofAll()).toMatchObject({ IsWaiting: true, NotStarted: null, PausedReason: null });
  // The outcome of its newest occurrence is shown if it started nothing.
  const occurrence = {
    TimetableId: Id,
    SlotTime: new Date(),
    Outcome: 'LeftOut',
    Message: 'The activity was not active',
  };
  await knex('TimetableSlots').insert({ ...occurrence, RunId: null });
  expect((await ofAll()).NotStarted).toEqual({
    SlotTime: occurrence.SlotTime.toISOString(),
    Outcome: 'LeftOut',
    Message: 'The activity was not active',
  });
  await knex('ChecklistRuns').where('Id', ChecklistRunId).update({ Status: 'Succeeded', EndTime: new Date() });
  expect(await waitsFor()).toBeNull();
  await portal.post(`checklists/timetables/delete/${Id}`, {}, owner);
});

test('if the person has left it is paused, and those who may edit are notified until somebody saves it', async ({
  portal,
  timetables: { owner, other, tick },
}) => {
  const { knex } = portal.app.database;
  const messagesOf = async (user: User): Promise<string[]> => {
    const { Items } = (await portal.get('activities/notifications', user)).body.result;
    return Items.map(({ Message }: { Message: string }) => Message);
  };
  const runner = await signedInUser(portal.app, ['sk.RunActivity']);
  const { Id } = await knex('Timetables').whereNotNull('ActivityId').first('Id');
  const yesterday = new Date(`${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`);
  await knex('Timetables').where({ Id }).update({ NextTime: yesterday });
  await knex('Users').where({ UserId: owner.UserId }).update({ Enabled: false });
  expect(await messagesOf(other)).toEqual([]);
  await tick();
  expect(await messagesOf(other)).toEqual([expect.stringContaining('is disabled')]);
  expect(await messagesOf(runner)).toEqual([]);
  const resumed = await portal.post(`activities/timetables/resume/${Id}`, {}, other);
  expect([resumed.status, resumed.body.message]).toEqual([409, expect.stringContaining('is disabled')]);
  const { Items } = (await portal.get(`activities/timetables/${portal.activities.close}`, other)).body.result;
  const {
    Text: _,
    CalendarName: __,
    UserId: ___,
    UserFullName: ____,
    NextTime,
    PausedTime,
    PausedReason,
    WaitsFor,
    Slots,
    ...own
  } = Items[0];
  const ofAll = async () =>
    (await portal.get('schedules', other)).body.result.Items.find((item: ScheduledItem) => item.Timetable?.Id === Id);
  expect(await ofAll()).toMatchObject({
    PausedReason,
    NotStarted: { Outcome: 'Refused', Message: expect.stringContaining('is disabled') },
  });
  expect([NextTime, WaitsFor, PausedTime, PausedReason, Slots[0].Outcome]).toEqual([
    null,
    null,
    expect.any(String),
    expect.stringContaining('is disabled'),
    'Refused',
  ]);
  expect((await portal.post('activities/timetables', own, other)).status).toBe(200);
  expect(await messagesOf(other)).toEqual([]);
});
