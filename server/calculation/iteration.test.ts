import { describe, expect, it } from 'vitest';
import type { CalculationModel } from './engine.ts';
import { compareWithSaved } from './fidelity.ts';
import type { FidelityReport } from './fidelity-report.ts';
import { createRunsheetEngine } from './runsheet-engine.ts';
import { buildModel } from './testing/build-model.ts';
import type { TestCell, TestWorkbook } from './testing/build-model.ts';
import type { WorkbookModel } from './reader/workbook-model.ts';
import { parseCell } from '#shared/codecs/cell-address.ts';
import type { CellValue } from './values/cell-value.ts';

type Iteration = WorkbookModel['iteration'];
const ITERATES: Iteration = { enabled: true, count: 100, delta: 0.001 };

function modelOf(
  cells: Record<string, TestCell>,
  iteration = ITERATES,
  rest: Partial<TestWorkbook> = {},
): WorkbookModel {
  return { ...buildModel({ sheets: { S: cells }, ...rest }), iteration };
}

function calculated(cells: Record<string, TestCell>, iteration = ITERATES): CalculationModel {
  const model = createRunsheetEngine().load(modelOf(cells, iteration));
  model.recalculate();
  return model;
}

function at(model: CalculationModel, address: string): CellValue {
  const { row, col } = parseCell(address)!;
  return model.value(0, row, col);
}

function write(model: CalculationModel, address: string, value: CellValue): void {
  const { row, col } = parseCell(address)!;
  model.setCells([{ sheet: 0, row, col, value }]);
  model.recalculate();
}

const report = (cells: Record<string, TestCell>, iteration = ITERATES): FidelityReport =>
  compareWithSaved(modelOf(cells, iteration), createRunsheetEngine());

/**
 * Interest on the average of the debt at the start and at the end of a year, paid from the cash that also repays the
 * debt.
 */
const YEARS = ['B', 'C', 'D', 'E'];
function loanModel(saved: Record<string, number> = {}): Record<string, TestCell> {
  const cells: Record<string, TestCell> = { A1: 0.08, A2: 1000, A3: 300 };
  YEARS.forEach((col, year) => {
    const opening = year === 0 ? '$A$2' : `${YEARS[year - 1]}3`;
    const formulas = {
      [`${col}1`]: `=${opening}`,
      [`${col}2`]: `=MIN(${col}1,$A$3-${col}4)`,
      [`${col}3`]: `=${col}1-${col}2`,
      [`${col}4`]: `=AVERAGE(${col}1,${col}3)*$A$1`,
    };
    for (const [cell, formula] of Object.entries(formulas)) {
      cells[cell] = cell in saved ? { formula, saved: saved[cell]! } : formula;
    }
  });
  return { ...cells, G1: '=SUM(B4:E4)' };
}

/** The same calculated directly: cash = repaid + interest, interest = rate × (opening + closing) / 2. */
function interest(rate: number, debt: number, cash: number): number {
  let sum = 0;
  let opening = debt;
  for (const _ of YEARS) {
    const repaid = Math.min(opening, (cash - rate * opening) / (1 - rate / 2));
    sum += (rate * (opening + opening - repaid)) / 2;
    opening -= repaid;
  }
  return sum;
}

const circular = (formulas: number): object[] => [{ reason: 'CircularReference', formulas }];

describe('a loan model whose interest depends on the repayments it leaves money for', () => {
  const fine: Iteration = { ...ITERATES, delta: 1e-9 };

  it.each([
    [0.08, 1000, 300],
    [0.12, 1000, 300],
    [0.2, 5000, 1500],
    [0, 1000, 300],
  ])('settles where the equations are fulfilled: %d, %d, %d', (rate, debt, cash) => {
    const model = calculated({ ...loanModel(), A1: rate, A2: debt, A3: cash }, fine);
    expect(at(model, 'G1')).toBeCloseTo(interest(rate, debt, cash), 6);
    expect(model.nonConverged!()).toEqual([]);
  });

  it('with the bounds Excel begins with, as near as they allow', () => {
    const off = Math.abs((at(calculated(loanModel()), 'G1') as number) - interest(0.08, 1000, 300));
    expect(off).toBeLessThan(0.001);
  });

  it('comes to the same whatever was calculated before', () => {
    const model = calculated(loanModel());
    const first = at(model, 'G1');
    write(model, 'A1', 0.11);
    const other = at(model, 'G1');
    expect(other).toBeCloseTo(interest(0.11, 1000, 300), 2);
    write(model, 'A1', 0.08);
    expect(at(model, 'G1')).toBe(first);
    // In Excel, this error would persist in the loop forever.
    write(model, 'A3', 'none');
    expect(at(model, 'G1')).toMatchObject({ code: '#VALUE!' });
    write(model, 'A3', 300);
    expect(at(model, 'G1')).toBe(first);
    const fresh = createRunsheetEngine().load(modelOf(loanModel()));
    write(fresh, 'A1', 0.11);
    expect(at(fresh, 'G1')).toBe(other);
  });

  it('leaves the values alone that Excel saved when they had settled, and follows the smallest change of an input', () => {
    const exact = calculated(loanModel(), fine);
    const addresses = YEARS.flatMap((col) => [1, 2, 3, 4].map((row) => `${col}${row}`));
    const saved = Object.fromEntries(addresses.map((address) => [address, (at(exact, address) as number) + 1e-5]));
    saved['B1'] = 1000;
    const total = YEARS.reduce((sum, col) => sum + saved[`${col}4`]!, 0);
    const cells = { ...loanModel(saved), G1: { formula: '=SUM(B4:E4)', saved: total } };
    expect(report(cells)).toMatchObject({ formulas: 17, different: 0, notCompared: 0 });
    const model = calculated(cells);
    expect(at(model, 'B4')).toBe(saved['B4']);
    write(model, 'A2', 1000.0001);
    expect(at(model, 'B1')).toBe(1000.0001);
    expect(at(model, 'B4')).not.toBe(saved['B4']);
  });

  it('differs where the saved values had not settled', () => {
    const cells = { ...loanModel({ B4: 70 }), G1: { formula: '=SUM(B4:E4)', saved: 70 } };
    expect(report(cells).cells.map(({ cell, reason }) => [cell, reason])).toContainEqual(['B4', 'circular reference']);
  });
});

describe('iteration', () => {
  const GEOMETRIC = { A1: 6, B1: '=0.1*(A1+B2)', B2: '=A1+B1' };

  it.each([
    [1, 0.6, 6.6],
    [2, 1.26, 7.26],
    [8, 1.33333326, 7.33333326],
  ])('goes row by row from the left, %d times', (count, first, second) => {
    const model = calculated(GEOMETRIC, { enabled: true, count, delta: 0 });
    expect(at(model, 'B1')).toBeCloseTo(first, 12);
    expect(at(model, 'B2')).toBeCloseTo(second, 12);
  });

  it('takes the columns of a row before the next row', () => {
    const cells = { A1: '=B2+1', B1: '=A1+10', A2: '=B1+100', B2: '=A2+1000' };
    const model = calculated(cells, { enabled: true, count: 1, delta: 0 });
    expect(['A1', 'B1', 'A2', 'B2'].map((address) => at(model, address))).toEqual([1, 11, 111, 1111]);
  });

  it('calculates what only reads a circular reference, or is read by it, once and in its own order', () => {
    const cells: Record<string, TestCell> = {
      A1: '=A2+0',
      A200: '=D1',
      B1: '=A1+C1*0.5',
      C1: '=B1',
      D1: 3,
      E1: '=B1*2',
    };
    for (let row = 2; row < 200; row += 1) cells[`A${row}`] = `=A${row + 1}+0`;
    const model = calculated(cells, { enabled: true, count: 60, delta: 0 });
    expect(at(model, 'E1')).toBeCloseTo(12, 9);
  });

  it('continues from the saved values, as a cell that keeps the time of its first entry needs', () => {
    const cells = { A1: 'x', B1: { formula: '=IF(A1="","",IF(B1="",7,B1))', saved: 5 } };
    const model = calculated(cells);
    expect(at(model, 'B1')).toBe(5);
    write(model, 'A1', '');
    expect(at(model, 'B1')).toBe('');
  });
});

describe('the comparison leaves out', () => {
  it('what changes with every calculation of a circular reference, and what depends on it', () => {
    const cells = {
      A1: { formula: '=A1+1', saved: 16 },
      A2: { formula: '=ISODD(A1)', saved: false },
      A3: { formula: '=1+1', saved: 2 },
    };
    expect(report(cells)).toMatchObject({ formulas: 1, equal: 1, notComparedReasons: circular(2), volatile: [] });
  });

  it('what Excel does not calculate where iteration is off, but not a circular reference that a condition keeps open', () => {
    const cells = {
      A1: { formula: '=B1', saved: 0 },
      B1: { formula: '=A1', saved: 0 },
      C1: { formula: '=A1+1', saved: 0 },
      A2: { formula: '=B2', saved: 1 },
      B2: { formula: '=IF(FALSE,A2,1)', saved: 1 },
    };
    const off = { ...ITERATES, enabled: false };
    expect(report(cells, off)).toMatchObject({ formulas: 2, equal: 2, notComparedReasons: circular(3), volatile: [] });
  });
});
