import { describe, expect, it } from 'vitest';
import type { NamedConnection, ResultColumn } from '#server/connections/types.ts';
import { parseQueryText, type BoundQuery } from '#shared/codecs/query-text.ts';
import { missingValues, pageOf, type PageQuery, type ValueSource } from './database-picker.ts';

const never = new AbortController().signal;

/** Simulates a SQL Server: records the queries that would have been sent. */
function recorded(columns: ResultColumn[]): { source: ValueSource; queries: BoundQuery[] } {
  const queries: BoundQuery[] = [];
  const connection: NamedConnection = {
    name: 'Ledger',
    kind: 'mssql',
    allowWrites: false,
    maxRows: 1000,
    timeLimit: 1000,
    read: () => {
      throw new Error('pickers read all at once');
    },
    readAll: async (query) => {
      queries.push(query);
      return { columns, rows: [] };
    },
    readMany: () => Promise.reject(new Error('pickers ask one thing at a time')),
    write: () => Promise.reject(new Error('pickers only read')),
    get procedures(): never {
      throw new Error('pickers only read');
    },
  };
  const { fragments } = parseQueryText('SELECT [Na]]me], Region FROM dbo.Customers WHERE Country = @Country', 'mssql');
  const bound = fragments.map((fragment) => ('text' in fragment ? fragment : { value: 'CH' }));
  return {
    source: { connection, fragments: bound, value: columns[0]!, group: columns[1] ?? null, isExact: false },
    queries,
  };
}

const NAME: ResultColumn = { name: 'Na]me', kind: 'Text' };
const REGION: ResultColumn = { name: 'Region', kind: 'Text' };
const FROM = '(SELECT [Na]]me], Region FROM dbo.Customers WHERE Country = @p0\n) as picked';

async function sent(query: PageQuery, columns: ResultColumn[] = [NAME]): Promise<BoundQuery[]> {
  const { source, queries } = recorded(columns);
  await pageOf(source, query, never);
  return queries;
}

describe('the statements of a picker for SQL Server', () => {
  it('page by the last value, both ways', async () => {
    expect(await sent({ Last: 'K', FetchNext: true })).toEqual([
      {
        sql: `select distinct top (21) [Na]]me] from ${FROM} where [Na]]me] is not null and [Na]]me] > @p1 order by [Na]]me]`,
        values: ['CH', 'K'],
      },
    ]);
    const [back] = await sent({ First: 'K', FetchPrevious: true });
    expect(back!.sql).toContain('and [Na]]me] < @p1 order by [Na]]me] desc');
  });

  it('page by group and value', async () => {
    const group = `coalesce(cast([Region] as nvarchar(4000)), '')`;
    expect(await sent({ Last: 'K', LastGroup: 'North', FetchNext: true }, [NAME, REGION])).toEqual([
      {
        sql:
          `select distinct top (21) ${group} as picked_group, [Na]]me] from ${FROM} where [Na]]me] is not null ` +
          `and (${group} > @p1 or (${group} = @p2 and [Na]]me] > @p3)) order by picked_group, [Na]]me]`,
        values: ['CH', 'North', 'North', 'K'],
      },
    ]);
  });

  it('look for a text, and for the value that it is', async () => {
    expect(await sent({ Value: '50%' })).toEqual([
      {
        sql: `select distinct [Na]]me] from ${FROM} where [Na]]me] = @p1 order by [Na]]me]`,
        values: ['CH', '50%'],
      },
      {
        sql:
          `select distinct top (21) [Na]]me] from ${FROM} where [Na]]me] is not null and cast([Na]]me] as nvarchar(4000)) ` +
          `collate Latin1_General_100_CI_AS like @p1 escape '!' and [Na]]me] <> @p2 order by [Na]]me]`,
        values: ['CH', '%50!%%', '50%'],
      },
    ]);
  });

  it('look for a number of floating point by all its digits, also where it is the group', async () => {
    const RATE: ResultColumn = { name: 'Rate', kind: 'Number', isFloat: true };
    const [, page] = await sent({ Value: '0.1234567' }, [RATE]);
    expect(page!.sql).toContain("and format([Rate], 'R', 'en-US') collate Latin1_General_100_CI_AS like @p1");
    const [first] = await sent({}, [NAME, RATE]);
    expect(first!.sql).toContain("coalesce(format([Rate], 'R', 'en-US'), '') as picked_group");
  });

  it('let the database compare values, by the collation of the column', async () => {
    const { source, queries } = recorded([NAME]);
    await missingValues(source, ['abc', 'ABC'], never);
    expect(queries).toEqual([
      {
        sql:
          'select max(case when [Na]]me] = @p0 then 1 else 0 end) as v0, max(case when [Na]]me] = @p1 then 1 else 0 end) ' +
          `as v1 from (select distinct [Na]]me] from ${FROM.replace('@p0', '@p2')} where [Na]]me] in (@p3, @p4)) as found`,
        values: ['abc', 'ABC', 'CH', 'abc', 'ABC'],
      },
    ]);
  });

  it('look up values in statements of a bounded number of parameters', async () => {
    const { source, queries } = recorded([NAME]);
    const values = Array.from({ length: 1200 }, (_, index) => `C${index}`);
    expect((await missingValues(source, values, never)).size).toBe(1200);
    expect(queries.map(({ values: bound }) => bound.length)).toEqual([1001, 1001, 401]);
  });
});
