import exceljs from 'exceljs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrantInfo, Right, SpecificRight } from '#shared/contract/right-grants.ts';
import type { RoleUser } from '#shared/contract/roles.ts';
import type { InternetRight, RoleRight, UserRight } from '#shared/contract/security.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity } from '#test/support/runs.ts';
import { createUser, signedInUser } from '#test/support/users.ts';

let app: TestApp;
let headers: { authorization: string };
let activityId: number;

beforeAll(async () => {
  app = await testApp();
  ({ headers } = await signedInUser(app, ['sk.ManageRights', 'sk.ManageRoles', 'sk.RunActivity']));
  const { UserId } = await createUser(app);
  await app.database.knex('Schemas').insert({ Name: 'Finance', DisplayName: 'Finance' });
  activityId = await insertActivity(app.database.knex, { UserId, Schema: 'Finance', Name: 'Loan schedule' });
});
afterAll(() => app.close());

async function post(url: string, payload?: object) {
  const answer = await app.http.inject({ method: 'POST', url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json<{ result?: unknown; message?: string }>() };
}

async function get<T>(url: string): Promise<T> {
  const answer = await app.http.inject({ url, headers });
  expect([url, answer.statusCode]).toEqual([url, 200]);
  return answer.json<{ result: T }>().result;
}

async function makeRole(name: string, userIds: number[]): Promise<void> {
  expect((await post(`/api/roles/create/${encodeURIComponent(name)}`)).status).toBe(200);
  expect((await post(`/api/roles/${encodeURIComponent(name)}/include`, userIds)).status).toBe(200);
}

const lastActions = async (count: number): Promise<Record<string, unknown>[]> =>
  (
    (await app.database.knex('SecurityActions').orderBy('Id', 'desc').limit(count)) as Record<string, unknown>[]
  ).reverse();

test('roles are made once, whatever the capitals, and people are put in and taken out', async () => {
  const [one, two] = [await createUser(app), await createUser(app)];
  await makeRole('Night / shift', [one.UserId, two.UserId]);
  expect((await post('/api/roles/create/NIGHT%20%2F%20shift')).message).toBe('A role with this name already exists');
  expect((await post('/api/roles/create/%20')).message).toBe('Please enter a name first');
  expect((await post('/api/roles/Night%20%2F%20shift/exclude', [one.UserId])).status).toBe(200);
  // Repeating the call changes nothing and is not logged.
  expect((await post('/api/roles/Night%20%2F%20shift/exclude', [one.UserId])).status).toBe(200);
  expect((await lastActions(2)).map(({ Action, TargetUserName }) => [Action, TargetUserName])).toEqual([
    ['IncludeUser', two.UserName],
    ['ExcludeUser', one.UserName],
  ]);
  const inRole = await get<{ Items: RoleUser[]; Role: object }>('/api/roles/Night%20%2F%20shift?Included=true');
  expect(inRole.Role).toEqual({ Name: 'Night / shift', IsActive: true, UserCount: 1 });
  expect(inRole.Items).toEqual([expect.objectContaining({ UserId: two.UserId, RoleName: 'Night / shift' })]);
  expect((await post('/api/roles/Night%20%2F%20shift/include', [999_999])).status).toBe(404);
});

test('a role granted a right gives it, and it says so; disabled it gives nothing', async () => {
  const user = await createUser(app);
  await makeRole('Runners', [user.UserId]);
  expect((await post('/api/rights/sk.RunActivity/roles/grant/Schema/Finance', ['Runners'])).status).toBe(200);
  const info = () => get<GrantInfo>(`/api/rights/sk.RunActivity/Id/${activityId}?Search=${user.UserName}`);
  const mine = async () => (await info()).UserGrants.find(({ UserId }) => UserId === user.UserId);
  expect(await mine()).toMatchObject({ OverallAccess: 1, ExplicitAccess: 0, Source: 'Runners' });
  expect((await info()).RoleGrants).toContainEqual({
    RoleName: 'Runners',
    IsActive: true,
    OverallAccess: 1,
    ExplicitAccess: 0,
    Source: 'Explicit',
    ImpliedBy: '',
  });
  await post('/api/roles/Runners/disable');
  expect(await mine()).toMatchObject({ OverallAccess: 0 });
  await post('/api/roles/Runners/enable');
  await post(`/api/rights/sk.RunActivity/users/deny/Id/${activityId}`, [user.UserId]);
  expect(await mine()).toMatchObject({ OverallAccess: -1, ExplicitAccess: -1, Source: 'Explicit' });
  await post(`/api/rights/sk.RunActivity/users/delete/Id/${activityId}`, [user.UserId]);
  expect(await mine()).toMatchObject({ OverallAccess: 1, ExplicitAccess: 0 });
  expect((await lastActions(4)).map(({ Action }) => Action)).toEqual([
    'DisableRole',
    'EnableRole',
    'DenyRight',
    'DeleteRight',
  ]);
});

test('rights are listed for All and by key column, with how often they are given', async () => {
  const { Items } = await get<{ Items: Right[] }>('/api/rights');
  expect(Items.filter(({ Name }) => Name === 'sk.EditActivity').map((right) => right.KeyColumnName)).toEqual([
    '',
    'Schema',
    'Id',
  ]);
  const user = await createUser(app);
  await post(`/api/rights/sk.EditActivity/users/grant/Id/${activityId}`, [user.UserId]);
  const specific = await get<{ Items: SpecificRight[] }>('/api/rights/sk.EditActivity/Id');
  expect(specific.Items).toContainEqual({
    KeyColumnValue: String(activityId),
    DisplayColumnName: 'Name',
    DisplayColumnValue: 'Loan schedule',
    ForUsers: true,
    RoleCount: 0,
    UserCount: 1,
    InternetAccess: 0,
  });
});

test('what there is not cannot be granted: rights, columns, values, users, roles', async () => {
  for (const path of [
    'sk.Nothing/users/grant',
    'sk.ManageUsers/users/grant/Id/1',
    'sk.RunActivity/users/grant/Id/999',
  ]) {
    expect((await post(`/api/rights/${path}`, [1])).status).toBe(404);
  }
  expect((await post('/api/rights/sk.RunActivity/users/grant', [999_999])).status).toBe(404);
  expect((await post('/api/rights/sk.RunActivity/roles/grant', ['Nobody'])).status).toBe(404);
});

test('the internet is granted rights, but not the right to sign in', async () => {
  expect((await post('/api/rights/sk.InternetAccess/internet/grant')).status).toBe(400);
  expect((await post(`/api/rights/sk.RunActivity/internet/grant/Id/${activityId}`)).status).toBe(200);
  expect(await get('/api/rights/internet/sk.RunActivity')).toMatchObject({ OverallInternetAccess: 0 });
  expect(await get(`/api/rights/internet/sk.RunActivity/Id/${activityId}`)).toMatchObject({
    OverallInternetAccess: 1,
    ExplicitInternetAccess: 1,
    OffersInternet: true,
  });
  expect(await lastActions(1)).toMatchObject([
    { Action: 'GrantInternetAccess', RightName: 'sk.RunActivity', KeyColumnName: 'Id', TargetUserName: '' },
  ]);
});

test('a right made here can be granted and asked for by a workbook', async () => {
  expect((await post('/api/rights/create', { Name: 'sk.Mine', Description: '' })).status).toBe(400);
  expect((await post('/api/rights/create', { Name: 'Approve', Description: 'Set the limit' })).status).toBe(200);
  expect((await post('/api/rights/create', { Name: 'approve', Description: '' })).status).toBe(400);
  expect((await post('/api/rights/update', { Name: 'Approve', Description: 'Set limits' })).status).toBe(200);
  expect((await post('/api/rights/update', { Name: 'sk.RunActivity', Description: 'x' })).status).toBe(404);
  const user = await createUser(app);
  await post('/api/rights/Approve/users/grant/Schema/Finance', [user.UserId]);
  const holds = (Schema: string) =>
    app.rights.hasNamed({ UserId: user.UserId, IsUserAdmin: false }, 'Approve', { Schema, Id: 1 });
  expect([await holds('Finance'), await holds('Sales')]).toEqual([true, false]);
});

test('the security matrix shows what everybody may do, and why', async () => {
  const viewer = await signedInUser(app, ['sk.ViewSecurityMatrix']);
  const user = await createUser(app, { userName: 'matrix "quoted"' });
  await makeRole('Editors', [user.UserId]);
  await post('/api/rights/sk.EditActivity/roles/grant', ['Editors']);
  await post(`/api/rights/sk.RunActivity/users/deny/Id/${activityId}`, [user.UserId]);
  const list = async <T>(name: string) =>
    (await app.http.inject({ url: `/api/rights/${name}`, headers: viewer.headers })).json<{ result: { Items: T[] } }>()
      .result.Items;
  const mine = (await list<UserRight>('userRightList')).filter(({ UserId }) => UserId === user.UserId);
  expect(mine.map((row) => [row.RightName, row.KeyColumnName, row.Access, row.Source, row.ImpliedBy])).toEqual([
    ['sk.EditActivity', '', true, 'Editors', ''],
    ['sk.RunActivity', '', true, 'Editors', 'sk.EditActivity'],
    ['sk.RunActivity', 'Id', false, 'Explicit', ''],
    ['sk.ViewRuns', '', true, 'Editors', 'sk.EditActivity'],
  ]);
  expect(mine[2]).toMatchObject({
    DisplayColumnName: 'Name',
    DisplayColumnValue: 'Loan schedule',
    UserName: 'matrix "quoted"',
  });
  expect((await list<RoleRight>('roleRightList')).filter(({ Source }) => Source === 'Editors')).toHaveLength(3);
  expect((await list<InternetRight>('internetRightList')).length).toBeGreaterThan(0);
  expect((await app.http.inject({ url: '/api/rights/roleRightList', headers })).statusCode).toBe(200);
  const stranger = await signedInUser(app);
  const refused = await app.http.inject({
    url: '/api/rights/roleRightList?RoleName=Editors',
    headers: stranger.headers,
  });
  expect(refused.statusCode).toBe(403);
});

test('rows of the matrix are downloaded as a workbook', async () => {
  const row = {
    UserId: 1,
    UserName: '=1+1',
    UserFullName: 'Ada',
    Souce: 'Explicit',
    RightName: 'sk.RunActivity',
    KeyColumnName: 'Schema',
    KeyColumnValue: 'Finance',
    Access: true,
  };
  const { result: token } = await post('/api/rights/userRightList/download', [row]);
  const file = await app.http.inject({ url: `/api/files/download/${String(token)}` });
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(file.rawPayload as unknown as Parameters<typeof workbook.xlsx.load>[0]);
  const values = workbook.worksheets[0]!.getRow(2).values;
  expect(values).toEqual([undefined, 'Ada', '=1+1', 'sk.RunActivity', 'Schema : Finance', 'Yes', 'Explicit']);
});
