import { formatCell, parseCell } from '#shared/codecs/cell-address.ts';
import { describe, expect, test } from 'vitest';
import { CellError } from './values/cell-value.ts';
import { createRunsheetEngine } from './runsheet-engine.ts';
import { formulasOfFile } from './graph/formula-at.ts';
import { buildModel, type TestWorkbook } from './testing/build-model.ts';
import { traceError } from './trace-error.ts';

function load(book: TestWorkbook) {
  const model = createRunsheetEngine().load(buildModel(book));
  model.recalculate();
  const names = Object.keys(book.sheets);
  return {
    model,
    trace: (address: string) => {
      const { row, col } = parseCell(address)!;
      const found = traceError(model, 0, row, col);
      if (!found) return undefined;
      const { origin, formula, isComplete } = found;
      return {
        from: `${names[origin.sheet]}!${formatCell(origin.row, origin.col)} ${origin.formula}`,
        formula,
        isComplete,
      };
    },
  };
}

describe('an error', () => {
  test('is followed over sheets, names and ranges to the cell where it arose', () => {
    const { trace } = load({
      sheets: {
        Result: { A1: '=Total*2', A2: 5 },
        Rates: { B1: '=1/B9', B2: 3, B3: '=SUM(B1:B2)', B9: 0 },
      },
      names: { Total: 'Rates!$B$3' },
    });
    expect(trace('A1')).toEqual({ from: 'Rates!B1 =1/B9', formula: '=Total*2', isComplete: true });
    expect(trace('A2')).toBeUndefined();
  });

  test('that a look-up causes with valid cells originates in the look-up', () => {
    const { trace } = load({ sheets: { S: { A1: 'a', A2: 'b', B1: '=B2', B2: '=MATCH("c",A1:A2,0)' } } });
    expect(trace('B1')).toMatchObject({ from: 'S!B2 =MATCH("c",A1:A2,0)' });
  });

  test('of another kind in a cell that is read is not taken for the origin', () => {
    const { trace } = load({ sheets: { S: { A1: '=1/0', A2: '=IFERROR(A1,NA())' } } });
    expect(trace('A2')).toMatchObject({ from: 'S!A2 =IFERROR(A1,NA())' });
  });

  test('that was typed in is a constant', () => {
    const { trace } = load({ sheets: { S: { A1: '=A2+1', A2: new CellError('#N/A') } } });
    expect(trace('A1')).toMatchObject({ from: 'S!A2 null' });
  });

  test('within a dynamic array stands where the array begins, without prefixes of the file', () => {
    const { trace } = load({
      sheets: {
        S: { A1: 1, A2: 0, C1: { formula: '=_xlfn._xlws.SORT(1/A1:A2)', kind: 'dynamicArray' }, D1: '=C1+C2' },
      },
    });
    expect(trace('D1')).toMatchObject({ from: 'S!C1 =SORT(1/A1:A2)' });
  });

  test('is found in rows that a table gained', () => {
    const { model, trace } = load({
      sheets: { S: { A1: 'In', B1: 'Out', A2: 1, B2: '=1/T[[#This Row],[In]]', D1: '=SUM(T[Out])' } },
      tables: [
        {
          name: 'T',
          sheet: 'S',
          block: 'A1:B2',
          columns: ['In', { name: 'Out', calculatedFormula: '1/T[[#This Row],[In]]' }],
        },
      ],
    });
    model.resizeTable('T', 3);
    model.setCells([
      { sheet: 0, row: 2, col: 0, value: 4 },
      { sheet: 0, row: 3, col: 0, value: 0 },
    ]);
    model.recalculate();
    expect(trace('D1')?.from).toMatch(/^S!B4 =1\/T\[\[#This Row\],\[In\]\]$/);
  });
});

test('an engine that knows no formulas is helped by those of the file', () => {
  const cells = {
    A1: '=B1',
    B1: '=1/0',
    C1: { formula: '=A1:A2*2', kind: 'array' as const, block: 'C1:C2' },
    D1: '=C2',
  };
  const file = buildModel({ sheets: { S: cells } });
  const model = createRunsheetEngine().load(file);
  model.recalculate();
  const other = { value: model.value.bind(model), formulaAt: formulasOfFile(file) };
  expect(traceError(other, 0, 0, 0)?.origin).toEqual({ sheet: 0, row: 0, col: 1, formula: '=1/0' });
  expect(other.formulaAt(0, 1, 2)).toMatchObject({ row: 0, col: 2, text: '=A1:A2*2' });
});
