/** Tests the list of activities as different people see it. */
import { describe, expect } from 'vitest';
import type { ActivityList } from '#shared/contract/activities.ts';
import { queriesOf } from '#test/support/queries.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { createUser, grant, signedInUser } from '#test/support/users.ts';
import { test } from '#test/support/fixtures/activity-portal.ts';

describe('the list of activities', () => {
  const names = (list: ActivityList) => list.Activities.map(({ Name }) => Name);

  test('holds what the person may see, inactive ones only for who may edit them', async ({ portal: { app, get } }) => {
    const { knex } = app.database;
    const { UserId } = await createUser(app);
    const active = await insertActivity(knex, { UserId, Name: 'List active', Schema: 'L1' });
    const inactive = await insertActivity(knex, { UserId, Name: 'List inactive', Schema: 'L1', IsActive: false });
    await insertActivity(knex, { UserId, Name: 'List other', Schema: 'L2' });
    const runner = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'L1' }]);
    const editor = await signedInUser(app, [{ right: 'sk.EditActivity', Schema: 'L1' }]);
    const seen = (await get('/api/activities', runner.headers)).body.result as ActivityList;
    expect(names(seen)).toEqual(['List active']);
    expect(seen.Schemas.map(({ Name }) => Name)).toEqual(['L1']);
    const edited = (await get('/api/activities', editor.headers)).body.result as ActivityList;
    expect(names(edited)).toEqual(['List active', 'List inactive']);
    expect(edited.Activities.map(({ IsActive }) => IsActive)).toEqual([true, false]);
    expect(edited.Activities.map(({ CanRun, CanEdit }) => [CanRun, CanEdit])).toEqual([
      [true, true],
      [false, true],
    ]);
    await grant(app, runner.UserId, { right: 'sk.RunActivity', Id: active, access: -1 });
    const fewer = (await get('/api/activities', runner.headers)).body.result as ActivityList;
    expect(names(fewer)).toEqual([]);
    expect((await get(`/api/activities/details/${inactive}`, runner.headers)).status).toBe(404);
  });

  test('shows the newest run, and only their own to people who may not see others’', async ({
    portal: { app, get },
  }) => {
    const { knex } = app.database;
    const owner = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'L3' }]);
    const watcher = await signedInUser(app, [
      { right: 'sk.RunActivity', Schema: 'L3' },
      { right: 'sk.ViewRuns', Schema: 'L3' },
    ]);
    const ActivityId = await insertActivity(knex, { UserId: owner.UserId, Schema: 'L3' });
    const own = await insertRun(knex, { ActivityId, UserId: owner.UserId, Status: 'Succeeded' });
    const newest = await insertRun(knex, { ActivityId, UserId: watcher.UserId, Status: 'Failed' });
    const lastRun = async (headers: { authorization: string }) =>
      (await get('/api/activities', headers)).body.result.Activities[0].LastRun;
    expect(await lastRun(owner.headers)).toMatchObject({ Id: own, Status: 'Succeeded' });
    expect(await lastRun(watcher.headers)).toMatchObject({ Id: newest, Status: 'Failed' });
    const next = await insertRun(knex, { ActivityId, UserId: owner.UserId, Status: 'Started' });
    expect(await lastRun(owner.headers)).toMatchObject({ Id: next, Status: 'Started' });
    await knex('ActivityRuns').where('Id', next).update({ Status: 'Cancelled' });
    expect(await lastRun(owner.headers)).toMatchObject({ Id: next, Status: 'Cancelled' });
    expect(await lastRun(watcher.headers)).toMatchObject({ Id: next, Status: 'Cancelled' });
    await insertRun(knex, { ActivityId, UserId: watcher.UserId, Status: 'Failed' });
    expect(await lastRun(owner.headers)).toMatchObject({ Id: next, Status: 'Cancelled' });
    const administrator = await createUser(app, { isUserAdmin: true });
    expect(administrator.UserId).toBeGreaterThan(0);
  });

  test('is a few queries for any number of activities', async ({ portal: { app, get } }) => {
    const { knex } = app.database;
    const runner = await signedInUser(app, ['sk.RunActivity']);
    const { queries } = await queriesOf(knex, () => get('/api/activities', runner.headers));
    expect(queries.length).toBeGreaterThan(0);
    expect(queries.filter((sql) => sql.includes('Activities')).length).toBeLessThanOrEqual(4);
  });
});
