/** Tests that a key for running activities allows nothing else, even if its user is an administrator. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiKey } from '#shared/contract/users.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { contractEndpoints } from '#test/support/contract.ts';
import { insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, encryptPasswords, postToken, signIn, TEST_PASSWORD } from '#test/support/users.ts';

let app: TestApp;
let admin: { UserId: number; headers: { authorization: string } };
let activityId: number;
beforeAll(async () => {
  app = await testApp();
  const user = await createUser(app, { isUserAdmin: true });
  admin = { ...user, headers: bearer(await signIn(app, user)) };
  await app.database.knex('Schemas').insert({ Name: 'Finance', DisplayName: 'Finance' });
  activityId = await insertActivity(app.database.knex, { UserId: user.UserId, Schema: 'Finance', Name: 'Loan' });
});
afterAll(() => app.close());

async function call(headers: object, method: 'GET' | 'POST', url: string, payload?: object) {
  const answer = await app.http.inject({ method, url, headers: { ...headers }, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json<{ result: ApiKey }>() };
}

async function keyOf(body: object | null): Promise<ApiKey & { headers: object }> {
  const url = `/api/users/apikeys/create/${admin.UserId}`;
  const { result } = await call(admin.headers, 'POST', url, body ?? undefined);
  return { ...result, headers: bearer(result.Key) };
}

test('a key to run activities of an administrator runs them, and administers, edits and deletes nothing', async () => {
  const { headers, Scope } = await keyOf({ Name: 'Nightly', Scope: 'Run' });
  expect(Scope).toBe('Run');
  const { result } = await call(headers, 'GET', '/api/activities');
  expect(JSON.stringify(result)).toContain('"Loan"');
  const refused: ['GET' | 'POST', string, object?][] = [
    ['GET', '/api/users'],
    ['GET', '/api/rights'],
    ['GET', '/api/roles'],
    ['GET', '/api/rights/userRightList'],
    ['GET', '/api/rights/securityActionsList/0'],
    ['POST', '/api/roles/create/mine'],
    ['POST', `/api/rights/sk.ManageUsers/users/grant`, [admin.UserId]],
    ['POST', `/api/users/disable/${admin.UserId}`],
    ['POST', '/api/admin/renewLicense', { Key: 'x' }],
  ];
  for (const [method, url, payload] of refused) {
    expect([url, (await call(headers, method, url, payload)).status]).toEqual([url, 403]);
  }
  const asked = { method: 'POST' as const, url: '/api/users/profile', headers: { ...headers } };
  const names = ['IsUserAdmin', 'sk.RunActivity', 'sk.EditActivity', 'sk.PurgeRuns'];
  const profile = (await app.http.inject({ ...asked, payload: names })).json<{ result: { Rights: object } }>();
  expect(profile.result.Rights).toEqual({
    IsUserAdmin: false,
    'sk.RunActivity': true,
    'sk.EditActivity': false,
    'sk.PurgeRuns': false,
  });
  expect(activityId).toBeGreaterThan(0);
});

test('a key for everything does what its user may; one of which nothing is said is as on the screen', async () => {
  const all = await keyOf({ Name: 'All', Scope: 'All', ExpiryDays: null });
  expect(all).toMatchObject({ Scope: 'All', ExpiryTime: null });
  expect((await call(all.headers, 'GET', '/api/users')).status).toBe(200);
  for (const body of [null, {}, { Name: 'Nightly' }]) {
    const key = await keyOf(body);
    expect(key.Scope).toBe('Run');
    const days = (Date.parse(key.ExpiryTime!) - Date.parse(key.CreationTime)) / 86_400_000;
    expect(days).toBeCloseTo(90, 1);
    expect((await call(key.headers, 'GET', '/api/users')).status).toBe(403);
  }
  const url = `/api/users/apikeys/create/${admin.UserId}`;
  expect((await call(admin.headers, 'POST', url, { Scope: 'Everything' })).status).toBe(400);
});

test('a key for running activities makes the calls that running takes, and every other one is refused', async () => {
  const { headers } = await keyOf({ Name: 'Nightly', Scope: 'Run' });
  const allowed: string[] = [];
  for (const { method, path, access } of await contractEndpoints()) {
    // The event stream never ends.
    if (access.kind === 'public' || access.kind === 'token' || path === '/api/events') continue;
    const url = path.replaceAll(/:[A-Za-z]+/g, '1');
    if ((await call(headers, method, url)).status !== 403) allowed.push(`${method} ${path}`);
  }
  expect(allowed.sort()).toEqual([
    'GET /api/activities',
    'GET /api/activities/batch/results/:id',
    'GET /api/activities/batch/template/:id',
    'GET /api/activities/batches/:id',
    'GET /api/activities/childruns/:runId',
    'GET /api/activities/details/:id',
    'GET /api/activities/download/errorreport/:id',
    'GET /api/activities/downloadFiles/:runId',
    'GET /api/activities/downloadsample/input/:id',
    'GET /api/activities/downloadsample/input/:id/:n',
    'GET /api/activities/input/download/:runId/:parameterId',
    'GET /api/activities/input/download/:runId/:parameterId/:index',
    'GET /api/activities/linkedActivityDetails/:linkId',
    'GET /api/activities/output/download/:runId/:parameterId',
    'GET /api/activities/output/download/:runId/:parameterId/:index',
    'GET /api/activities/pdf/:runId',
    'GET /api/activities/pendingruns',
    'GET /api/activities/status/:id',
    'GET /api/activities/waiting/:id',
    'GET /api/checklists/details/:id',
    'GET /api/checklists/downloadFiles/:runId',
    'GET /api/checklists/status/:kind/:runId',
    'GET /api/documents/:uniqueId',
    'GET /api/workflows/details/:id',
    'GET /api/workflows/downloadFiles/:runId',
    'POST /api/activities/batch/start',
    'POST /api/activities/batch/upload/:id',
    'POST /api/activities/cancel/:runId',
    'POST /api/activities/cancel/all',
    'POST /api/activities/childruns',
    'POST /api/activities/childruns/download',
    'POST /api/activities/childruns/retry/:runId',
    'POST /api/activities/dryrun',
    'POST /api/activities/inputdata/download/:runId/:parameterId',
    'POST /api/activities/outputdata/download/:runId/:parameterId',
    'POST /api/activities/picker/:activityId/:inputId/:index',
    'POST /api/activities/provideinput',
    'POST /api/activities/retry/:runId',
    'POST /api/activities/runhistory',
    'POST /api/activities/runhistory/export',
    'POST /api/activities/runhistory/output',
    'POST /api/activities/runhistory/output/export',
    'POST /api/activities/runhistory/summary',
    'POST /api/activities/start',
    'POST /api/activities/startlink',
    'POST /api/activities/status/:id',
    'POST /api/activities/updateui',
    'POST /api/activities/wakeup',
    'POST /api/checklists/cancel/:runId',
    'POST /api/checklists/downloadRows',
    'POST /api/checklists/resume/:runId',
    'POST /api/checklists/resumeplan/:runId',
    'POST /api/checklists/rows',
    'POST /api/checklists/runhistory',
    'POST /api/checklists/runhistory/export',
    'POST /api/checklists/start',
    'POST /api/files/upload',
    'POST /api/users/profile',
  ]);
});

/** Calls that decide how a person signs in, and calls that belong to a session. */
const FOR_SESSIONS_ALONE = [
  'GET /api/users/apikeys/:id',
  'GET /api/users/draftkey',
  'GET /api/users/secondfactor',
  'GET /api/users/sessions',
  'POST /api/addin/code',
  'POST /api/admin/setup/signInTest',
  'POST /api/admin/setup/signInTestResult',
  'POST /api/assistants/consent',
  'POST /api/assistants/consent/show',
  'POST /api/logout',
  'POST /api/renewtoken',
  'POST /api/seeas/:userId',
  'POST /api/sso/refresh/:type/:id',
  'POST /api/ssologouturl/:type/:id',
  'POST /api/users/apikeys/create/:id',
  'POST /api/users/apikeys/delete/:id/:key',
  'POST /api/users/apikeys/rotate/:id/:key',
  'POST /api/users/changepassword',
  'POST /api/users/import',
  'POST /api/users/import/preview',
  'POST /api/users/language',
  'POST /api/users/region',
  'POST /api/users/resetpassword/id/:id',
  'POST /api/users/secondfactor/begin',
  'POST /api/users/secondfactor/codes',
  'POST /api/users/secondfactor/confirm',
  'POST /api/users/secondfactor/off',
  'POST /api/users/secondfactor/remove/:id',
  'POST /api/users/sessions/end',
  'POST /api/users/sessions/endothers',
  'POST /api/users/setNewPassword',
];

test('no key, whatever its scope and its user, makes the calls that decide how somebody signs in', async () => {
  const endpoints = await contractEndpoints();
  const declared = endpoints.filter(({ sessionOnly }) => sessionOnly);
  expect(declared.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(FOR_SESSIONS_ALONE);
  for (const Scope of ['All', 'Run']) {
    const { headers } = await keyOf({ Scope });
    for (const { method, path } of declared) {
      const url = path.replaceAll(/:[A-Za-z]+/g, '1');
      expect([url, (await call(headers, method, url)).status]).toEqual([url, 403]);
    }
  }
});

test('a key changes no password of its user, nor of others by their mail address', async () => {
  const user = await createUser(app);
  const url = `/api/users/apikeys/create/${user.UserId}`;
  const { result } = await call(admin.headers, 'POST', url, { Scope: 'Run' });
  const [Password, NewPassword] = await encryptPasswords(app.http, user.UserName, [TEST_PASSWORD, 'Another-Horse-8']);
  const changed = await call(bearer(result.Key), 'POST', '/api/users/changepassword', { Password, NewPassword });
  expect(changed.status).toBe(403);
  expect((await postToken(app, user.UserName, TEST_PASSWORD)).status).toBe(200);

  const { headers } = await keyOf({ Scope: 'All' });
  const fields = { UserName: user.UserName, FirstName: 'Ada', MiddleName: '', LastName: '', Email: '' };
  const update = (changes: object) =>
    call(headers, 'POST', '/api/users/update', { UserId: user.UserId, ...fields, ...changes });
  expect((await update({ Email: 'thief@example.org' })).status).toBe(403);
  expect((await update({ SecondFactorRequired: true })).status).toBe(403);
  expect((await update({ LastName: 'Lovelace' })).status).toBe(200);
  const [given] = await encryptPasswords(app.http, 'newcomer', [TEST_PASSWORD]);
  const made = { ...fields, UserName: 'newcomer', Password: given };
  expect((await call(headers, 'POST', '/api/users/create', made)).status).toBe(403);
});
