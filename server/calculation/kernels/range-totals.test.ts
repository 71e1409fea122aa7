/** Sums and counts of ranges that grow, shrink and move equal those of a plain scan, to the last bit. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { CalculationModel } from '../engine.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import type { TestCell } from '../testing/build-model.ts';
import { cellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { CHUNK_ROWS } from './chunk.ts';
import { shrinkingSums } from './shrinking-sums.ts';

/** Rows from 0 around the border between two chunks. */
const TOP = CHUNK_ROWS - 70;
const BOTTOM = CHUNK_ROWS + 70;
const ROWS = BOTTOM - TOP + 1;

/** The formula of row `row` in the columns from C on, and the rows and columns of A and B that it reads. */
const FORMULAS: [formula: string, from: (row: number) => number, to: (row: number) => number, cols: number][] = [];
for (const name of ['SUM', 'COUNT', 'COUNTA', 'MIN', 'MAX', 'AVERAGE']) {
  FORMULAS.push(
    [`=${name}(A$${TOP + 1}:A#)`, () => TOP, (row) => row, 1],
    [`=${name}(A#:A$${BOTTOM + 1})`, (row) => row, () => BOTTOM, 1],
    [`=${name}(A$${TOP + 1}:B$${BOTTOM + 1})`, () => TOP, () => BOTTOM, 2],
  );
}
FORMULAS.push(
  [`=COUNTIF(A$${TOP + 1}:A#,">5")`, () => TOP, (row) => row, 1],
  [`=COUNTIF(A#:A$${BOTTOM + 1},">5")`, (row) => row, () => BOTTOM, 1],
  [`=SUM(A$${TOP + 3}:A$${BOTTOM + 1})`, () => TOP + 2, () => BOTTOM, 1],
  [`=SUM(B#:B${BOTTOM + 500})`, (row) => row, () => BOTTOM, -1],
  [`=SUM(A$${TOP + 1}:INDEX(A:A,ROW()))`, () => TOP, (row) => row, 1],
);

/** Two running totals of their own columns, which change while they are summed. */
const OWN = [`=SUM(BA$${TOP}:BA§)*0.3+A#`, `=IF(ISNUMBER(A#),SUM(BB%:BB$${BOTTOM + 2})*0.1+A#,0)`];

const columnOf = (index: number): string => formatCell(0, index + 2).slice(0, -1);

function load(columns: readonly CellValue[][]): CalculationModel {
  const cells: Record<string, TestCell> = {};
  for (let row = TOP; row <= BOTTOM; row += 1) {
    columns.forEach((column, at) => (cells[`${'AB'[at]}${row + 1}`] = column[row - TOP]! as TestCell));
    FORMULAS.forEach(([formula], at) => (cells[`${columnOf(at)}${row + 1}`] = formula.replace('#', String(row + 1))));
    const own = (formula: string): string =>
      formula
        .replaceAll('#', String(row + 1))
        .replace('§', String(row))
        .replace('%', String(row + 2));
    cells[`BA${row + 1}`] = own(OWN[0]!);
    cells[`BB${row + 1}`] = own(OWN[1]!);
  }
  const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
  model.recalculate();
  return model;
}

function calculated(formula: string, values: readonly CellValue[]): CellValue {
  const name = /^=(\w+)/.exec(formula)![1];
  const numbers = values.filter((value) => typeof value === 'number');
  if (name === 'COUNT') return numbers.length;
  if (name === 'COUNTA') return values.filter((value) => value !== null).length;
  if (name === 'COUNTIF') return numbers.filter((value) => value > 5).length;
  const error = values.find((value) => typeof value === 'object' && value !== null);
  if (error !== undefined) return error;
  let sum = 0;
  for (const number of numbers) sum += number;
  if (name === 'MIN') return numbers.length === 0 ? 0 : Math.min(...numbers);
  if (name === 'MAX') return numbers.length === 0 ? 0 : Math.max(...numbers);
  if (name === 'SUM') return sum;
  return numbers.length === 0 ? cellError('#DIV/0!')! : sum / numbers.length;
}

function expected(columns: readonly CellValue[][]): CellValue[][] {
  const [a, b] = columns;
  return Array.from({ length: ROWS }, (_, at) =>
    FORMULAS.map(([formula, from, to, cols]) => {
      const values: CellValue[] = [];
      for (let row = from(at + TOP); row <= to(at + TOP); row += 1) {
        if (cols > 0) values.push(a![row - TOP]!);
        if (cols !== 1) values.push(b![row - TOP]!);
      }
      return calculated(formula, values);
    }),
  );
}

const results = (model: CalculationModel): CellValue[][] =>
  model.values(0, { top: TOP, left: 2, bottom: BOTTOM, right: FORMULAS.length + 1 });
const ownResults = (model: CalculationModel): CellValue[][] =>
  model.values(0, { top: TOP, left: 52, bottom: BOTTOM, right: 53 });

/** Amounts whose sums depend on the order, amounts that cancel each other, and values that are not numbers. */
const decimal = fc.integer({ min: -100_000, max: 100_000 }).map((cents) => cents / 100);
const valueOf = fc.oneof(
  { weight: 30, arbitrary: decimal },
  { weight: 5, arbitrary: fc.constantFrom<CellValue>(1e16, -1e16, 0.1, 1e-9, null, 'text', '', true, 5) },
  { weight: 1, arbitrary: fc.constantFrom<CellValue>(cellError('#N/A')!, null) },
);
const whole = fc.oneof(fc.integer({ min: -9, max: 1_000_000 }), fc.constantFrom<CellValue>(2.5, null, 'text'));
const columnsOf = fc
  .tuple(fc.oneof(decimal, valueOf), fc.constantFrom(decimal, valueOf, whole))
  .chain(([, kind]) =>
    fc.tuple(
      fc.array(kind, { minLength: ROWS, maxLength: ROWS }),
      fc.array(whole, { minLength: ROWS, maxLength: ROWS }),
    ),
  );

describe('ranges of many cells', () => {
  it('sum and count as their cells do one after the other, after edits and in copies too', () => {
    const edits = fc.array(fc.tuple(fc.nat(ROWS - 1), fc.nat(1), valueOf), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(columnsOf, edits, edits, (columns, first, second) => {
        const base = load(columns);
        expect(results(base)).toEqual(expected(columns));
        const copy = base.copy();
        const changed = columns.map((column) => column.slice());
        // Several edits in the same model: it must discard its cached values.
        for (const list of [first, second]) {
          for (const [row, col, value] of list) {
            changed[col]![row] = value;
            copy.setCells([{ sheet: 0, row: row + TOP, col, value }]);
          }
          copy.recalculate();
          expect(results(copy)).toEqual(expected(changed));
        }
        expect(ownResults(copy)).toEqual(ownResults(load(changed)));
        expect(results(base)).toEqual(expected(columns));
      }),
      { numRuns: 8 },
    );
  });

  it('keep what is left where large numbers cancel each other', () => {
    const column = Array.from({ length: ROWS }, (_, row) => [1e16, 1, -1e16, 0.1, 0.2, -0.3][row % 6]!);
    const columns = [column, column];
    expect(results(load(columns))).toEqual(expected(columns));
  });

  it('see every circular reference they are part of', () => {
    const cells: Record<string, TestCell> = {};
    for (let row = 1; row <= 100; row += 1) cells[`A${row}`] = row === 60 ? '=B1' : row / 3;
    for (let row = 1; row <= 100; row += 1) cells[`B${row}`] = `=SUM(A$1:A$100)+${row}`;
    const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
    expect(() => model.recalculate()).toThrow(/Sheet1!/);
    model.setCells([{ sheet: 0, row: 59, col: 0, value: 1 }]);
    model.recalculate();
    let sum = 0;
    for (let row = 1; row <= 100; row += 1) sum += row === 60 ? 1 : row / 3;
    expect(model.value(0, 9, 1)).toBe(sum + 10);
  });
});

describe('the sums of ranges that shrink', () => {
  it('are those of adding each from its first number on', () => {
    fc.assert(
      fc.property(fc.array(decimal, { minLength: 1, maxLength: 30 }), fc.nat(CHUNK_ROWS - 1), (numbers, from) => {
        const all = new Float64Array(CHUNK_ROWS * 2);
        all.set(numbers, from);
        const parts = [all.subarray(0, CHUNK_ROWS), all.subarray(CHUNK_ROWS)];
        const sums = shrinkingSums(parts, from, numbers.length, 8);
        const plain = numbers.slice(0, 8).map((_, at) => numbers.slice(at).reduce((sum, value) => sum + value, 0));
        expect([...sums]).toEqual(plain);
      }),
    );
  });
});
