/**
 * Tests columns of money, intervals, times and timestamps: they are filtered, sorted, paged and exported by value, not
 * by text.
 */
import excelJs from 'exceljs';
import { describe, expect } from 'vitest';
import { columnOfPg } from '#server/connections/tables/catalog-pg.ts';
import { filterSql } from '#server/connections/tables/filter-sql.ts';
import { bindFragments } from '#shared/codecs/query-text.ts';
import type { FilterCriteria, TableValues } from '#shared/contract/tableviews.ts';
import { test as base } from '#test/support/fixtures/table-view-portal.ts';

const it = base.extend('odd', { scope: 'file', auto: true }, async ({ portal }) => {
  const { knex } = portal.shop;
  await knex.raw(`create type mood as enum ('sad', 'ok', 'happy')`);
  await knex.raw(`create table odd (id int primary key, amt money, took interval, at time, zoned timestamptz, seen timestamp(6),
    who uuid, felt mood)`);
  await knex.raw(`insert into odd select n, (n * 10.05)::numeric::money, n * interval '7 hours', time '00:00' + n * interval '1 minute',
    timestamptz '2026-01-01 00:00:00.000001+00' + n * interval '1 day', timestamp '2026-01-01 00:00:00' + n * interval '0.000001 second',
    lpad(n::text, 32, '0')::uuid, (array['sad', 'ok', 'happy'])[n % 3 + 1]::mood from generate_series(1, 250) n`);
  await knex.raw(
    `insert into odd values (251, '-3', interval '-1 day', null, 'infinity', null, null, null), (252, null, null, null, null, null, null, null)`,
  );
  const view = await portal.create('public.odd', 'Odd types');

  async function allIds(criteria: FilterCriteria): Promise<string> {
    const ids: (string | null)[] = [];
    let After: FilterCriteria['After'] = null;
    do {
      const { Rows, Next }: TableValues = await portal.page({ ...criteria, After }, view, portal.editor);
      ids.push(...Rows.map(([id]) => id ?? null));
      After = Next;
    } while (After);
    return ids.join();
  }

  async function sheet(criteria: FilterCriteria): Promise<excelJs.Worksheet> {
    const { body } = await portal.post(`/export/${view}/xlsx`, criteria, portal.editor);
    const answer = await portal.app.http.inject({ url: `/api/files/download/${body.result}` });
    const workbook = new excelJs.Workbook();
    await workbook.xlsx.load(answer.rawPayload as never);
    return workbook.worksheets[0]!;
  }
  return { view, allIds, sheet };
});

describe('columns of types with their own order', () => {
  it.for([
    ['amt', 'greater', ['100'], 'amt::numeric > 100'],
    ['amt', 'greater', ['100.499'], 'amt::numeric > 100.499'],
    ['amt', 'less', ['100.501'], 'amt::numeric < 100.501'],
    ['amt', 'equals', ['100.50'], 'id = 10'],
    ['amt', 'equals', ['100.501'], 'false'],
    ['amt', 'between', ['-5', '20.104'], 'id in (1, 2, 251)'],
    ['amt', 'notEquals', ['10.05'], 'id <> 1'],
    ['amt', 'less', ['1e15'], 'amt is not null'],
    ['took', 'greater', ['2 days'], `took > '2 days'`],
    ['took', 'equals', ['49 hours'], 'id = 7'],
    ['took', 'between', ['-1 day', '07:00'], 'id in (1, 251)'],
    ['took', 'contains', ['days'], `took::text like '%days%'`],
    ['at', 'equals', ['1:30'], 'id = 90'],
    ['at', 'less', ['0:10'], 'id < 10'],
    ['who', 'equals', ['00000000-0000-0000-0000-000000000042'], 'id = 42'],
    ['who', 'in', ['{00000000000000000000000000000042}'], 'id = 42'],
    ['felt', 'greater', ['ok'], `felt = 'happy'`],
    ['zoned', 'greater', ['2026-06-01 12:00'], `zoned > '2026-06-01 12:00+00'`],
  ] as const)('are filtered: %s %s %j', async ([ColumnName, Operator, Values, sql], { portal, odd: { allIds } }) => {
    const filter = { ColumnName, Operator, Values: [...Values] };
    const expected = await portal.shop.knex('odd').whereRaw(sql).orderBy('id').pluck('id');
    expect(await allIds({ Filters: [filter] })).toBe(expected.join());
  });

  it.for(['amt', 'took', 'at', 'zoned', 'seen', 'who', 'felt'])(
    'are sorted, page after page: %s',
    async (name, { portal, odd }) => {
      for (const Descending of [false, true]) {
        const order = Descending ? 'desc' : 'asc';
        const expected = await portal.shop.knex('odd').orderBy(name, order).orderBy('id', order).pluck('id');
        expect(await odd.allIds({ Sort: [{ ColumnName: name, Descending }] })).toBe(expected.join());
      }
    },
  );

  it('of money are compared by conditions', async ({ odd: { allIds } }) => {
    expect(await allIds({ Condition: 'amt > 2500 OR amt IN (10.05)' })).toBe('1,249,250');
  });

  it('name the type and the text where that is no value of it', async ({ portal, odd: { view } }) => {
    const Filters = [{ ColumnName: 'took', Operator: 'less', Values: ['a while'] }];
    const { status, body } = await portal.post(`/values/${view}`, { Filters });
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining('invalid input syntax for type interval: "a while"'),
    ]);
  });

  it('of money are found by an index of the column', async ({ portal }) => {
    const { knex } = portal.shop;
    await knex.raw('create table prices as select n as id, n::numeric::money as amt from generate_series(1, 20000) n');
    await knex.raw('create index on prices (amt)');
    await knex.raw('vacuum analyze prices');
    const column = columnOfPg('amt', 'money', { baseType: 'money', category: 'N', isNullable: true });
    const filter = filterSql({ column, by: 'Number', operator: 'greater', values: ['19990.5'] }, 'pg');
    const { sql, values } = bindFragments(filter, 'pg');
    const where = sql.replaceAll(/\$(\d+)/g, (_, at: string) => `'${String(values[Number(at) - 1])}'`);
    const { rows } = (await knex.raw(`explain (costs off) select * from prices t where ${where}`)) as {
      rows: { 'QUERY PLAN': string }[];
    };
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Cond/);
  });
});

describe('a workbook of such columns', () => {
  it('has numbers for money, and dates for moments and microseconds', async ({ odd: { sheet } }) => {
    const Columns = ['id', 'amt', 'zoned', 'seen'];
    const rows = await sheet({ Columns, Filters: [{ ColumnName: 'id', Operator: 'in', Values: ['2', '251'] }] });
    const [two, last] = [2, 3].map((row) => (rows.getRow(row).values as unknown[]).slice(1));
    expect(two!.slice(0, 2)).toEqual([2, 20.1]);
    expect(two!.slice(2).map((cell) => (cell as Date).toISOString())).toEqual([
      '2026-01-03T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ]);
    expect(last!.slice(0, 3)).toEqual([251, -3, 'infinity']);
  });
});
