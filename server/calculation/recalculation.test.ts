/** Whatever is edited, an incremental recalculation gives the same results as a full calculation. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCell, parseCell } from '#shared/codecs/cell-address.ts';
import { rounds } from '#test/support/test-set.ts';
import type { CalculationBounds, CalculationModel, CellEdit } from './engine.ts';
import { CalculationError } from './engine.ts';
import { createRunsheetEngine } from './runsheet-engine.ts';
import { buildModel } from './testing/build-model.ts';
import type { TestCell } from './testing/build-model.ts';
import { CellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

const ROWS = 12;
const COLS = 6;

/** Formulas that read cells to their left, above and below. */
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

/** Formulas next to all others that read them: lookups and sums with cached indexes, and calculated references. */
const readers: ((row: number) => string)[] = [
  (row) => `=VLOOKUP(A${row},A1:C12,3,FALSE)`,
  (row) => `=MATCH(A${row},B1:B12,1)`,
  (row) => `=MATCH(A${row}&"*",A:A,0)`,
  (row) => `=XLOOKUP(A${row},B1:B12,C1:C12,"none",-1)`,
  (row) => `=INDEX(A1:F12,MATCH(B${row},A1:A12,0),3)`,
  (row) => `=COUNTIFS(A1:A12,">="&B${row},B1:B12,"<>4")`,
  (row) => `=SUMIFS(C:C,A:A,A${row})`,
  (row) => `=AVERAGEIFS(C1:C12,B1:B12,"<"&A${row})`,
  (row) => `=MAXIFS(A1:A12,B1:B12,B${row})`,
  (row) => `=SUMPRODUCT((A1:A12=B${row})*1)`,
  () => '=SUBTOTAL(9,A1:B12)+AGGREGATE(14,6,A1:C12,2)',
  () => '=MEDIAN(A1:B12)+LARGE(A1:A12,2)',
  (row) => `=SUM(OFFSET(A1,MOD(COUNT(A1:A12),3),0,${row},2))`,
  (row) => `=SUM(INDIRECT("A${row}:C"&COUNT(A1:A12)+1))`,
  () => '=SUM(COUNTIF(OFFSET(A1:A4,{0;3;6},0),">1"))',
  (row) => `=SUM(LARGE(A1:C12,{1,2}))+SUM(A${row}:INDEX(A1:A12,6))`,
  (row) => `=LET(x,A${row},SUM(MAP(A1:A12,LAMBDA(v,IF(v=x,1,0)))))`,
  () => '=DSUM(A1:C12,2,D1:D2)',
  () => '=all_cells+COUNTBLANK(A:F)',
  // Long enough ranges that they are not scanned cell by cell.
  (row) => `=SUM(A:A)+AVERAGE(B$1:B$90)+MAX(A${row}:A$90)`,
  (row) => `=SUM(A${row}:A$90)+MIN(A${row}:C$90)+COUNTA(B${row}:B$90)`,
  (row) => `=COUNTIF(B${row}:B$90,">2")+COUNTIF(A:A,"<=3")+IFERROR(RANK(A${row},A$1:A$90),0)`,
  (row) => `=SUMIF(A${row}:A$90,A${row},B${row}:B$90)+SUMIFS(C$1:C$90,B$1:B$90,">"&A${row})`,
  (row) => `=IFERROR(MATCH(A${row},B${row}:B$90,0),0)+COUNTIFS(A${row}:A$90,A${row},B${row}:B$90,B${row})`,
  (row) => `=SUMPRODUCT((A$1:A$90=A${row})*(B$1:B$90<4))+IFERROR(STDEV(A$1:A$90),0)`,
  (row) => `=IFERROR(MATCH(A${row}&B${row},A$1:A$90&B$1:B$90,0),0)`,
  () => '=SUMPRODUCT(B1:B90,C1:C90)+SUMPRODUCT(A:A,C:C)',
];
readers.forEach((reader, index) => {
  templates.push((row) => ({
    formula: reader((row % ROWS) + 1),
    kind: index % 3 === 0 ? 'normal' : 'dynamicArray',
    block: `${index % 2 === 0 ? 'G' : 'H'}${row + 1}`,
  }));
});

const value = fc.oneof(fc.integer({ min: -5, max: 9 }), fc.constantFrom<CellValue>('text', '4', '', null, true));
const formula = fc.record({
  row: fc.nat(ROWS - 1),
  col: fc.nat(COLS - 1),
  template: fc.nat(templates.length - 1),
  down: fc.nat(5),
});
/** Includes cells below all used rows: when a sheet grows, longer ranges change. */
const edit = fc.record({
  at: fc.record({ row: fc.oneof(fc.nat(ROWS - 1), fc.nat(ROWS + 3)), col: fc.nat(COLS - 1) }),
  value,
});

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

function calculate(model: CalculationModel, only?: CalculationBounds['only']): string {
  try {
    model.recalculate(only ? { only } : {});
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

/** A workbook and groups of edits. */
const book = fc.record({
  constants: fc.array(edit, { minLength: 5, maxLength: 40 }),
  formulas: fc.array(formula, { minLength: 1, maxLength: 14 }),
  edits: fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
});

const load = (cells: Record<string, TestCell>): CalculationModel =>
  createRunsheetEngine().load(
    buildModel({ sheets: { Sheet1: cells }, names: { all_cells: 'SUM(Sheet1!$A$1:$F$12)' } }),
  );

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
      // With circular references, the values shown depend on the order of calculation.
      if (outcome === '' && first === '') expect(contents(step)).toEqual(contents(whole));
    }),
    { numRuns: rounds(150, 600) },
  );
});

test('variants of the same cells give what calculating everything gives, also if only one cell is wanted', () => {
  const variants = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 5 });
  const cell = fc.record({ row: fc.nat(ROWS), col: fc.nat(COLS + 1) });
  fc.assert(
    fc.property(book, variants, cell, ({ constants, formulas, edits }, rows, { row, col }) => {
      const cells = cellsOf(constants, formulas);
      const [all, one] = [load(cells), load(cells)];
      const only = [{ sheet: 0, block: { top: row, left: col, bottom: row, right: col } }];
      const first = calculate(all);
      calculate(one);
      const wanted = edits.flat().slice(0, 3);
      for (const values of rows) {
        const group = wanted.map(({ at }, index) => asEdit({ at, value: values[index] ?? null }));
        const whole = load(cells);
        for (const model of [all, one, whole]) model.setCells(group);
        const outcome = calculate(whole);
        expect(calculate(all)).toBe(outcome);
        calculate(one, only);
        if (outcome !== '' || first !== '') return;
        expect(contents(all)).toEqual(contents(whole));
        expect(contents(one)[row]![col]).toEqual(contents(whole)[row]![col]);
      }
    }),
    { numRuns: rounds(100, 600) },
  );
});

test('the same change reaches what only a volatile formula of its group reaches', () => {
  // C1 and C2 are a group. Only C1 is marked by a change of A1, and C2 because it is volatile.
  const model = load({
    A1: 1,
    C1: '=A1+INDIRECT("A1")',
    C2: '=A2+INDIRECT("A1")',
    E1: '=SUM(C2)*10',
  });
  for (const value of [1, 2, 3, 4]) {
    model.setCells([{ sheet: 0, row: 0, col: 0, value }]);
    model.recalculate();
    expect(model.value(0, 0, 4)).toBe(value * 10);
  }
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
    { numRuns: rounds(50, 200) },
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
    { numRuns: rounds(75, 300) },
  );
});

test.each([
  ['=SUMIF(A1:A90,A1,B1:B90)+SUMIFS(C1:C90,B1:B90,">"&A1)', { A40: 'a new row' }],
  ['=SUMPRODUCT(B1:B90,C1:C90)-28', { A40: 'a new row', C1: 30 }],
  ['=SUMPRODUCT(B:B,C:C)-28', { A40: 'a new row', C1: 30 }],
])('columns that stay as they are count as before while a copy gets rows in another one: %s', (formula, written) => {
  const cells: Record<string, TestCell> = { A1: 1, B1: 2, C1: 30, D1: formula };
  const model = load(cells);
  model.recalculate();
  const copy = model.copy();
  write(copy, written);
  const alone = load({ ...cells, ...written });
  alone.recalculate();
  expect([read(model, 'D1'), read(copy, 'D1'), read(alone, 'D1')]).toEqual([32, 32, 32]);
});

const at = (address: string): { row: number; col: number } => parseCell(address)!;
const read = (model: CalculationModel, address: string): CellValue => {
  const value = model.value(0, at(address).row, at(address).col);
  return value instanceof CellError ? value.code : value;
};
const write = (model: CalculationModel, cells: Record<string, CellValue>): void => {
  model.setCells(Object.entries(cells).map(([address, value]) => ({ sheet: 0, ...at(address), value })));
  model.recalculate();
};
const dynamic = (formula: string, block?: string): TestCell => ({ formula, kind: 'dynamicArray', block });

test('a chain of 100,000 cells against the order of rows is calculated without a deep stack', () => {
  const cells: Record<string, TestCell> = { A100000: 1, B1: '=A1' };
  for (let row = 1; row < 100_000; row += 1) cells[`A${row}`] = `=A${row + 1}+1`;
  const model = load(cells);
  model.recalculate();
  expect(read(model, 'B1')).toBe(100_000);
  write(model, { A99999: 0 });
  expect(read(model, 'B1')).toBe(99_998);
});

test('a chain that jumps between sheets and columns as it likes is calculated', () => {
  const cells: Record<string, TestCell> = { A1: 1 };
  for (let step = 1; step < 20_000; step += 1) {
    const before = formatCell(((step - 1) * 7919) % 20_000, 0);
    cells[formatCell((step * 7919) % 20_000, 0)] = `=${before}+1`;
  }
  const model = load(cells);
  model.recalculate();
  expect(read(model, formatCell((19_999 * 7919) % 20_000, 0))).toBe(20_000);
});

test('an array spills, moves what reads it, and is #SPILL! while something is in the way', () => {
  const model = load({ A1: 2, B1: dynamic('=SEQUENCE(A1)'), C1: '=SUM(B1:B9)', D1: dynamic('=SUM(B1#)') });
  model.recalculate();
  expect([read(model, 'B2'), read(model, 'C1'), read(model, 'D1')]).toEqual([2, 3, 3]);
  write(model, { A1: 4 });
  expect([read(model, 'B4'), read(model, 'C1'), read(model, 'D1')]).toEqual([4, 10, 10]);
  expect(model.spillBlock(0, 0, 1)).toEqual({ top: 0, left: 1, bottom: 3, right: 1 });
  write(model, { B3: 'here' });
  expect([read(model, 'B1'), read(model, 'B2'), read(model, 'B3')]).toEqual(['#SPILL!', null, 'here']);
  write(model, { B3: null });
  expect([read(model, 'B1'), read(model, 'B3'), read(model, 'C1')]).toEqual([1, 3, 10]);
  write(model, { A1: 1 });
  expect([read(model, 'B1'), read(model, 'B2'), read(model, 'C1')]).toEqual([1, null, 1]);
  write(model, { B1: 7 });
  expect([read(model, 'B1'), read(model, 'C1')]).toEqual([7, 7]);
});

test('what INDIRECT and OFFSET read is followed wherever it is', () => {
  const model = load({ A1: 1, A2: 2, B1: 'A2', C1: '=INDIRECT(B1)', C2: '=OFFSET(A1,1,0)+C1' });
  model.recalculate();
  write(model, { A2: 5 });
  expect([read(model, 'C1'), read(model, 'C2')]).toEqual([5, 10]);
  write(model, { B1: 'A1' });
  expect([read(model, 'C1'), read(model, 'C2')]).toEqual([1, 6]);
});

test('books that iterate calculate their circular references until they hardly change', () => {
  const model = buildModel({ sheets: { Sheet1: { A1: 100, A2: '=A1*0.1+A3*0.5', A3: '=A2*0.5', A4: '=A3+0' } } });
  const calculated = createRunsheetEngine().load({ ...model, iteration: { enabled: true, count: 100, delta: 1e-9 } });
  calculated.recalculate();
  expect(calculated.value(0, 1, 0)).toBeCloseTo(10 / 0.75, 6);
  expect(calculated.value(0, 3, 0)).toBeCloseTo(5 / 0.75, 6);
  calculated.setCells([{ sheet: 0, row: 0, col: 0, value: 200 }]);
  calculated.recalculate();
  expect(calculated.value(0, 1, 0)).toBeCloseTo(20 / 0.75, 6);
});

test('a circular reference in a branch that is not taken is not circular', () => {
  const model = load({ A1: true, A2: '=IF(A1,1,A3)', A3: '=A2+1' });
  model.recalculate();
  expect(read(model, 'A3')).toBe(2);
  expect(() => write(model, { A1: false })).toThrow(/Sheet1!A2, Sheet1!A3|Sheet1!A3, Sheet1!A2/);
  write(model, { A1: true });
  expect(read(model, 'A3')).toBe(2);
});

test('the time limit stops an endless formula, and the next calculation works', () => {
  const model = load({ A1: 3000, B1: dynamic('=SUM(MAKEARRAY(A1,A1,LAMBDA(x,y,SUM(SEQUENCE(x)*y))))'), C1: '=A1+1' });
  expect(() => model.recalculate({ timeLimit: 50 })).toThrow(expect.objectContaining({ code: 'limit' }));
  model.setCells([{ sheet: 0, row: 0, col: 0, value: 2 }]);
  model.recalculate();
  expect([read(model, 'B1'), read(model, 'C1')]).toEqual([12, 3]);
});
