import { describe, expect, it } from 'vitest';
import { bindQuery, isParameterOf, parameterName, parseQueryText, quoteName } from './query-text.ts';

const VALUES: Record<string, string> = { Year: '2026', Name: "O'Hara" };
const bound = (sql: string, kind: 'pg' | 'mssql' = 'pg') => {
  const { problem, ...query } = parseQueryText(sql, kind);
  expect(problem).toBeNull();
  return bindQuery(query, kind, (name) => VALUES[name] ?? null);
};

describe('parseQueryText', () => {
  it('binds each occurrence of a parameter', () => {
    const sql = 'select n from t where y=@Year and (n = @Name or y <= @Year)';
    expect(bound(sql)).toEqual({
      sql: 'select n from t where y=$1 and (n = $2 or y <= $3)',
      values: ['2026', "O'Hara", '2026'],
    });
    expect(bound(sql, 'mssql').sql).toBe('select n from t where y=@p0 and (n = @p1 or y <= @p2)');
  });

  it.each([
    ["select '@Year' , n"],
    ["select 'it''s @Year'"],
    ['select "@Year" from t'],
    ['select "a""@Year" from t'],
    ['select 1 -- @Year'],
    ['select 1 /* @Year /* @Name */ @Year */ from t'],
    ['select $$ @Year $$'],
    ['select $tag$ @Year $$ $tag$'],
    [String.raw`select E'\'@Year'`],
    ['select a <@ b, c @> d'],
    ['select name@Year'],
  ])('leaves what is quoted or a comment alone: %s', (sql) => {
    expect(bound(sql)).toEqual({ sql, values: [] });
  });

  it('knows the brackets and variables of SQL Server, which are others in PostgreSQL', () => {
    expect(bound('select [@Year], [a]]@Year], @@version from t', 'mssql').values).toEqual([]);
    expect(bound('select (array[@Year])[1]').values).toEqual(['2026']);
  });

  it('reads a name up to its end, and a backslash in an ordinary text as a character', () => {
    expect(parseQueryText('select @Größe_2, @Größe_2+@year', 'pg').parameters).toEqual(['Größe_2', 'year']);
    expect(bound(String.raw`select '\', @Year`).values).toEqual(['2026']);
  });

  it.each([
    ['', 'is empty'],
    ['-- nothing', 'is empty'],
    ['delete from t', 'does not begin with SELECT or WITH'],
    ['select 1; drop table t', 'has more than one statement'],
    ["select 'x", 'is not closed'],
    ['select 1 /* x', 'is not closed'],
    ['select 1) as q; drop table t; select (1', 'has more than one statement'],
    ['select 1) union (select 2', 'has brackets that do not match'],
  ])('refuses %s', (sql, problem) => {
    for (const kind of ['pg', 'mssql'] as const) expect(parseQueryText(sql, kind).problem).toContain(problem);
  });

  it.each([
    'select 1 drop table t',
    'select * into x from t',
    'with a as (select 1 b) delete from a',
    'select 1 exec p',
  ])('refuses what SQL Server would change: %s', (sql) =>
    expect(parseQueryText(sql, 'mssql').problem).toMatch(/^may only read, but says [A-Z]+$/),
  );

  it('takes a quoted column of such a name, and the semicolon at the end', () => {
    expect(parseQueryText("select [update], 'delete' from t ; ", 'mssql').problem).toBeNull();
  });
});

describe('the name of an input in a query', () => {
  it('holds letters, digits and _', () => {
    expect(parameterName('Cost centre (old)')).toBe('Cost_centre_old');
    expect(isParameterOf('cost_CENTRE_old', 'Cost centre (old)')).toBe(true);
    expect(isParameterOf('Cost', 'Cost centre')).toBe(false);
  });

  it('is quoted where it is a column', () => {
    expect([quoteName('a"b', 'pg'), quoteName('a]b', 'mssql')]).toEqual(['"a""b"', '[a]]b]']);
  });
});
