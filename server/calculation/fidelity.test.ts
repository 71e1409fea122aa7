import { expect, it } from 'vitest';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import { loadIronCalcEngine } from '#server/executors/workbook/ironcalc-engine.ts';
import { sameValue } from './compare-values.ts';
import { compareWithSaved } from './fidelity.ts';
import { buildModel } from './testing/build-model.ts';
import { cellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

const engine = loadIronCalcEngine();

it('tells equal from different, root causes from consequences, and what an output needs', () => {
  const model = buildModel({
    sheets: {
      Sheet1: {
        A1: 2,
        B1: { formula: '=A1*2', saved: 4 },
        B2: { formula: '=A1*3', saved: 7 },
        B3: { formula: '=SUM(B1:B2)', saved: 11 },
        B4: { formula: '=[1]Sheet1!A1', saved: 5 },
        B5: { formula: '=_xlfn.GROUPBY(A1,A1,1)', saved: 'x' },
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
    ['B2', 7, 6, 'different value', true],
    ['B3', 11, 10, 'depends on Sheet1!B2 that differs', true],
    ['B4', 5, '#REF!', 'external link [1], not saved with the file', false],
    ['B5', 'x', '#NAME?', 'function GROUPBY not supported', false],
    ['B6', 0, '#REF!', 'circular reference', false],
    ['B7', 1, '#NAME?', 'formula that cannot be read', false],
    ['B15', 5, 4, 'different value', false],
  ]);
  expect(report).toMatchObject({
    formulas: 11,
    equal: 4,
    different: 7,
    unsaved: 1,
    volatile: ['NOW'],
    leftOut: 2,
    unsupported: [
      { name: 'GROUPBY', count: 1, first: 'Sheet1!B5', feedsOutput: false },
      { name: 'unreadable formula', count: 1, first: 'Sheet1!B7', feedsOutput: false },
    ],
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
  [null, '', true],
  [null, 0, false],
  [1, true, false],
  ['1', 1, false],
  [cellError('#N/A')!, cellError('#REF!')!, false],
  ['#N/A', cellError('#N/A')!, true],
])('%s and %s are the same: %s', (saved, got, same) => expect(sameValue(saved, got)).toBe(same));
