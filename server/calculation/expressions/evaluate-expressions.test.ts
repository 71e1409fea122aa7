import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { findNames } from '#shared/rules/workflows/expression-names.ts';
import type { ExpressionResult, ExpressionToCalculate } from '#shared/rules/workflows/expression-task.ts';
import type { ValueShape } from '#shared/rules/workflows/step-outputs.ts';
import { rounds } from '#test/support/test-set.ts';
import { evaluate as evaluateCells } from '../testing/evaluate.ts';
import { cellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { evaluateExpressions } from './evaluate-expressions.ts';

const single = (usage: CellUsage): ValueShape => ({
  RangeType: 'SingleCell',
  CellUsages: [usage],
  ColumnHeaderValues: [],
});
const table = (columns: Record<string, CellUsage>): ValueShape => ({
  RangeType: 'RangeWithColumnHeaders',
  CellUsages: Object.values(columns),
  ColumnHeaderValues: Object.keys(columns),
});
const LINES = table({ Name: 'Text', Amount: 'Number', Due: 'Date' });
const MATRIX: ValueShape = { RangeType: 'MatrixWithoutHeaders', CellUsages: ['Number'], ColumnHeaderValues: [] };
const COLUMN: ValueShape = { RangeType: 'SingleColumnOfSimilarValues', CellUsages: ['Text'], ColumnHeaderValues: [] };

/** Values by the name of the output or input that the formula reads. */
type Values = Record<string, { shape: ValueShape; json: string | null; isEntered?: boolean }>;

const VALUES: Values = {
  Total: { shape: single('Number'), json: '42' },
  Due: { shape: single('Date'), json: '46000' },
  Code: { shape: single('Text'), json: '"007"' },
  Blank: { shape: single('Number'), json: 'null' },
  Wrong: { shape: single('Number'), json: '{"error":"#N/A"}' },
  Long: { shape: single('Number'), json: '"12345678901234567.25"' },
  Gone: { shape: single('Number'), json: null },
  Note: { shape: single('Text'), json: '""', isEntered: true },
  Lines: { shape: LINES, json: '[["a",1,46000],["b",2.5,46001],["007",null,46002]]' },
  None: { shape: LINES, json: '[]' },
  Odd: { shape: table({ '': 'Number', ' B ': 'Text' }), json: '[[1,"x"],[2,null]]' },
};

function calculate(
  formula: string,
  wanted: ExpressionToCalculate['wanted'] = 'cell',
  values: Values = VALUES,
  more: { now?: number; timeLimit?: number; onBroken?: () => void } = {},
): ExpressionResult {
  const keys = Object.keys(values);
  const reads = findNames(formula).map(({ name: { name, column } }) => {
    const headers = values[name]!.shape.ColumnHeaderValues.map((header) => header.trim());
    return { value: keys.indexOf(name), column: column === null ? null : headers.indexOf(column) };
  });
  const { now = 0, timeLimit = 5_000, onBroken } = more;
  const all = Object.values(values).map((value) => ({ isEntered: false, ...value }));
  const [result] = evaluateExpressions(
    { values: all, expressions: [{ formula, reads, wanted }], now, timeLimit },
    onBroken,
  );
  return result!;
}

const jsonOf = (...args: Parameters<typeof calculate>): unknown => {
  const result = calculate(...args);
  return 'json' in result ? JSON.parse(result.json) : result.problem;
};

describe('an expression', () => {
  it.each([
    ['=[S].[Total]*2', 84],
    [' [s].[Total] + Inputs.[Total]', 84],
    ['SUM([S].[Lines][Amount])', 3.5],
    ['TEXT([S].[Due],"yyyy-mm-dd")', '2025-12-09'],
    ['LET(x,[S].[Total],f,LAMBDA(y,y+x),f(1))', 43],
    ['REDUCE(0,[S].[Lines][Amount],LAMBDA(a,[b],a+b))', 3.5],
    ['XLOOKUP("b",[S].[Lines][Name],[S].[Lines][Amount])', 2.5],
    ['[S].[Code]', '007'],
    ['[S].[Code]&""', '007'],
    ['ISBLANK([S].[Blank])', true],
    ['ISBLANK(Inputs.[Note])', true],
    ['IFNA([S].[Gone],0)', 0],
    ['ROWS([S].[None])', 1],
    ['SUM([S].[None][Amount])', 0],
    ['SUM([S].[Odd][])', 3],
    ['INDEX([S].[Odd],1,2)', 'x'],
    ['0.1+0.2', 0.1 + 0.2],
  ])('%s is %j', (formula, value) => {
    expect(jsonOf(formula)).toEqual(value);
  });

  it('passes values on as they are', () => {
    expect(jsonOf('[S].[Blank]', single('Number'))).toBeNull();
    expect(jsonOf('[S].[Long]', single('Number'))).toBe('12345678901234567.25');
    expect(jsonOf('[S].[None]', LINES)).toEqual([]);
    expect(jsonOf('[S].[Lines]', LINES)).toEqual(JSON.parse(VALUES['Lines']!.json!));
    expect(jsonOf('IF(TRUE,[S].[Blank])', single('Number'))).toBeNull();
  });

  it('is given the local time', () => {
    expect(jsonOf('TODAY()', 'cell', VALUES, { now: 46_000.75 })).toBe(46_000);
    expect(jsonOf('NOW()', 'cell', VALUES, { now: 46_000.75 })).toBe(46_000.75);
    expect(calculate('TODAY()+1')).toMatchObject({ kind: 'Date' });
  });
});

describe('the rows of a table', () => {
  it('keep the names and types of their columns', () => {
    const result = calculate('FILTER([S].[Lines],[S].[Lines][Amount]>1)', 'rows');
    expect(result).toMatchObject({ json: '[["b",2.5,46001]]', shape: LINES });
    const chosen = calculate('SORT(CHOOSECOLS([S].[Lines],2,1),1,-1)', 'rows');
    expect(chosen).toMatchObject({ shape: table({ Amount: 'Number', Name: 'Text' }) });
    expect(calculate('LET(t,[S].[Lines],UNIQUE(HSTACK([S].[Lines][Due],t)))', 'rows')).toMatchObject({
      shape: { ColumnHeaderValues: ['Due', 'Name', 'Amount', 'Due'] },
    });
  });

  it('are none if all of them are blank', () => {
    expect(jsonOf('FILTER([S].[Lines],[S].[Lines][Amount]>9,"")', 'rows')).toEqual([]);
    expect(jsonOf('FILTER([S].[Lines],[S].[Lines][Amount]>9)', 'rows')).toBe('It returns the error #CALC!');
  });

  it('come in the order of the columns of what takes them', () => {
    expect(jsonOf('TAKE([S].[Lines],1)', table({ AMOUNT: 'Number', Name: 'Text' }))).toEqual([[1, 'a']]);
    expect(jsonOf('{1,2;3,4}', table({ A: 'Number', B: 'Number' }))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(jsonOf('{1,2;3,4}', MATRIX)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(jsonOf('TRANSPOSE([S].[Lines][Name])', COLUMN)).toEqual(['a', 'b', '007']);
  });

  it('keep blank columns at their end', () => {
    const blank: Values = { T: { shape: table({ A: 'Number', B: 'Text' }), json: '[[1,null],[2,null]]' } };
    expect(jsonOf('IF(TRUE,[S].[T])', table({ A: 'Number', B: 'Text' }), blank)).toEqual([
      [1, null],
      [2, null],
    ]);
  });

  it('need names', () => {
    expect(jsonOf('SEQUENCE(3)', 'rows')).toBe(
      'Its columns have no names. Return rows of a table, for example with FILTER',
    );
  });
});

describe('a result that does not fit is refused and never converted', () => {
  it.each([
    ['[S].[Total]/0', single('Number'), 'It returns the error #DIV/0!'],
    ['[S].[Gone]', single('Number'), 'It returns the error #N/A'],
    ['[S].[Wrong]', single('Number'), 'It returns the error #N/A'],
    ['VSTACK([S].[Lines][Amount],1/0)', COLUMN, 'It returns the error #DIV/0! in row 4, column 1 of its result'],
    ['[S].[Code]', single('Number'), 'It returns the text "007", but a number is needed'],
    ['[S].[Total]', single('Text'), 'It returns the number 42, but a text is needed'],
    ['[S].[Total]', single('Boolean'), 'It returns the number 42, but TRUE or FALSE is needed'],
    ['[S].[Total]=1', single('Date'), 'It returns FALSE, but a date is needed'],
    ['[S].[Lines][Amount]', single('Number'), 'It returns 3 rows and 1 column, but a single value is needed'],
    ['[S].[Lines][Amount]', LINES, 'It returns 1 column, but 3 columns are needed'],
    ['{1,2;3,4}', COLUMN, 'It returns 2 rows and 2 columns, but a single row or column is needed'],
    [
      '[S].[Long]+1',
      single('Number'),
      'It reads the number 12345678901234567.25, which has more than 15 digits and would be rounded. Only a formula that is nothing but its name passes it on unchanged',
    ],
  ] as const)('%s', (formula, wanted, problem) => {
    expect(jsonOf(formula, wanted)).toBe(problem);
  });
});

describe('a hostile expression ends', () => {
  it('after its time, and says so', () => {
    const onBroken = vi.fn();
    const slow = 'SUM(MAP(SEQUENCE(3000),LAMBDA(x,SUM(SQRT(SEQUENCE(20000,1,x))))))';
    expect(jsonOf(slow, 'cell', VALUES, { timeLimit: 50, onBroken })).toBe(
      'The formulas of the step took longer than 0.05 seconds to calculate',
    );
    expect(onBroken).toHaveBeenCalled();
  });

  it.each([
    ['SEQUENCE(1048576,16384)', /too large|steps/],
    ['SEQUENCE(2000,1000)', /^It returns more than 1,000,000 cells$/],
    ['LET(f,LAMBDA(f,n,f(f,n+1)),f(f,0))', /#NUM!/],
    ['REPT("x",1E9)', /#VALUE!/],
    [`${'('.repeat(4000)}1${')'.repeat(4000)}`, /nested deeper than 200 levels/],
    [`1${'+1'.repeat(5000)}`, /at most 8,192 characters/],
    [`1${'+1'.repeat(4000)}`, /^4001$/],
  ])('%.30s…', (formula, expected) => {
    expect(String(jsonOf(formula))).toMatch(expected);
  });
});

/** Formulas over a single A, a single B and a column T of five cells. */
const FORMULAS = [
  '{A}+{B}',
  '{A}&{B}',
  '{A}={B}',
  '{A}<{B}',
  '-{A}%',
  'IF({A},{B},"no")',
  'IF(ISNUMBER({A}),{A}*2,{B})',
  'IFERROR({A}/{B},"-")',
  'ROUND({A},2)',
  'LEFT({B},2)&LEN({A})',
  'TEXT({A},"0.00")',
  'VALUE({B})',
  'ISBLANK({A})',
  'SUM({T})',
  'SUM({T},{A})',
  'COUNTA({T})&"/"&COUNT({T})&"/"&COUNTBLANK({T})',
  'MAX({T})-MIN({T})',
  'AVERAGE({T})',
  'COUNTIF({T},{A})',
  'SUMIFS({T},{T},">0")',
  'MATCH({B},{T},0)',
  'XLOOKUP({A},{T},{T},"none")',
  'TEXTJOIN(";",TRUE,{T})',
  'SUMPRODUCT(--ISTEXT({T}))',
  'INDEX(SORT({T}),2)',
  'LET(x,{A},y,{B},IF(x=y,"same",x&y))',
  'REDUCE({A},{T},LAMBDA(a,b,a&"|"&b))',
  'EDATE({A},1)',
  'WEEKDAY({A})',
];

const cell = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  fc.constantFrom('', 'a', 'A', ' b ', '007', '1e3', '12345678901234567890', '31.12.2025', 'TRUE', 'ä"\n', '*'),
  fc.boolean(),
  fc.constantFrom('#N/A', '#DIV/0!', '#VALUE!').map((code) => cellError(code)!),
);
const asJson = (value: CellValue): unknown =>
  value !== null && typeof value === 'object' ? { error: value.code } : typeof value === 'number' ? value + 0 : value;

it('calculates as a formula in a workbook does', () => {
  const property = fc.property(
    fc.constantFrom(...FORMULAS),
    cell,
    cell,
    fc.array(cell, { minLength: 5, maxLength: 5 }),
    (formula, a, b, column) => {
      const of = (names: Record<string, string>): string =>
        formula.replaceAll(/\{(\w)\}/g, (_, key: string) => names[key]!);
      const constant = (value: CellValue) => ({ constant: value });
      const cells = Object.fromEntries(column.map((value, at) => [`C${at + 1}`, constant(value)]));
      const inWorkbook = evaluateCells(`=${of({ A: '$A$1', B: '$B$1', T: '$C$1:$C$5' })}`, {
        A1: constant(a),
        B1: constant(b),
        ...cells,
      });
      const values: Values = {
        A: { shape: single('Text'), json: JSON.stringify(asJson(a)) },
        B: { shape: single('Text'), json: JSON.stringify(asJson(b)) },
        T: { shape: table({ X: 'Text' }), json: JSON.stringify(column.map((value) => [asJson(value)])) },
      };
      const result = calculate(of({ A: 'Inputs.[A]', B: '[S].[B]', T: '[S].[T][X]' }), 'cell', values);
      const found = 'json' in result ? ((JSON.parse(result.json) as unknown) ?? 0) : result.problem;
      // A cell shows a blank as 0, and errors as their codes.
      const expected =
        typeof inWorkbook === 'string' && cellError(inWorkbook) ? `It returns the error ${inWorkbook}` : inWorkbook;
      // JSON has no negative zero, nor has a cell.
      expect(found).toEqual(typeof expected === 'number' ? expected + 0 : (expected ?? 0));
    },
  );
  fc.assert(property, { numRuns: rounds(300) });
});
