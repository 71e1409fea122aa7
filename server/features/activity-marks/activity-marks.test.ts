/** Tests favourites, what a person ran and created, and next scheduled times. */
import { expect } from 'vitest';
import { test as base } from '#test/support/fixtures/checklist-portal.ts';
import type { User } from '#test/support/checklist-portal.ts';
import { insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

const test = base.extend('favourites', { scope: 'file' }, ({ portal }) => {
  const marks = async (user: User) => (await portal.get('activities/marks', user)).body.result;
  const favour = (user: User, Id: number, IsFavourite = true, Kind = 'Activity') =>
    portal.post('activities/favourite', { Kind, Id, IsFavourite }, user);
  return { marks, favour };
});

test("favourites are each person's own, are kept once, and can be taken back", async ({
  portal,
  favourites: { favour, marks },
}) => {
  const { collect, report } = portal.activities;
  for (const id of [report, collect, collect]) expect((await favour(portal.runner, id)).status).toBe(200);
  expect((await marks(portal.runner)).Activities.Favourites).toEqual([collect, report]);
  expect((await marks(portal.editor)).Activities.Favourites).toEqual([]);
  await favour(portal.runner, collect, false);
  await favour(portal.runner, collect, false);
  expect((await marks(portal.runner)).Activities.Favourites).toEqual([report]);
});

test('nobody keeps what they do not see', async ({ portal, favourites: { favour, marks } }) => {
  const { status, body } = await favour(portal.stranger, portal.activities.collect);
  expect([status, body.message]).toEqual([404, 'There is no such activity']);
  const checklist = await portal.saved({ Name: 'Hidden' });
  expect((await favour(portal.stranger, checklist, true, 'Checklist')).status).toBe(404);
  expect((await favour(portal.runner, checklist, true, 'Checklist')).status).toBe(200);
  expect((await marks(portal.runner)).Checklists.Favourites).toEqual([checklist]);
  expect((await marks(portal.stranger)).Activities.Favourites).toEqual([]);
});

test('what somebody ran last comes first, once each', async ({ portal, favourites: { marks } }) => {
  const { knex } = portal.app.database;
  const { collect, report } = portal.activities;
  const user = await signedInUser(portal.app, ['sk.RunActivity']);
  const { UserId } = user;
  for (const ActivityId of [collect, report, collect, collect]) await insertRun(knex, { ActivityId, UserId });
  expect((await marks(user)).Activities.Recent).toEqual([collect, report]);
  expect((await marks(portal.stranger)).Activities.Recent).toEqual([]);
});

test('own are the activities of which somebody made a version, and the checklists they made', async ({
  portal,
  favourites: { marks },
}) => {
  const { collect, report, close, other } = portal.activities;
  const checklist = await portal.saved({ Name: 'Mine' });
  const own = await marks(portal.editor);
  expect(own.Activities.Own).toEqual([collect, report, close, other]);
  expect(own.Checklists.Own).toContain(checklist);
  expect((await marks(portal.runner)).Activities.Own).toEqual([]);
});

test('the next time is shown only to those who may edit or see the runs of others', async ({
  portal,
  favourites: { marks },
}) => {
  const { collect, close } = portal.activities;
  const Schedule = JSON.stringify({ ScheduleType: 'Daily', TimeOfDay: 0.5, RetryInterval: 0, RetryCount: 0 });
  const { UserId } = portal.editor;
  expect((await portal.post('activities/schedule', { ActivityId: close, UserId, Schedule })).status).toBe(200);
  const nextOf = async (user: User) => (await marks(user)).Activities.NextTimes;
  expect(await nextOf(portal.editor)).toEqual([{ Id: close, NextTime: expect.any(String) }]);
  expect(await nextOf(portal.runner)).toEqual([]);
  const viewer = await signedInUser(portal.app, [
    { right: 'sk.RunActivity', Schema: 'Finance' },
    { right: 'sk.ViewRuns', Id: close },
  ]);
  expect(await nextOf(viewer)).toHaveLength(1);
  const blind = await signedInUser(portal.app, [{ right: 'sk.RunActivity', Id: collect }, 'sk.ViewRuns']);
  expect(await nextOf(blind)).toEqual([]);
});

test('the next time is the earliest of all schedules that are not paused', async ({
  portal,
  favourites: { marks },
}) => {
  const { knex } = portal.app.database;
  const { UserId } = portal.editor;
  const checklist = await portal.saved();
  const { close } = portal.activities;
  const owners = [
    { Kind: 'Activities', Id: close, daily: 'ActivitySchedules', owner: { ActivityId: close } },
    { Kind: 'Checklists', Id: checklist, daily: 'ChecklistSchedules', owner: { ChecklistId: checklist } },
  ] as const;
  for (const { Kind, Id, daily, owner } of owners) {
    const next = async () =>
      (await marks(portal.editor))[Kind].NextTimes.filter((one: { Id: number }) => one.Id === Id).map(
        ({ NextTime }: { NextTime: string }) => NextTime.slice(0, 10),
      );
    await knex(daily).where(owner).delete();
    const further = (day: string, more = {}) =>
      knex('Timetables').insert({ ...FURTHER, ...owner, UserId, NextTime: new Date(`${day}T00:00:00Z`), ...more });
    await further('2100-01-02', { PausedTime: new Date() });
    await further('9999-12-31');
    expect(await next()).toEqual([]);
    await further('2100-01-05');
    await further('2100-01-04');
    expect(await next()).toEqual(['2100-01-04']);
    const times = { NextTime: new Date('2100-01-03T00:00:00Z'), TimeZone: 'UTC' };
    await knex(daily).insert({ ...DAILY, ...owner, ...times, UserId });
    expect(await next()).toEqual(['2100-01-03']);
    await knex(daily).where(owner).update({ PausedTime: new Date() });
    expect(await next()).toEqual(['2100-01-04']);
    await knex('Timetables').where(owner).delete();
  }
});

const DAILY = { ScheduleType: 'Daily', TimeOfDay: 0.5, RetryCount: 0, RetryInterval: 0 };
const FURTHER = {
  Name: 'Nightly',
  PlanText: '{"Kind":"Daily","TimeOfDay":0.5}',
  InputsText: '[]',
  TimeZone: 'UTC',
  HolidayRule: 'Keep',
  RetryCount: 0,
  RetryInterval: 0,
  Overlap: 'Start',
  Missed: 'None',
  MissedMax: 1,
};
