/** Tests who sees a dashboard, and what each tile shows to whom. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Dashboard, Tile, TileData, ValuesData } from '#shared/contract/dashboards.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { output } from '#test/support/portal.ts';
import { queriesOf } from '#test/support/queries.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from '#test/support/runs.ts';
import { bearer, createUser, grant, signedInUser, signIn } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;
const LAST_WEEK = 7 * 86_400_000;
const POSITION = { Title: '', X: 0, Y: 0, W: 4, H: 4 };

let app: TestApp;
let owner: Signed;
let viewer: Signed;
let stranger: Signed;
let admin: Signed;
let ActivityId: number;
let total: number;
let table: number;
let made = 0;

beforeAll(async () => {
  app = await testApp();
  owner = await signedInUser(app, ['sk.EditActivity', 'sk.RunActivity', 'sk.ViewRuns', 'sk.EditChecklist']);
  viewer = await signedInUser(app, ['sk.RunActivity']);
  stranger = await signedInUser(app);
  const boss = await createUser(app, { isUserAdmin: true });
  admin = { ...boss, headers: bearer(await signIn(app, boss)) };
  for (const Name of ['Close', 'Board']) await app.database.knex('Roles').insert({ Name });
  await app.database.knex('RoleUsers').insert({ RoleName: 'Close', UserId: viewer.UserId });
});
afterAll(() => app.close());
beforeEach(async () => {
  const { knex } = app.database;
  await knex('Dashboards').delete();
  const money = output('Total', { Formats: ['#,##0.00 "EUR"'] });
  const rows = output('Rows', { RangeType: 'RangeWithColumnHeaders', ColumnHeaderValues: ['Day', 'Amount'] });
  const definition = { ...EMPTY_DEFINITION, outputs: [money, rows] };
  ActivityId = await insertActivity(knex, { UserId: owner.UserId, Name: `Close ${++made}`, definition });
  const parameters = (await knex('ActivityParameters').where({ ActivityId }).orderBy('Id').pluck('Id')) as number[];
  [total, table] = parameters as [number, number];
});

const call = async (method: 'GET' | 'POST', url: string, by: Signed | null, payload?: object) => {
  const answer = await app.http.inject({ method, url: `/api${url}`, headers: by?.headers ?? {}, payload });
  return { status: answer.statusCode, body: answer.json() };
};

async function run(value: number | null, by = owner, Status = 'Succeeded'): Promise<number> {
  const { knex } = app.database;
  const id = await insertRun(knex, { ActivityId, UserId: by.UserId, Status, EndTime: knex.fn.now() });
  if (value === null) return id;
  const rows = Array.from({ length: 150 }, (_, index) => [index, value]);
  await knex('RunOutputs').insert([
    { ActivityRunId: id, ActivityParameterId: total, Value: JSON.stringify(value) },
    { ActivityRunId: id, ActivityParameterId: table, Value: JSON.stringify(rows), Rows: rows.length },
  ]);
  return id;
}

const tilesOf = (): Tile[] => [
  { ...POSITION, Id: 'value', Kind: 'Value', ActivityId, OutputId: total, Runs: 10 },
  { ...POSITION, Id: 'table', Kind: 'Table', ActivityId, OutputId: table },
  { ...POSITION, Id: 'plot', Kind: 'Plot', ActivityId, OutputId: total, Runs: 2 },
  { ...POSITION, Id: 'ends', Kind: 'Outcomes', ActivityId, ChecklistId: null, Scheduled: false, Runs: 3 },
  { ...POSITION, Id: 'waits', Kind: 'Approvals' },
  { ...POSITION, Id: 'text', Kind: 'Text', Text: 'Close of the month' },
];

async function saved(changes: { Name?: string; Tiles?: Tile[] } = {}, by = owner): Promise<number> {
  const draft = { Id: null, Revision: 0, Name: 'Finance', Tiles: tilesOf(), ...changes };
  const { status, body } = await call('POST', '/dashboards/save', by, draft);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.result.Id;
}

const share = (Id: number, Shares: object[], by = owner) => call('POST', '/dashboards/share', by, { Id, Shares });
const dataOf = async (id: number, by: Signed): Promise<TileData[]> =>
  (await call('GET', `/dashboards/data/${id}`, by)).body.result;
const tileOf = <K extends TileData['Kind']>(data: TileData[], id: string, kind: K) =>
  data.find(({ Id, Kind }) => Id === id && Kind === kind) as Extract<TileData, { Kind: K }>;

test('tiles show the last runs that succeeded, with the very value and format of the run', async () => {
  const first = await run(10);
  const second = await run(12.5);
  await run(null, owner, 'Failed');
  const data = await dataOf(await saved(), owner);
  const value: ValuesData = tileOf(data, 'value', 'Values');
  expect(value.Points.map(({ Id, Value }) => [Id, Value])).toEqual([
    [first, 10],
    [second, 12.5],
  ]);
  const run2 = (await call('GET', `/activities/status/${second}`, owner)).body.result;
  const [ofRun] = run2.Outputs;
  expect([value.Value, value.Info, value.OutputName]).toEqual([ofRun.Value, ofRun.Info, ofRun.Name]);
  const rows = tileOf(data, 'table', 'Values');
  expect([rows.Rows, JSON.parse(rows.Value!).length, rows.Points.length]).toEqual([150, 100, 1]);
  expect(tileOf(data, 'ends', 'Outcomes').Runs.map(({ Status }) => Status)).toEqual([
    'Succeeded',
    'Succeeded',
    'Failed',
  ]);
  expect(tileOf(data, 'waits', 'Approvals')).toMatchObject({ Items: [], HasMore: false });
  expect(data.map(({ Id }) => Id)).not.toContain('text');
});

test('each tile shows nobody more than they may see: own runs, or that they may not', async () => {
  await run(10);
  const id = await saved();
  await share(id, [
    { RoleName: 'Close', CanEdit: false },
    { UserId: stranger.UserId, CanEdit: false },
  ]);
  const before = await dataOf(id, viewer);
  expect(tileOf(before, 'value', 'Values')).toMatchObject({ IsOwn: true, Points: [], Value: null });
  expect(tileOf(before, 'ends', 'Outcomes').Runs).toEqual([]);
  await run(7, viewer);
  expect(tileOf(await dataOf(id, viewer), 'value', 'Values')).toMatchObject({ Value: '7' });
  const unseen = await dataOf(id, stranger);
  for (const tile of ['value', 'table', 'plot', 'ends'])
    expect(tileOf(unseen, tile, 'Nothing').Reason).toBe('You may not see this activity');
  expect(JSON.stringify(unseen)).not.toContain(`Close ${made}`);
  await grant(app, viewer.UserId, { right: 'sk.ViewRuns', Id: ActivityId });
  expect(tileOf(await dataOf(id, viewer), 'value', 'Values')).toMatchObject({ IsOwn: false, Points: [{}, {}] });
});

test('a checklist is shown to those who may run one of its activities, and its scheduled runs can stand alone', async () => {
  const { knex } = app.database;
  const [checklist] = (await knex('Checklists')
    .insert({ Name: `Month ${made}`, Schema: 'Test', UserId: owner.UserId })
    .returning('Id')) as { Id: number }[];
  const ChecklistId = checklist!.Id;
  await knex('ChecklistActivities').insert({ ChecklistId, ActivityId, Position: 0 });
  const [plan] = (await knex('ChecklistPlans')
    .insert({ Hash: `plan ${made}`, Plan: '{}' })
    .returning('Id')) as {
    Id: number;
  }[];
  const UserId = owner.UserId;
  const row = { ChecklistId, PlanId: plan!.Id, UserId, Inputs: '{}' };
  const runs = (await knex('ChecklistRuns')
    .insert(['Failed', 'Succeeded'].map((Status) => ({ ...row, Status })))
    .returning('Id')) as { Id: number }[];
  const ids = runs.map(({ Id }) => Id);
  const occurrence = { SlotTime: knex.fn.now(), Attempt: 0, RetryCount: 0, RetryInterval: 0 };
  await knex('ScheduledChecklistRuns').insert({ ChecklistRunId: ids[0], ChecklistId, UserId, ...occurrence });
  const of = (Scheduled: boolean): Tile => ({
    ...POSITION,
    Id: Scheduled ? 'planned' : 'all',
    Kind: 'Outcomes',
    ActivityId: null,
    ChecklistId,
    Scheduled,
    Runs: 5,
  });
  const id = await saved({ Tiles: [of(false), of(true)] });
  const data = await dataOf(id, owner);
  const runIds = (tile: string): number[] => tileOf(data, tile, 'Outcomes').Runs.map(({ Id }) => Id);
  expect([runIds('all'), runIds('planned')]).toEqual([ids, ids.slice(0, 1)]);
  await share(id, [{ UserId: stranger.UserId, CanEdit: false }]);
  expect(tileOf(await dataOf(id, stranger), 'all', 'Nothing').Reason).toBe('You may not see this checklist');
});

test('a page that shows an earlier revision gets no values that could stand under its old titles', async () => {
  const id = await saved();
  await run(10);
  const shown = (Revision: number) => call('GET', `/dashboards/data/${id}?Revision=${Revision}`, owner);
  expect(tileOf((await shown(1)).body.result, 'value', 'Values')).toMatchObject({ Value: '10' });
  await call('POST', '/dashboards/save', owner, { Id: id, Revision: 1, Name: 'Finance', Tiles: [] });
  expect((await shown(1)).status).toBe(409);
  expect((await shown(2)).body.result).toEqual([]);
});

test('only the owner shares, only who may edit saves, and nobody writes over what they have not seen', async () => {
  const id = await saved();
  const draft = { Id: id, Revision: 1, Name: 'Mine now', Tiles: [] };
  expect((await call('GET', `/dashboards/details/${id}`, viewer)).status).toBe(404);
  await share(id, [{ RoleName: 'Close', CanEdit: false }]);
  expect((await call('POST', '/dashboards/save', viewer, draft)).status).toBe(403);
  expect((await share(id, [], viewer)).status).toBe(403);
  expect((await call('POST', `/dashboards/delete/${id}`, viewer)).status).toBe(403);
  await share(id, [{ RoleName: 'Close', CanEdit: true }]);
  expect((await call('POST', '/dashboards/save', viewer, draft)).body.result).toEqual({ Id: id, Revision: 2 });
  const late = await call('POST', '/dashboards/save', owner, draft);
  expect([late.status, late.body.message]).toEqual([
    409,
    'The dashboard has been changed since you opened it: load it again',
  ]);
  expect((await call('GET', `/dashboards/details/${id}`, admin)).body.result).toMatchObject({ CanShare: true });
  const last = (await app.database.knex('SecurityActions').orderBy('Id', 'desc').first()) as object;
  expect(last).toMatchObject({ Action: 'ShareDashboard', KeyColumnValue: String(id), UserId: owner.UserId });
});

test('who names nobody elsewhere shares with their own roles alone, and finds no other people', async () => {
  const id = await saved({}, viewer);
  const { body } = await call('POST', '/dashboards/people', viewer, { Search: '' });
  expect(body.result.Roles).toEqual(['Close']);
  expect(body.result.Users.map(({ UserId }: { UserId: number }) => UserId)).toEqual([viewer.UserId]);
  expect((await share(id, [{ RoleName: 'Board', CanEdit: false }], viewer)).status).toBe(400);
  expect((await share(id, [{ UserId: owner.UserId, CanEdit: false }], viewer)).status).toBe(400);
  expect((await share(id, [{ RoleName: 'Close', CanEdit: false }], viewer)).status).toBe(200);
  expect((await call('POST', '/dashboards/people', owner, { Search: '' })).body.result.Roles).toContain('Board');
  const others = (await call('POST', '/dashboards/people', viewer, { DashboardId: id, Search: '' })).body.result;
  expect([others.Roles, others.Users]).toEqual([['Close'], []]);
  expect((await share(id, [{ UserId: viewer.UserId, CanEdit: false }], viewer)).status).toBe(400);
});

test('the list has what is shared with one, by name, a page after the other', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `Page ${String(index % 30).padStart(2, '0')}`);
  for (const Name of names) await saved({ Name, Tiles: [] });
  await saved({ Name: 'Of somebody else', Tiles: [] }, admin);
  const listed: { Name: string; Id: number }[] = [];
  for (let After: object | null = null, more = true; more;) {
    const { body } = await call('POST', '/dashboards/list', owner, { Search: '', After });
    listed.push(...body.result.Items);
    more = body.result.HasMore;
    const { Name, Id } = listed.at(-1)!;
    After = { Name, Id };
  }
  expect(listed.map(({ Name }) => Name)).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
  expect(new Set(listed.map(({ Id }) => Id)).size).toBe(60);
  expect((await call('POST', '/dashboards/list', viewer, { Search: '', After: null })).body.result.Items).toEqual([]);
  const found = (await call('POST', '/dashboards/list', owner, { Search: 'age 07', After: null })).body.result;
  expect(found.Items).toHaveLength(2);
});

test('a public link shows what is public, as long as it is, with the eyes of who made it', async () => {
  await run(10);
  const id = await saved();
  expect((await call('POST', '/dashboards/publish', owner, { Id: id, Days: 7 })).status).toBe(403);
  await grant(app, owner.UserId, 'sk.ManageRights');
  const refused = await call('POST', '/dashboards/publish', owner, { Id: id, Days: 7 });
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `Not everyone can run Close ${made}: make them public first`,
  ]);
  const internet = { RightName: 'sk.RunActivity', KeyColumnName: 'Id', KeyColumnValue: String(ActivityId) };
  await app.database.knex('Grants').insert({ ...internet, GranteeKind: 'internet', Grantee: '', Access: 1 });
  const { Token } = (await call('POST', '/dashboards/publish', owner, { Id: id, Days: 7 })).body.result;
  const opened = await call('POST', '/public/dashboards', null, { Token });
  expect(opened.status).toBe(200);
  expect(tileOf(opened.body.result.Data, 'value', 'Values')).toMatchObject({ Value: '10' });
  expect(tileOf(opened.body.result.Data, 'waits', 'Nothing').Reason).toMatch(/signed in/);
  expect(JSON.stringify(await app.database.knex('Dashboards').select())).not.toContain(Token);

  await app.database.knex('Grants').where(internet).delete();
  const closed = (await call('POST', '/public/dashboards', null, { Token })).body.result.Data;
  expect(tileOf(closed, 'value', 'Nothing').Reason).toBe('You may not see this activity');
  const open = async (): Promise<number> => (await call('POST', '/public/dashboards', null, { Token })).status;
  await app.database.knex('Dashboards').update({ PublicExpiryTime: new Date(Date.now() - LAST_WEEK) });
  expect(await open()).toBe(404);
  await app.database.knex('Dashboards').update({ PublicExpiryTime: null });
  expect(await open()).toBe(200);
  await call('POST', `/dashboards/unpublish/${id}`, owner);
  expect(await open()).toBe(404);
});

test('one begins with the own choice, else with that of a role, as long as one sees it', async () => {
  const startOf = async (by: Signed) => (await call('GET', '/startPage', by)).body.result.DashboardId;
  const [ofRole, own] = [await saved({ Name: 'Of the role' }), await saved({ Name: 'Own' }, viewer)];
  const roles = (by: Signed) => call('POST', '/dashboards/startroles', by, { Id: ofRole, Roles: ['Close'] });
  expect((await roles(owner)).status).toBe(403);
  expect((await roles(admin)).status).toBe(409);
  await share(ofRole, [{ RoleName: 'Close', CanEdit: false }]);
  expect((await roles(admin)).status).toBe(200);
  expect([await startOf(viewer), await startOf(stranger)]).toEqual([ofRole, null]);
  expect((await call('POST', '/startPage', viewer, { DashboardId: own })).status).toBe(200);
  expect(await startOf(viewer)).toBe(own);
  expect((await call('POST', '/startPage', stranger, { DashboardId: own })).status).toBe(404);
  await call('POST', '/startPage', viewer, { DashboardId: null });
  await share(ofRole, []);
  expect(await startOf(viewer)).toBeNull();
  expect((await call('GET', `/dashboards/details/${ofRole}`, admin)).body.result as Dashboard).toMatchObject({
    StartRoles: ['Close'],
  });
});

test('forty tiles take as many statements as four', async () => {
  await run(10);
  const many = (count: number): Tile[] =>
    Array.from({ length: count / 2 }, (_, index): Tile[] => [
      { ...POSITION, Id: `v${index}`, Kind: 'Value', ActivityId, OutputId: total, Runs: 10 },
      { ...POSITION, Id: `e${index}`, Kind: 'Outcomes', ActivityId, ChecklistId: null, Scheduled: true, Runs: 9 },
    ]).flat();
  const [few, most] = [await saved({ Tiles: many(4) }), await saved({ Tiles: many(40) })];
  const statements = async (id: number): Promise<number> => {
    const { answer, queries } = await queriesOf(app.database.knex, () => dataOf(id, owner));
    expect(answer).toHaveLength(id === few ? 4 : 40);
    return queries.length;
  };
  await statements(few);
  expect(await statements(most)).toBe(await statements(few));
});

test('what no tile can be is refused', async () => {
  const [value] = tilesOf();
  const refused = async (Tiles: object[]): Promise<number> =>
    (await call('POST', '/dashboards/save', owner, { Id: null, Revision: 0, Name: 'X', Tiles })).status;
  expect(await refused([value!, value!])).toBe(400);
  expect(await refused([{ ...value, X: 10 }])).toBe(400);
  expect(await refused([{ ...value, Script: 'x' }])).toBe(400);
  const ends = {
    ...POSITION,
    Id: 'e',
    Kind: 'Outcomes',
    ActivityId: null,
    ChecklistId: null,
    Scheduled: false,
    Runs: 3,
  };
  expect(await refused([ends])).toBe(400);
});
