import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPARISONS, NOT_SUPPORTED, parseCondition, printCondition, type Condition } from './condition.ts';
import { conditionIssue, readCondition, type ConditionColumn } from './condition-columns.ts';
import { createFilter } from './condition-filter.ts';
import { conditionSql } from './condition-sql.ts';
import { exactCell } from './exact-number.ts';
import { bindFragments } from './query-text.ts';

const COLUMNS: ConditionColumn[] = [
  { Name: 'Region', Kind: 'Text' },
  { Name: 'Order date', Kind: 'Date' },
  { Name: 'Amount', Kind: 'Number' },
  { Name: 'Paid', Kind: 'Boolean' },
];

describe('parseCondition', () => {
  it('lets AND bind more closely than OR, whatever the case', () => {
    expect(parseCondition("a = 1 or b<>'x' And not c in (1,2)")).toEqual({
      kind: 'or',
      of: [
        { kind: 'compare', column: 'a', operator: '=', value: 1 },
        {
          kind: 'and',
          of: [
            { kind: 'compare', column: 'b', operator: '<>', value: 'x' },
            { kind: 'not', of: { kind: 'in', column: 'c', negated: false, values: [1, 2] } },
          ],
        },
      ],
    });
  });

  it('reads names, texts and numbers of all kinds', () => {
    expect(parseCondition("[Order ]] date] NOT IN ('O''Hara', -1.5e2, 12%, TRUE)")).toEqual({
      kind: 'in',
      column: 'Order ] date',
      negated: true,
      values: ["O'Hara", -150, 0.12, true],
    });
    expect(parseCondition('  ')).toBeNull();
  });

  it.each([
    'a',
    'a =',
    'a = 1 AND',
    'a = 1 b = 2',
    '(a = 1',
    'a = 1)',
    "a = 'x",
    'a LIKE 1',
    'a IN ()',
    'a IN (1',
    'a NOT = 1',
    'AND a = 1',
    'a = 1; drop table x',
    'a = 1a',
    `${'('.repeat(50)}a = 1${')'.repeat(50)}`,
    `a IN (${'1,'.repeat(1001)}1)`,
  ])('refuses %s', (text) => {
    expect(conditionIssue(text, [{ Name: 'a', Kind: 'Number' }])).toBe('Condition is invalid');
  });

  it.each(['a = b', '1 = a', '1 = 1', 'a IN (b)', "a = 'x'", "a < ''", 'Paid > TRUE', 'a = TRUE'])(
    'says what it does not support: %s',
    (text) => {
      const columns: ConditionColumn[] = [{ Name: 'a', Kind: 'Number' }, { Name: 'b', Kind: 'Number' }, COLUMNS[3]!];
      expect(conditionIssue(text, columns)).toBe('Not Supported');
    },
  );

  it('refuses a column there is not', () => {
    expect(conditionIssue('Elsewhere = 1', COLUMNS)).toBe('Condition is invalid');
    expect(conditionIssue("REGION = 'x' and [order DATE] > '5/Jan/2026'", COLUMNS)).toBeNull();
  });
});

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => exactCell(String(one))!);
const value = fc.oneof(fc.string(), number, fc.boolean());
const column = fc.string({ minLength: 1 });
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('compare' as const), column, operator: fc.constantFrom(...COMPARISONS), value }),
    fc.record({
      kind: fc.constant('in' as const),
      column,
      negated: fc.boolean(),
      values: fc.array(value, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('not' as const), of: tie('condition') }),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('condition'), { minLength: 2, maxLength: 4 }))
      .map(([kind, of]) => ({
        kind,
        of: of.map((part) => (part.kind === kind ? { kind: 'not' as const, of: part } : part)),
      })),
  ),
}));

describe('printCondition', () => {
  it('writes what parseCondition reads as the same', () => {
    fc.assert(
      fc.property(condition, (one) => {
        const text = printCondition(one);
        expect(parseCondition(text)).toEqual(JSON.parse(JSON.stringify(one)));
        expect(printCondition(parseCondition(text))).toBe(text);
      }),
    );
  });
});

describe('createFilter', () => {
  const rows = [
    { Region: 'North ', 'Order date': 46027, Amount: 10, Paid: true },
    { Region: 'south', 'Order date': null, Amount: null, Paid: false },
    { Region: '', 'Order date': 46100.5, Amount: -1, Paid: null },
  ];
  const found = (text: string): number[] => {
    const holds = createFilter<(typeof rows)[number]>(
      readCondition(text, COLUMNS)!,
      (row, { Name }) => row[Name as keyof typeof row],
    );
    return rows.flatMap((row, index) => (holds(row) ? [index] : []));
  };

  it.each([
    ["Region = 'NORTH'", [0]],
    ["Region <> 'north'", [1, 2]],
    ["Region = ''", [2]],
    ["Region < 'z'", [0, 1]],
    ["Region NOT IN ('south', '')", [0]],
    ["[Order date] >= '5/Jan/2026'", [0, 2]],
    ["NOT ([Order date] >= '2026-01-05')", [1]],
    ["[Order date] = ''", [1]],
    ["Amount > -5 AND (Paid = TRUE OR Region = '')", [0, 2]],
    ['Paid <> TRUE', [1, 2]],
    ['Amount IN (10, -1)', [0, 2]],
  ])('%s', (text, expected) => expect(found(text)).toEqual(expected));
});

describe('a number of more than 15 digits', () => {
  const read = (text: string) => readCondition(text, [{ Name: 'Id', Kind: 'Number' }])!;
  const holds = (text: string, Id: string | number) =>
    createFilter<{ Id: string | number }>(read(text), (row) => row.Id)({ Id });

  it('is compared with all of them, whether it is kept as a text or not', () => {
    expect(holds('Id = 9007199254740993', '9007199254740992')).toBe(false);
    expect(holds('Id = 9007199254740993', '9007199254740993')).toBe(true);
    expect(holds("Id IN (1, '9007199254740993')", '9007199254740993.0')).toBe(true);
    expect(holds('Id > 1000', '12345678901234567.25')).toBe(true);
    expect(holds('Id <= 1000', '12345678901234567.25')).toBe(false);
    expect(holds('Id < -12345678901234567.25', '-12345678901234567.26')).toBe(true);
    expect(holds('Id >= 0.30000000000000004', 0.1 + 0.2)).toBe(true);
    expect(holds('Id = 0.30000000000000004', 0.1 + 0.2)).toBe(true);
    expect(holds('Id > 0.3', 0.1 + 0.2)).toBe(true);
    expect(holds('Id > 5', 'five')).toBe(false);
  });

  it('is printed as it was read, and bound as it is', () => {
    const text = 'Id = 9007199254740993';
    expect(read(printCondition(parseCondition(text)))).toEqual(read(text));
    expect(bindFragments(conditionSql(read(text), 'pg'), 'pg').values).toEqual(['9007199254740993']);
    expect(bindFragments(conditionSql(read('Id = -12345678901234567.25'), 'mssql'), 'mssql')).toEqual({
      sql: '([Id] is not null and [Id] = convert(decimal(38,2), @p0))',
      values: ['-12345678901234567.25'],
    });
    const small = 1 / 3e40;
    expect(bindFragments(conditionSql(read(`Id = ${small}`), 'mssql'), 'mssql').values).toEqual([small]);
    expect(() => conditionSql(read(`Id = ${'1'.repeat(39)}`), 'mssql')).toThrow(NOT_SUPPORTED);
  });
});

describe('conditionSql', () => {
  it('names columns and binds values, in the words of each database', () => {
    const typed = readCondition("Amount >= 2 AND NOT (Region IN ('a', '')) AND [Order date] < '2026-01-05'", COLUMNS);
    expect(bindFragments(conditionSql(typed, 'pg'), 'pg')).toEqual({
      sql:
        `(("Amount" is not null and "Amount" >= $1::numeric) and not ((("Region" is not null and ` +
        `rtrim(lower("Region"::text)) collate "C" in (rtrim(lower($2::text)) collate "C")) or ` +
        `("Region" is null or rtrim(lower("Region"::text)) collate "C" = ''))) and ` +
        `("Order date" is not null and "Order date" < $3::timestamp))`,
      values: [2, 'a', new Date('2026-01-05T00:00:00Z')],
    });
    expect(bindFragments(conditionSql(typed, 'mssql'), 'mssql').sql).toBe(
      `(([Amount] is not null and [Amount] >= @p0) and not ((([Region] is not null and ` +
        `rtrim(lower(cast([Region] as nvarchar(4000)) collate Latin1_General_100_BIN2)) in ` +
        `(rtrim(lower(@p1 collate Latin1_General_100_BIN2)))) or ` +
        `([Region] is null or rtrim(lower(cast([Region] as nvarchar(4000)) collate Latin1_General_100_BIN2)) = ''))) and ` +
        `([Order date] is not null and [Order date] < @p2))`,
    );
    expect(bindFragments(conditionSql(null, 'pg'), 'pg').sql).toBe('(1 = 1)');
  });
});
