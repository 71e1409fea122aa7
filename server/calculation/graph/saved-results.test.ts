import { describe, expect, it } from 'vitest';
import { parseCell } from '#shared/codecs/cell-address.ts';
import type { CalculationModel } from '../engine.ts';
import { compareWithSaved } from '../fidelity.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import type { TestCell, TestWorkbook } from '../testing/build-model.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';

const CELLS: Record<string, TestCell> = {
  A1: 2,
  A2: { formula: '=A1*2', saved: 4 },
  A3: 'x',
  // None of these can be calculated: a function of an add-in, a cell of another workbook.
  B1: { formula: '=RISK(A2)+1', saved: 7 },
  B2: { formula: '=[1]Prices!C3*A1', saved: 10 },
  B3: { formula: '=B1*10', saved: 70 },
  B4: { formula: '=RISK("fixed")', saved: 'kept' },
  B5: { formula: '=RISK(C1:C9)', saved: true },
  B6: { formula: '=RISK(A3)', saved: null },
  B7: { formula: '=RISK(INDIRECT("A1"))', saved: 5 },
  D1: { formula: '=TRANSPOSE(RISK(A1))', saved: 1, kind: 'dynamicArray', block: 'D1:D3' },
  D2: 2,
  D3: 3,
  E1: { formula: '=SUM(D1#)', saved: 6 },
};

function load(book: Partial<TestWorkbook> = {}): CalculationModel {
  return createRunsheetEngine().load(buildModel({ sheets: { Sheet1: CELLS }, ...book }));
}

function value(model: CalculationModel, cell: string): unknown {
  const { row, col } = parseCell(cell)!;
  const result = model.value(0, row, col);
  return result instanceof CellError ? result.code : result;
}

function write(model: CalculationModel, cell: string, to: CellValue): void {
  model.setCells([{ sheet: 0, ...parseCell(cell)!, value: to }]);
}

describe('A formula that cannot be calculated here', () => {
  it('keeps the value of the file while everything it reads is as it was saved', () => {
    const model = load();
    model.recalculate();
    expect(['B1', 'B2', 'B3', 'B4', 'B5', 'D1', 'D2', 'D3', 'E1'].map((cell) => value(model, cell))).toEqual([
      7,
      10,
      70,
      'kept',
      true,
      1,
      2,
      3,
      6,
    ]);
  });

  it('keeps it in each of the many places it stands in', () => {
    const cells: Record<string, TestCell> = { Z1: 1 };
    // Every other row, so that no two of them were filled down together.
    for (let row = 1; row < 80; row += 2) cells[`A${row}`] = { formula: '=RISK($Z$1)', saved: row };
    cells['C3'] = { formula: '=RISK($Z$1)', saved: 'aside' };
    const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
    model.recalculate();
    expect(['A1', 'A3', 'A41', 'A79', 'C3'].map((cell) => value(model, cell))).toEqual([1, 3, 41, 79, 'aside']);
    write(model, 'Z1', 2);
    model.recalculate();
    expect(['A3', 'A79', 'C3'].map((cell) => value(model, cell))).toEqual(['#NAME?', '#NAME?', '#NAME?']);
  });

  it('keeps it though cells that depend on it stand between its range and what says where the range ends', () => {
    const cells: Record<string, TestCell> = {
      A1: 2,
      B1: { formula: '=RISK($D$1:INDEX($D$1:$D$3,MATCH(A1,$E$1:$E$3,1)))', saved: 9 },
      C1: { formula: '=B1+1', saved: 10 },
      D1: 1,
      D2: 2,
      E1: 1,
      E2: 2,
    };
    const model = load({ sheets: { Sheet1: cells } });
    model.recalculate();
    expect([value(model, 'B1'), value(model, 'C1')]).toEqual([9, 10]);
    write(model, 'D2', 5);
    model.recalculate();
    expect(value(model, 'B1')).toBe('#NAME?');
    const report = compareWithSaved(buildModel({ sheets: { Sheet1: cells } }), createRunsheetEngine());
    expect(report).toMatchObject({
      formulas: 1,
      equal: 1,
      notComparedReasons: [{ reason: 'Unsupported', formulas: 1 }],
    });
  });

  it('is an error if the file has no value of it, or if it is unknown what it reads', () => {
    const model = load();
    model.recalculate();
    expect([value(model, 'B6'), value(model, 'B7')]).toEqual(['#NAME?', '#NAME?']);
  });

  it.each([true, false])('is an error once something it reads has changed (calculated before: %s)', (isCalculated) => {
    const model = load();
    if (isCalculated) model.recalculate();
    write(model, 'A1', 3);
    model.recalculate();
    expect(['B1', 'B2', 'B3', 'B4', 'D1', 'E1'].map((cell) => value(model, cell))).toEqual([
      '#NAME?',
      '#REF!',
      '#NAME?',
      'kept',
      '#NAME?',
      '#NAME?',
    ]);
    write(model, 'A1', 2);
    model.recalculate();
    expect(['B1', 'B2', 'B3', 'E1'].map((cell) => value(model, cell))).toEqual([7, 10, 70, 6]);
  });

  it.each([
    ['a blank cell of a range is filled', { sheet: 0, row: 4, col: 2, value: 1 }, 'B5'],
    ['a text changes', { sheet: 0, row: 0, col: 0, value: 'two' }, 'B1'],
  ])('is an error where %s', (_, edit, cell) => {
    const model = load();
    model.recalculate();
    model.setCells([edit]);
    model.recalculate();
    expect(value(model, cell)).toBe('#NAME?');
  });

  it('is an error once a cell of a range it reads is emptied', () => {
    const model = load({ sheets: { Sheet1: { A1: 1, A2: 2, B1: { formula: '=RISK(A1:A5)', saved: 9 } } } });
    model.recalculate();
    expect(value(model, 'B1')).toBe(9);
    write(model, 'A2', null);
    model.recalculate();
    expect(value(model, 'B1')).toBe('#NAME?');
  });

  it('is an error if what it reads differs from the saved value, whichever is right', () => {
    const cells = { A1: 1, A2: { formula: '=A1+1', saved: 5 }, B1: { formula: '=RISK(A2)', saved: 9 } };
    const model = load({ sheets: { Sheet1: cells } });
    model.recalculate();
    expect(value(model, 'B1')).toBe('#NAME?');
  });

  it('is an error after a table has got more or fewer rows', () => {
    const model = load({
      sheets: { Sheet1: { A1: 'Price', A2: 1, A3: 2, C1: { formula: '=RISK(Fruit[Price])', saved: 9 } } },
      tables: [{ name: 'Fruit', sheet: 'Sheet1', block: 'A1:A3', columns: ['Price'] }],
    });
    model.recalculate();
    expect(value(model, 'C1')).toBe(9);
    model.resizeTable('Fruit', 4);
    model.recalculate();
    expect(value(model, 'C1')).toBe('#NAME?');
  });

  it('is not counted among the formulas that agree', () => {
    const { formulas, equal, notComparedReasons, cells, unsupported } = compareWithSaved(
      buildModel({ sheets: { Sheet1: CELLS } }),
      createRunsheetEngine(),
    );
    expect({ formulas, equal }).toEqual({ formulas: 4, equal: 3 });
    expect(notComparedReasons).toEqual([
      { reason: 'Unsupported', formulas: 4 },
      { reason: 'ExternalLink', formulas: 1 },
      { reason: 'NoSavedValue', formulas: 1 },
    ]);
    expect(cells.map(({ cell, reason }) => [cell, reason])).toEqual([['B7', 'function RISK not supported']]);
    expect(unsupported).toMatchObject([{ name: 'RISK', count: 6, first: 'Sheet1!B1' }]);
  });
});
