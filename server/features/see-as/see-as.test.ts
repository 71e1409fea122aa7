/** What is shown of what a person sees, who may look, and that it is recorded. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SeenPortal } from '#shared/contract/see-as.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity } from '#test/support/runs.ts';
import { createUser, signedInUser, type TestRight } from '#test/support/users.ts';

let app: TestApp;
let plan: number;
let close: number;
beforeAll(async () => {
  const pluginPages = [
    { name: 'Handbook', url: 'https://handbook.example.org/' },
    { name: 'Secret', url: 'https://handbook.example.org/secret', rightToView: 'sk.ManageUsers' },
  ];
  app = await testApp({ settings: { pluginPages } });
  const { UserId } = await createUser(app);
  plan = await insertActivity(app.database.knex, { UserId, Schema: 'Finance', Name: 'Plan' });
  close = await insertActivity(app.database.knex, { UserId, Schema: 'Finance', Name: 'Close' });
  await insertActivity(app.database.knex, { UserId, Schema: 'Sales', Name: 'Hidden' });
});
afterAll(() => app.close());

const see = async ({ headers }: { headers: { authorization: string } }, userId: number) => {
  const answer = await app.http.inject({ method: 'POST', url: `/api/seeas/${userId}`, headers });
  return { status: answer.statusCode, result: answer.json<{ result: SeenPortal }>().result };
};

test('auditors see the lists and rights that the person gets, and the log says so', async () => {
  const rights: TestRight[] = [
    { right: 'sk.RunActivity', Schema: 'Finance' },
    { right: 'sk.EditActivity', Id: plan },
    { right: 'sk.PurgeRuns', Id: close },
  ];
  const person = await signedInUser(app, rights);
  const auditor = await signedInUser(app, ['sk.ViewSecurityMatrix']);
  const { result } = await see(auditor, person.UserId);
  expect(result).toMatchObject({ UserName: person.UserName, IsEnabled: true, IsUserAdmin: false, IsLocal: true });
  expect(result.Rights.toSorted()).toEqual(['sk.EditActivity', 'sk.PurgeRuns', 'sk.RunActivity', 'sk.ViewRuns']);
  expect(result.PluginPages).toEqual(['Handbook']);
  const own = await app.http.inject({ url: '/api/activities', headers: person.headers });
  const ids = own.json().result.Activities.map(({ Id }: { Id: number }) => Id);
  expect(result.Activities.map(({ Id }) => Id)).toEqual(ids);
  expect(new Set(ids)).toEqual(new Set([plan, close]));
  expect(result.Activities.find(({ Id }) => Id === plan)).toMatchObject({
    CanRun: true,
    CanEdit: true,
    CanShare: true,
    HasRun: false,
    Rights: ['sk.ViewRuns'],
  });
  expect(result.Activities.find(({ Id }) => Id === close)).toMatchObject({
    CanRun: true,
    CanEdit: false,
    CanShare: false,
    Rights: ['sk.ViewRuns', 'sk.PurgeRuns'],
  });
  const action = await app.database.knex('SecurityActions').orderBy('Id', 'desc').first();
  expect(action).toMatchObject({
    Action: 'SeeAs',
    UserName: auditor.UserName,
    TargetUserName: person.UserName,
  });
});

test('only people who see the security matrix look, and only at users that exist', async () => {
  const auditor = await signedInUser(app, ['sk.ViewSecurityMatrix']);
  const manager = await signedInUser(app, ['sk.ManageUsers']);
  expect((await see(manager, auditor.UserId)).status).toBe(403);
  expect((await see(auditor, 999_999)).status).toBe(404);
});
