/**
 * Tests rows of views over HTTP: paged, filtered, counted and as files, from a separate database behind a named
 * connection.
 */
import excelJs from 'exceljs';
import { describe, expect } from 'vitest';
import type { FilterCriteria, TableValues } from '#shared/contract/tableviews.ts';
import { test as base } from '#test/support/fixtures/table-view-portal.ts';
import { until } from '#test/support/until.ts';

const HOSTILE = `o'r"d[e]r;--`;
const HOSTILE_COLUMN = `c"o'l]; drop table orders;--`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const it = base.extend('rows', { scope: 'file', auto: true }, async ({ portal }) => {
  async function allRows(criteria: FilterCriteria, view = portal.ordersView): Promise<(string | null)[][]> {
    const rows: (string | null)[][] = [];
    let After: string[] | null = null;
    do {
      const { Rows, Next } = (await portal.page({ ...criteria, After }, view)) as TableValues & {
        Next: string[] | null;
      };
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
    (await portal.shop.knex('orders').whereRaw(sql).orderBy('id').pluck('id')).join();

  async function file(format: string, criteria: FilterCriteria): Promise<Buffer> {
    const { status, body } = await portal.post(`/export/${portal.ordersView}/${format}`, criteria, portal.viewer);
    expect([status, body.message]).toEqual([200, undefined]);
    const answer = await portal.app.http.inject({ url: `/api/files/download/${body.result}` });
    expect(answer.headers['content-disposition']).toContain(`All orders.${format}`);
    return answer.rawPayload;
  }

  const { knex } = portal.shop;
  await knex.raw(`create table keyless as select n from generate_series(1, 1500) n`);
  await knex.raw(`create view slow as select n, pg_sleep(61)::text as s from generate_series(1, 3) n`);
  await knex.raw(`create table ${quoted(HOSTILE)} (${quoted(HOSTILE_COLUMN)} text primary key, c0 int)`);
  await knex.raw(`insert into ${quoted(HOSTILE)} values ('b', 1), ('a', 2), ('c', 10)`);
  return { allRows, ids, idsWhere, file };
});

describe('the body of the specification', () => {
  it('holds FilterCriteria, and is answered with TableValues', async ({ portal }) => {
    const url = `/values/${portal.ordersView}`;
    const Filters = [{ ColumnName: 'id', Operator: 'in', Values: ['1', '2'] }];
    const plain = await portal.page({ Filters } as FilterCriteria);
    const { status, body } = await portal.post(url, { FilterCriteria: { Filters } }, portal.viewer);
    expect([status, body.result]).toEqual([200, { TableValues: plain }]);
    const first = await portal.post(url, { FilterCriteria: null }, portal.viewer);
    expect(first.body.result).toEqual({ TableValues: await portal.page({}) });
  });

  it('is refused where there are criteria beside FilterCriteria', async ({ portal }) => {
    const url = `/values/${portal.ordersView}`;
    const { status, body } = await portal.post(url, { FilterCriteria: {}, Condition: 'id > 3' }, portal.viewer);
    expect([status, body.message]).toEqual([
      400,
      'The body contains FilterCriteria and Condition: put everything into FilterCriteria, or omit FilterCriteria',
    ]);
  });
});

describe('rows of a view', () => {
  it('come page by page, each row once, in every order, nulls and equal values too', async ({
    portal,
    rows: { allRows },
  }) => {
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
      const query = portal.shop.knex('orders');
      for (const { ColumnName, Descending } of Sort) void query.orderBy(ColumnName, Descending ? 'desc' : 'asc');
      // The key is sorted in the direction of the column before it.
      void query.orderBy('id', Sort.at(-1)?.Descending ? 'desc' : 'asc');
      expect(found).toEqual((await query.pluck('id')).map(String));
    }
  });

  it('lose no digit', async ({ rows: { allRows } }) => {
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

  it.for([
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
  ] as const)('are filtered: %s %s %j', async ([column, operator, values, sql], { rows: { ids, idsWhere } }) => {
    expect(await ids(operator, column, ...values)).toBe(await idsWhere(sql));
  });

  it.for([
    [
      { Filters: [{ ColumnName: 'amount', Operator: 'greater', Values: ['1; drop table orders'] }] },
      'must be a number',
    ],
    [{ Filters: [{ ColumnName: 'day', Operator: 'equals', Values: ['2026-02-30'] }] }, 'must be a date'],
    [{ Filters: [{ ColumnName: 'paid', Operator: 'equals', Values: ['true or 1=1'] }] }, 'must be TRUE or FALSE'],
    [{ Filters: [{ ColumnName: 'day', Operator: 'between', Values: ['2026-01-01'] }] }, 'the wrong number of values'],
    [{ Filters: [{ ColumnName: 'day', Operator: 'contains', Values: ['1'] }] }, 'cannot be filtered like that'],
    [{ Filters: [{ ColumnName: 'id" = 1 or "id', Operator: 'blank', Values: [] }] }, 'The view has no column'],
    [{ Sort: [{ ColumnName: 'id desc; drop table orders;--', Descending: true }] }, 'The view has no column'],
    [{ After: ['1', '2'] }, 'The table has changed'],
    [{ After: [`1'; drop table orders`] }, 'rejected the query'],
  ] as const)('refuse %j', async ([criteria, message], { portal }) => {
    const { status, body } = await portal.post(`/values/${portal.ordersView}`, criteria);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await portal.shop.knex('orders').count({ n: '*' })).toEqual([{ n: 451 }]);
  });

  it('are those of the columns that the view shows, as it names them', async ({ portal: { create, page, post } }) => {
    const view = await create('public.orders', 'Two', (columns) =>
      columns.map((column) => ({ ...column, Selected: ['note', 'amount'].includes(column.ColumnName) })).reverse(),
    );
    const { Columns, Rows } = await page({}, view);
    expect(Columns.map(({ ColumnName }) => ColumnName)).toEqual(['note', 'amount']);
    expect(Rows[0]).toEqual(['', '1.2500']);
    const hidden = { Filters: [{ ColumnName: 'customer', Operator: 'blank', Values: [] }] };
    expect((await post(`/values/${view}`, hidden)).status).toBe(400);
  });

  it('come from tables and columns of any name', async ({ portal }) => {
    const view = await portal.create(`public.${HOSTILE}`, HOSTILE);
    const Sort = [{ ColumnName: 'c0', Descending: true }];
    expect((await portal.page({ Sort }, view, portal.editor)).Rows).toEqual([
      ['c', '10'],
      ['a', '2'],
      ['b', '1'],
    ]);
    const Filters = [{ ColumnName: HOSTILE_COLUMN, Operator: 'startsWith' as const, Values: ['B'] }];
    expect((await portal.page({ Filters }, view, portal.editor)).Rows).toEqual([['b', '1']]);
  });

  it('without a key are the first thousand, and say why', async ({ portal }) => {
    const view = await portal.create('public.keyless', 'Keyless');
    const { Rows, Next, Message } = await portal.page({}, view, portal.editor);
    expect([Rows.length, Next]).toEqual([1000, null]);
    expect(Message).toContain('the table has no unique key');
  });

  it('say which columns the table has lost', async ({ portal }) => {
    await portal.shop.knex.raw('create table changing (id int primary key, gone int)');
    const view = await portal.create('public.changing', 'Changing');
    await portal.shop.knex.raw('alter table changing drop column gone');
    expect(await portal.page({}, view, portal.editor)).toMatchObject({
      Message: 'The table no longer has these columns: gone.',
    });
    await portal.shop.knex.raw('drop table changing');
    expect((await portal.post(`/values/${view}`, {})).status).toBe(404);
  });

  it('are counted', async ({ portal }) => {
    const Filters = [{ ColumnName: 'customer', Operator: 'blank', Values: [] }];
    expect((await portal.post(`/count/${portal.ordersView}`, { Filters }, portal.viewer)).body.result).toEqual({
      Count: 45,
      Estimate: null,
    });
    const slow = await portal.create('public.slow', 'Slow', (columns) => columns);
    const bySleep = [{ ColumnName: 's', Operator: 'contains', Values: ['x'] }];
    const columns = (await portal.columnsOf('public.slow')).map((column) => ({
      ...column,
      CellUsage: 'Text' as const,
    }));
    await portal.post('/update', { Id: slow, ViewInfo: JSON.stringify({ Columns: columns }) });
    expect((await portal.post(`/count/${slow}`, { Filters: bySleep })).body.result).toEqual({
      Count: null,
      Estimate: null,
    });
  });

  it('are no longer read in the database once the browser has left', async ({ portal }) => {
    const slow = await portal.create('public.slow', 'Slow for all');
    const address = await portal.app.http.listen({ port: 0, host: '127.0.0.1' });
    const leaving = new AbortController();
    const headers = { ...portal.editor.headers, 'content-type': 'application/json' };
    const url = `${address}/api/tableviews/values/${slow}`;
    const asked = fetch(url, { method: 'POST', headers, body: '{}', signal: leaving.signal }).catch(String);
    const sleepers = async (): Promise<number> => {
      const sql = `select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
      return ((await portal.shop.knex.raw(sql)) as { rows: { n: number }[] }).rows[0]!.n;
    };
    await until('the statement to run', async () => (await sleepers()) === 1);
    leaving.abort();
    await asked;
    await until('the statement to end', async () => (await sleepers()) === 0);
  });
});

describe('a file of a view', () => {
  it('as CSV has all rows of the filter, and no formula', async ({ rows: { file } }) => {
    const Filters = [{ ColumnName: 'id', Operator: 'greater' as const, Values: ['449'] }];
    expect((await file('csv', { Filters })).toString()).toBe(
      '\uFEFFid,customer,amount,day,changed,paid,note\r\n450,,562.5000,,2026-01-05 17:30:00,TRUE,\r\n' +
        `1000,O'Hara %_!,12345678901234567890.1234,2026-02-28,2026-02-28 23:59:59.123456,,'=1+1\r\n`,
    );
    expect((await file('csv', {})).toString().split('\r\n')).toHaveLength(453);
  });

  it('holds all rows, however few a query of the connection may answer', async ({ portal }) => {
    const view = await portal.create('public.keyless', 'Many rows');
    for (const format of ['csv', 'xlsx']) {
      const { status, body } = await portal.post(`/export/${view}/${format}`, {});
      expect([format, status, body.message]).toEqual([format, 200, undefined]);
      const answer = await portal.app.http.inject({ url: `/api/files/download/${body.result}` });
      if (format === 'csv') expect(answer.payload.split('\r\n')).toHaveLength(1502);
    }
  });

  it('as a workbook has numbers and days as such, where nothing of them is lost', async ({ rows: { file } }) => {
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
