/** Defaults, outputs, return codes, several results, messages, errors and transactions. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { procedureBench, type ProcedureBench } from '#test/support/procedures.ts';
import { ArgumentError, ProcedureError, type ProcedureMessage } from './types.ts';

const isPg = !process.env['RUNSHEET_TEST_DATABASE_URL']?.startsWith('mssql:');
const never = new AbortController().signal;

const PG = [
  'create table log (n int primary key, note text)',
  `create procedure defaults(a int, out e text, b text default 'it''s ; "b"', c date default date '2026-01-01', inout d numeric default 1.50)
    language plpgsql as $$ begin e := a || '|' || coalesce(b, 'null') || '|' || coalesce(c::text, 'null'); end $$`,
  `create procedure several(inout one refcursor, inout empty refcursor, inout two refcursor) language plpgsql as $$ begin
    open one for select n, (n * 1.5)::numeric(10,2) as half, null::mood as mood from generate_series(1, 2500) n; empty := null;
    two := 'my "cursor"'; open two for select 'x' as "a ""b""" where false; end $$`,
  `create procedure speaks(n int) language plpgsql as $$ begin raise notice 'begin %', n; raise warning 'half'; raise info 'end'; end $$`,
  `create procedure fails(n int) language plpgsql as $$ begin insert into log values (n, 'kept?');
    raise exception 'no % of that', n using errcode = 'P0777'; end $$`,
  `create procedure writes(n int) language plpgsql as $$ begin insert into log values (n, 'written'); end $$`,
  `create procedure commits(n int, inout c refcursor default null) language plpgsql as $$ begin insert into log values (n, 'first'); commit;
    if c is not null then open c for select 1; end if;
    insert into log values (n + 1, 'second'); if n < 0 then raise exception 'late'; end if; end $$`,
];
const PG_FUNCTIONS = [
  `create function overload(a int) returns text language sql as $$ select 'int' $$`,
  `create function overload(a int, b int default 2) returns text language sql as $$ select 'two ' || b $$`,
  `create function overload(a text) returns text language sql as $$ select 'text' $$`,
  `create function unnamed(int, "a b" int default 5, int default 7) returns int language sql as $$ select $1 * 100 + $2 * 10 + $3 $$`,
  `create function two_outs(a int, out b int, out c text) language sql as $$ select a + 1, 'c' $$`,
  `create function table_of(n int) returns table (n int, t numeric) language sql as $$ select g, g / 3.0 from generate_series(1, n) g $$`,
  `create function cursors() returns setof refcursor language plpgsql as $$ declare a refcursor := 'a'; b refcursor := 'b'; begin
    open a for select 1; return next a; open b for select 2, 3; return next b; end $$`,
  `create function nothing(n int) returns void language sql as $$ insert into log values (n, 'by a function') $$`,
  `create function one_row() returns log language sql as $$ select 7, 'row' $$`,
  `create function variadic_sum(variadic a int[]) returns int language sql as $$ select 1 $$`,
  `create function anything(a anyelement) returns int language sql as $$ select 1 $$`,
  `create function records() returns setof record language sql as $$ select 1, 2 $$`,
  `create function on_trigger() returns trigger language plpgsql as $$ begin return null; end $$`,
  `create function only_reads(n int) returns void language plpgsql as $$ begin set transaction read only; insert into log values (n, 'never'); end $$`,
  `create function deferred(n int) returns void language sql as $$ insert into child values (n) $$`,
];
const MSSQL = [
  'create table log (n int primary key, note nvarchar(100))',
  `create procedure defaults @a int, @e nvarchar(200) = null output, @b nvarchar(50) = 'it''s ; "b"', @c date = '2026-01-01', @d decimal(10,2) = 1.50 output
    as set @e = concat(@a, '|', coalesce(@b, 'null'), '|', coalesce(convert(nvarchar(10), @c, 23), 'null'))`,
  `create procedure several as begin select n, cast(n * 1.5 as decimal(10,1)) as half from (values (1), (2)) v (n); select 'x' as [a "b"] where 1 = 0; return 7 end`,
  `create procedure speaks @n int as begin print concat('begin ', @n); raiserror('half', 10, 1) with nowait; print 'end' end`,
  `create procedure fails @n int as begin insert into log values (@n, 'kept?'); raiserror('no %d of that', 16, 1, @n) end`,
  `create procedure writes @n int as insert into log values (@n, 'written')`,
  `create procedure commits @n int as begin begin transaction; insert into log values (@n, 'first'); commit;
    insert into log values (@n + 1, 'second'); if @n < 0 raiserror('late', 16, 1) end`,
  `create procedure leaves @n int as begin insert into log values (@n, 'left'); commit end`,
];

let bench: ProcedureBench;
beforeAll(async () => {
  bench = await procedureBench();
  await bench.run(...(isPg ? [`create type mood as enum ('good')`, ...PG] : MSSQL));
  if (isPg) {
    await bench.run('create table child (n int references log deferrable initially deferred)', ...PG_FUNCTIONS);
  }
});
afterAll(async () => bench.end());

const thrownBy = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );
async function notes(n: number): Promise<string[]> {
  const rows = (await bench.database.knex('log').where('n', n).select('note')) as { note: string }[];
  return rows.map(({ note }) => note);
}

describe('a call of a procedure', () => {
  it('leaves out what has a default, and refuses what has none and is not given', async () => {
    const { outputs } = await bench.call('defaults', { a: '5' });
    expect([...outputs]).toEqual([
      ['e', `5|it's ; "b"|2026-01-01`],
      ['d', '1.50'],
    ]);
    const given = await bench.call('defaults', { a: '5', b: null, c: '2026-02-03', d: '9.99' });
    expect([...given.outputs.values()]).toEqual(['5|null|2026-02-03', '9.99']);
    const missing = await thrownBy(bench.call('defaults'));
    expect(missing).toBeInstanceOf(ArgumentError);
    expect((missing as ArgumentError).message).toBe('The parameter a has no default, and needs a value');
    expect(await thrownBy(bench.call('defaults', { a: '5', zz: '1' }))).toBeInstanceOf(ArgumentError);
  });

  it('describes its parameters', async () => {
    const { parameters, definitionHash, refusals, kind } = await bench.describe('defaults');
    const described = parameters.map(({ name, ordinal, direction, mayBeLeftOut, type }) => [
      name,
      ordinal,
      direction,
      mayBeLeftOut,
      type.kind,
    ]);
    expect(described).toEqual([
      ['a', 1, 'in', false, 'Number'],
      ['e', 2, isPg ? 'out' : 'inout', true, 'Text'],
      ['b', 3, 'in', true, 'Text'],
      ['c', 4, 'in', true, 'Date'],
      ['d', 5, 'inout', true, 'Number'],
    ]);
    expect([kind, refusals, definitionHash?.length]).toEqual(['procedure', [], 64]);
  });

  it('recognizes a changed definition by its hash', async () => {
    const [mark, again] = isPg
      ? ['create or replace procedure', ' language sql as $$ select 1 $$']
      : ['alter procedure', ' as select 1'];
    await bench.run(`create procedure changes${isPg ? '()' : ''}${again}`);
    const before = await bench.describe('changes');
    await bench.run(`${mark} changes${isPg ? '()' : ''}${again.replace('1', '2')}`);
    expect((await bench.describe('changes')).definitionHash).not.toBe(before.definitionHash);
  });

  it('gives several results in their order, an empty one with its columns, and the return code', async () => {
    const { sets, results, returnCode, outputs } = await bench.call(
      'several',
      isPg ? { one: null, empty: null, two: null } : {},
    );
    expect([results, returnCode]).toEqual([2, isPg ? null : 7]);
    const [first, second] = sets;
    expect(first!.rows).toHaveLength(isPg ? 2500 : 2);
    expect(first!.rows.at(-1)!.slice(0, 2)).toEqual(isPg ? ['2500', '3750.00'] : ['2', '3.0']);
    expect(second!.rows).toEqual([]);
    expect(second!.columns.map(({ name }) => name)).toEqual(['a "b"']);
    if (!isPg) return;
    expect([...outputs.values()]).toEqual([null, null, null]);
    expect(first!.columns.map(({ name, type }) => [name, type.kind])).toEqual([
      ['n', 'Number'],
      ['half', 'Number'],
      ['mood', 'Enum'],
    ]);
  });

  it('passes messages on as they arrive, with severity, number, procedure and line', async () => {
    const { messages } = await bench.call('speaks', { n: '3' });
    expect(messages.map(({ text }) => text)).toEqual(['begin 3', 'half', 'end']);
    const factsOf = ({ severity, number, line }: ProcedureMessage) => [severity, number, line === 1];
    if (!isPg) return;
    expect(messages.map(factsOf)).toEqual([
      ['NOTICE', '00000', true],
      ['WARNING', '01000', true],
      ['INFO', '00000', true],
    ]);
    expect(messages[0]!.procedure).toBe('speaks(integer)');
  });

  it('ends with the error that the procedure raised, and stores none of it', async () => {
    const error = (await thrownBy(bench.call('fails', { n: '4' }))) as ProcedureError;
    expect(error).toBeInstanceOf(ProcedureError);
    expect([error.message, error.line === null]).toEqual(['no 4 of that', false]);
    expect(error.number).toBe(isPg ? 'P0777' : '50000');
    expect(error.severity).toBe(isPg ? 'ERROR' : '16');
    if (isPg) expect(error.procedure).toBe('fails(integer)');
    expect(await notes(4)).toEqual([]);
  });

  it('is kept, or taken back as a trial', async () => {
    await bench.call('writes', { n: '10' }, { mode: 'trial' });
    expect(await notes(10)).toEqual([]);
    await bench.call('writes', { n: '10' });
    await bench.call('writes', { n: '11' }, { mode: 'own' });
    expect([await notes(10), await notes(11)]).toEqual([['written'], ['written']]);
  });

  it('that commits does so where it may, and keeps what was committed before an error', async () => {
    await bench.call('commits', { n: '20' }, { mode: 'own' });
    expect([await notes(20), await notes(21)]).toEqual([['first'], ['second']]);
    expect(await thrownBy(bench.call('commits', { n: '-20' }, { mode: 'own' }))).toBeInstanceOf(ProcedureError);
    expect([await notes(-20), await notes(-19)]).toEqual([['first'], isPg ? [] : ['second']]);
  });

  it('that ends the transaction around it says so, and none of it is stored', async () => {
    const name = isPg ? 'commits' : 'leaves';
    for (const mode of ['transaction', 'trial'] as const) {
      const error = (await thrownBy(bench.call(name, { n: '30' }, { mode }))) as Error;
      expect(error.message).toContain('the procedure commits or rolls back its own changes');
      expect(await notes(30)).toEqual([]);
    }
  });

  it('is ended by what the caller throws, which is thrown on, and taken back', async () => {
    const own = new Error('the disk is full');
    const onRows = () => {
      throw own;
    };
    const given: Record<string, null> = isPg ? { one: null, empty: null, two: null } : {};
    expect(await thrownBy(bench.call('several', given, { onRows }))).toBe(own);
    expect((await bench.call('several', given)).results).toBe(2);
  });

  it('keeps nothing where the caller refuses its outcome', async () => {
    const own = new Error('the code is not 0');
    const onEnd = () => {
      throw own;
    };
    expect(await thrownBy(bench.call('writes', { n: '31' }, { onEnd }))).toBe(own);
    expect(await notes(31)).toEqual([]);
  });

  it('takes descriptions of the catalog alone', async () => {
    const described = await bench.describe('writes');
    const request = { procedure: { ...described }, arguments: new Map([['n', '1']]), mode: 'transaction' as const };
    const error = await thrownBy(bench.connection.procedures.call(request, { signal: never }));
    expect((error as Error).message).toContain('is not from the catalog');
  });
});

describe('a call on PostgreSQL', () => {
  beforeEach((context) => {
    if (!isPg) context.skip("overloads, unnamed parameters, functions, cursors: PostgreSQL's own");
  });

  it('means the overload that is named', async () => {
    const calls = ['overload(integer, integer)', 'overload(text)'].map((name) => bench.call(name, { a: '1' }));
    const values = (await Promise.all(calls)).map(({ outputs }) => outputs.get('ReturnValue'));
    expect(values).toEqual(['two 2', 'text']);
    // This overload cannot be called by anybody.
    const error = await thrownBy(bench.call('overload(integer)', { a: '1' }));
    expect((error as ProcedureError).message).toBe('function public.overload(integer) is not unique');
  });

  it('takes unnamed parameters by their place, and leaves out one in the middle', async () => {
    const { parameters } = await bench.describe('unnamed');
    expect(parameters.map(({ name }) => name)).toEqual(['ReturnValue', '$1', 'a b', '$3']);
    expect((await bench.call('unnamed', { $1: '1', $3: '3' })).outputs.get('ReturnValue')).toBe('153');
  });

  it('gives what functions return: values, a row, rows, nothing', async () => {
    expect([...(await bench.call('two_outs', { a: '1' })).outputs]).toEqual([
      ['b', '2'],
      ['c', 'c'],
    ]);
    const { results, resultsAreAll } = await bench.describe('table_of');
    expect([results[0]?.map(({ name, type }) => [name, type.declared]), resultsAreAll]).toEqual([
      [
        ['n', 'integer'],
        ['t', 'numeric'],
      ],
      true,
    ]);
    const table = await bench.call('table_of', { n: '2001' });
    expect([table.sets[0]!.rows.length, table.sets[0]!.rows[0], table.outputs.size]).toEqual([
      2001,
      ['1', '0.33333333333333333333'],
      0,
    ]);
    expect((await bench.call('one_row')).sets[0]!.rows).toEqual([['7', 'row']]);
    const nothing = await bench.call('nothing', { n: '40' });
    expect([nothing.results, nothing.outputs.size, await notes(40)]).toEqual([0, 0, ['by a function']]);
    const cursors = await bench.call('cursors');
    expect(cursors.sets.map(({ rows }) => rows)).toEqual([[['1']], [['2', '3']]]);
  });

  it('refuses by name what cannot be called, and lists neither triggers nor other schemas', async () => {
    const refusals = async (name: string) => (await bench.describe(name)).refusals.join();
    expect(await refusals('variadic_sum')).toBe('a is VARIADIC, which takes any number of values');
    expect(await refusals('anything')).toContain('a cannot be given: the type anyelement stands for others');
    expect(await refusals('records')).toBe('It returns records, and does not say of which columns');
    expect(((await thrownBy(bench.call('records'))) as Error).message).toContain(
      'cannot be called: It returns records',
    );
    await bench.run('create schema other', 'create procedure other.hidden() language sql as $$ select 1 $$');
    const names = (await bench.connection.procedures.list(never)).map(({ name }) => name);
    expect(names.filter((name) => /hidden|on_trigger/.test(name))).toEqual([]);
    expect(await bench.connection.procedures.describe('other.hidden()', never)).toBeNull();
  });

  it('reports a deferred constraint, and a cursor that its own transaction closed', async () => {
    const error = (await thrownBy(bench.call('deferred', { n: '999' }))) as ProcedureError;
    expect([error.number, error.name]).toEqual(['23503', 'ProcedureError']);
    const lost = (await thrownBy(bench.call('commits', { n: '50', c: 'named' }, { mode: 'own' }))) as Error;
    expect(lost.message).toContain("opened a cursor that was closed with the procedure's own transaction");
  });

  it('reports a change in a read-only transaction as refused, not as a lost connection', async () => {
    const error = (await thrownBy(bench.call('only_reads', { n: '60' }))) as Error;
    expect(error.message).toContain('cannot execute INSERT in a read-only transaction');
    expect(error.message).not.toContain('lost');
    expect(await notes(60)).toEqual([]);
  });

  it('leaves no session settings of a procedure to the next user of the connection', async () => {
    await bench.run(
      `create procedure spoils() language plpgsql as $$ begin perform set_config('datestyle', 'German', false); perform pg_advisory_lock(7);
        create temp table left_behind (n int); end $$`,
    );
    await bench.call('spoils', {}, { mode: 'own' });
    const { rows } = await bench.connection.readAll(
      { sql: `select current_setting('datestyle'), to_regclass('left_behind')`, values: [] },
      { signal: never },
    );
    expect(rows).toEqual([['ISO, YMD', null]]);
    const locks = (await bench.database.knex.raw(
      `select 1 from pg_locks where locktype = 'advisory' and objid = 7
       and database = (select oid from pg_database where datname = current_database())`,
    )) as { rows: unknown[] };
    expect(locks.rows).toEqual([]);
  });
});
