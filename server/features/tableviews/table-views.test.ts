/** Views of tables over HTTP, on a database of their own behind a named connection. */
import excelJs from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FilterCriteria, TableValues, ViewColumn } from '#shared/contract/tableviews.ts';
import { newViewColumn } from '#shared/rules/table-view-rules.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { until } from '#test/support/until.ts';
import { signedInUser } from '#test/support/users.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;

let shop: TestDatabase;
let app: TestApp;
let editor: User;
let viewer: User;
let ordersView: number;

const HOSTILE = `o'r"d[e]r;--`;
const HOSTILE_COLUMN = `c"o'l]; drop table orders;--`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

beforeAll(async () => {
  shop = await testDatabase({ migrated: false, isPostgres: true });
  const { knex } = shop;
  await knex.raw(`create table orders (id bigint primary key, customer text, amount numeric(30,4), day date,
    changed timestamp(6), paid boolean, note text not null default '')`);
  await knex.raw(`insert into orders select n, case when n % 10 = 0 then null else 'Customer ' || (n % 7) end, n * 1.25,
    case when n % 5 = 0 then null else date '2026-01-01' + (n % 40)::int end, timestamp '2026-01-05 10:00' + n * interval '1 minute',
    n % 2 = 0 from generate_series(1, 450) n`);
  await knex.raw(
    `insert into orders values (1000, 'O''Hara %_!', 12345678901234567890.1234, '2026-02-28', '2026-02-28 23:59:59.123456', null, '=1+1')`,
  );
  await knex.raw(`create view big_orders as select * from orders where id > 100`);
  await knex.raw(`create table keyless as select n from generate_series(1, 1500) n`);
  await knex.raw(`create view slow as select n, pg_sleep(61)::text as s from generate_series(1, 3) n`);
  await knex.raw(`create table ${quoted(HOSTILE)} (${quoted(HOSTILE_COLUMN)} text primary key, c0 int)`);
  await knex.raw(`insert into ${quoted(HOSTILE)} values ('b', 1), ('a', 2), ('c', 10)`);
  const away = 'postgres://nobody@127.0.0.1:9/none';
  app = await testApp({ settings: { connections: { Shop: { url: shop.url }, Away: { url: away } } } });
  editor = await signedInUser(app, ['sk.ManageTableViews']);
  viewer = await signedInUser(app);
  await give(editor, 'sk.UseConnection', 'Name', 'Shop');
  await give(editor, 'sk.ViewTable', 'Connection', 'Shop');
  await give(viewer, 'sk.UseConnection', 'Name', 'Shop');
  await give(viewer, 'sk.ViewTable', 'Table', 'Shop: public.orders');
  ordersView = await create('public.orders', 'All orders');
});
afterAll(async () => {
  await app.close();
  await shop.drop();
});

const give = (user: User, RightName: 'sk.UseConnection' | 'sk.ViewTable', column: string, value: string) =>
  app.rights.grantToUser(app.database.knex, { UserId: user.UserId, RightName, Access: 1, key: { column, value } });

async function call(method: 'GET' | 'POST', url: string, by: User, payload?: object) {
  const answer = await app.http.inject({
    method,
    url: `/api/tableviews${url}`,
    headers: by.headers,
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const get = (url: string, by = editor) => call('GET', url, by);
const post = (url: string, payload: object, by = editor) => call('POST', url, by, payload);

async function columnsOf(table: string): Promise<ViewColumn[]> {
  const { body } = await get(`/columns/${encodeURIComponent(table)}?ConnectionName=shop`);
  return body.result.Items.map(newViewColumn);
}

async function create(TableName: string, ViewName: string, change = (columns: ViewColumn[]) => columns) {
  const ViewInfo = JSON.stringify({ Columns: change(await columnsOf(TableName)) });
  const { status, body } = await post('/create', { ConnectionName: 'Shop', TableName, ViewName, ViewInfo });
  expect([status, body.message]).toEqual([200, undefined]);
  return body.result.Id as number;
}

async function page(criteria: FilterCriteria, view = ordersView, by = viewer): Promise<TableValues> {
  const { status, body } = await post(`/values/${view}`, criteria, by);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.result;
}

async function allRows(criteria: FilterCriteria, view = ordersView): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = [];
  let After: string[] | null = null;
  do {
    const { Rows, Next } = (await page({ ...criteria, After }, view)) as TableValues & { Next: string[] | null };
    rows.push(...Rows);
    After = Next;
  } while (After);
  return rows;
}

async function ids(Operator: string, ColumnName: string, ...Values: string[]): Promise<string> {
  const filter = { ColumnName, Operator, Values } as NonNullable<FilterCriteria['Filters']>[number];
  return (await allRows({ Filters: [filter] })).map(([id]) => id).join();
}

const idsWhere = async (sql: string): Promise<string> =>
  (await shop.knex('orders').whereRaw(sql).orderBy('id').pluck('id')).join();

describe('a table view', () => {
  it('is made of what the catalog says, and listed to those who may see its table', async () => {
    const tables = (await get('/tables')).body.result;
    expect(tables.Items).toContainEqual({ ConnectionName: 'Shop', TableName: 'public.big_orders' });
    const { Items } = (await get('/columns/public.orders')).body.result;
    expect(Items.slice(0, 3)).toEqual([
      { ColumnName: 'id', DataType: 'bigint' },
      { ColumnName: 'customer', DataType: 'text' },
      { ColumnName: 'amount', DataType: 'numeric(30,4)' },
    ]);
    const item = { Id: ordersView, ConnectionName: 'Shop', TableName: 'public.orders', ViewName: 'All orders' };
    expect((await get('', viewer)).body.result.Items).toEqual([item]);
    expect((await get(`/details/${ordersView}`, viewer)).body.result).toMatchObject(item);
  });

  it('is not there for whoever lacks a right to its table or its connection', async () => {
    const bigOrders = await create('public.big_orders', 'Big');
    for (const url of [`/values/${bigOrders}`, `/count/${bigOrders}`, `/export/${bigOrders}/csv`])
      expect([url, (await post(url, {}, viewer)).status]).toEqual([url, 404]);
    expect((await get(`/details/${bigOrders}`, viewer)).status).toBe(404);
    expect((await get('', viewer)).body.result.Items).toHaveLength(1);

    const withoutConnection = await signedInUser(app, ['sk.ViewTable']);
    expect((await get('', withoutConnection)).body.result.Items).toEqual([]);
    expect((await post(`/values/${ordersView}`, {}, withoutConnection)).status).toBe(404);
    const nobody = await signedInUser(app);
    expect((await get('', nobody)).status).toBe(403);
    expect((await post(`/values/${ordersView}`, {}, nobody)).status).toBe(403);
  });

  it('is made and changed only by those who manage views, of tables that they may see', async () => {
    const Id = ordersView;
    const ViewInfo = JSON.stringify({ Columns: await columnsOf('public.orders') });
    const body = { ConnectionName: 'Shop', TableName: 'public.orders', ViewName: 'Mine', ViewInfo };
    expect((await post('/create', body, viewer)).status).toBe(403);
    expect((await post('/update', { Id, ViewInfo }, viewer)).status).toBe(403);
    expect((await get('/tables', viewer)).status).toBe(403);
    const manager = await signedInUser(app, ['sk.ManageTableViews']);
    expect((await post('/create', body, manager)).status).toBe(404);
    expect((await post('/update', { Id, ViewInfo }, manager)).status).toBe(404);
    expect((await get('/columns/public.orders', manager)).status).toBe(404);
    expect((await get('/tables', manager)).body.result.Items).toEqual([]);
  });

  it('has a name of 30 characters, which is its own on the table, and columns of the table alone', async () => {
    const Columns = await columnsOf('public.orders');
    const body = { ConnectionName: 'Shop', TableName: 'public.orders', ViewName: 'x'.repeat(40) };
    const ViewInfo = JSON.stringify({ Columns });
    const made = (await post('/create', { ...body, ViewInfo })).body.result.Id;
    expect((await get(`/details/${made}`)).body.result.ViewName).toBe('x'.repeat(30));
    const refuse = async (more: object) => (await post('/create', { ...body, ViewInfo, ...more })).body.message;
    expect(await refuse({})).toBe('There is already a view of this name on the table');
    expect(await refuse({ ViewName: '  ' })).toBe('View name must be provided');
    expect(await refuse({ TableName: 'public.none' })).toBe("There is no table 'public.none'");
    expect(await refuse({ ViewInfo: '{' })).toBe('ViewInfo is not valid JSON');
    const invented = { ...Columns[0]!, ColumnName: 'secret' };
    expect(await refuse({ ViewInfo: JSON.stringify({ Columns: [invented] }) })).toBe('The table has no column secret');
    const none = Columns.map((column) => ({ ...column, Selected: false }));
    expect(await refuse({ ViewInfo: JSON.stringify({ Columns: none }) })).toBe('Select at least one column');
    const info = JSON.stringify({ Columns: [{ ...Columns[0]!, DisplayName: 'Number' }] });
    expect((await post('/update', { Id: made, ViewInfo: info })).status).toBe(200);
    expect((await page({}, made, editor)).Columns).toMatchObject([{ ColumnName: 'id', DisplayName: 'Number' }]);
  });

  it('is made and changed by bodies that hold a table view whole, of the only connection where none is named', async () => {
    const ViewInfo = JSON.stringify({ Columns: await columnsOf('public.orders') });
    const body = { Id: 0, TableName: 'public.orders', ViewName: 'Whole', ViewInfo };
    const made = (await post('/create', body)).body.result.Id;
    const details = (await get(`/details/${made}`)).body.result;
    expect(details).toMatchObject({ ConnectionName: 'Shop', ViewName: 'Whole' });
    expect((await post('/update', { ...details, ViewName: 'Another' })).status).toBe(200);
    expect((await get(`/details/${made}`)).body.result).toEqual(details);
    expect((await post('/update', { ...details, Colour: 'red' })).status).toBe(400);
    const ofBoth = await signedInUser(app, ['sk.ManageTableViews', 'sk.ViewTable', 'sk.UseConnection']);
    expect((await post('/create', body, ofBoth)).body.message).toBe(
      "Say of which connection 'public.orders' is: you may use several",
    );
  });

  it('tells of a database that is away without hiding the others', async () => {
    await give(editor, 'sk.UseConnection', 'Name', 'Away');
    const { Items, Messages } = (await get('/tables')).body.result;
    expect(Items).toContainEqual({ ConnectionName: 'Shop', TableName: 'public.orders' });
    expect(Messages).toEqual(["The database of the connection 'Away' cannot be reached"]);
    expect((await get('/columns/public.orders')).body.message).toContain('you may use several');
  });
});

describe('rows of a view', () => {
  it('come page by page, each row once, in every order, nulls and equal values too', async () => {
    for (const Sort of [
      [],
      [{ ColumnName: 'customer', Descending: false }],
      [
        { ColumnName: 'customer', Descending: true },
        { ColumnName: 'day', Descending: false },
      ],
      [
        { ColumnName: 'day', Descending: true },
        { ColumnName: 'paid', Descending: true },
      ],
    ]) {
      const found = (await allRows({ Sort })).map(([id]) => id);
      const query = shop.knex('orders');
      for (const { ColumnName, Descending } of Sort) void query.orderBy(ColumnName, Descending ? 'desc' : 'asc');
      // The key goes the way of the column before it.
      void query.orderBy('id', Sort.at(-1)?.Descending ? 'desc' : 'asc');
      expect(found).toEqual((await query.pluck('id')).map(String));
    }
  });

  it('lose no digit', async () => {
    const [row] = await allRows({ Filters: [{ ColumnName: 'id', Operator: 'equals', Values: ['1000'] }] });
    expect(row).toEqual([
      '1000',
      "O'Hara %_!",
      '12345678901234567890.1234',
      '2026-02-28',
      '2026-02-28 23:59:59.123456',
      null,
      '=1+1',
    ]);
  });

  it.each([
    ['amount', 'greater', ['12345678901234567890.1233'], 'id = 1000'],
    ['amount', 'between', ['2.5', '5'], 'amount between 2.5 and 5'],
    ['amount', 'notEquals', ['1.25'], 'amount <> 1.25'],
    ['id', 'in', ['3', '5', '999'], 'id in (3, 5)'],
    ['day', 'equals', ['2026-01-06'], `day = '2026-01-06'`],
    ['changed', 'equals', ['2026-01-05'], `changed::date = '2026-01-05'`],
    ['changed', 'greater', ['2026-01-05'], `changed >= '2026-01-06'`],
    ['changed', 'less', ['2026-01-05 10:03'], `changed < '2026-01-05 10:03'`],
    ['changed', 'between', ['2026-01-05', '2026-01-05'], `changed::date = '2026-01-05'`],
    ['day', 'blank', [], 'day is null'],
    ['note', 'notBlank', [], 'id = 1000'],
    ['paid', 'equals', ['TRUE'], 'paid'],
    ['customer', 'notEquals', ['Customer 1'], `customer is distinct from 'Customer 1'`],
    ['customer', 'contains', ['%_!'], 'id = 1000'],
    ['customer', 'startsWith', ["o'h"], 'id = 1000'],
    ['customer', 'equals', [`x' or '1'='1`], 'false'],
    ['customer', 'in', [`'); drop table orders;--`, "O'Hara %_!"], 'id = 1000'],
  ])('are filtered: %s %s %j', async (column, operator, values, sql) => {
    expect(await ids(operator, column, ...values)).toBe(await idsWhere(sql));
  });

  it.each([
    [
      { Filters: [{ ColumnName: 'amount', Operator: 'greater', Values: ['1; drop table orders'] }] },
      'must be a number',
    ],
    [{ Filters: [{ ColumnName: 'day', Operator: 'equals', Values: ['2026-02-30'] }] }, 'must be a date'],
    [{ Filters: [{ ColumnName: 'paid', Operator: 'equals', Values: ['true or 1=1'] }] }, 'must be TRUE or FALSE'],
    [{ Filters: [{ ColumnName: 'day', Operator: 'between', Values: ['2026-01-01'] }] }, 'another number of values'],
    [{ Filters: [{ ColumnName: 'day', Operator: 'contains', Values: ['1'] }] }, 'cannot be filtered like that'],
    [{ Filters: [{ ColumnName: 'id" = 1 or "id', Operator: 'blank', Values: [] }] }, 'The view has no column'],
    [{ Sort: [{ ColumnName: 'id desc; drop table orders;--', Descending: true }] }, 'The view has no column'],
    [{ After: ['1', '2'] }, 'The table has changed'],
    [{ After: [`1'; drop table orders`] }, 'refused the query'],
  ])('refuse %j', async (criteria, message) => {
    const { status, body } = await post(`/values/${ordersView}`, criteria);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await shop.knex('orders').count({ n: '*' })).toEqual([{ n: 451 }]);
  });

  it('are those of the columns that the view shows, as it names them', async () => {
    const view = await create('public.orders', 'Two', (columns) =>
      columns.map((column) => ({ ...column, Selected: ['note', 'amount'].includes(column.ColumnName) })).reverse(),
    );
    const { Columns, Rows } = await page({}, view);
    expect(Columns.map(({ ColumnName }) => ColumnName)).toEqual(['note', 'amount']);
    expect(Rows[0]).toEqual(['', '1.2500']);
    const hidden = { Filters: [{ ColumnName: 'customer', Operator: 'blank', Values: [] }] };
    expect((await post(`/values/${view}`, hidden)).status).toBe(400);
  });

  it('come from tables and columns of any name', async () => {
    const view = await create(`public.${HOSTILE}`, HOSTILE);
    const Sort = [{ ColumnName: 'c0', Descending: true }];
    expect((await page({ Sort }, view, editor)).Rows).toEqual([
      ['c', '10'],
      ['a', '2'],
      ['b', '1'],
    ]);
    const Filters = [{ ColumnName: HOSTILE_COLUMN, Operator: 'startsWith' as const, Values: ['B'] }];
    expect((await page({ Filters }, view, editor)).Rows).toEqual([['b', '1']]);
  });

  it('without a key are the first thousand, and say why', async () => {
    const view = await create('public.keyless', 'Keyless');
    const { Rows, Next, Message } = await page({}, view, editor);
    expect([Rows.length, Next]).toEqual([1000, null]);
    expect(Message).toContain('the table has no unique key');
  });

  it('say which columns the table has lost', async () => {
    await shop.knex.raw('create table changing (id int primary key, gone int)');
    const view = await create('public.changing', 'Changing');
    await shop.knex.raw('alter table changing drop column gone');
    expect(await page({}, view, editor)).toMatchObject({ Message: 'The table has these columns no more: gone.' });
    await shop.knex.raw('drop table changing');
    expect((await post(`/values/${view}`, {})).status).toBe(404);
  });

  it('are counted', async () => {
    const Filters = [{ ColumnName: 'customer', Operator: 'blank', Values: [] }];
    expect((await post(`/count/${ordersView}`, { Filters }, viewer)).body.result).toEqual({
      Count: 45,
      Estimate: null,
    });
    const slow = await create('public.slow', 'Slow', (columns) => columns);
    const bySleep = [{ ColumnName: 's', Operator: 'contains', Values: ['x'] }];
    const columns = (await columnsOf('public.slow')).map((column) => ({ ...column, CellUsage: 'Text' as const }));
    await post('/update', { Id: slow, ViewInfo: JSON.stringify({ Columns: columns }) });
    expect((await post(`/count/${slow}`, { Filters: bySleep })).body.result).toEqual({ Count: null, Estimate: null });
  });

  it('are no longer read in the database once the browser has left', async () => {
    const slow = await create('public.slow', 'Slow for all');
    const address = await app.http.listen({ port: 0, host: '127.0.0.1' });
    const leaving = new AbortController();
    const headers = { ...editor.headers, 'content-type': 'application/json' };
    const url = `${address}/api/tableviews/values/${slow}`;
    const asked = fetch(url, { method: 'POST', headers, body: '{}', signal: leaving.signal }).catch(String);
    const sleepers = async (): Promise<number> => {
      const sql = `select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
      return ((await shop.knex.raw(sql)) as { rows: { n: number }[] }).rows[0]!.n;
    };
    await until('the statement to run', async () => (await sleepers()) === 1);
    leaving.abort();
    await asked;
    await until('the statement to end', async () => (await sleepers()) === 0);
  });
});

describe('a file of a view', () => {
  async function file(format: string, criteria: FilterCriteria): Promise<Buffer> {
    const { status, body } = await post(`/export/${ordersView}/${format}`, criteria, viewer);
    expect([status, body.message]).toEqual([200, undefined]);
    const answer = await app.http.inject({ url: `/api/files/download/${body.result}` });
    expect(answer.headers['content-disposition']).toContain(`All orders.${format}`);
    return answer.rawPayload;
  }

  it('as CSV has all rows of the filter, and no formula', async () => {
    const Filters = [{ ColumnName: 'id', Operator: 'greater' as const, Values: ['449'] }];
    expect((await file('csv', { Filters })).toString()).toBe(
      '\uFEFFid,customer,amount,day,changed,paid,note\r\n450,,562.5000,,2026-01-05 17:30:00,TRUE,\r\n' +
        `1000,O'Hara %_!,12345678901234567890.1234,2026-02-28,2026-02-28 23:59:59.123456,,'=1+1\r\n`,
    );
    expect((await file('csv', {})).toString().split('\r\n')).toHaveLength(453);
  });

  it('as a workbook has numbers and days as such, where nothing of them is lost', async () => {
    const workbook = new excelJs.Workbook();
    const Sort = [{ ColumnName: 'id', Descending: true }];
    await workbook.xlsx.load((await file('xlsx', { Sort })) as never);
    const sheet = workbook.worksheets[0]!;
    expect(sheet.rowCount).toBe(452);
    const values = (row: number) => (sheet.getRow(row).values as unknown[]).slice(1);
    expect(values(2)[2]).toBe('12345678901234567890.1234');
    expect(values(2)[6]).toBe('=1+1');
    expect(values(3).slice(0, 3)).toEqual([450, undefined, 562.5]);
  });
});

it('a table of long name is covered by its connection, and a right names the others', async () => {
  const admin = await signedInUser(app, ['sk.ManageRights']);
  const answer = await app.http.inject({ url: '/api/rights/sk.ViewTable/Table', headers: admin.headers });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('Shop: public.orders')]);
});
