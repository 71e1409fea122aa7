/** Arrays shared by all formulas of a column equal those calculated for each formula. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { rounds } from '#test/support/test-set.ts';
import type { CalculationModel } from '../engine.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import type { TestCell } from '../testing/build-model.ts';
import type { CellValue } from '../values/cell-value.ts';
import { areEqualTexts, compareTexts } from '../values/compare.ts';

const ROWS = 80;
const FORMULAS = [
  '=IFERROR(INDEX(C$1:C$80,MATCH(A#&B#,A$1:A$80&B$1:B$80,0)),"none")',
  '=SUMPRODUCT((A$1:A$80=A#)*(B$1:B$80<=B#)*1)',
  '=SUMPRODUCT(--(LEN(A$1:A$80&"")=1),--(A$1:A$80<>A#))',
  '=SUMPRODUCT(ISNUMBER(B$1:B$80)*(B$1:B$80*2=B#))',
  '=SUMPRODUCT((A$1:A$80=A#)*(B$1:B$80<>B#)*D$1:D$80)',
  '=SUMPRODUCT((A#=A$1:A$80)*(2>=B$1:B$80)*D$1:D$80*D$1:D$80)',
  '=SUMPRODUCT(--(A$1:A$80=A#),D$1:D$80)',
  '=SUMPRODUCT((B$1:B$80=B#)*D$1:D$80*(A$1:A$80<A#))',
  '=SUMPRODUCT((A$1:A$80="a")*B$1:B$80)',
  '=SUMPRODUCT(1*(A$1:A$80=A#),B$1:B$80)',
  '=SUMPRODUCT(A$1:A$80=A#,B$1:B$80)',
  '=SUM(FILTER(C$1:C$80,UPPER(A$1:A$80)=UPPER(A#),0))',
];

function load(columns: readonly CellValue[][], rows: readonly number[], formulas: readonly string[]): CalculationModel {
  const cells: Record<string, TestCell> = {};
  columns.forEach((column, col) =>
    column.forEach((value, row) => (cells[formatCell(row, col)] = value === null ? null : { constant: value })),
  );
  for (let row = 1; row <= ROWS; row += 1) {
    cells[`C${row}`] = `=B${row}&"/"&A${row}`;
    if (row % 7 !== 0) cells[`D${row}`] = (row * 37) / 100;
  }
  for (const row of rows) {
    formulas.forEach((formula, at) => {
      const kind = formula.includes('FILTER') ? 'dynamicArray' : 'normal';
      cells[formatCell(row - 1, at + 4)] = { formula: formula.replaceAll('#', String(row)), kind };
    });
  }
  const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
  model.recalculate();
  return model;
}

test('what is kept for a column is given up where one of its cells changes', () => {
  const value = fc.constantFrom<CellValue>('a', 'A', 'b', 1, 2, '1', '', true, null);
  const column = fc.array(value, { minLength: ROWS, maxLength: ROWS });
  const edit = fc.tuple(fc.nat(ROWS - 1), fc.nat(1), value);
  const rows = Array.from({ length: ROWS }, (_, row) => row + 1);
  fc.assert(
    fc.property(column, column, edit, edit, (a, b, first, second) => {
      const base = load([a, b], rows, FORMULAS);
      const columns = [a.slice(), b.slice()];
      const copy = base.copy();
      for (const [row, col, changed] of [first, second]) {
        columns[col]![row] = changed;
        copy.setCells([{ sheet: 0, row, col, value: changed }]);
        copy.recalculate();
      }
      for (const [model, own] of [
        [copy, columns],
        [base, [a, b]],
      ] as const) {
        for (const row of [2, 40, ROWS]) {
          FORMULAS.forEach((formula, at) => {
            const alone = load(own, [row], [formula]);
            expect([formula, row, model.value(0, row - 1, at + 4)]).toEqual([formula, row, alone.value(0, row - 1, 4)]);
          });
        }
      }
    }),
    { numRuns: 8 },
  );
});

test('texts are distinguished as in comparisons', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'A', 'é', 'É', 'ß', '\u0130', 'i', 'k', '\u212A', '1', '-', '@', '`'),
  });
  fc.assert(
    fc.property(letters, letters, (left, right) => {
      expect(areEqualTexts(left, right)).toBe(compareTexts(left, right) === 0);
      expect(areEqualTexts(left, left.toUpperCase())).toBe(compareTexts(left, left.toUpperCase()) === 0);
    }),
    { numRuns: rounds(500, 2000) },
  );
});
