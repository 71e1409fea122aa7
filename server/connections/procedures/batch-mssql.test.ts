/** The generated T-SQL of calls, for features that no available test server supports in full. */
import { describe, expect, it } from 'vitest';
import { batchOf } from './batch-mssql.ts';
import type { MssqlCallable, MssqlCallableParameter } from './catalog-mssql.ts';
import { declarationOf, TEXT_MSSQL, typeOfMssql } from './types-mssql.ts';
import type { ProcedureValue } from '#server/base/procedure-types.ts';
import { createOffset } from './values-mssql.ts';

const plain = { typeName: '', typeSchema: 'sys', isUserDefined: false, isAssembly: false, precision: 0, scale: 0 };

function parameter(
  name: string,
  base: string,
  maxLength: number,
  direction: 'in' | 'inout' = 'in',
): MssqlCallableParameter {
  const row = { ...plain, base, typeName: base, maxLength };
  return {
    parameter: {
      name,
      ordinal: 1,
      direction,
      type: typeOfMssql(row),
      mayBeLeftOut: true,
      defaultText: null,
      isCursor: false,
    },
    declaration: declarationOf(row),
    columns: [],
    defaultExpression: direction === 'inout' ? `N'x'` : 'null',
  };
}

const batchFor = (parameters: MssqlCallableParameter[], given: [string, ProcedureValue][], name = 'p') => {
  const callable: MssqlCallable = { schema: 'dbo', name, parameters };
  return batchOf(callable, new Map(given), 'Europe/Zurich');
};

describe('the statement of a call', () => {
  it('names what is given, begins outputs with their defaults, and binds every value', () => {
    const parameters = [
      parameter('a', 'int', 4),
      parameter('b', 'nvarchar', 20),
      parameter('o', 'nvarchar', 20, 'inout'),
    ];
    const batch = batchFor(parameters, [['a', '5']], `we]ird'`);
    expect(batch.sql.split('\n').slice(0, -1)).toEqual([
      'declare @v0 int = convert(int, @a0);',
      `declare @v2 nvarchar(10) = N'x';`,
      'declare @code int;',
      `exec @code = [dbo].[we]]ird'] @a = @v0, @o = @v2 output;`,
    ]);
    expect([batch.values, batch.staging]).toEqual([[{ name: 'a0', value: '5' }], null]);
  });

  it('takes 2,100 parameters, whose values go as one text then, parts that look like places too', () => {
    const parameters = Array.from({ length: 2100 }, (_, index) =>
      parameter(`a${index}`, index % 2 === 0 ? 'nvarchar' : 'varbinary', -1),
    );
    const given = parameters.map(({ parameter: { name } }, index): [string, ProcedureValue] => [
      name,
      index % 2 === 0 ? `🦉@a${index}\0${index}\0'` : Buffer.from([index % 256, 1]),
    ]);
    const { sql, values } = batchFor(parameters, given);
    expect(values.map(({ name }) => name)).toEqual(['texts', 'bytes']);
    const [texts, bytes] = values.map(({ value }) => value) as [string, Buffer];
    for (const [index, [name, value]] of given.entries()) {
      const found = new RegExp(
        `declare @v${index} .*substring\\(@(texts|bytes)(?: collate \\w+)?, (\\d+), (\\d+)\\)`,
      ).exec(sql)!;
      const [start, length] = [Number(found[2]) - 1, Number(found[3])];
      const part = found[1] === 'texts' ? texts.slice(start, start + length) : bytes.subarray(start, start + length);
      if (!(typeof value === 'string' ? part === value : (part as Buffer).equals(value as Buffer)))
        throw new Error(`${name} is lost`);
      expect(sql.includes(`@${name} = @v${index}`)).toBe(true);
    }
  });

  it('has characters compared that a code page may not have', () => {
    const parameters = [parameter('n', 'varchar', 20)];
    expect(batchFor(parameters, [['n', 'plain']]).sql).not.toContain('throw');
    const { sql, checked, marker } = batchFor(parameters, [['n', 'Ω']]);
    expect(sql).toContain(
      `if convert(nvarchar(max), @v0) collate Latin1_General_100_BIN2 <> @a0 collate Latin1_General_100_BIN2 throw 50000, N'${marker}', 1;`,
    );
    expect(checked).toEqual(['n']);
  });

  it('puts rows into a temporary table of texts, and from there into the type of the parameter', () => {
    const column = {
      name: 'a]b',
      type: typeOfMssql({ ...plain, base: 'decimal', maxLength: 9, precision: 18, scale: 4 }),
      isNullable: true,
    };
    const table: MssqlCallableParameter = {
      ...parameter('t', 'int', 4),
      declaration: '[dbo].[lines]',
      columns: [{ name: 'a]b', declaration: 'decimal(18,4)' }],
    };
    table.parameter = { ...table.parameter, type: { ...TEXT_MSSQL, kind: 'Table', columns: [column] } };
    const { sql, staging, tables } = batchFor([table], [['t', { rows: [['1.5'], [null]] }]]);
    expect(staging).toBe('create table #runsheet_0 (c0 nvarchar(max) collate Latin1_General_100_BIN2 null);');
    expect(tables[0]!.rows).toEqual([['1.5'], [null]]);
    expect(sql).toContain(
      'declare @v0 [dbo].[lines];\ninsert @v0 ([a]]b]) select convert(decimal(18,4), c0) from #runsheet_0;',
    );
  });
});

describe('the offset of a clock', () => {
  it('is that of summer and winter, and of the first of two hours in autumn', () => {
    const offset = createOffset('Europe/Zurich');
    const at = (month: number, day: number, hour: number, minute = 0, year = 2026) =>
      offset({ year, month, day, hour, minute, second: 0, fraction: '', zone: null });
    expect([at(1, 1, 12), at(7, 1, 12), at(10, 25, 2, 30), at(10, 25, 3), at(3, 29, 1, 59), at(3, 29, 3)]).toEqual([
      '+01:00',
      '+02:00',
      '+02:00',
      '+01:00',
      '+01:00',
      '+02:00',
    ]);
    expect(
      createOffset('Asia/Kolkata')({
        year: 2026,
        month: 1,
        day: 1,
        hour: 0,
        minute: 0,
        second: 0,
        fraction: '',
        zone: null,
      }),
    ).toBe('+05:30');
  });
});
