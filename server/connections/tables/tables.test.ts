/** Tables as the catalog describes them, and their pages, on every available database. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCondition } from '#shared/codecs/condition-columns.ts';
import { bindFragments } from '#shared/codecs/query-text.ts';
import { TARGETS, type OpenTarget } from '#test/dialect/targets.ts';
import { isOtherMakersServer, PARTITION_STATS } from '#test/support/sql-server.ts';
import { createConnections } from '../connections.ts';
import type { Connections, NamedConnection } from '../types.ts';
import { findTable, listTables } from './catalog.ts';
import { comparedColumns } from './compared-columns.ts';
import type { TableFilter } from './filter-sql.ts';
import { indexHint } from './index-hint.ts';
import { estimatedRows, leadingColumns } from './statistics.ts';
import { countSql, orderOf, pageSql, type TableRead, type TableSort } from './page-sql.ts';
import { fullName, type CatalogColumn, type CatalogTable } from './types.ts';

const signal = new AbortController().signal;

const SETUP = {
  pg: [
    `create table things (a int not null, b varchar(10) not null, n numeric(38,10), f double precision, d timestamp(6), ok boolean, x json, primary key (b, a))`,
    `insert into things select n, 'k' || n % 4, case when n % 3 = 0 then null else n * 0.1 end, n / 7.0::float8,
      case when n % 2 = 0 then timestamp '2026-01-01' + n * interval '1.000001 hour' end, n % 2 = 0, '{}' from generate_series(1, 60) n`,
    `update things set n = 1234567890123456789012345678.0123456789 where a = 60`,
    `create table loose (a int unique, b int)`,
    `create table parent (a int primary key)`,
    `create table child () inherits (parent)`,
  ],
  mssql: [
    `create table things (a int not null, b nvarchar(10) not null, n decimal(38,10), f float, d datetime2(6), ok bit, x xml, primary key (b, a))`,
    ...Array.from({ length: 60 }, (_, index) => index + 1).map(
      (n) => `insert into things values (${n}, 'k${n % 4}', ${n % 3 === 0 ? 'null' : (n * 0.1).toFixed(1)}, ${n}/7.0e0,
        ${n % 2 === 0 ? `dateadd(microsecond, ${n}, dateadd(hour, ${n}, cast('2026-01-01' as datetime2(6))))` : 'null'}, ${1 - (n % 2)}, null)`,
    ),
    `update things set n = 1234567890123456789012345678.0123456789 where a = 60`,
    `create table loose (a int null unique, b int)`,
  ],
};

for (const target of TARGETS) {
  describe(`tables on ${target.name}`, () => {
    let opened: OpenTarget;
    let connections: Connections;
    let connection: NamedConnection;
    let things: CatalogTable;
    beforeAll(async () => {
      if (target.missing !== undefined) return;
      opened = await target.open();
      const { database, url } = opened;
      for (const statement of SETUP[database.dialect.name]) await database.knex.raw(statement);
      connections = createConnections({ Shop: { url } }, { timeZone: 'UTC' });
      connection = connections.get('Shop');
      const schema = database.dialect.name === 'pg' ? 'public' : 'dbo';
      things = (await findTable(connection, `${schema}.things`, signal))!;
    });
    afterAll(async () => {
      if (target.missing !== undefined) return;
      await connections.close();
      await opened.drop();
    });

    beforeEach((context) => context.skip(target.missing !== undefined, target.missing));

    const found = async (name: string) => findTable(connection, `${things.table.schema}.${name}`, signal);

    it('are described with types, kinds and the key that identifies rows', async () => {
      expect((await listTables(connection, signal)).map(fullName)).toContain(fullName(things.table));
      expect(things.key.map(({ name }) => name)).toEqual(['b', 'a']);
      const kinds = things.columns.map(({ name, kind, isNullable }) => `${name} ${kind}${isNullable ? '?' : ''}`);
      expect(kinds).toEqual(['a Number', 'b Text', 'n Number?', 'f Number?', 'd Date?', 'ok Boolean?', 'x Text?']);
      expect(things.columns.filter(({ canSort }) => !canSort).map(({ name }) => name)).toEqual(['x']);
      expect((await found('loose'))?.key).toEqual([]);
      expect(await found(`none' or 1=1 --`)).toBeNull();
      if (connection.kind === 'pg') expect((await found('parent'))?.key).toEqual([]);
    });

    const readOf = (sort: readonly TableSort[], filters: readonly TableFilter[] = []): TableRead => ({
      table: things,
      columns: things.columns,
      filters,
      conditions: [],
      sort,
      after: null,
      limit: null,
      cutAt: null,
    });

    async function rowsOf(read: TableRead): Promise<(string | null)[][]> {
      const query = bindFragments(pageSql(read, connection.kind), connection.kind);
      const { rows } = await connection.readAll(query, { signal });
      return rows.map((row) => row.map((value) => (value === null ? null : String(value))));
    }

    it('come in pages that hold each row once, by every column, up and down', async () => {
      for (const column of things.columns.filter(({ canSort }) => canSort)) {
        for (const descending of [false, true]) {
          // In half of the cases, also sort by another column.
          const other = { column: things.columns[column.name === 'n' ? 0 : 2]!, descending: !descending };
          const read = readOf([{ column, descending }, ...(descending === column.isNullable ? [other] : [])]);
          const whole = await rowsOf(read);
          expect(whole).toHaveLength(60);
          const paged: (string | null)[][] = [];
          let after: (string | null)[] | null = null;
          for (;;) {
            const page = await rowsOf({ ...read, after, limit: 7 });
            paged.push(...page);
            if (page.length < 7) break;
            after = page.at(-1)!.slice(things.columns.length);
            expect(after).toHaveLength(orderOf(read).length);
          }
          expect([column.name, descending, paged]).toEqual([column.name, descending, whole]);
        }
      }
    });

    it('read no more of an index than the page has, wherever it begins', async (context) => {
      if (connection.kind !== 'pg') context.skip("EXPLAIN: PostgreSQL's own; the statements are the same ones");
      const { knex } = opened.database;
      await knex.raw('create table deep (id int primary key, a text)');
      await knex.raw(
        `insert into deep select n, case when n % 10 > 0 then 'a' || n % 3 end from generate_series(1, 20000) n`,
      );
      await knex.raw('create index on deep (a, id)');
      await knex.raw('vacuum analyze deep');
      const deep = (await findTable(connection, `${things.table.schema}.deep`, signal))!;
      for (const descending of [false, true]) {
        const sort = [{ column: deep.columns[1]!, descending }];
        const read = { ...readOf(sort), table: deep, columns: deep.columns, limit: 101, after: ['a1', '10000'] };
        const { sql, values } = bindFragments(pageSql(read, 'pg'), 'pg');
        const said = sql.replaceAll(/\$(\d+)/g, (_, at: string) => `'${String(values[Number(at) - 1])}'`);
        const { rows } = (await knex.raw(`explain (analyze, costs off, timing off, summary off) ${said}`)) as {
          rows: { 'QUERY PLAN': string }[];
        };
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toMatch(/Index Cond/);
        expect(plan).not.toMatch(/Removed by Filter|Seq Scan|Bitmap/);
        const scanned = [...plan.matchAll(/Index (?:Only )?Scan.*rows=(\d+)/g)].map(([, count]) => Number(count));
        expect(Math.max(...scanned)).toBe(101);
      }
    });

    it('keep every digit, and are filtered and counted', async () => {
      const column = things.columns[2]!;
      const filters: TableFilter[] = [
        { column, by: 'Number', operator: 'greater', values: ['1234567890123456789012345678.0123456788'] },
      ];
      const [row, ...others] = await rowsOf(readOf([], filters));
      expect([row?.[2], others]).toEqual(['1234567890123456789012345678.0123456789', []]);
      const blank: TableFilter = { column, by: 'Number', operator: 'blank', values: [] };
      const query = bindFragments(
        countSql({ table: things, filters: [blank], conditions: [] }, 15, connection.kind),
        connection.kind,
      );
      expect((await connection.readAll(query, { signal })).rows).toEqual([[15]]);
    });

    it('are filtered by the last day there is, and by numbers of more digits than a double keeps', async () => {
      const isPg = connection.kind === 'pg';
      await opened.database.knex.raw(
        `create table lasting (id bigint primary key, ends ${isPg ? 'timestamp' : 'datetime2(6)'}, price ${isPg ? 'numeric' : 'decimal'}(30,12))`,
      );
      for (const row of [
        `(9007199254740992, '9999-12-31 23:59:59', 123456789012345.000000000001)`,
        `(9007199254740993, '9999-12-31', 123456789012345.000000000002)`,
        `(9007199254740994, '9999-12-30 23:59:59', -123456789012345.000000000002)`,
        `(9007199254740995, null, null)`,
      ])
        await opened.database.knex.raw(`insert into lasting values ${row}`);
      const lasting = (await found('lasting'))!;
      const [, ends] = lasting.columns as [CatalogColumn, CatalogColumn];
      const last = async (more: Partial<TableRead>): Promise<string> => {
        const rows = await rowsOf({ ...readOf([]), table: lasting, columns: [lasting.columns[0]!], ...more });
        return rows.map(([id]) => id!.at(-1)).join();
      };
      const byDay = (operator: TableFilter['operator'], ...values: string[]) =>
        last({ filters: [{ column: ends, by: 'Date', operator, values }] });
      expect(await byDay('equals', '9999-12-31')).toBe('2,3');
      expect(await byDay('notEquals', '9999-12-31')).toBe('4,5');
      expect(await byDay('greater', '9999-12-31')).toBe('');
      expect(await byDay('less', '9999-12-31')).toBe('4');
      expect(await byDay('between', '9999-12-30', '9999-12-31')).toBe('2,3,4');
      for (const [condition, expected] of [
        ['id = 9007199254740993', '3'],
        ['id > 9007199254740992 AND id <= 9007199254740994', '3,4'],
        ["id IN (9007199254740992, '9007199254740995')", '2,5'],
        ['price = 123456789012345.000000000001', '2'],
        ['price < -123456789012345.000000000001', '4'],
        ['price <> 123456789012345.000000000002', '2,4,5'],
      ] as const) {
        const conditions = [readCondition(condition, comparedColumns(lasting.columns))!];
        expect([condition, await last({ conditions })]).toEqual([condition, expected]);
      }
    });

    it('are estimated by the statistics of the database', async (context) => {
      context.skip(await isOtherMakersServer(opened.database.knex), PARTITION_STATS);
      if (connection.kind === 'pg') {
        expect(await estimatedRows(connection, things.table, signal)).toBeNull();
        await opened.database.knex.raw('analyze things');
      }
      expect(await estimatedRows(connection, things.table, signal)).toBe(60);
    });

    it('name the index that a slow filter or order lacks', async () => {
      const leading = await leadingColumns(connection, things.table, signal);
      expect([...leading!]).toEqual(['b']);
      const [a, b, n] = things.columns as [CatalogColumn, CatalogColumn, CatalogColumn];
      const filter = (column: CatalogColumn, operator: TableFilter['operator']): TableFilter => ({
        column,
        by: column.kind,
        operator,
        values: ['1'],
      });
      const hint = (sort: TableSort[], filters: TableFilter[]) =>
        indexHint(readOf(sort, filters), leading, connection.kind).replaceAll(/["[\]]/g, '');
      const on = connection.kind === 'pg' ? 'create index on' : 'create index IX_things_n on';
      expect(hint([], [filter(n, 'greater')])).toBe(`${on} ${fullName(things.table)} (n)`);
      expect(hint([{ column: n, descending: true }], [])).toBe(
        `${on} ${fullName(things.table)} (n desc, b desc, a desc)`,
      );
      expect(hint([{ column: n, descending: false }], [filter(b, 'equals')])).toBe('');
      expect(hint([{ column: b, descending: false }], [filter(a, 'contains')])).toBe('');
      expect(hint([], [])).toBe('');
    });
  });
}
