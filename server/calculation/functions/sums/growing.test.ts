import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CalculationModel } from '#server/calculation/engine.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { CHUNK_BITS } from '#server/calculation/kernels/chunk.ts';
import { buildModel, type TestCell } from '#server/calculation/testing/build-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';

const ROWS = 60;
const FORMULAS = [
  '=COUNTIF(A$1:A#,A#)',
  '=COUNTIFS(A$1:A#,A#,B$1:B#,B#)',
  '=SUMIF(A$1:A#,A#,B$1:B#)',
  '=AVERAGEIFS(B$1:B#,A$1:A#,A#)',
  '=COUNTIF(A$1:A#,1)',
  '=MAXIFS(B$1:B#,A$1:A#,"x")',
  // of results of the rows above
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

/** Counted by hand, row by row. */
function counted(column: readonly CellValue[]): number[] {
  const key = (value: CellValue): string => {
    if (value === '1') return 'number:1';
    return typeof value === 'string' ? `text:${value.toLowerCase()}` : `${typeof value}:${String(value)}`;
  };
  return column.map((own, row) => column.slice(0, row + 1).filter((value) => key(value) === key(own)).length);
}

describe('ranges that grow from row to row', () => {
  it('count as they do one by one', () => {
    const column: CellValue[] = Array.from({ length: ROWS }, (_, row) => [1, 'x', '1', 'X', 2, true][(row * row) % 6]!);
    const model = load([column, column.map((_, row) => row)]);
    expect(results(model).map(([count]) => count)).toEqual(counted(column));
  });

  it('see a change far from the first row, and count anew', () => {
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
      { numRuns: 40 },
    );
  });
});
