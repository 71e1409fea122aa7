/**
 * Workbooks designed to make proposals slow. The assertions check the size of the answer; only the test's time limit
 * checks the duration.
 */
import { expect, it } from 'vitest';
import type { SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { buildModel } from '#server/calculation/testing/build-model.ts';
import { PROPOSAL_LIMITS } from './candidate.ts';
import { proposeMarks } from './propose-marks.ts';
import type { WorkbookLooks } from './workbook-looks.ts';

const NO_LOOKS: WorkbookLooks = { styles: [], charted: [] };

function withSheet(change: (sheet: SheetModel) => SheetModel): WorkbookModel {
  const model = buildModel({ sheets: { S: { A1: 'x' } } });
  return { ...model, sheets: [change(model.sheets[0]!)], strings: ['Label', 'Other'] };
}

/** Fills `rows` by `cols` cells, all with texts or all with numbers. */
function filled(
  sheet: SheetModel,
  rows: number,
  cols: number,
  isText: (row: number, col: number) => boolean,
): SheetModel {
  const count = rows * cols;
  const at = Array.from({ length: count }, (_, index) => index);
  const texts = at.map((index) => isText(Math.floor(index / cols), index % cols));
  return {
    ...sheet,
    cells: {
      count,
      rows: Uint32Array.from(at, (index) => Math.floor(index / cols)),
      cols: Uint16Array.from(at, (index) => index % cols),
      kinds: Uint8Array.from(texts, (text) => (text ? 2 : 1)),
      values: Float64Array.from(texts, (text, index) => (text ? index % 2 : index * 1.5)),
      styles: new Uint32Array(count),
      formulas: new Int32Array(count).fill(-1),
      formulaTable: [],
    },
  };
}

it.each([
  ['a million numbers', (sheet: SheetModel) => filled(sheet, 50_000, 20, () => false)],
  ['a million texts', (sheet: SheetModel) => filled(sheet, 50_000, 20, () => true)],
  ['rows of texts and numbers by turns', (sheet: SheetModel) => filled(sheet, 50_000, 20, (row) => row % 2 === 0)],
  ['labels and values by turns', (sheet: SheetModel) => filled(sheet, 100_000, 10, (_, col) => col % 2 === 0)],
  [
    '100,000 merged ranges of many cells',
    (sheet: SheetModel) => ({
      ...filled(sheet, 1_000, 100, (_, col) => col === 0),
      merges: Array.from({ length: 100_000 }, (_, row) => ({ top: row, bottom: row + 9, left: 0, right: 9 })),
    }),
  ],
  [
    'validations of whole columns',
    (sheet: SheetModel) => ({
      ...filled(sheet, 1_000, 10, () => false),
      validations: Array.from({ length: 5_000 }, () => ({
        ...LIST,
        blocks: [{ top: 0, bottom: 1_048_575, left: 0, right: 16_383 }],
      })),
    }),
  ],
])('answers few proposals for %s', (_, change) => {
  const proposals = proposeMarks(withSheet(change), NO_LOOKS);
  expect(proposals.length).toBeLessThanOrEqual(PROPOSAL_LIMITS.proposals);
  expect(proposals.filter(({ preselected }) => preselected)).toEqual([]);
});

const LIST = {
  blocks: [],
  type: 'list',
  operator: 'between',
  alert: 'stop',
  allowBlank: true,
  showsError: true,
  formula1: '"a,b"',
  formula2: '',
  promptTitle: '',
  prompt: '',
  errorTitle: '',
  error: '',
} as const;

it('bounds what it looks at where 30,000 formulas each read other blocks', () => {
  const cells: Record<string, string | number> = { A1: 'Rates' };
  for (let row = 2; row < 30_002; row++) {
    cells[`A${row}`] = `=SUM($C$1:$C$${row})+SUM($D$${row}:$AZ$${row + 500})*E${((row * 7919) % 30_000) + 1}`;
  }
  const proposals = proposeMarks(buildModel({ sheets: { S: cells } }), NO_LOOKS);
  expect(proposals.length).toBeLessThanOrEqual(PROPOSAL_LIMITS.proposals);
});

it('bounds what it looks at where 5,000 array formulas claim to fill the same cells, and as many names mean them', () => {
  const model = withSheet((sheet) => filled(sheet, 10_000, 20, () => false));
  const [sheet] = model.sheets;
  const block = { top: 0, left: 0, bottom: 9_999, right: 19 };
  for (let at = 0; at < 5_000; at++) {
    sheet!.cells.formulas[at] = at;
    const cell = { row: sheet!.cells.rows[at]!, col: sheet!.cells.cols[at]! };
    sheet!.cells.formulaTable.push({ kind: 'dynamicArray', text: `A${at + 1}:T${at + 1}*2`, cell, block });
  }
  const names = Array.from({ length: 5_000 }, (_, index) => ({
    name: `Area${index}`,
    sheet: null,
    text: 'S!$A$1:$T$10000',
    hidden: false,
  }));
  const proposals = proposeMarks({ ...model, names }, NO_LOOKS);
  expect(proposals.length).toBeLessThanOrEqual(PROPOSAL_LIMITS.proposals);
});
