/** The statements that query tables of SQL Server. */
import { describe, expect, it } from 'vitest';
import { bindFragments } from '#shared/codecs/query-text.ts';
import { columnOfMssql } from './catalog-mssql.ts';
import { filterSql, FilterError, type TableFilter } from './filter-sql.ts';
import { countSql, pageSql, type TableRead } from './page-sql.ts';
import type { CatalogTable } from './types.ts';

describe('the statements for SQL Server', () => {
  const column = (name: string, typeName: string, isNullable = false, more = {}) =>
    columnOfMssql(name, { typeName, isNullable, maxLength: 40, precision: 18, scale: 4, isAssembly: false, ...more });
  const id = column('id', 'int');
  const amount = column('am]ount', 'decimal', true);
  const table: CatalogTable = { table: { schema: 'dbo', name: 'or]ders' }, columns: [id, amount], key: [id] };
  const read: TableRead = {
    table,
    columns: [amount],
    filters: [],
    conditions: [],
    sort: [{ column: amount, descending: true }],
    after: null,
    limit: 101,
    cutAt: 10,
  };

  const ROWS = (part: number): string =>
    'select top (101) convert(nvarchar(max), t.[am]]ount]) as c0, convert(nvarchar(max), t.[am]]ount]) as c1, ' +
    `convert(nvarchar(max), t.[id]) as c2, ${part} as part, t.[am]]ount] as o0, t.[id] as o1 from [dbo].[or]]ders] as t`;
  const ORDER = ' order by t.[am]]ount] desc, t.[id] desc';

  it('repeat no filters of more values than a statement takes', () => {
    const values = Array.from({ length: 800 }, (_, index) => String(index));
    const filters: TableFilter[] = [{ column: id, by: 'Number', operator: 'in', values }];
    const query = bindFragments(pageSql({ ...read, filters, after: ['12.5', '7'] }, 'mssql'), 'mssql');
    expect([query.values.length, query.sql.includes('union')]).toEqual([804, false]);
  });

  it('begin a page behind the last row, with nulls last in a descending order', () => {
    expect(bindFragments(pageSql({ ...read, after: ['12.5', '7'] }, 'mssql'), 'mssql')).toEqual({
      sql:
        'select top (101) c0, c1, c2 from (' +
        `select * from (${ROWS(0)} where t.[am]]ount] = convert(decimal(18,4), @p0) and (t.[id] < convert(int, @p1))${ORDER}) as r0 union all ` +
        `select * from (${ROWS(1)} where (t.[am]]ount] < convert(decimal(18,4), @p2))${ORDER}) as r1 union all ` +
        `select * from (${ROWS(2)} where t.[am]]ount] is null${ORDER}) as r2) as p order by part, o0 desc, o1 desc`,
      values: ['12.5', '7', '12.5'],
    });
    const afterNull = bindFragments(pageSql({ ...read, after: [null, '7'] }, 'mssql'), 'mssql');
    expect(afterNull.sql).toContain('where t.[am]]ount] is null and (t.[id] < convert(int, @p0)) order by');
  });

  it('count to a bound', () => {
    expect(bindFragments(countSql(read, 1000, 'mssql'), 'mssql').sql).toBe(
      'select count(*) as n from (select top (1000) 1 as one from [dbo].[or]]ders] as t) as counted',
    );
  });

  // Source: CAST and CONVERT (Transact-SQL), styles of dates, floats, money and bytes.
  it.each([
    [column('c', 'float'), 'convert(nvarchar(60), t.[c], 3)'],
    [column('c', 'money'), 'convert(nvarchar(60), t.[c], 2)'],
    [column('c', 'datetime2'), 'convert(nvarchar(40), t.[c], 121)'],
    [column('c', 'date'), 'convert(nvarchar(10), t.[c], 23)'],
    [column('c', 'bit'), "case t.[c] when 1 then N'TRUE' when 0 then N'FALSE' end"],
    [column('c', 'rowversion'), 'convert(nvarchar(max), convert(varbinary(max), t.[c]), 1)'],
    [column('c', 'geography', true, { isAssembly: true }), 'left(t.[c].ToString(), 11)'],
    [column('c', 'nvarchar'), 'left(t.[c], 11)'],
  ])('write %j as exact text', (shown, text) => {
    const sql = bindFragments(pageSql({ ...read, columns: [shown], sort: [] }, 'mssql'), 'mssql').sql;
    expect(sql).toContain(
      `select top (101) ${shown.kind === 'Text' && !text.startsWith('left') ? `left(${text}, 11)` : text} as c0`,
    );
  });

  const varchar = column('v', 'varchar');
  it.each<[TableFilter, string]>([
    [{ column: varchar, by: 'Text', operator: 'equals', values: ['Wien'] }, '(t.[v] = convert(varchar(8000), @p0))'],
    [{ column: varchar, by: 'Text', operator: 'equals', values: ['Łódź'] }, '(t.[v] = @p0)'],
    [
      { column: varchar, by: 'Text', operator: 'contains', values: ['50%[a'] },
      "(convert(nvarchar(max), t.[v]) collate Latin1_General_100_CI_AS like @p0 escape '!')",
    ],
    [{ column: amount, by: 'Number', operator: 'less', values: ['7'] }, '(t.[am]]ount] < convert(int, @p0))'],
    [
      { column: amount, by: 'Number', operator: 'less', values: ['7.25'] },
      '(t.[am]]ount] < convert(decimal(38,2), @p0))',
    ],
    [{ column: amount, by: 'Number', operator: 'less', values: ['1e3'] }, '(t.[am]]ount] < convert(float, @p0))'],
    [
      { column: column('d', 'datetime'), by: 'Date', operator: 'equals', values: ['2026-02-28'] },
      '((t.[d] >= convert(datetime, @p0, 121)) and (t.[d] < convert(datetime, @p1, 121)))',
    ],
    [
      { column: column('d', 'date'), by: 'Date', operator: 'greater', values: ['2026-02-28'] },
      '(t.[d] >= convert(date, @p0, 121))',
    ],
    [
      { column: column('d', 'smalldatetime'), by: 'Date', operator: 'less', values: ['2026-02-28 13:45'] },
      '(t.[d] < convert(smalldatetime, @p0, 121))',
    ],
    // A value that the column's type cannot hold exactly is compared as a type that can.
    ...(
      [
        ['datetime', '2026-02-28 13:45:00.123'],
        ['datetime', '1752-12-31'],
        ['smalldatetime', '2026-02-28 13:45:01'],
        ['smalldatetime', '2079-06-07'],
        ['date', '2026-02-28 13:45'],
      ] as const
    ).map(([type, value]): [TableFilter, string] => [
      { column: column('d', type), by: 'Date', operator: 'less', values: [value] },
      '(t.[d] < convert(datetime2, @p0, 121))',
    ]),
    [
      { column: column('b', 'bit'), by: 'Boolean', operator: 'equals', values: ['TRUE'] },
      '(t.[b] = convert(bit, @p0))',
    ],
  ])('filter %j', (filter, sql) => {
    expect(bindFragments(filterSql(filter, 'mssql'), 'mssql').sql).toBe(sql);
  });

  it('do not exist for invalid values of the column', () => {
    const refuse = (filter: TableFilter) => () => filterSql(filter, 'mssql');
    expect(refuse({ column: amount, by: 'Number', operator: 'equals', values: [`1${'0'.repeat(38)}`] })).toThrow(
      FilterError,
    );
    expect(refuse({ column: amount, by: 'Number', operator: 'equals', values: ['1; drop table x'] })).toThrow(
      FilterError,
    );
    expect(refuse({ column: id, by: 'Boolean', operator: 'less', values: ['TRUE'] })).toThrow(FilterError);
  });
});
