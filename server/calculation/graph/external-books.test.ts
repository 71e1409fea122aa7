import { describe, expect, it } from 'vitest';
import { compareWithSaved } from '../fidelity.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import type { TestCell } from '../testing/build-model.ts';
import { CellError } from '../values/cell-value.ts';
import type { WorkbookModel } from '../reader/workbook-model.ts';

/** A workbook with formulas in column A and a link to 'C:\prices\Prices 2026.xlsx', of which two sheets were saved. */
function linked(formulas: TestCell[]): WorkbookModel {
  const sheets = {
    Own: Object.fromEntries(formulas.map((formula, row) => [`A${row + 1}`, formula])),
    Prices: { A1: 'apple', B1: 3, A2: 'pear', B2: 4, A3: 'plum', B3: 5 },
    Rates: { B2: 0.5 },
  };
  const { sheets: built, ...model } = buildModel({ sheets });
  const [own, prices, rates] = built;
  const target = 'file:///C:\\prices\\Prices%202026.xlsx';
  const names = [
    { name: 'Fruit', sheet: null, text: "='Prices'!$A$1:$B$3" },
    { name: 'Rate', sheet: 1, text: "='Rates'!$B$2" },
    { name: 'Doubled', sheet: null, text: '=2*Rates!Rate' },
    { name: 'AddIn', sheet: null, text: '' },
  ];
  const cachedSheets = [prices!, rates!].map(({ name, cells }) => ({ name, cells }));
  const book = { target, sheets: [...cachedSheets, { name: 'Unread', cells: null }], names };
  return { ...model, sheets: [own!], externalLinks: [target], externalBooks: [book] };
}

function results(model: WorkbookModel): unknown[] {
  const calculated = createRunsheetEngine().load(model);
  calculated.recalculate();
  return Array.from({ length: model.sheets[0]!.cells.count }, (_, row) => {
    const value = calculated.value(0, row, 0);
    return value instanceof CellError ? value.code : value;
  });
}

describe('A link to another workbook', () => {
  it.each([
    ['=[1]Prices!B2', 4],
    ['=[1]PRICES!B9', 0],
    ['=[1]Prices!B2*2+SUM([1]Prices!$B$1:$B$3)', 20],
    ["='[Prices 2026.xlsx]Prices'!B2", 4],
    ["='C:\\prices\\[Prices 2026.xlsx]Prices'!B2", 4],
    ['=VLOOKUP("plum",[1]Prices!A:B,2,FALSE)', 5],
    ['=SUMIF([1]Prices!A:A,"p*",[1]Prices!B:B)', 9],
    ['=INDEX([1]!Fruit,2,2)', 4],
    ['=VLOOKUP("pear",[1]!Fruit,2,FALSE)', 4],
    ['=SUM(OFFSET([1]Prices!B1,1,0,2,1))', 9],
    ['=[1]Rates!Rate', 0.5],
    ['=SUM([1]Prices:Rates!B2)', 4.5],
    ['=SHEETS()', 1],
    ['=SHEET([1]Prices!B2)', '#N/A'],
    // Values missing from the file never count as 0.
    ['=[1]Unread!A1', '#REF!'],
    ['=[1]Absent!A1', '#REF!'],
    ['=SUM([1]Prices:Unread!B2)', '#REF!'],
    ['=[2]Prices!B2', '#REF!'],
    ['=[1]!Nothing', '#REF!'],
    ['=Prices!B2', '#REF!'],
    ['=[1]!Doubled', 1],
    ['=[1]!AddInFunction(1)', '#NAME?'],
    ['=[1]!AddIn(1)', '#NAME?'],
    // As in Excel, texts refer to other workbooks only while those are open.
    ['=INDIRECT("[Prices 2026.xlsx]Prices!B2")', '#REF!'],
  ])('%s', (formula, expected) => {
    expect(results(linked([formula]))).toEqual([expected]);
  });

  it('is named where its values are not in the file, and calculated where they are', () => {
    const { cells, notComparedCells, unsupported } = compareWithSaved(
      linked([
        { formula: '=[1]Prices!B2', saved: 4 },
        { formula: '=[1]Prices!B2', saved: 7 },
        { formula: '=A2+[1]Unread!A1', saved: 7 },
        { formula: '=[1]!AddInFunction(A2)', saved: 1 },
        { formula: '=[1]Unread!A1', saved: 7 },
        { formula: '=[1]!AddInFunction(1)', saved: 1 },
      ]),
      createRunsheetEngine(),
    );
    const target = 'file:///C:\\prices\\Prices%202026.xlsx';
    expect(cells.map(({ cell, reason }) => [cell, reason])).toEqual([
      ['A2', `external link ${target}`],
      ['A3', `external link ${target}, not saved with the file`],
      ['A4', 'function ADDINFUNCTION not supported'],
    ]);
    expect(notComparedCells.map(({ cell, reason }) => [cell, reason])).toEqual([
      ['A5', 'ExternalLink'],
      ['A6', 'Unsupported'],
    ]);
    expect(unsupported.map(({ name }) => name)).toEqual(['ADDINFUNCTION']);
  });

  it('is compared where a reference into it is made by a function, beside formulas that chance decides', () => {
    const { formulas, notCompared } = compareWithSaved(
      linked([
        { formula: '=RAND()', saved: 0.5 },
        { formula: '=SUM(OFFSET([1]Prices!B1,1,0))', saved: 4 },
      ]),
      createRunsheetEngine(),
    );
    expect({ formulas, notCompared }).toEqual({ formulas: 1, notCompared: 1 });
  });

  it('keeps its values in copies, and they cannot be changed by formulas of the workbook', () => {
    const model = createRunsheetEngine().load(linked(['=[1]Prices!B1+B1']));
    model.recalculate();
    const copy = model.copy();
    copy.setCells([{ sheet: 0, row: 0, col: 1, value: 10 }]);
    copy.recalculate();
    expect([model.value(0, 0, 0), copy.value(0, 0, 0)]).toEqual([3, 13]);
  });
});

it('a reference to another workbook depends on nothing that a comparison skips', () => {
  const report = compareWithSaved(
    linked([
      { formula: '=RAND()', saved: 1 },
      { formula: '=OFFSET([1]Prices!$B$1,1,0)', saved: 4 },
    ]),
    createRunsheetEngine(),
  );
  expect(report).toMatchObject({ formulas: 1, equal: 1, notCompared: 1 });
});
