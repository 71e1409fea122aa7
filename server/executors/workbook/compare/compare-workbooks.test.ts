import { describe, expect, test } from 'vitest';
import { buildModel, type TestWorkbook } from '#server/calculation/testing/build-model.ts';
import { compareWorkbooks } from './compare-workbooks.ts';

const compare = (before: TestWorkbook['sheets'], after: TestWorkbook['sheets'], names: Partial<TestWorkbook>[] = []) =>
  compareWorkbooks(buildModel({ sheets: before, ...names[0] }), buildModel({ sheets: after, ...names[1] }));

const cellsOf = (list: { Cells: string; Before: string; After: string }[]) =>
  list.map(({ Cells, Before, After }) => [Cells, Before, After]);

describe('two workbooks', () => {
  test('that are the same do not differ', () => {
    const sheets = { S: { A1: 1, A2: 'x', A3: true, B1: '=A1*2' } };
    const none = { Sheets: [], Names: [], Formulas: [], Constants: [], FormulaCount: 0, ConstantCount: 0 };
    expect(compare(sheets, sheets)).toEqual(none);
  });

  test('differ in formulas, and what became of formulas', () => {
    const found = compare(
      { S: { A1: 1, B1: '=A1*2', B2: '=A1+1', B3: '=A1' } },
      { S: { A1: 1, B1: '=A1*3', B2: 5, B4: '=A1' } },
    );
    expect(cellsOf(found.Formulas)).toEqual([
      ['B1', '=A1*2', '=A1*3'],
      ['B2', '=A1+1', '5'],
      ['B3', '=A1', ''],
      ['B4', '', '=A1'],
    ]);
    expect(found.FormulaCount).toBe(4);
  });

  test('in which a formula was filled down again differ once per column', () => {
    const column = (formula: (row: number) => string) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`B${index + 2}`, formula(index + 2)]));
    const found = compare({ S: column((row) => `=A${row}*2`) }, { S: column((row) => `=A${row}*$C$1`) });
    expect(found.Formulas).toEqual([{ Sheet: 'S', Cells: 'B2:B51', Count: 50, Before: '=A2*2', After: '=A2*$C$1' }]);
    expect(found.FormulaCount).toBe(50);
  });

  test('differ in constants by value and kind, blank and empty text being one', () => {
    const found = compare({ S: { A1: 1, A2: '1', A3: '', A4: 7 } }, { S: { A1: '1', A2: '1', A4: 8, A5: true } });
    expect(cellsOf(found.Constants)).toEqual([
      ['A1', '1', '1'],
      ['A4', '7', '8'],
      ['A5', '', 'TRUE'],
    ]);
  });

  test('differ in sheets and names; the cells of a sheet of one alone are not listed', () => {
    const found = compare({ Old: { A1: 1 }, Both: {} }, { Both: {}, New: { A1: '=1+1' } }, [
      { names: { Rate: 'Both!$A$1', Gone: '5' } },
      { names: { rate: 'Both!$A$2', Fresh: '6' } },
    ]);
    expect(found.Sheets.map(({ Name, Change }) => [Name, Change])).toEqual([
      ['New', 'Added'],
      ['Old', 'Removed'],
    ]);
    expect(found.Names).toEqual([
      {
        Name: 'rate',
        Change: 'Changed',
        Fields: [
          { Field: 'Name', Before: 'Rate', After: 'rate' },
          { Field: 'Refers to', Before: '=Both!$A$1', After: '=Both!$A$2' },
        ],
      },
      { Name: 'Fresh', Change: 'Added', Fields: [] },
      { Name: 'Gone', Change: 'Removed', Fields: [] },
    ]);
    expect(found.FormulaCount).toBe(0);
  });

  test('with array formulas show them as Excel does, without prefixes of the file', () => {
    const found = compare(
      { S: { A1: { formula: '=SUM(B1:B3*2)', kind: 'array', block: 'A1' } } },
      { S: { A1: { formula: '=_xlfn.CONCAT(B1:B3)', kind: 'dynamicArray' } } },
    );
    expect(cellsOf(found.Formulas)).toEqual([['A1', '{=SUM(B1:B3*2)}', '=CONCAT(B1:B3)']]);
  });
});
