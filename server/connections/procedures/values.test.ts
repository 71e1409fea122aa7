/**
 * Values of every type as parameter, in a table and in a result: they come back unchanged, or are rejected with the
 * parameter's name.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { procedureBench, type ProcedureBench } from '#test/support/procedures.ts';
import { isOtherMakersServer, NO_SCALES } from '#test/support/sql-server.ts';
import type { ProcedureCell } from '#server/base/procedure-types.ts';
import { ArgumentError } from './types.ts';

/**
 * The type, values that come back unchanged, values that come back in a different notation, and values that are
 * rejected.
 */
interface Case {
  type: string;
  same: ProcedureCell[];
  as?: [ProcedureCell, ProcedureCell][];
  refused?: ProcedureCell[];
  /** What a compatible server of another vendor lacks for it. */
  lacks?: string;
  /** Trailing zeros of a fraction are ignored. */
  isTrimmed?: true;
  /** A compatible server of another vendor does not accept it as OUTPUT, see NO_SCALES. */
  lacksOutput?: true;
}

const NINES = '99999999999999999999999999999999999999';
const bytes = (text: string): Buffer => Buffer.from(text, 'hex');
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const UNICODE = `'";--[]{}\\$1 äöü ß 中文 🦉👩‍👩‍👧 \u202e \t\r\n end`;

const PG: Case[] = [
  { type: 'smallint', same: ['-32768', '32767', '0'], refused: ['32768', '1.5', 'x'] },
  { type: 'integer', same: ['-2147483648', '2147483647'], as: [['1e3', '1000']], refused: ['2147483648'] },
  { type: 'bigint', same: ['9007199254740993', '-9223372036854775808'], refused: ['9223372036854775808'] },
  {
    type: 'numeric',
    same: [NINES, `-${NINES}.${NINES}`, `0.${'0'.repeat(37)}1`, 'NaN', 'Infinity', '-Infinity'],
    as: [['1.50e1', '15']],
    refused: ['1,5', ''],
  },
  { type: 'real', same: ['0.1', '3.4028235e+38', 'NaN', '-Infinity'], refused: ['16777217', '1e39'] },
  {
    type: 'double precision',
    same: ['0.1', '1.7976931348623157e+308', '5e-324', '9.007199254740992e+15', 'Infinity'],
    refused: ['9007199254740993', '1e309'],
  },
  { type: 'money', same: ['92233720368547758.07', '-92233720368547758.08', '-1234.50', '0.00'], refused: ['0.001'] },
  { type: 'boolean', same: [true, false], refused: ['yes'] },
  {
    type: 'date',
    same: ['0001-01-01', '9999-12-31', 'infinity', '-infinity', '0044-03-15 BC', '2024-02-29'],
    refused: ['2023-02-29', '2026-01-01 10:00:00', '01/02/2026'],
  },
  {
    type: 'timestamp',
    same: ['0001-01-01 00:00:00', '9999-12-31 23:59:59.999999', '2026-03-29 02:30:00', '294276-12-31 23:59:59.999999'],
    as: [['2026-11-22T13:45:00.500', '2026-11-22 13:45:00.5']],
    refused: ['2026-11-22 13:45:00.1234567', '2026-11-22 13:45:00+01:00'],
  },
  {
    type: 'timestamptz',
    same: ['2026-11-22 13:45:00.123456+01:00', '2026-07-01 00:00:00+02:00'],
    as: [
      ['2026-07-01 12:00:00', '2026-07-01 12:00:00+02:00'],
      ['2026-11-22T12:45:00Z', '2026-11-22 13:45:00+01:00'],
      ['9999-12-31 23:59:59.999999+00:00', '10000-01-01 00:59:59.999999+01:00'],
    ],
  },
  { type: 'time', same: ['00:00:00', '23:59:59.999999'], refused: ['25:00:00', '12:00:00.1234567'] },
  { type: 'timetz', same: ['23:59:59.999999+05:30'] },
  { type: 'interval', same: ['1 year 2 mons 3 days 04:05:06.789'] },
  { type: 'text', same: ['', ' ', UNICODE, 'x'.repeat(1_000_000), 'null', 'NULL'], refused: ['a\0b', '\ud800'] },
  { type: 'varchar', same: [UNICODE, ''] },
  { type: 'bpchar', same: [UNICODE] },
  { type: 'bytea', same: [Buffer.alloc(0), EVERY_BYTE, Buffer.alloc(1_000_000, 7)], refused: ['text'] },
  { type: 'uuid', same: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'] },
  { type: 'json', same: ['{"a": 12345678901234567890.0123456789,  "b":"🦉"}', 'null'] },
  { type: 'jsonb', same: ['{"a": 12345678901234567890.0123456789}'] },
  { type: 'xml', same: ['<a b="1">&lt;🦉</a>'] },
  { type: 'bit', same: ['1'] },
  { type: 'varbit', same: ['10101', ''] },
  { type: 'integer[]', same: ['{1,NULL,3}', '{{1,2},{3,4}}', '{}'] },
  { type: 'numeric[]', same: [`{${NINES}.1,NaN}`] },
  { type: 'text[]', same: ['{"a,b","say \\"so\\"",NULL,"NULL",""}'] },
  { type: 'int4range', same: ['[1,10)', 'empty'] },
  { type: 'mood', same: ['so so', "it's fine"], refused: ['bad'] },
  { type: 'percentage', same: ['99.50'] },
  { type: 'point', same: ['(1.5,2)'] },
  { type: 'inet', same: ['192.168.0.1/24'] },
  { type: 'place', same: ['("a ""b"", c",1.50)'] },
];

const MSSQL: Case[] = [
  { type: 'tinyint', same: ['0', '255'], refused: ['256', '-1'] },
  { type: 'smallint', same: ['-32768', '32767'], refused: ['32768'] },
  { type: 'int', same: ['-2147483648', '2147483647'], as: [['1e3', '1000']], refused: ['2147483648', '1.5', 'x'] },
  { type: 'bigint', same: ['9007199254740993', '-9223372036854775808'], refused: ['9223372036854775808'] },
  { type: 'decimal(38,0)', same: [NINES, `-${NINES}`], refused: [`${NINES}9`, 'NaN'] },
  {
    type: 'decimal(18,4)',
    same: ['12345678901234.5678', '-0.0001', '0.0000'],
    refused: ['1.23456', '123456789012345'],
  },
  { type: 'decimal(38,38)', same: [`0.${NINES}`, `-0.${NINES}`], refused: ['1'] },
  {
    type: 'money',
    same: ['922337203685477.5807', '-922337203685477.5808', '-0.0001'],
    refused: ['0.00001', '922337203685477.5808'],
  },
  { type: 'smallmoney', same: ['214748.3647', '-214748.3648'], refused: ['214748.3648'] },
  { type: 'real', same: ['0.1', '3.4028235e+38', '-1.5'], refused: ['16777217', 'Infinity'] },
  { type: 'float', same: ['0.1', '1.7976931348623157e+308', '9007199254740992'], refused: ['9007199254740993', 'NaN'] },
  { type: 'bit', same: [true, false], refused: ['1'] },
  { type: 'date', same: ['0001-01-01', '9999-12-31', '2024-02-29'], refused: ['2023-02-29', '2026-01-01 10:00:00'] },
  {
    type: 'datetime2(7)',
    lacks: NO_SCALES,
    same: ['0001-01-01 00:00:00.0000000', '9999-12-31 23:59:59.9999999', '2026-03-29 02:30:00.1234567'],
    refused: ['2026-11-22 13:45:00.12345678', '2026-11-22 13:45:00+01:00'],
  },
  { type: 'datetime2(0)', lacks: NO_SCALES, same: ['2026-11-22 13:45:00'], refused: ['2026-11-22 13:45:00.5'] },
  {
    type: 'datetime',
    same: ['1753-01-01 00:00:00.000', '9999-12-31 23:59:59.997'],
    refused: ['1752-12-31', '2026-01-01 00:00:00.001'],
  },
  {
    type: 'smalldatetime',
    same: ['1900-01-01 00:00:00', '2079-06-06 23:59:00'],
    refused: ['2026-01-01 00:00:01', '2079-06-07'],
  },
  {
    type: 'datetimeoffset(7)',
    lacks: NO_SCALES,
    same: [
      '0001-01-02 00:00:00.0000000+14:00',
      '9999-12-30 23:59:59.9999999-14:00',
      '2026-07-01 12:00:00.1234567+05:30',
    ],
    as: [['2026-07-01 12:00:00', '2026-07-01 12:00:00.0000000+02:00']],
  },
  {
    type: 'time(7)',
    lacks: NO_SCALES,
    same: ['00:00:00.0000000', '23:59:59.9999999'],
    refused: ['25:00:00', '12:00:00.12345678'],
  },
  { type: 'time(0)', lacks: NO_SCALES, same: ['13:45:00'], refused: ['13:45:00.5'] },
  {
    type: 'datetime2',
    isTrimmed: true,
    lacksOutput: true,
    same: ['0001-01-01 00:00:00', '9999-12-31 23:59:59.999999', '2026-03-29 02:30:00.123456'],
  },
  {
    type: 'datetimeoffset',
    isTrimmed: true,
    lacksOutput: true,
    same: ['0001-01-02 00:00:00+14:00', '9999-12-30 23:59:59.999999-14:00', '2026-07-01 12:00:00.123456+05:30'],
    as: [
      ['2026-07-01 12:00:00', '2026-07-01 12:00:00+02:00'],
      ['2026-11-22T12:00:00', '2026-11-22 12:00:00+01:00'],
    ],
  },
  { type: 'time', isTrimmed: true, lacksOutput: true, same: ['00:00:00', '23:59:59.999999'], refused: ['25:00:00'] },
  { type: 'nvarchar(max)', same: ['', ' ', UNICODE, 'x'.repeat(1_000_000), 'NULL'] },
  { type: 'nvarchar(5)', same: ['12345', '🦉🦉'], refused: ['123456', '🦉🦉🦉'] },
  { type: 'nchar(3)', same: ['abc'], as: [['a', 'a  ']], refused: ['abcd'] },
  { type: 'varchar(max)', same: ['', 'plain', 'y'.repeat(100_000)] },
  { type: 'varchar(10)', same: ['0123456789'], refused: ['01234567890'] },
  { type: 'varbinary(max)', same: [Buffer.alloc(0), EVERY_BYTE, Buffer.alloc(1_000_000, 7)], refused: ['text'] },
  { type: 'varbinary(4)', same: [bytes('00ff')], refused: [bytes('0001020304')] },
  { type: 'binary(4)', same: [bytes('00ff00aa')], refused: [bytes('00ff')] },
  {
    type: 'uniqueidentifier',
    same: ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'],
    refused: ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11x'],
  },
  { type: 'xml', same: ['<a b="1">&lt;🦉</a>'] },
];

let bench: ProcedureBench;
let isOther: boolean;
beforeAll(async () => {
  bench = await procedureBench();
  isOther = await isOtherMakersServer(bench.database.knex);
  if (bench.isPg) {
    await bench.run(
      `create type mood as enum ('bad''', 'so so', 'it''s fine')`,
      'create domain percentage as numeric(5,2) check (value <= 100)',
      'create type place as (name text, share numeric(4,2))',
    );
  }
});
afterAll(async () => bench.end());

const isDialect = process.env['RUNSHEET_TEST_DATABASE_URL']?.startsWith('mssql:') ? 'mssql' : 'pg';
const CASES = isDialect === 'pg' ? PG : MSSQL;

async function make(type: string, name: string): Promise<void> {
  if (bench.isPg) {
    await bench.run(
      `create procedure ${name}(inout v ${type}, out w ${type}) language plpgsql as $$ begin w := v; end $$`,
      `create function ${name}_rows(v ${type}) returns table (v ${type}, n int) language sql as $$ select v, 1 union all select null, 2 $$`,
      `create type ${name}_row as (v ${type}, n int)`,
      `create procedure ${name}_table(inout t ${name}_row[]) language plpgsql as $$ begin perform 1; end $$`,
    );
  } else {
    await bench.run(
      `create procedure ${name} @v ${type} output, @w ${type} = null output as set @w = @v`,
      `create procedure ${name}_rows @v ${type} as begin declare @r table (v ${type}, n int); insert @r values (@v, 1); insert @r values (null, 2); select v, n from @r order by n end`,
      `create type ${name}_row as table (v ${type}, n int)`,
      `create procedure ${name}_table @t ${name}_row readonly as select v, n from @t order by n`,
    );
  }
}

const trimmed = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/(\.\d*?)0+(?=$|[+-])/, '$1').replace(/\.(?=$|[+-])/, '') : value;

/** Compared row by row, because a test framework is too slow for a million characters. */
const equal = (a: unknown, b: unknown): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
const shown = (value: unknown): string => String(value).slice(0, 60);

describe(`values of ${isDialect}`, () => {
  for (const [index, { type, same, as = [], refused = [], lacks, isTrimmed, lacksOutput }] of CASES.entries()) {
    it(`of ${type} come back as they are, from parameters, tables and results, or are refused by name`, async (context) => {
      context.skip(lacks !== undefined && isOther, lacks);
      const form = isTrimmed ? trimmed : (value: unknown): unknown => value;
      const name = `value_${index}`;
      await make(type, name);
      const pairs = [...same.map((value) => [value, value] as const), ...as, [null, null] as const];
      const wrong: string[] = [];
      for (const [given, expected] of pairs) {
        const { sets } = await bench.call(`${name}_rows`, { v: given });
        const got: Record<string, unknown> = { result: sets[0]!.rows[0]![0] };
        if (!(lacksOutput && isOther)) {
          const { outputs } = await bench.call(name, { v: given });
          Object.assign(got, { inout: outputs.get('v'), out: outputs.get('w') });
        }
        for (const [where, value] of Object.entries(got)) {
          if (!equal(form(value), form(expected))) wrong.push(`${where}: ${shown(given)} came back as ${shown(value)}`);
        }
        expect(sets[0]!.rows[1]).toEqual([null, '2']);
      }
      const rows = pairs.map(([value], row) => [value, String(row)]);
      const { outputs, sets } = await bench.call(`${name}_table`, { t: { rows } });
      const back = bench.isPg ? (outputs.get('t') as { rows: ProcedureCell[][] }).rows : sets[0]!.rows;
      for (const [row, [given, expected]] of pairs.entries()) {
        if (!equal(form(back[row]?.[0]), form(expected)))
          wrong.push(`table: ${shown(given)} came back as ${shown(back[row]?.[0])}`);
      }
      expect(wrong).toEqual([]);
      for (const value of refused) {
        const error: unknown = await bench.call(name, { v: value }).then(
          ({ outputs: got }) => `${shown(value)} came back as ${shown(got.get('v'))}`,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(ArgumentError);
        expect((error as ArgumentError).message).toMatch(/^v: /);
      }
    });
  }
});
