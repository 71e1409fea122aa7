/** Who may ask for reasons of access, what they are told, and what they can change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccessReasons } from '#shared/contract/access-reasons.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';

let app: TestApp;
let activityId: number;
let person: Awaited<ReturnType<typeof signedInUser>>;
beforeAll(async () => {
  app = await testApp();
  const owner = await createUser(app);
  activityId = await insertActivity(app.database.knex, { UserId: owner.UserId, Schema: 'Finance', Name: 'Close' });
  person = await signedInUser(app);
});
afterAll(() => app.close());

async function get(of: { headers: object }, path: string) {
  const answer = await app.http.inject({ url: `/api/accessreasons/${path}`, headers: { ...of.headers } });
  return { status: answer.statusCode, result: answer.json().result };
}
const reasons = async (of: { headers: object }): Promise<AccessReasons> =>
  (await get(of, `${person.UserId}/${activityId}`)).result;
const run = ({ Rights }: AccessReasons) => Rights.find(({ Right }) => Right === 'sk.RunActivity')!;

test('auditors get the reasons, and see that a role is not active', async () => {
  const user = await createUser(app, { isUserAdmin: true });
  const admin = { headers: bearer(await signIn(app, user)) };
  const post = (url: string, payload: object = {}) =>
    app.http.inject({ method: 'POST', url: `/api/${url}`, headers: admin.headers, payload });
  await post('roles/create/Closers');
  await post('roles/Closers/include', [person.UserId]);
  await post('rights/sk.RunActivity/roles/grant/Schema/Finance', ['Closers']);
  const auditor = await signedInUser(app, ['sk.ViewSecurityMatrix']);
  expect(run(await reasons(auditor))).toMatchObject({
    Access: true,
    Steps: [{ Scope: 'Schema', Role: 'Closers', IsGrant: true, Decides: true }],
    Fix: { Kind: 'Deny', CanApply: false },
  });
  await post('roles/Closers/disable');
  expect(run(await reasons(auditor))).toMatchObject({
    Access: false,
    Steps: [{ Role: 'Closers', IsRoleActive: false, Decides: false }],
    Fix: { Kind: 'EnableRole', Role: 'Closers', CanApply: false },
  });
  expect(run(await reasons(admin)).Fix).toMatchObject({ CanApply: true });
  expect((await get(admin, `${user.UserId}/${activityId}`)).result).toMatchObject({ IsUserAdmin: true });
  expect((await get(admin, `999999/${activityId}`)).status).toBe(404);
});

test('auditors find every activity and every person, also disabled ones', async () => {
  const auditor = await signedInUser(app, ['sk.ViewSecurityMatrix']);
  const runner = await signedInUser(app, [{ right: 'sk.RunActivity', Id: activityId }]);
  const gone = await createUser(app, { userName: 'disabled-dora' });
  await app.database.knex('Users').where({ UserId: gone.UserId }).update({ Enabled: false });
  const close = { Id: activityId, Name: 'Close', Schema: 'Finance' };
  expect((await get(auditor, 'activities?Search=close')).result).toEqual({ Items: [close], HasMore: false });
  expect((await get(runner, 'activities?Search=close')).result.Items).toEqual([close]);
  expect((await get(person, `activities?Id=${activityId}`)).result.Items).toEqual([]);
  expect((await get(auditor, 'people?Search=disabled-dora')).result.Items).toMatchObject([{ IsActive: false }]);
  expect((await get(auditor, `people?Id=${gone.UserId}`)).result.Items).toMatchObject([{ UserName: 'disabled-dora' }]);
});

test('an editor may ask about the own activity and share there; others get nothing', async () => {
  const editor = await signedInUser(app, [{ right: 'sk.EditActivity', Id: activityId }]);
  const found = await reasons(editor);
  expect(found).toMatchObject({ CanManage: false, ActivityName: 'Close' });
  const purge = found.Rights.find(({ Right }) => Right === 'sk.PurgeRuns')!;
  expect(purge.Fix).toMatchObject({ Kind: 'Grant', CanApply: false });
  const other = await insertActivity(app.database.knex, { UserId: editor.UserId, Schema: 'Finance', Name: 'Other' });
  expect((await get(editor, `${person.UserId}/${other}`)).status).toBe(404);
  const runner = await signedInUser(app, [{ right: 'sk.RunActivity', Id: activityId }]);
  expect((await get(runner, `${person.UserId}/${activityId}`)).status).toBe(403);
  expect((await get(runner, `${runner.UserId}/${activityId}`)).status).toBe(200);
  expect((await get(runner, 'people?Search=a')).status).toBe(403);
});

test('from outside the trusted networks, people learn of no more activities than they see there', async () => {
  const fenced = await testApp({ settings: { trustedNetworks: ['127.0.0.1'] } });
  const rights = ['sk.InternetAccess', 'sk.RunActivity'] as const;
  const { headers, UserId } = await signedInUser(fenced, [...rights]);
  await insertActivity(fenced.database.knex, { UserId, Schema: 'Finance', Name: 'Close' });
  const seen = async (remoteAddress: string) => {
    const answer = await fenced.http.inject({ url: '/api/accessreasons/activities?Search=', headers, remoteAddress });
    return answer.json().result.Items.length;
  };
  expect([await seen('127.0.0.1'), await seen('203.0.113.7')]).toEqual([1, 0]);
  await fenced.close();
});
