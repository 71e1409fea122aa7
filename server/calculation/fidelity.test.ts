import { describe, expect, it } from 'vitest';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import { sameValue } from './compare-values.ts';
import { compareWithSaved } from './fidelity.ts';
import { createRunsheetEngine } from './runsheet-engine.ts';
import { buildModel, type TestWorkbook } from './testing/build-model.ts';
import { cellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

const engine = createRunsheetEngine();
const STALE = 'stale: does not match the saved values of the cells it reads';

it('distinguishes equal from different, root causes from consequences, and what an output needs', () => {
  const model = buildModel({
    sheets: {
      Sheet1: {
        A1: 2,
        B1: { formula: '=A1*2', saved: 4 },
        B2: { formula: '=A1*3', saved: 7 },
        B3: { formula: '=SUM(B1:B2)', saved: 11 },
        B4: { formula: '=[1]Sheet1!A1', saved: 5 },
        B5: { formula: '=_xlfn.WEBSERVICE(A1)', saved: 'x' },
        B6: { formula: '=B6+1', saved: 0 },
        B7: { formula: '=1+', saved: 1 },
        B8: { formula: '=1', saved: null },
        B9: { formula: '=NOW()', saved: 45000 },
        B10: { formula: '=B9+A1', saved: 45002 },
        B11: { formula: '=IF(A1>5,"x","")', saved: '' },
        B12: { formula: '=1/0', saved: cellError('#DIV/0!')! },
        B13: { formula: '=OFFSET(A1,0,0)', saved: 2 },
        B14: { formula: '=A1:A1*{1;2}', kind: 'array', block: 'B14:B15', saved: 2 },
        B15: 5,
      },
    },
  });
  const report = compareWithSaved(model, engine, [{ sheet: 0, block: parseBlock('B3')! }]);
  expect(
    report.cells.map(({ cell, saved, got, reason, feedsOutput }) => [cell, saved, got, reason, feedsOutput]),
  ).toEqual([
    ['B2', 7, 6, STALE, true],
    ['B3', 11, 10, 'depends on Sheet1!B2 that differs', true],
    ['B7', 1, '#NAME?', 'formula that cannot be read', false],
    ['B15', 5, 4, 'different value', false],
  ]);
  expect(report).toMatchObject({
    formulas: 8,
    equal: 4,
    different: 4,
    notCompared: 6,
    notComparedFeedingOutputs: 0,
    notComparedReasons: [
      { reason: 'Volatile', formulas: 2 },
      { reason: 'CircularReference', formulas: 1 },
      { reason: 'ExternalLink', formulas: 1 },
      { reason: 'Unsupported', formulas: 1 },
      { reason: 'NoSavedValue', formulas: 1 },
    ],
    notComparedOutputs: [],
    volatile: ['NOW'],
    unsupported: [{ name: 'WEBSERVICE', count: 1, first: 'Sheet1!B5', feedsOutput: false }],
  });
});

it.each<[CellValue, CellValue, boolean]>([
  [1, 1 + 5e-10, true],
  [1, 1 + 5e-9, false],
  [1e12, 1e12 + 100, true],
  [0, 5e-10, true],
  [0, 1e-8, false],
  [1e-10, 2e-10, false],
  [1.2246e-16, 1.2251e-16, true],
  ['a', 'A', false],
  ['a\rb', 'a\nb', true],
  ['a\r\nb', 'a\nb', true],
  ['a\rb', 'ab', false],
  [null, '', true],
  [null, 0, false],
  [1, true, false],
  ['1', 1, false],
  [cellError('#N/A')!, cellError('#REF!')!, false],
  ['#N/A', cellError('#N/A')!, true],
])('%s and %s are the same: %s', (saved, got, same) => expect(sameValue(saved, got)).toBe(same));

it.each([
  ['LibreOffice/7.3', 1],
  ['Microsoft Excel', 0],
])('a truth value saved as a number by %s counts as equal %s times', (program, equal) => {
  const sheets = { Sheet1: { A1: { formula: '=TRUE()', saved: 1 }, A2: { formula: '=TRUE()', saved: 0 } } };
  expect(compareWithSaved(buildModel({ sheets, origin: { program } }), createRunsheetEngine()).equal).toBe(equal);
});

it('leaves a what-if table out that tries a formula which depends on chance', () => {
  const cells = {
    B1: { formula: '=RAND()', saved: 0.5 },
    A2: 1,
    B2: { formula: '=TABLE(,D1)', kind: 'dataTable', block: 'B2:B2', saved: 0.25 },
    C2: { formula: '=B2', saved: 0.25 },
  } as const;
  const report = compareWithSaved(buildModel({ sheets: { Sheet1: cells } }), createRunsheetEngine());
  expect(report).toMatchObject({ formulas: 0, notCompared: 3 });
});

it('takes what follows from last digits that count as equal for equal, if it does follow and is small', () => {
  const third = 0.333333333333;
  const cells = {
    A1: { formula: '=1/3', saved: third },
    A2: 1000,
    B1: { formula: '=A1*3*A2-A2+1E-12', saved: third * 3 * 1000 - 1000 + 1e-12 },
    B2: { formula: '=A1*3*A2-A2+2E-12', saved: -2e-9 },
    B3: { formula: '=(A1*3-1)*1E6+1E-12', saved: (third * 3 - 1) * 1e6 + 1e-12 },
    B4: { formula: '=IF(A1*3=1,"all","less")', saved: 'less' },
  } as const;
  const report = compareWithSaved(buildModel({ sheets: { Sheet1: cells } }), createRunsheetEngine());
  expect(report.cells.map(({ cell }) => cell)).toEqual(['B2', 'B3', 'B4']);
});

it('follows last digits on through what reads them, and says where they decide about more than digits', () => {
  const third = 0.333_333_333_33;
  const cells = {
    A1: { formula: '=1/3', saved: third },
    B1: { formula: '=A1*3-1', saved: third * 3 - 1 },
    B2: { formula: '=B1', saved: third * 3 - 1 },
    B3: { formula: '=B2*2', saved: (third * 3 - 1) * 2 },
    B4: { formula: '=B3*1E9', saved: (third * 3 - 1) * 2e9 },
    C1: { formula: '=IF(A1*3=1,"all","less")', saved: 'less' },
    C2: { formula: '=A1*3=1', saved: false },
    C3: { formula: '=IF(A1*3=1,"all","less")', saved: 'more' },
  } as const;
  const report = compareWithSaved(buildModel({ sheets: { Sheet1: cells } }), createRunsheetEngine());
  const digits = 'last digits: the saved values of the cells it reads result in the saved value';
  expect(report.cells.map(({ cell, reason }) => [cell, reason])).toEqual([
    ['C1', digits],
    ['C2', digits],
    ['C3', 'different value'],
    ['B4', digits],
  ]);
});

it('follows last digits into each cell of an array formula, through dynamic arrays too', () => {
  const third = 333333.333333;
  const rest = third * 3 - 1e6;
  const cells = {
    A1: { formula: '=1E6/3', saved: 1e6 / 3 },
    A2: { formula: '=1E6/3', saved: third },
    A3: 1e6,
    A4: 1e6,
    B1: { formula: '=A3:A4/3', kind: 'dynamicArray', block: 'B1:B2', saved: 1e6 / 3 },
    B2: third,
    C1: { formula: '=A1:A2*3-1E6', kind: 'array', block: 'C1:C2', saved: 0 },
    C2: rest,
    D1: { formula: '=+B1#*3-1E6', kind: 'dynamicArray', block: 'D1:D2', saved: 0 },
    D2: rest,
    E1: { formula: '=SUM(B1#)*3-2E6', saved: (1e6 / 3 + third) * 3 - 2e6 },
    F1: { formula: '=B1#*3-1E6', kind: 'dynamicArray', block: 'F1:F2', saved: 0 },
    F2: rest * 1.5,
    G1: { formula: '=D1#*1E9', kind: 'dynamicArray', block: 'G1:G2', saved: 0 },
    G2: rest * 1e9,
    H1: { formula: '=SUM(B1:B2)*3-2E6', saved: (1e6 / 3 + third) * 3 - 2e6 },
  } as const;
  const report = compareWithSaved(buildModel({ sheets: { Sheet1: cells } }), createRunsheetEngine());
  expect(report.cells.map(({ cell }) => cell)).toEqual(['F2', 'G2']);
});

it('leaves out what reads a what-if table, or by OFFSET and INDIRECT a cell, that depends on chance', () => {
  const cells = {
    B1: { formula: '=RAND()', saved: 0.5 },
    A2: 1,
    A3: 2,
    B2: { formula: '=TABLE(,D1)', kind: 'dataTable', block: 'B2:B3', saved: 0.25 },
    B3: 0.5,
    C1: { formula: '=C5+1', saved: 7 },
    C2: { formula: '=B3', saved: 0.25 },
    C3: { formula: '=SUM(OFFSET(A1,0,1,1,1))', saved: 0.25 },
    C4: { formula: '=INDIRECT("C"&3)*2', saved: 0.25 },
    C5: { formula: '=INDIRECT("C6")', saved: 7 },
    C6: { formula: '=OFFSET(C6,1,0)', saved: 7 },
    C7: { formula: '=C3', saved: 7 },
    D5: { formula: '=INDIRECT("A"&3)', saved: 2 },
  } as const;
  const report = compareWithSaved(buildModel({ sheets: { Sheet1: cells } }), createRunsheetEngine());
  expect(report).toMatchObject({ formulas: 1, equal: 1, notCompared: 9 });
});

it('leaves a formula out that calls a named function which depends on chance', () => {
  const cells = { A1: { formula: '=Dice(6)', saved: 9 }, A2: { formula: '=A1+1', saved: 9 } };
  const names = { Dice: '=_xlfn.LAMBDA(_xlpm.n,Roll(_xlpm.n))', Roll: '=_xlfn.LAMBDA(_xlpm.n,RANDBETWEEN(1,_xlpm.n))' };
  const report = compareWithSaved(buildModel({ sheets: { Sheet1: cells }, names }), createRunsheetEngine());
  expect(report).toMatchObject({ formulas: 0, notCompared: 2, volatile: ['RANDBETWEEN'] });
});

describe('a saved value is called stale', () => {
  const reasonOf = (origin: TestWorkbook['origin'] = {}, cells: TestWorkbook['sheets'][string] = {}): unknown => {
    const sheet = { A1: 2, A2: 3, A3: '5%', C1: { formula: '=POWER(A1,A2)', saved: 9 }, ...cells };
    const report = compareWithSaved(buildModel({ sheets: { Sheet1: sheet }, origin }), createRunsheetEngine());
    return report.cells.at(-1)?.reason;
  };

  it.each([
    ['=A1*A2', 7, STALE],
    ['=A1', 3, STALE],
    ['=A3', 'x', STALE],
    ['=SUM(A1:A2,1)', 0, STALE],
    ['=SIN(PI()/4)', 0, STALE],
    ['=BASE(0,2)', 0, STALE],
    ['=STDEV(A1:A2)', 0, STALE],
    ['=SUBTOTAL(9,A1:A2)', 0, STALE],
    ['=_xlfn.IFS(A1>1,SUM(5))', cellError('#NAME?')!, 'stale: #NAME? from an Excel version that did not know IFS'],
    ['=IFS(A1>1,SUM(5))', cellError('#NAME?')!, 'stale: #NAME? from an Excel version that did not know IFS, SUM'],
    ['=_xlfn.IFS(A1>1,5)', cellError('#N/A')!, 'different value'],
    ['=AVERAGE(A1:A2)', 0, STALE],
    ['=COUNTA(A1:A3)', 0, STALE],
    ['=+A3', 'x', STALE],
    ['=-A3', 'x', 'different value'],
    ['=+A1:A2', 'x', 'different value'],
    ['=IF(A1>1,"yes","no")', 'no', STALE],
    ['=IF(A3="5%",1,2)', 2, STALE],
    // How a text is read as a number depends on the language.
    ['=A1+A3', 1, 'different value'],
    ['=A1>A3', true, 'different value'],
    ['=A1&A2', '2,3', 'different value'],
    ['=ROUND(A1,0)', 1, 'different value'],
    ['=A1:A2+1', 1, 'different value'],
  ])('where plain arithmetic on what the file holds comes to something else: %s', (formula, saved, reason) => {
    expect(reasonOf({}, { C1: { formula, saved } })).toBe(reason);
  });

  it('not of a list of which a filter may have hidden rows', () => {
    const sheet = { A1: 2, A2: 3, C1: { formula: '=SUBTOTAL(9,A1:A2)', saved: 0 } };
    const model = buildModel({ sheets: { Sheet1: sheet } });
    model.sheets[0]!.hiddenRows = Uint32Array.of(7);
    expect(compareWithSaved(model, createRunsheetEngine()).cells[0]?.reason).toBe('different value');
  });

  it('not where a cell it reads was calculated otherwise, be it by a hair', () => {
    const cells = { B1: { formula: '=0.1+0.2', saved: 0.3 }, C1: { formula: '=B1-0.3', saved: 1 } };
    expect(reasonOf({}, cells)).toBe('different value');
  });

  it('where the file itself says so', () => {
    expect(reasonOf()).toBe('different value');
    expect(reasonOf({ program: 'Microsoft Macintosh Excel' })).toBe('different value');
    expect(reasonOf({ program: 'LibreOffice/7.3' })).toBe(
      'stale: saved by LibreOffice/7.3, not by Excel (docProps/app.xml)',
    );
    const newer = { C1: { formula: '=_xlfn.IFS(A1>1,5)', saved: cellError('#NAME?')! } };
    expect(reasonOf({ program: 'gnumeric' }, newer)).toBe('stale: saved by gnumeric, not by Excel (docProps/app.xml)');
    expect(reasonOf({ program: 'Google Sheets', programPart: 'xl/workbook.xml' })).toBe(
      'stale: saved by Google Sheets, not by Excel (xl/workbook.xml)',
    );
    expect(reasonOf({ calculatesOnLoad: true })).toContain('fullCalcOnLoad');
    expect(reasonOf({ isIncomplete: true })).toContain('calcCompleted');
    expect(reasonOf({ roundsToDisplay: true }, { C1: { formula: '=A1*A2', saved: 7 } })).toBe('different value');
  });
});

describe('what was not compared', () => {
  const cells = {
    A1: { formula: '=TODAY()', saved: 45000 },
    A2: { formula: '=A1+1', saved: 45001 },
    A3: { formula: '=A2*2', saved: 90002 },
    B1: { formula: '=RISK(1)', saved: 7 },
    B2: { formula: '=B1+1', saved: 8 },
    C1: 5,
    C2: { formula: '=C1*2', saved: 10 },
    C3: { formula: '=C2+1', saved: null },
    D1: { formula: '=SUM(OFFSET(B1,0,0,2,1))', saved: 15 },
  } as const;
  const compare = (outputs: Record<string, string> | null) =>
    compareWithSaved(
      buildModel({ sheets: { Sheet1: cells } }),
      engine,
      outputs && Object.entries(outputs).map(([name, block]) => ({ name, sheet: 0, block: parseBlock(block)! })),
    );

  it('is counted by reason, each formula with the cell it depends on', () => {
    const report = compare(null);
    expect(report).toMatchObject({ formulas: 3, equal: 3, notCompared: 5, notComparedFeedingOutputs: 5 });
    expect(report.notComparedReasons).toEqual([
      { reason: 'Volatile', formulas: 3 },
      { reason: 'Unsupported', formulas: 1 },
      { reason: 'NoSavedValue', formulas: 1 },
    ]);
    expect(report.notComparedCells.map((at) => [at.cell, at.formula, at.reason, at.dependsOn])).toEqual([
      ['A1', 'TODAY()', 'Volatile', null],
      ['B1', 'RISK(1)', 'Unsupported', null],
      ['A2', 'A1+1', 'Volatile', 'Sheet1!A1'],
      ['A3', 'A2*2', 'Volatile', 'Sheet1!A1'],
      ['C3', 'C2+1', 'NoSavedValue', null],
    ]);
  });

  it('names the outputs that depend on it, and one formula each', () => {
    const report = compare({ Total: 'B2', Due: 'A3', Sound: 'C2', Sum: 'D1', Typed: 'C1' });
    expect(report.notComparedOutputs).toEqual([
      { output: 'Total', sheet: 'Sheet1', cell: 'B1', reason: 'Unsupported' },
      { output: 'Due', sheet: 'Sheet1', cell: 'A1', reason: 'Volatile' },
      { output: 'Sum', sheet: 'Sheet1', cell: 'B1', reason: 'Unsupported' },
    ]);
    expect(report.notComparedFeedingOutputs).toBe(4);
    expect(report.notComparedCells.at(-1)).toMatchObject({ cell: 'C3', feedsOutput: false });
  });

  it('reaches no output that reads other cells, found by OFFSET as well', () => {
    const report = compare({ Sound: 'C2' });
    expect(report).toMatchObject({ notCompared: 5, notComparedFeedingOutputs: 0, notComparedOutputs: [] });
  });

  it('is the rest of an array with more cells than are looked at, and no what-if table', () => {
    const large = {
      A1: { formula: '=SEQUENCE(100001)', kind: 'array', block: 'A1:A100001', saved: 1 },
      ...Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`A${at + 2}`, at + 2])),
      C1: { formula: '=D1*2', saved: 10 },
      D1: 5,
      B2: 3,
      B3: 4,
      C2: { formula: '=TABLE(,D1)', kind: 'dataTable', block: 'C2:C3', saved: 6 },
      C3: 9,
    } as const;
    const report = compareWithSaved(buildModel({ sheets: { Sheet1: large } }), createRunsheetEngine());
    expect(report.notComparedCells.map(({ cell, reason }) => [cell, reason])).toEqual([['A1', 'LargeArray']]);
    expect(report.formulas).toBe(2);
  });
});
