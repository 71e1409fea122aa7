/** Tests conditions of views and of the people who use them, index hints for people who manage views, and deletion. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newViewColumn } from '#shared/rules/table-view-rules.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { until } from '#test/support/until.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;

let shop: TestDatabase;
let app: TestApp;
let editor: User;
let viewer: User;

beforeAll(async () => {
  shop = await testDatabase({ migrated: false, isPostgres: true });
  await shop.knex.raw(
    'create table accounts (id int primary key, owner text, team text, amount numeric(20,4), day date)',
  );
  await shop.knex
    .raw(`insert into accounts values (1, 'ann', 'North', 10.5, '2026-01-05'), (2, 'bob', 'South', 99999999999999.9999, '2026-02-05'),
    (3, 'ann', 'South', null, null), (4, null, 'West', 4, '2026-03-05')`);
  await shop.knex.raw('create table large as select n as id, n % 100 as part from generate_series(1, 5000) n');
  await shop.knex.raw('alter table large add primary key (id)');
  await shop.knex.raw('analyze large');
  app = await testApp({ settings: { connections: { Shop: { url: shop.url } } } });
  editor = await signedInUser(app, ['sk.ManageTableViews']);
  viewer = await signedInUser(app);
  for (const user of [editor, viewer]) {
    await give(user, 'sk.UseConnection', 'Name', 'Shop');
    await give(user, 'sk.ViewTable', 'Connection', 'Shop');
  }
});
afterAll(async () => {
  await app.close();
  await shop.drop();
});

const give = (user: User, RightName: 'sk.UseConnection' | 'sk.ViewTable', column: string, value: string) =>
  app.rights.grantToUser(app.database.knex, { UserId: user.UserId, RightName, Access: 1, key: { column, value } });

async function call(url: string, by: User, payload?: object) {
  const method = payload ? 'POST' : 'GET';
  const answer = await app.http.inject({
    method,
    url: `/api/tableviews${url}`,
    headers: by.headers,
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function infoOf(table: string, more: object = {}): Promise<string> {
  const { body } = await call(`/columns/${table}`, editor);
  return JSON.stringify({ Columns: body.result.Items.map(newViewColumn), ...more });
}

let made = 0;
async function create(table: string, RowCondition?: string) {
  made += 1;
  const ViewInfo = await infoOf(table, RowCondition === undefined ? {} : { RowCondition });
  return call('/create', editor, { ConnectionName: 'Shop', TableName: table, ViewName: `View ${made}`, ViewInfo });
}

async function idOf(table: string, RowCondition?: string): Promise<number> {
  const { status, body } = await create(table, RowCondition);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.result.Id as number;
}

async function rows(view: number, by: User, criteria: object = {}): Promise<string> {
  const { status, body } = await call(`/values/${view}`, by, criteria);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.result.Rows.map((row: string[]) => row[0]).join();
}

describe('the row condition of a view', () => {
  it('leaves the rows for which it holds, in values, counts and files', async () => {
    const view = await idOf('public.accounts', "team IN ('South', 'West') AND amount <> ''");
    expect(await rows(view, viewer)).toBe('2,4');
    expect((await call(`/count/${view}`, viewer, {})).body.result.Count).toBe(2);
    const token = (await call(`/export/${view}/csv`, viewer, {})).body.result as string;
    const file = (await app.http.inject({ url: `/api/files/download/${token}` })).payload;
    expect(
      file
        .trim()
        .split('\r\n')
        .map((line) => line.split(',')[0]),
    ).toEqual(['id', '2', '4']);
  });

  it('holds beside whatever a person filters by', async () => {
    const view = await idOf('public.accounts', "team = 'South'");
    const Filters = [{ ColumnName: 'id', Operator: 'in', Values: ['1', '2', '3'] }];
    expect(await rows(view, viewer, { Filters })).toBe('2,3');
    expect(await rows(view, viewer, { Condition: "team = 'South' OR team = 'North' OR id > 0" })).toBe('2,3');
  });

  it('knows the person who looks, whatever the name is made of', async () => {
    const view = await idOf('public.accounts', 'owner = @UserName');
    expect(await rows(view, viewer)).toBe('');
    await shop.knex('accounts').where({ id: 4 }).update({ owner: viewer.UserName });
    expect(await rows(view, viewer)).toBe('4');
    const named = await createUser(app, { userName: `o' OR 1=1 --` });
    const hostile = { ...named, headers: bearer(await signIn(app, named)) };
    await give(hostile, 'sk.UseConnection', 'Name', 'Shop');
    await give(hostile, 'sk.ViewTable', 'Connection', 'Shop');
    expect(await rows(view, hostile)).toBe('');
  });

  it('knows the active roles of the person, of whom one without any sees nothing', async () => {
    const view = await idOf('public.accounts', 'team IN (@Roles)');
    expect(await rows(view, viewer)).toBe('');
    const { knex } = app.database;
    await knex('Roles').insert([{ Name: 'North' }, { Name: 'South', IsActive: false }]);
    await knex('RoleUsers').insert([
      { RoleName: 'North', UserId: viewer.UserId },
      { RoleName: 'South', UserId: viewer.UserId },
    ]);
    expect(await rows(view, viewer)).toBe('1');
    const others = await idOf('public.accounts', 'team NOT IN (@Roles)');
    expect(await rows(others, viewer)).toBe('2,3,4');
  });

  it.each([
    ['team = ', 'Condition is invalid'],
    ["secret = 'x'", 'Condition is invalid'],
    ['team = @Password', 'Condition is invalid'],
    ['team = @Roles', 'Condition is invalid'],
    ["amount > 'many'", 'Not Supported'],
    ["team = 'South'; drop table accounts", 'Condition is invalid'],
  ])('is refused where it is %s', async (condition, message) => {
    const { status, body } = await create('public.accounts', condition);
    expect([status, body.message, body.modelState]).toEqual([400, message, { RowCondition: [message] }]);
  });

  it('is shown only to those who may change views', async () => {
    const view = await idOf('public.accounts', "team = 'South'");
    const viewInfo = async (by: User) =>
      JSON.parse((await call(`/details/${view}`, by)).body.result.ViewInfo as string);
    expect((await viewInfo(editor)).RowCondition).toBe("team = 'South'");
    expect(Object.keys(await viewInfo(viewer))).toEqual(['Columns']);
  });

  it('shows nothing, rather than everything, once the table has lost a column of it', async () => {
    await shop.knex.raw('create table passing (id int primary key, hidden boolean)');
    await shop.knex.raw('insert into passing values (1, true)');
    const view = await idOf('public.passing', 'hidden = FALSE');
    await shop.knex.raw('alter table passing drop column hidden');
    for (const url of [`/values/${view}`, `/count/${view}`, `/export/${view}/csv`]) {
      const { status, body } = await call(url, viewer, {});
      expect([status, body.message]).toEqual([409, 'The row condition of this view no longer fits its table']);
    }
  });
});

describe('the condition of a person', () => {
  it('names columns of the view alone, and no parameters', async () => {
    const Columns = [{ ...newViewColumn({ ColumnName: 'id', DataType: 'int' }) }];
    const body = {
      ConnectionName: 'Shop',
      TableName: 'public.accounts',
      ViewName: 'Ids',
      ViewInfo: JSON.stringify({ Columns }),
    };
    const view = (await call('/create', editor, body)).body.result.Id as number;
    expect(await rows(view, viewer, { Condition: 'id > 1 AND NOT (id = 3)' })).toBe('2,4');
    for (const Condition of ["owner = 'ann'", 'id = @UserName', 'id >', 'id = 1; select 1']) {
      const answer = await call(`/values/${view}`, viewer, { Condition });
      expect([answer.status, answer.body.message]).toEqual([400, 'Condition is invalid']);
    }
  });

  it('compares every digit', async () => {
    const view = await idOf('public.accounts');
    expect(await rows(view, viewer, { Condition: 'amount > 10.5 AND amount < 1e15' })).toBe('2');
    expect(await rows(view, viewer, { Condition: "day >= '2026-02-01'" })).toBe('2,4');
  });
});

describe('a page that takes over a second', () => {
  it('tells editors of views which index would help if none does', async () => {
    const view = await idOf('public.large');
    const Filters = [{ ColumnName: 'part', Operator: 'equals', Values: ['7'] }];
    expect(await hintOf(view, editor, { Filters })).toBe('create index on "public"."large" ("part")');
    expect(await hintOf(view, viewer, { Filters })).toBe('');
    const Sort = [{ ColumnName: 'id', Descending: true }];
    expect(await hintOf(view, editor, { Sort })).toBe('');
  });

  /** Returns the hint of a page that had to wait for a lock. */
  async function hintOf(view: number, by: User, criteria: object): Promise<string> {
    const trx = await shop.knex.transaction();
    await trx.raw('lock table large in access exclusive mode');
    const asked = call(`/values/${view}`, by, criteria);
    await until('the page to wait', async () => {
      const sql = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
        and now() - query_start > interval '1.1 seconds'`;
      return ((await shop.knex.raw(sql)) as { rows: { n: number }[] }).rows[0]!.n > 0;
    });
    await trx.commit();
    return (await asked).body.result.IndexHint as string;
  }
});

describe('who manages views', () => {
  it('sees some rows of a table to choose formats by', async () => {
    const body = { ConnectionName: 'Shop', TableName: 'public.accounts' };
    const { result } = (await call('/sample', editor, body)).body;
    expect(result.Columns.slice(3)).toEqual([
      { ColumnName: 'amount', FilterKind: 'Number' },
      { ColumnName: 'day', FilterKind: 'Date' },
    ]);
    expect(result.Rows).toContainEqual(['2', 'bob', 'South', '99999999999999.9999', '2026-02-05']);
    expect((await call('/sample', viewer, body)).status).toBe(403);
    const stranger = await signedInUser(app, ['sk.ManageTableViews']);
    expect((await call('/sample', stranger, body)).status).toBe(404);
  });

  it('deletes a view, and nobody else does', async () => {
    const view = await idOf('public.accounts');
    expect((await call(`/delete/${view}`, viewer, {})).status).toBe(403);
    const stranger = await signedInUser(app, ['sk.ManageTableViews']);
    expect((await call(`/delete/${view}`, stranger, {})).status).toBe(404);
    expect((await call(`/delete/${view}`, editor, {})).status).toBe(200);
    expect((await call(`/values/${view}`, viewer, {})).status).toBe(404);
    expect((await call(`/delete/${view}`, editor, {})).status).toBe(404);
    expect(await shop.knex('accounts').count('* as n')).toEqual([{ n: 4 }]);
  });
});
