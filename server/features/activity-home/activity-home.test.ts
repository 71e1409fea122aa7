/** Tests the overview page of an activity, and what each person sees of it. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/checklist-portal.ts';
import type { User } from '#test/support/checklist-portal.ts';
import { linkedActivities } from '#test/support/linked-activities.ts';
import { queriesOf } from '#test/support/queries.ts';
import { insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import type { AdditionalSchedule } from '#shared/contract/additional-schedules.ts';

const test = base.extend('checklists', { scope: 'file' }, async ({ portal }) => {
  const checklistsOf = async (id: number, user: User) =>
    (await portal.get(`activities/home/${id}`, user)).body.result.Checklists;
  const checklist = await portal.saved({ Name: 'Close' });
  const workflow = await portal.saved({ Name: 'Month' });
  await portal.post('workflows/create', { ChecklistId: workflow });
  return { checklist, workflow, checklistsOf };
});

const ADDITIONAL_SCHEDULE = {
  Id: 0,
  Name: 'Further',
  TimeZone: 'UTC',
  CalendarId: null,
  HolidayRule: 'Keep',
  Inputs: [],
  RetryCount: 0,
  RetryInterval: 0,
  Overlap: 'Start',
  Missed: 'None',
  MissedMax: 1,
};

describe('the home of an activity', () => {
  const links = linkedActivities();
  const home = async (id: number, user: User) => (await links.get(`home/${id}`, user)).body.result;

  test('names linkages from both of their ends, to those who see the other activity', async () => {
    const { sourceId, targetId, linkId } = links;
    const source = await home(sourceId, links.owner);
    expect(source.LinksTo).toEqual([
      { Id: linkId, Name: 'To order', ActivityId: targetId, ActivityName: 'Order', CanRun: true },
    ]);
    expect(source.LinksFrom).toEqual([]);
    const target = await home(targetId, links.owner);
    expect(target.LinksFrom).toEqual([
      { Id: linkId, Name: 'To order', ActivityId: sourceId, ActivityName: 'Plan', CanRun: true },
    ]);
    expect(target.LinksTo).toEqual([]);
    expect((await home(sourceId, links.sourceOnly)).LinksTo).toEqual([]);
  });

  test('shows the runs of everybody to those who may see them, and to others their own', async () => {
    const own = await links.finishedRun(links.sourceOnly.UserId, 'Failed');
    const seen = await home(links.sourceId, links.sourceOnly);
    expect(seen.CanViewRuns).toBe(false);
    expect(seen.Runs).toEqual([expect.objectContaining({ Id: own, Status: 'Failed', ActivityVersion: 1 })]);
    const all = await home(links.sourceId, links.editor);
    expect(all.CanViewRuns).toBe(true);
    expect(all.Runs.map(({ Id }: { Id: number }) => Id)).toEqual([own, links.runId]);
  });

  test('shows the schedule only to those who may edit it or see the runs of others', async () => {
    const ActivityId = links.sourceId;
    const Schedule = JSON.stringify({ ScheduleType: 'Daily', TimeOfDay: 0.25, RetryInterval: 0, RetryCount: 0 });
    expect((await home(ActivityId, links.editor)).Schedule).toBe(null);
    await links.post('schedule', { ActivityId, UserId: links.editor.UserId, Schedule }, links.editor);
    const seen = await home(ActivityId, links.editor);
    expect(seen.Schedule).toMatchObject({ Schedule, UserFullName: expect.any(String) });
    expect(Date.parse(seen.Schedule.NextTime)).toBeGreaterThan(Date.now());
    expect(seen.CanSchedule).toBe(true);
    const viewer = await signedInUser(links.app, ['sk.RunActivity', 'sk.ViewRuns']);
    expect((await home(ActivityId, viewer)).Schedule).toMatchObject({ Schedule });
    expect(await home(ActivityId, links.owner)).toMatchObject({ Schedule: null, Further: null, CanSchedule: false });
  });

  test('returns the number of additional schedules, and the earliest time of those that are not paused', async () => {
    const OwnerId = links.sourceId;
    expect((await home(OwnerId, links.editor)).Further).toEqual({ Count: 0, NextTime: null });
    const times: string[] = [];
    for (const TimeOfDay of [0.25, 0.75]) {
      const schedule = { ...ADDITIONAL_SCHEDULE, OwnerId, Plan: { Kind: 'Daily', TimeOfDay } };
      times.push((await links.post('timetables', schedule, links.editor)).body.result.NextTime);
    }
    const [first, second] = times.toSorted();
    expect((await home(OwnerId, links.editor)).Further).toEqual({ Count: 2, NextTime: first });
    const { body } = await links.get(`schedule/${OwnerId}`, links.editor);
    expect(body.result.Further).toEqual({ Count: 2, NextTime: first });
    const { Items } = (await links.get(`timetables/${OwnerId}`, links.editor)).body.result;
    const { Id } = Items.find(({ NextTime }: AdditionalSchedule) => NextTime === first);
    await links.post(`timetables/pause/${Id}`, {}, links.editor);
    expect((await home(OwnerId, links.editor)).Further).toEqual({ Count: 2, NextTime: second });
  });

  test('has the newest versions and says whether there are more', async () => {
    const seen = await home(links.targetId, links.owner);
    expect(seen.Versions).toEqual([expect.objectContaining({ Id: links.targetId, Version: 1, Name: 'Order' })]);
    expect(seen.HasMoreVersions).toBe(false);
    expect(seen.Inputs.map(({ Name }: { Name: string }) => Name)).toEqual(['Amount', 'Lines', 'Papers', 'Guarded']);
  });

  test('is not there for a person who may not see the activity', async () => {
    const { status, body } = await links.get(`home/${links.targetId}`, links.sourceOnly);
    expect([status, body.message]).toEqual([404, 'There is no such activity']);
    const nobody = await signedInUser(links.app, []);
    expect((await links.get(`home/${links.targetId}`, nobody)).status).toBe(403);
  });

  test('takes as many queries for many linkages and runs as for one', async () => {
    const count = async (): Promise<number> => {
      const { queries } = await queriesOf(links.app.database.knex, () => home(links.sourceId, links.editor));
      return queries.length;
    };
    await count();
    const before = await count();
    for (let made = 0; made < 8; made += 1) {
      await links.write({ Name: `Further ${made}` });
      await insertRun(links.app.database.knex, { ActivityId: links.sourceId, UserId: links.owner.UserId });
    }
    expect(await count()).toBe(before);
    expect((await home(links.sourceId, links.editor)).LinksTo).toHaveLength(9);
  });
});

describe('the checklists on the home of an activity', () => {
  test('are those it is in, with what the person may do with them', async ({
    portal,
    checklists: { checklistsOf, checklist, workflow },
  }) => {
    const { collect, close } = portal.activities;
    expect(await checklistsOf(collect, portal.runner)).toEqual([
      { Id: checklist, Name: 'Close', IsWorkflow: false, CanRun: true, CanEdit: false },
      { Id: workflow, Name: 'Month', IsWorkflow: true, CanRun: true, CanEdit: false },
    ]);
    expect(await checklistsOf(collect, portal.collectOnly)).toMatchObject([{ CanRun: false }, { CanRun: false }]);
    expect(await checklistsOf(close, portal.runner)).toEqual([]);
  });

  test('are skipped if the person sees them only through an inactive activity', async ({
    portal,
    checklists: { checklistsOf },
  }) => {
    const editorOfOne = await signedInUser(portal.app, [{ right: 'sk.EditActivity', Id: portal.activities.report }]);
    expect(await checklistsOf(portal.activities.report, editorOfOne)).toHaveLength(2);
    const { knex } = portal.app.database;
    await knex('Activities').where('Id', portal.activities.report).update({ IsActive: false });
    expect(await checklistsOf(portal.activities.report, editorOfOne)).toEqual([]);
    await knex('Activities').where('Id', portal.activities.report).update({ IsActive: true });
  });
});
