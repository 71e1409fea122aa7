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
    ['select $$ @Year $$'],
    ['select $tag$ @Year $$ $tag$'],
    [String.raw`select E'\'@Year'`],
    ['select a <@ b, c @> d'],
    ['select name@Year'],
  ])('leaves what is quoted or a comment alone: %s', (sql) => {
    expect(bound(sql)).toEqual({ sql, values: [] });
  });

  it('leaves comments out, and writes all line ends alike, so that no database reads either in its own way', () => {
    expect(bound('select 1 -- @Year')).toEqual({ sql: 'select 1', values: [] });
    expect(bound('-- first\rselect 1 /* @Year /* @Name */ @Year */ from t; -- last')).toEqual({
      sql: 'select 1   from t',
      values: [],
    });
    expect(bound('select 1,\r\n2,\r3,\u00854,\u20285,\u20296\u00a0from t').sql).toBe(
      'select 1,\n2,\n3,\n4,\n5,\n6 from t',
    );
    expect(bound("select 'a\r\nb\u2028'").sql).toBe("select 'a\r\nb\u2028'");
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
    'select next value for s',
    'select 1 next value for s',
    'select * from t with (tablockx)',
    'select 1 reconfigure',
    "select 1 setuser 'x'",
    'select 1 revert',
    'select 1 checkpoint',
    'select 1 goto x',
    'select 1 while 1=1 select 1',
    "select 1 waitfor delay '00:00:10'",
    'select 1 rows fetch next from c',
    'select 1 as row fetch c',
    "select * from openrowset('x', 'y', 'z')",
    "select * from openquery(x, 'delete t')",
    "select * from opendatasource('x', 'y').a.b.c",
    'select 1 ｄｅｌｅｔｅ from t',
    'select 1 ınsert t default values',
  ])('refuses what SQL Server would change: %s', (sql) =>
    expect(parseQueryText(sql, 'mssql').problem).toMatch(/^may only read, but says \P{Ll}+$/u),
  );

  it.each([
    ['select 1commit select 1delete from t', 'has 1c: put a blank after the number'],
    ['select $1delete from t', 'has $1d: put a blank after the number'],
    ['select $delete', 'has $d: put a blank after the number'],
    ['select 1eexec p', 'has 1ee: put a blank after the number'],
    ['select 0xexec', 'has 0xex: put a blank after the number'],
    ['select @Year#x', 'has @Year#, which names no input'],
    ['select 1 -- a\rcommit', 'may only read, but says COMMIT'],
    ['select 1 -- a\u2028commit', 'may only read, but says COMMIT'],
    ['select 1 select 2', 'has more than one statement'],
    ['with a as (select 1 b) select b from a select 2', 'has more than one statement'],
    ['select 1 with a as (select 2 b) select b from a', 'has more than one statement'],
    ['select 1 x: select 2', 'has a : outside of quotes'],
    ['select {call p}', 'has a { outside of quotes'],
    ['select ‘x’', 'has the character ‘ outside of quotes'],
    ['select 1\u0001', 'has the character U+0001 outside of quotes'],
    ['select 1 \\\ncommit', 'has the character \\ outside of quotes'],
    // A combining mark, a variation selector, and fillers that screens do not show although Unicode classifies them as
    // letters.
    ['select 1 d\u034Felete from t', 'has the character U+034F outside of quotes'],
    ['select a in\uFE00to t from u', 'has the character U+FE00 outside of quotes'],
    ['select 1 as a\u3164delete from t', 'has the character U+3164 outside of quotes'],
    ['select 1 as a\uFFA0delete from t', 'has the character U+FFA0 outside of quotes'],
    ['select 1 rename object t to u', 'may only read, but says RENAME OBJECT'],
  ])('refuses on SQL Server %j', (sql, problem) => expect(parseQueryText(sql, 'mssql').problem).toContain(problem));

  it.each([
    "select set_config('transaction_read_only', 'off', false)",
    'select pg_catalog . "pg_advisory_lock" (1)',
    "select * from dblink('x', 'delete from t') as t(a int)",
    'select LO_UNLINK(1)',
    "select pg_notify('a', 'b')",
    "select query_to_xml('delete from t', true, true, '')",
    "select brin_desummarize_range('i', 0)",
    "select pg_clear_relation_stats('public', 't')",
    "select * from ts_stat('select to_tsvector(pg_advisory_lock(7)::text)')",
    "select ts_rewrite('a'::tsquery, 'select ''a''::tsquery, pg_notify(''a'', ''b'')::text::tsquery')",
    "select * from crosstab('select dblink_exec(''x'', ''delete from t''), 1, 2') as t(a text)",
    "select * from connectby('(select pg_advisory_lock(7)) as x', 'a', 'b', 'c', 0) as t(a int, b int, c int)",
    "select * from xpath_table('a', 'b', 'lateral (select pg_advisory_lock(7)) as x', 'd', 'true') as t(a int)",
    'select autoprewarm_dump_now()',
    "select * from http_post('http://x', 'y', 'z')",
  ])('refuses functions of PostgreSQL whose effect outlasts a transaction: %s', (sql) =>
    expect(parseQueryText(sql, 'pg').problem).toMatch(/^may only read, but calls \w+$/),
  );

  it.each([
    ['select U&"set\\005fconfig"(1)', 'U&"'],
    ['select $1', 'has a $ outside of quotes'],
    ["select E'a'\n'\\'; drop table t; --'", null],
    ["select 'a'\n'\\'; drop table t; --'", 'has more than one statement'],
    ["select 'a' E'\\' ; drop table t", 'is not closed'],
    ['select 1delete', 'put a blank'],
  ])('reads %j as PostgreSQL does', (sql, problem) => {
    const found = parseQueryText(sql, 'pg').problem;
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });

  it.each([
    "select t.[order], 'it''s -- ; commit', N'x', 1e5, 1e, 0xFF, $1.5, -.5, a.b from dbo.t as t with (nolock)",
    'with a as (select 1 b), c as (select 2 d) select b from a union all select d from c order by 1 offset 0 rows fetch next 5 rows only',
    '(select 1 union (select 2)) except select 3',
    "select top (5) with ties a from t order by a option (maxdop 1, merge join, use hint ('x'))",
    "select case when a = 1 then 2 else 3 end as [end] from #t cross apply openjson(b) with (c int '$.c') as j",
    'select a from t where b = all (select 1) and c in (select 2) group by a with rollup',
    "select {d '2026-01-01'}, hierarchyid::GetRoot(), t.send, 1 as receive, $action, @@version from t inner merge join u on 1 = 1",
    'select månad, 数量, प्रति from t',
  ])('takes for SQL Server %s', (sql) => expect(parseQueryText(sql, 'mssql').problem).toBeNull());

  it.each([
    "select a::text, b->>'c', d #> '{e}', array[1,2], $$x; delete$$, 1_000, 0x1F, 1.5e-3, delete, x'1F' from t",
    'select lo_date, "lo_put", nextval from t where lo_date in (@Year)',
    'select ä.größe from "T""x" as ä, lateral (select 1) b',
  ])('takes for PostgreSQL %s', (sql) => expect(parseQueryText(sql, 'pg').problem).toBeNull());

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
