/**
 * Well-known attacks over HTTP on the whole portal. Others are tested elsewhere: SAML responses for other users need a
 * provider (single-sign-on/saml2.test.ts), concurrent guesses need their own clock (sessions/guessing.test.ts), writing
 * queries need a table to check (connections/read-only.test.ts).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Activity } from '#shared/contract/activities.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { inputOf } from '#test/support/form-portal.ts';
import { linkedActivities } from '#test/support/linked-activities.ts';
import { multipart } from '#test/support/portal.ts';
import { RULED } from '#test/support/ruled-workbook.ts';
import { bearer, createUser, encryptPasswords, signedInUser, TEST_PASSWORD } from '#test/support/users.ts';
import { portalUnderFire, type PortalUnderFire } from './calls/portal-under-fire.ts';

let portal: PortalUnderFire;
beforeAll(async () => {
  portal = await portalUnderFire();
});
afterAll(() => portal.close());

type Headers = Record<string, string>;

async function post(headers: Headers, url: string, payload?: object | Buffer) {
  const answer = await portal.app.http.inject({ method: 'POST', url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, text: answer.body, body: answer.json() as unknown };
}

async function upload(Name: string, spec: WorkbookSpec) {
  const parts = multipart({ Id: '0', Schema: 'Shop', Name, ChangeDescription: '' }, [
    { name: 'Book.xlsx', content: await buildWorkbook(spec) },
  ]);
  const headers = { ...(await portal.headersOf(portal.admin)), ...parts.headers };
  return post(headers, '/api/activities/create', parts.payload);
}

const encrypted = async (name: string, password: string): Promise<string> =>
  (await encryptPasswords(portal.app.http, name, [password]))[0]!;

test.each(['Run', 'All'])('a key of scope %s decides nothing about how anybody signs in', async (Scope) => {
  const { UserId, UserName } = await createUser(portal.app, { isUserAdmin: true });
  const admin = await portal.headersOf(portal.admin);
  const made = await post(admin, `/api/users/apikeys/create/${UserId}`, { Name: 'Nightly', Scope });
  const key = bearer((made.body as { result: { Key: string } }).result.Key);
  const OldPassword = await encrypted(UserName, TEST_PASSWORD);
  const Password = await encrypted(UserName, 'Other-Horse-8');
  const calls: [url: string, payload?: object][] = [
    ['users/changepassword', { UserName, OldPassword, NewPassword: Password }],
    ['users/setNewPassword', { UserName: 'ordinary', Password }],
    [`users/resetpassword/id/${portal.user.UserId}`],
    ['users/create', { UserName: 'made', FirstName: 'M', MiddleName: '', LastName: '', Email: '', Password }],
    [`users/apikeys/create/${UserId}`, { Scope: 'All' }],
    ['users/secondfactor/begin'],
    [`users/secondfactor/remove/${portal.user.UserId}`],
    ['addin/code', { Challenge: 'x'.repeat(43) }],
    ['renewtoken'],
  ];
  for (const [url, payload] of calls)
    expect([url, (await post(key, `/api/${url}`, payload)).status]).toEqual([url, 403]);
});

test('who makes users gets no right that they do not hold through one', async () => {
  const me = await signedInUser(portal.app, ['sk.ManageUsers', 'sk.ManageRoles', 'sk.ManageRights']);
  const fields = { FirstName: 'P', MiddleName: '', LastName: '', Email: '' };
  const Password = await encrypted('puppet', TEST_PASSWORD);
  const puppet = await post(me.headers, '/api/users/create', { ...fields, UserName: 'puppet', Password });
  const { UserId } = (puppet.body as { result: { UserId: number } }).result;
  const admin = await portal.headersOf(portal.admin);
  await post(admin, '/api/roles/create/Workers');
  await post(admin, '/api/rights/sk.PurgeRuns/roles/grant', ['Workers']);
  const calls: [url: string, payload: object][] = [
    ['rights/sk.PurgeRuns/users/grant', [UserId]],
    ['rights/sk.ViewSecurityActions/users/grant', [UserId]],
    ['roles/Workers/include', [UserId]],
    ['users/update', { ...fields, UserId, UserName: 'puppet', IsUserAdmin: true }],
    ['users/create', { ...fields, UserName: 'second', IsUserAdmin: true }],
  ];
  for (const [url, payload] of calls) {
    expect([url, (await post(me.headers, `/api/${url}`, payload)).status]).toEqual([url, 403]);
  }
});

test.each([
  ['UserName', 'eve\r\nX: y'],
  ['FirstName', 'Eve\r\nBcc: all@example.org'],
  ['LastName', 'Eve\u2028Love'],
  ['Email', 'eve@example.org\r\nBcc: all@example.org'],
  ['Email', 'eve\n@example.org'],
])('a line break in %s (%j) makes no user', async (field, value) => {
  const fields = { UserName: 'eve', FirstName: 'Eve', MiddleName: '', LastName: '', Email: '', [field]: value };
  const { status, text } = await post(await portal.headersOf(portal.admin), '/api/users/create', fields);
  expect([status, text]).toEqual([400, expect.stringContaining(`"${field}"`)]);
  expect(await portal.app.users.findByName('eve')).toBeUndefined();
});

test.each([
  ['select name from customers -- a_x000D_delete from customers', 'syntax error'],
  ['select name from customers -- a_x000D_; commit; delete from customers', 'PickerSource has 3 values'],
  ['with gone as (delete from customers returning name) select name from gone -- _x000D_', 'data-modifying'],
  ['select name from customers for update', 'read-only transaction'],
  ['delete from customers', 'does not begin with SELECT or WITH'],
])('a query that writes is no picker: %s', async (query, message) => {
  const columns = ['Name', 'Range', 'CellUsages', 'Picker', 'PickerSource'];
  const [A1, B1, C1, D1, E1] = columns as [string, string, string, string, string];
  const cells = { A1, B1, C1, D1, E1, A2: 'Customer', B2: 'S!B4', C2: 'Text', D2: 'Database', E2: `Shop: ${query}` };
  const { text } = await upload(`Reads ${message.length}`, {
    sheets: [
      { name: 'S', cells: { A1: { formula: 'B4&""', value: '' } } },
      { name: 'Portal', cells, tables: [{ name: 'PortalInputs', ref: 'A1:E2', columns }] },
    ],
    names: { out_Total: 'S!$A$1' },
  });
  expect(JSON.parse(text)).toMatchObject({
    Faults: expect.arrayContaining([
      expect.objectContaining({ Cell: 'E2', Message: expect.stringContaining(message) }),
    ]),
  });
});

test('values that the form would refuse start no run through the API', async () => {
  const made = (await upload('Ruled', RULED)).body as { Id: number };
  const admin = await portal.headersOf(portal.admin);
  const found = await portal.app.http.inject({ url: `/api/activities/details/${made.Id}`, headers: admin });
  const activity = found.json<{ result: Activity }>().result;
  const runs = async (): Promise<number> =>
    (await portal.app.database.knex('ActivityRuns').where({ ActivityId: made.Id })).length;
  for (const [name, value] of [
    ['Years', 9999],
    ['Rate', 0.26],
    ['Code', 'AB'],
    ['City', 'Rome'],
  ] as const) {
    const Inputs = [{ ActivityParameterId: inputOf(activity, name).Id, Value: JSON.stringify(value) }];
    const start = { ActivityId: made.Id, ActivityVersion: 1, UniqueId: null, Inputs };
    expect([name, (await post(admin, '/api/activities/start', start)).status]).toEqual([name, 400]);
  }
  expect(await runs()).toBe(0);
});

describe('a linked start', () => {
  const links = linkedActivities();
  test.each([[[3]], [[-1]], [[0, 2 ** 31]], [[0.5]], [['0']], [[null]]])('of rows %j is refused', async (rows) => {
    expect((await links.startLink({ OutputTransforms: [{ FilteredRowIndices: rows }] })).status).toBe(400);
  });
});
