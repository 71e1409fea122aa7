import { expect, it } from 'vitest';
import type { FidelityReport } from '#server/calculation/fidelity-report.ts';
import { fileLine, kindOf, summaryLines, type FileResult } from './summary.ts';

const report = (formulas: number, different: number, notCompared: number): FidelityReport => ({
  formulas,
  equal: formulas - different,
  different,
  notCompared,
  notComparedFeedingOutputs: notCompared,
  notComparedReasons: notCompared > 0 ? [{ reason: 'Volatile', formulas: notCompared }] : [],
  notComparedCells: [],
  notComparedOutputs: [],
  volatile: [],
  cells: Array.from({ length: different }, (_, at) => ({
    sheet: 'S',
    cell: `A${at + 1}`,
    formula: '1',
    saved: 1,
    got: 2,
    reason: at === 0 ? 'different value' : 'depends on S!A1 that differs',
    feedsOutput: true,
  })),
  unsupported: [],
  circular: null,
  region: 'en-US',
  regionOrigin: null,
});

const RESULTS: FileResult[] = [
  { file: 'whole.xlsx', seconds: 1, report: report(10, 0, 0) },
  { file: 'partly.xlsx', seconds: 1, report: report(10, 0, 5) },
  { file: 'different.xlsx', seconds: 1, report: report(10, 2, 0) },
  { file: 'volatile.xlsx', seconds: 1, report: report(0, 0, 7) },
  { file: 'constants.xlsx', seconds: 1, report: report(0, 0, 0) },
  { file: 'refused.xlsx', seconds: 1, error: 'This is not an .xlsx file.' },
];

it('never takes a file without a compared formula, or a refused one, for equal', () => {
  expect(RESULTS.map(kindOf)).toEqual(['equal', 'equal', 'different', 'uncompared', 'uncompared', 'refused']);
  expect(RESULTS.slice(1).map(fileLine)).toEqual([
    '✓ partly.xlsx: 10 of 10 equal, 5 not compared (1 s)',
    '✗ different.xlsx: 8 of 10 equal (1 s)',
    '– volatile.xlsx: no formula compared, 7 not compared (1 s)',
    '– constants.xlsx: no formula compared (1 s)',
    '! refused.xlsx: refused: This is not an .xlsx file. (1 s)',
  ]);
});

it('counts files and formulas compared, and apart from them the others with their reasons', () => {
  expect(summaryLines(RESULTS)).toEqual([
    'Workbooks compared: 3 of 6',
    '  all formulas compared equal: 2 of 3 (66.67 %), in 1 of them not all could be compared',
    '  different: 1',
    'Without a compared formula: 2',
    'Refused: 1',
    'Formulas compared: 30 of 42',
    '  equal: 28 of 30 (93.33 %)',
    '  different: 2',
    'Formulas not compared: 12',
    '      12  depend on time, chance or the computer',
    'Reasons for the differences:',
    '       1  different value',
    '       1  depends on a cell that differs',
    'Reasons for the refusals:',
    '       1  This is not an .xlsx file.',
  ]);
});
