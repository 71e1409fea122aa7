/** Whatever is edited: recalculating what an edit reaches gives what calculating everything anew gives. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { CalculationModel, CellEdit } from './engine.ts';
import { CalculationError } from './engine.ts';
import { createRunsheetEngine } from './runsheet-engine.ts';
import { buildModel } from './testing/build-model.ts';
import type { TestCell } from './testing/build-model.ts';
import { CellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

const ROWS = 12;
const COLS = 6;

/** Where a formula may stand, and formulas that read cells left of, above and below it. */
const templates: ((row: number, col: number) => TestCell)[] = [
  (row, col) => `=${formatCell(row, (col + 1) % COLS)}+1`,
  (row, col) => `=${formatCell((row + 1) % ROWS, col)}*2`,
  (row, col) => `=SUM(${formatCell(Math.max(0, row - 2), 0)}:${formatCell(row, Math.max(0, col - 1))})`,
  (row, col) => `=IF(${formatCell(row, 0)}>3,${formatCell((row + 3) % ROWS, (col + 2) % COLS)},"low")`,
  (row, col) => `=SUM($A$1:${formatCell(row, 0).replace(/(\d)/, '$$$1')})+COUNT(B:B)*${col}`,
  (row) => `=IFERROR(1/${formatCell((row + 5) % ROWS, 1)},-1)`,
  (row, col) => `=${formatCell(row, col)}`,
  (row) => `=SUMIF(A1:A12,">${row}",C1)`,
  (row) => ({ formula: `=A${row + 1}:A${Math.min(ROWS, row + 3)}*2`, kind: 'dynamicArray', block: `F${row + 1}` }),
  (row) => ({ formula: `=SUM(F${row + 1}#)`, kind: 'dynamicArray', block: `E${row + 1}` }),
  (row) => ({ formula: `=A1:A3+B${row + 1}`, kind: 'array', block: `D${row + 1}:D${row + 2}` }),
];

const value = fc.oneof(fc.integer({ min: -5, max: 9 }), fc.constantFrom<CellValue>('text', '4', '', null, true));
const place = fc.record({ row: fc.nat(ROWS - 1), col: fc.nat(COLS - 1) });
const formula = fc.record({
  row: fc.nat(ROWS - 1),
  col: fc.nat(COLS - 1),
  template: fc.nat(templates.length - 1),
  down: fc.nat(5),
});
const edit = fc.record({ at: place, value });

function cellsOf(
  constants: { at: { row: number; col: number }; value: CellValue }[],
  formulas: { row: number; col: number; template: number; down: number }[],
): Record<string, TestCell> {
  const cells: Record<string, TestCell> = {};
  for (const { at, value } of constants) cells[formatCell(at.row, at.col)] = value;
  for (const { row, col, template, down } of formulas) {
    for (let own = row; own <= Math.min(ROWS - 1, row + down); own += 1) {
      const cell = templates[template]!(own, col);
      const isArray = typeof cell === 'object' && cell !== null && 'formula' in cell && cell.block !== undefined;
      if (isArray) cells[cell.block!.split(':')[0]!] = cell;
      else cells[formatCell(own, col)] = cell;
    }
  }
  return cells;
}

function calculate(model: CalculationModel): string {
  try {
    model.recalculate();
    return '';
  } catch (error) {
    if (error instanceof CalculationError && error.code === 'circular') return 'circular';
    throw error;
  }
}

const contents = (model: CalculationModel): unknown[][] =>
  model
    .values(0, { top: 0, left: 0, bottom: ROWS + 4, right: COLS + 2 })
    .map((row) => row.map((cell) => (cell instanceof CellError ? cell.code : cell)));

const asEdit = ({ at, value }: { at: { row: number; col: number }; value: CellValue }): CellEdit => ({
  sheet: 0,
  ...at,
  value,
});

/** The workbook with its edits made before it is loaded. */
const book = fc.record({
  constants: fc.array(edit, { minLength: 5, maxLength: 40 }),
  formulas: fc.array(formula, { minLength: 1, maxLength: 14 }),
  edits: fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
});

const load = (cells: Record<string, TestCell>): CalculationModel =>
  createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));

test('recalculating what edits reach gives what calculating everything gives', () => {
  fc.assert(
    fc.property(book, ({ constants, formulas, edits }) => {
      const cells = cellsOf(constants, formulas);
      const step = load(cells);
      const first = calculate(step);
      let outcome = first;
      for (const group of edits) {
        step.setCells(group.map(asEdit));
        outcome = calculate(step);
      }
      const whole = load(cells);
      whole.setCells(edits.flat().map(asEdit));
      expect(calculate(whole)).toBe(outcome);
      // where cells depend on themselves, what they show depends on where one begins
      if (outcome === '' && first === '') expect(contents(step)).toEqual(contents(whole));
    }),
    { numRuns: 600 },
  );
});

test('recalculating twice changes nothing', () => {
  fc.assert(
    fc.property(book, ({ constants, formulas }) => {
      const model = load(cellsOf(constants, formulas));
      const first = calculate(model);
      const before = contents(model);
      expect(calculate(model)).toBe(first);
      if (first === '') expect(contents(model)).toEqual(before);
    }),
    { numRuns: 200 },
  );
});

test('a copy has the same contents, and neither sees what is written to the other', () => {
  fc.assert(
    fc.property(book, fc.boolean(), ({ constants, formulas, edits }, isCalculated) => {
      const cells = cellsOf(constants, formulas);
      const model = load(cells);
      if (isCalculated) calculate(model);
      const copy = model.copy();
      copy.setCells(edits.flat().map(asEdit));
      const edited = calculate(copy);
      calculate(model);
      const untouched = load(cells);
      if (calculate(untouched) === '') expect(contents(model)).toEqual(contents(untouched));
      const alone = load(cells);
      alone.setCells(edits.flat().map(asEdit));
      expect(calculate(alone)).toBe(edited);
      if (edited === '' && calculate(load(cells)) === '') expect(contents(copy)).toEqual(contents(alone));
    }),
    { numRuns: 300 },
  );
});
