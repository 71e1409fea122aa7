import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { CalculationModel } from '#server/calculation/engine.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { CHUNK_BITS } from '#server/calculation/kernels/chunk.ts';
import { buildModel, type TestCell } from '#server/calculation/testing/build-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { rounds } from '#test/support/test-set.ts';

const ROWS = 60;
const FORMULAS = [
  '=COUNTIF(A$1:A#,A#)',
  '=COUNTIFS(A$1:A#,A#,B$1:B#,B#)',
  '=SUMIF(A$1:A#,A#,B$1:B#)',
  '=AVERAGEIFS(B$1:B#,A$1:A#,A#)',
  '=COUNTIF(A$1:A#,1)',
  '=MAXIFS(B$1:B#,A$1:A#,"x")',
  // Depends on results of the rows above.
  '=IF(ROW()>1,COUNTIF(I$1:I#,C#),0)',
  '=C#',
];
const LETTERS = 'CDEFGHJI';

const valueOf = fc.constantFrom<CellValue>(1, 2, 3, '1', 'x', 'X', 'y', '', true, null, 1.5, '*', '?');

function load(columns: readonly CellValue[][]): CalculationModel {
  const cells: Record<string, TestCell> = {};
  for (let row = 1; row <= ROWS; row += 1) {
    columns.forEach((column, at) => {
      const value = column[row - 1]!;
      if (value !== null) cells[`${'AB'[at]}${row}`] = value as TestCell;
    });
    FORMULAS.forEach((formula, at) => (cells[`${LETTERS[at]}${row}`] = formula.replaceAll('#', String(row))));
  }
  const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
  model.recalculate();
  return model;
}

const results = (model: CalculationModel): CellValue[][] =>
  model.values(0, { top: 0, left: 2, bottom: ROWS - 1, right: 9 });

/** Counts independently, row by row. */
function counted(column: readonly CellValue[]): number[] {
  const key = (value: CellValue): string => {
    if (value === '1') return 'number:1';
    return typeof value === 'string' ? `text:${value.toLowerCase()}` : `${typeof value}:${String(value)}`;
  };
  return column.map((own, row) => column.slice(0, row + 1).filter((value) => key(value) === key(own)).length);
}

/** Formulas on ranges that grow, shrink and move. Each is compared with the same formula alone in a workbook. */
const FILLED = [
  '=COUNTIF(A#:A$90,A#)',
  '=SUMIF(A#:A$90,A#,B#:B$90)',
  '=SUMIFS(B$1:B#,A$1:A#,A#,B$1:B#,"<="&B#)',
  '=COUNTIFS(A%:A#,A#,B%:B#,B#)',
  '=MINIFS(B#:B$90,A#:A$90,A#)',
  '=COUNTIF(B$1:B#,">"&B#)',
  '=COUNTIFS(B#:B$90,">="&B#,B#:B$90,"<="&B#+2)',
  '=COUNTIFS(B$1:B$90,">"&B#+3,B$1:B$90,"<"&B#)',
  '=COUNTIF(A$1:A$90,"<"&A#)',
  '=SUMIF(B$1:B$90,"<="&B#,A$1:A$90)',
  '=SUMIFS(A$1:A#,B$1:B#,">"&B#,A$1:A#,"<2")',
  '=IFERROR(MATCH(A#,A$1:A%,0),0)',
  '=IFERROR(MATCH(A#,A#:A$90,0),0)',
  '=IFERROR(VLOOKUP(A#,A%:B$90,2,FALSE),"none")',
  '=IFERROR(XLOOKUP(B#,B$1:B#,A$1:A#,"none",0,-1),"error")',
  '=IFERROR(RANK(B#,B$1:B#),0)+IFERROR(RANK.AVG(B#,B#:B$90,1),0)',
  '=IFERROR(STDEV(B$1:B#),0)+IFERROR(VAR(B$1:B$90),0)',
];
const LONG = 90;
const written = (formula: string, row: number): string =>
  formula.replaceAll('#', String(row)).replaceAll('%', String(Math.max(1, row - 30)));

function filled(
  columns: readonly CellValue[][],
  rows: readonly number[],
  formulas: readonly string[],
): CalculationModel {
  const cells: Record<string, TestCell> = {};
  columns.forEach((column, at) =>
    column.forEach((value, row) => {
      if (value !== null) cells[`${'AB'[at]}${row + 1}`] = { constant: value };
    }),
  );
  for (const row of rows) {
    formulas.forEach((formula, at) => (cells[formatCell(row - 1, at + 3)] = written(formula, row)));
  }
  const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
  model.recalculate();
  return model;
}

describe('ranges that grow, shrink or move', () => {
  it('give what each formula gives alone, also after edits', () => {
    const rows = Array.from({ length: LONG }, (_, row) => row + 1);
    const numberOf = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom<CellValue>(2.5, 'x', null));
    const column = (value: fc.Arbitrary<CellValue>): fc.Arbitrary<CellValue[]> =>
      fc.array(value, { minLength: LONG, maxLength: LONG });
    const edit = fc.tuple(fc.nat(LONG - 1), numberOf);
    fc.assert(
      fc.property(column(valueOf), column(numberOf), edit, edit, (a, b, first, second) => {
        const model = filled([a, b], rows, FILLED);
        const columns = [a.slice(), b.slice()];
        [first, second].forEach(([row, value], at) => {
          columns[at]![row] = value;
          model.setCells([{ sheet: 0, row, col: at, value }]);
        });
        model.recalculate();
        for (const row of [1, 30, 47, 48, 61, LONG]) {
          FILLED.forEach((formula, at) => {
            const alone = filled(columns, [row], [formula]);
            expect([formula, row, model.value(0, row - 1, at + 3)]).toEqual([formula, row, alone.value(0, row - 1, 3)]);
          });
        }
      }),
      { numRuns: rounds(6, 12) },
    );
  });
});

describe('ranges that grow from row to row', () => {
  it('count as they do one by one', () => {
    const column: CellValue[] = Array.from({ length: ROWS }, (_, row) => [1, 'x', '1', 'X', 2, true][(row * row) % 6]!);
    const model = load([column, column.map((_, row) => row)]);
    expect(results(model).map(([count]) => count)).toEqual(counted(column));
  });

  it('see a change far from the first row, and count again', () => {
    const rows = 3 << CHUNK_BITS;
    const cells: Record<string, TestCell> = {};
    for (let row = 1; row <= rows; row += 1) {
      cells[`A${row}`] = row % 5;
      cells[`B${row}`] = `=COUNTIF(A$1:A${row},A${row})`;
      cells[`C${row}`] = `=SUMIF(A$1:A${row},1,A$1:A${row})`;
    }
    const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
    model.recalculate();
    const last = (): CellValue[] => [model.value(0, rows - 1, 1), model.value(0, rows - 1, 2)];
    const all = Array.from({ length: rows }, (_, row) => (row + 1) % 5);
    const count = (value: number): number => all.filter((other) => other === value).length;
    const own = all.at(-1)!;
    expect(last()).toEqual([count(own), count(1)]);
    const changed = (2 << CHUNK_BITS) + 1;
    all[changed] = own === 1 ? 2 : 1;
    model.setCells([{ sheet: 0, row: changed, col: 0, value: all[changed]! }]);
    model.recalculate();
    expect(last()).toEqual([count(own), count(1)]);
  });

  it('come to the same after edits, in copies too, as in a workbook that is new', () => {
    const columnOf = fc.array(valueOf, { minLength: ROWS, maxLength: ROWS });
    const edits = fc.array(fc.tuple(fc.nat(ROWS - 1), fc.nat(1), valueOf), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(columnOf, columnOf, edits, edits, (a, b, first, second) => {
        const base = load([a, b]);
        const one = base.copy();
        const other = base.copy();
        const changed = [first, second].map((list, at) => {
          const columns = [a.slice(), b.slice()];
          for (const [row, col, value] of list) {
            columns[col]![row] = value;
            (at === 0 ? one : other).setCells([{ sheet: 0, row, col, value }]);
          }
          return columns;
        });
        one.recalculate();
        other.recalculate();
        expect(results(one)).toEqual(results(load(changed[0]!)));
        expect(results(other)).toEqual(results(load(changed[1]!)));
        expect(results(base)).toEqual(results(load([a, b])));
      }),
      { numRuns: rounds(15, 40) },
    );
  });
});
