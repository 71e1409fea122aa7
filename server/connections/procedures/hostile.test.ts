/** Malicious procedures, and difficult names, texts and numbers. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOtherMakersServer, NAMES_IN_BRACKETS } from '#test/support/sql-server.ts';
import { connectionProblems } from '#server/config/connection-settings.ts';
import { procedureBench, type ProcedureBench } from '#test/support/procedures.ts';
import { isFullSet } from '#test/support/test-set.ts';
import type { ConnectionError } from '../connection-error.ts';
import { ArgumentError, ProcedureError } from './types.ts';

const isPg = !process.env['RUNSHEET_TEST_DATABASE_URL']?.startsWith('mssql:');
const WEIRD = `we"ird]; drop table log; -- '`;
setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const thrownBy = async (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error as Error,
  );

let bench: ProcedureBench;
beforeAll(async () => {
  bench = await procedureBench();
  await bench.run('create table log (n int primary key)');
});
afterAll(async () => bench.end());

describe('names and texts', () => {
  it('with quotes, brackets and semicolons are names and texts', async (context) => {
    context.skip(await isOtherMakersServer(bench.database.knex), NAMES_IN_BRACKETS);
    const name = isPg ? `"${WEIRD.replaceAll('"', '""')}"` : `[${WEIRD.replaceAll(']', ']]')}]`;
    await bench.run(`create schema ${name}`);
    if (isPg) {
      await bench.run(
        `create type ${name}.${name} as (${name} text)`,
        `create type ${name}."enum"  as enum ('a', '''; drop table log; --')`,
        `create procedure ${name}.${name}(${name} text, inout t ${name}.${name}[], inout "e;" ${name}."enum" default '''; drop table log; --')
          language plpgsql as $$ begin t := t || t[1]; end $$`,
      );
    } else {
      await bench.run(
        `create type ${name}.${name} as table (${name} nvarchar(100))`,
        `create procedure ${name}.${name} @a nvarchar(100), @t ${name}.${name} readonly, @e nvarchar(100) = '''; drop table log; --' output as
          select ${name} as ${name}, @a as a from @t`,
      );
    }
    const other = await procedureBench({ url: bench.database.url, procedureSchemas: [WEIRD] });
    try {
      const signal = new AbortController().signal;
      const [found] = await other.connection.procedures.list(signal);
      const full = isPg ? `${WEIRD}.${WEIRD}(text, ${name}.${name}[], ${name}.enum)` : `${WEIRD}.${WEIRD}`;
      expect(found?.name).toBe(full);
      const procedure = (await other.connection.procedures.describe(full, signal))!;
      expect(procedure.refusals).toEqual([]);
      const rows = [[WEIRD]];
      const sets: unknown[] = [];
      const { outputs } = await other.connection.procedures.call(
        {
          procedure,
          arguments: new Map<string, never>([
            [isPg ? WEIRD : 'a', WEIRD],
            ['t', { rows }],
          ] as never),
          mode: 'transaction',
        },
        { signal, onRows: (batch) => void sets.push(batch.rows, batch.columns[0]!.name) },
      );
      expect(outputs.get(isPg ? 'e;' : 'e')).toBe(`'; drop table log; --`);
      if (isPg) expect(outputs.get('t')).toEqual({ rows: [[WEIRD], [WEIRD]] });
      else expect(sets).toEqual([[[WEIRD, WEIRD]], WEIRD]);
    } finally {
      await other.end();
    }
    expect(await bench.database.knex('log').select()).toEqual([]);
  });

  it('do not exist for a connection that names no schema, and schemas are texts', async () => {
    const signal = new AbortController().signal;
    const other = await procedureBench({ url: bench.database.url, procedureSchemas: [] });
    try {
      await bench.run(`create procedure unnamed_schema${isPg ? '() language sql as $$ select 1 $$' : ' as select 1'}`);
      expect(await other.connection.procedures.list(signal)).toEqual([]);
      expect(
        await other.connection.procedures.describe(`${bench.schema}.unnamed_schema${isPg ? '()' : ''}`, signal),
      ).toBeNull();
    } finally {
      await other.end();
    }
    const settings = { url: 'postgres://a@b/c' };
    expect(connectionProblems({ Shop: { ...settings, procedureSchemas: ['reports', 'dbo'] } })).toEqual([]);
    expect(connectionProblems({ Shop: { ...settings, procedureSchemas: 'dbo' } })).toHaveLength(1);
    expect(connectionProblems({ Shop: { ...settings, procedureSchemas: [''] } })).toHaveLength(1);
  });

  it('of attacks stay values, whatever type they are given for', async () => {
    const types = isPg
      ? ['text', 'int', 'numeric', 'date', 'timestamptz', 'boolean', 'bytea', 'uuid', 'json', 'int[]', 'interval']
      : [
          'nvarchar(max)',
          'varchar(200)',
          'int',
          'decimal(18,4)',
          'date',
          'datetimeoffset',
          'bit',
          'varbinary(max)',
          'uniqueidentifier',
          'xml',
        ];
    const attacks = [
      `'; drop table log; --`,
      `1); drop table log; --`,
      `"; drop table log; --`,
      `\\'; drop table log; --`,
      `$1; drop table log`,
      `@v0; drop table log`,
    ];
    for (const [index, type] of types.entries()) {
      const procedure = isPg
        ? `attacked_${index}(inout v ${type}) language plpgsql as $$ begin perform 1; end $$`
        : `attacked_${index} @v ${type} output as return 0`;
      await bench.run(`create procedure ${procedure}`);
      for (const attack of attacks) {
        const answered = await bench.call(`attacked_${index}`, { v: attack }).then(
          ({ outputs }) => outputs.get('v'),
          (error: unknown) => error instanceof ArgumentError || error instanceof ProcedureError || error,
        );
        expect([type, answered === attack || answered]).toEqual([type, true]);
      }
    }
    expect(await bench.database.knex('log').select()).toEqual([]);
  });

  it('of a database that holds the tables of a portal name nothing', async () => {
    const signal = new AbortController().signal;
    await bench.run(`create procedure of_all${isPg ? '() language sql as $$ select 1 $$' : ' as select 1'}`);
    const full = `${bench.schema}.of_all${isPg ? '()' : ''}`;
    expect((await bench.connection.procedures.list(signal)).map(({ name }) => name)).toContain(full);
    await bench.run('create table "ActivityRuns" (n int)', 'create table "SecurityActions" (n int)');
    expect(await bench.connection.procedures.list(signal)).toEqual([]);
    expect(await bench.connection.procedures.describe(full, signal)).toBeNull();
    await bench.run('drop table "ActivityRuns"', 'drop table "SecurityActions"');
  });
});

describe('as many as there may be', () => {
  it('parameters are bound', async () => {
    // PostgreSQL is built for 100 parameters (FUNC_MAX_ARGS), as are compatible servers of other vendors. SQL Server
    // has 2,100: "Maximum capacity specifications for SQL Server".
    const isWide = !isPg && !(await isOtherMakersServer(bench.database.knex));
    const names = Array.from({ length: isWide ? 2099 : 99 }, (_, index) => `p${index}`);
    await bench.run(
      isPg
        ? `create function wide(${names.map((name) => `${name} numeric`).join(', ')}) returns numeric language sql as $$ select ${names.join(' + ')} $$`
        : `create procedure wide ${names.map((name) => `@${name} decimal(9,2)`).join(', ')}, @s decimal(18,2) = 0 output as set @s = ${names.map((name) => `@${name}`).join(' + ')}`,
    );
    const given = Object.fromEntries(names.map((name, index) => [name, `${index}.01`]));
    const hundredths = names.reduce((sum, _, index) => sum + index * 100 + 1, 0);
    const { outputs } = await bench.call('wide', given);
    expect(outputs.get(isPg ? 'ReturnValue' : 's')).toBe((hundredths / 100).toFixed(2));
  });

  it('messages come one by one: 100,000', async () => {
    const loop = isPg
      ? `create procedure talks() language plpgsql as $$ begin for i in 1..100000 loop raise notice 'line %', i; end loop; end $$`
      : `create procedure talks as begin declare @i int = 1; while @i <= 100000 begin print concat('line ', @i); set @i += 1 end end`;
    await bench.run(loop);
    let count = 0;
    let last = '';
    await bench.call(
      'talks',
      {},
      {
        onMessage: ({ text }) => {
          count += 1;
          last = text;
        },
      },
    );
    expect([count, last]).toEqual([100_000, 'line 100000']);
  });

  it('results keep their order: 50', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    await bench.run(
      isPg
        ? `create function fifty() returns setof refcursor language plpgsql as $$ declare c refcursor; begin
            for i in 1..50 loop c := 'c' || i; open c for select i as n; return next c; end loop; end $$`
        : `create procedure fifty as begin ${numbers.map((n) => `select ${n} as n`).join('; ')} end`,
    );
    const { sets, results } = await bench.call('fifty');
    expect(results).toBe(50);
    expect(sets.map(({ rows }) => rows)).toEqual(numbers.map((n) => [[String(n)]]));
  });

  it.runIf(isFullSet)('rows are streamed: a million, in memory for some thousands', async () => {
    const ten = '(values (0),(1),(2),(3),(4),(5),(6),(7),(8),(9))';
    await bench.run(
      isPg
        ? `create function million() returns table (n int, t text) language sql as $$ select g, repeat('x', 100) from generate_series(1, 1000000) g $$`
        : `create procedure million as select a.n + b.n * 10 + c.n * 100 + d.n * 1000 + e.n * 10000 + f.n * 100000 + 1 as n, replicate('x', 100) as t
            from ${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${ten} ${name}(n)`).join(' cross join ')}`,
    );
    let sum = 0;
    let peakHeap = 0;
    let largest = 0;
    let batches = 0;
    const before = heapInUse();
    await bench.call(
      'million',
      {},
      {
        onRows: ({ rows }) => {
          largest = Math.max(largest, rows.length);
          for (const [n] of rows) sum += Number(n);
          batches += 1;
          if (batches % 200 === 0) peakHeap = Math.max(peakHeap, heapInUse() - before);
        },
      },
    );
    expect([sum, largest]).toEqual([500_000_500_000, 1000]);
    // The whole result would take more than 200 MB.
    expect(peakHeap).toBeLessThan(50e6);
  });

  it('rows beyond the limit of the connection end the call, and none of it is stored', async () => {
    const other = await procedureBench({ url: bench.database.url, maxRows: 2500 });
    try {
      await bench.run(
        isPg
          ? `create function endless() returns setof int language plpgsql as $$ begin insert into log values (99); return query select g from generate_series(1, 100000) g; end $$`
          : `create procedure endless as begin insert into log values (99); select top (5000) 1 as n from sys.all_columns a cross join sys.all_columns b end`,
      );
      const error = (await thrownBy(other.call('endless'))) as ConnectionError;
      expect([error.kind, error.message]).toEqual([
        'tooManyRows',
        `A procedure on the connection 'Shop' returns more than 2,500 rows`,
      ]);
      expect(await bench.database.knex('log').select()).toEqual([]);
    } finally {
      await other.end();
    }
  });
});
