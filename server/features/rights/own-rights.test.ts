/** Tests what people learn about their own rights: whether they hold a right for an object, and why. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnRight } from '#shared/contract/own-rights.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity } from '#test/support/runs.ts';
import { createUser, grant, signedInUser, signIn, bearer } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

let app: TestApp;
let editor: Signed;
let ActivityId: number;

beforeAll(async () => {
  app = await testApp();
  editor = await signedInUser(app, [{ right: 'sk.EditActivity', Schema: 'Finance' }]);
  ActivityId = await insertActivity(app.database.knex, { UserId: editor.UserId, Name: 'Rates', Schema: 'Finance' });
});
afterAll(() => app.close());

async function listRights({ headers }: Pick<Signed, 'headers'>, query = `?ActivityId=${ActivityId}`) {
  const answer = await app.http.inject({ url: `/api/ownRights${query}`, headers });
  if (answer.statusCode !== 200) return answer.statusCode;
  const { Items } = answer.json().result as { Items: OwnRight[] };
  return Object.fromEntries(Items.map(({ Right, Description: _description, ...item }) => [Right, item]));
}
const none = { Role: '', ImpliedBy: '', KeyColumn: '', KeyValue: '' };

test('each right of an activity is listed with what grants, denies or implies it', async () => {
  const inFinance = { KeyColumn: 'Schema', KeyValue: 'Finance' };
  expect(await listRights(editor)).toEqual({
    'sk.CreateActivity': { ...none, Access: false, Source: 'none' },
    'sk.EditActivity': { ...none, ...inFinance, Access: true, Source: 'explicit' },
    'sk.RunActivity': { ...none, ...inFinance, Access: true, Source: 'implied', ImpliedBy: 'sk.EditActivity' },
    'sk.ViewRuns': { ...none, ...inFinance, Access: true, Source: 'implied', ImpliedBy: 'sk.EditActivity' },
    'sk.CancelAnyRun': { ...none, Access: false, Source: 'none' },
    'sk.PurgeRuns': { ...none, Access: false, Source: 'none' },
  });
  const runner = await signedInUser(app, ['sk.RunActivity', { right: 'sk.ViewRuns', Id: ActivityId, access: -1 }]);
  const { knex } = app.database;
  await knex('Roles').insert({ Name: 'Guests' });
  await knex('RoleUsers').insert({ RoleName: 'Guests', UserId: runner.UserId });
  const denial = { RightName: 'sk.CancelAnyRun', KeyColumnName: '', KeyColumnValue: '', Access: -1 };
  await knex('Grants').insert({ ...denial, GranteeKind: 'role', Grantee: 'Guests' });
  expect(await listRights(runner)).toMatchObject({
    'sk.RunActivity': { ...none, Access: true, Source: 'explicit' },
    'sk.ViewRuns': { Access: false, Source: 'explicit', KeyColumn: 'Id', KeyValue: String(ActivityId) },
    'sk.CancelAnyRun': { ...none, Access: false, Source: 'role', Role: 'Guests' },
  });
});

test('nothing is said about objects that a person may not see; without an object all rights are listed', async () => {
  const stranger = await signedInUser(app);
  expect(await listRights(stranger)).toBe(404);
  expect(await listRights(stranger, '?ChecklistId=1')).toBe(404);
  expect(await listRights(editor, `?ActivityId=${ActivityId}&ChecklistId=1`)).toBe(400);
  expect(await listRights(stranger, '')).toMatchObject({
    'sk.ManageUsers': { ...none, Access: false, Source: 'none' },
  });
  await grant(app, stranger.UserId, 'sk.ManageUsers');
  expect(await listRights(stranger, '')).toMatchObject({
    'sk.ManageUserPasswords': { Access: true, Source: 'implied', ImpliedBy: 'sk.ManageUsers' },
  });
  const administrator = await createUser(app, { isUserAdmin: true });
  expect(await listRights({ headers: bearer(await signIn(app, administrator)) })).toMatchObject({
    'sk.PurgeRuns': { Access: true, Source: 'implied', ImpliedBy: 'IsUserAdmin' },
  });
});
