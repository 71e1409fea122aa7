import { describe, expect, it } from 'vitest';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { value, valueOf, workbookExecutors } from '#test/support/workbook-executors.ts';
import type { RunOutcome } from '#server/executors/executor.ts';
import { openPackage } from './package.ts';

const { activity } = workbookExecutors();

const MAX = 'MAX(IF(T[Group]=T[[#This Row],[Group]],T[Amount]))';
const RATE = '_xlfn.IFS(T[[#This Row],[Amount]]>=100,"high",TRUE,"low")';
const max = (cell: string, result: number): CellSpec => ({ formula: MAX, value: result, array: cell });
const rate = (cell: string, result: string): CellSpec => ({ formula: RATE, value: result, array: cell, dynamic: true });

/** `isDeclared`: the table declares the formulas of its columns, as Excel does. */
function book(isDeclared: boolean): WorkbookSpec {
  const totals = 'SUM(IF(T[Amount]>50,T[Amount]))';
  return {
    sheets: [
      {
        name: 'S',
        cells: {
          A1: 'Group',
          B1: 'Amount',
          C1: 'Most',
          D1: 'Rate',
          A2: 'a',
          B2: 10,
          C2: max('C2', 100),
          D2: rate('D2', 'low'),
          A3: 'a',
          B3: 100,
          C3: max('C3', 100),
          D3: rate('D3', 'high'),
          A4: 'Total',
          B4: { formula: totals, value: 100, array: 'B4' },
        },
        tables: [
          {
            name: 'T',
            ref: 'A1:D4',
            columns: [
              'Group',
              { name: 'Amount', totalsFormula: totals },
              isDeclared ? { name: 'Most', formula: MAX, isArray: true } : 'Most',
              isDeclared ? { name: 'Rate', formula: RATE, isArray: true } : 'Rate',
            ],
            totals: true,
          },
        ],
      },
    ],
    names: { in_Lines: 'T[]', out_Lines: 'T[]', out_Total: 'S!$B$4' },
  };
}

async function sheetOf({ files }: RunOutcome): Promise<string> {
  const part = (await openPackage(files[0]!.bytes)).part('xl/worksheets/sheet1.xml');
  return new TextDecoder().decode(part);
}

const ROWS = [
  ['a', 10, null, null],
  ['a', 200, null, null],
  ['b', 5, null, null],
  ['a', 300, null, null],
];

describe('a table with array formulas of one cell', () => {
  it.each([true, false])('is an input, and its new rows calculate as arrays (declared: %s)', async (isDeclared) => {
    const made = await activity(book(isDeclared));
    const outcome = await made.run([value('Lines', ROWS)]);
    expect(outcome.status).toBe('Succeeded');
    expect(valueOf(outcome, 'Lines')).toEqual([
      ['a', 10, 300, 'low'],
      ['a', 200, 300, 'high'],
      ['b', 5, 5, 'low'],
      ['a', 300, 300, 'high'],
    ]);
    expect(valueOf(outcome, 'Total')).toBe(500);
  });

  it('gets array formulas in its new rows and its totals in the file', async () => {
    const xml = await sheetOf(await (await activity(book(true))).run([value('Lines', ROWS)]));
    expect(xml).toContain(`<c r="C5"><f t="array" ref="C5">${MAX}</f><v>300</v></c>`);
    expect(xml).toMatch(/<c r="D5"( t="str"| cm="1"){2}><f t="array" ref="D5">_xlfn.IFS\(/);
    expect(xml).toMatch(/<c r="D2"( t="str"| cm="1"){2}><f t="array" ref="D2">_xlfn.IFS\(/);
    expect(xml).toContain('<c r="B6"><f t="array" ref="B6">SUM(IF(T[Amount]&gt;50,T[Amount]))</f><v>500</v></c>');
  });

  it('takes values over its formulas, and leaves none of them behind', async () => {
    const outcome = await (await activity(book(true))).run([value('Lines', [['a', 10, 7, 'mine']])]);
    expect(valueOf(outcome, 'Lines')).toEqual([['a', 10, 7, 'mine']]);
    const xml = await sheetOf(outcome);
    expect(xml).toContain('<c r="C2"><v>7</v></c>');
    expect(xml).not.toMatch(/<c r="[CD][234]"[^>]*(cm=|><f)/);
  });

  it('suggests the result of such a formula in a single cell', async () => {
    const cells = { A1: { formula: 'SUM(IF(B1:B2>1,B1:B2))', value: 5, array: 'A1' }, B1: 1, B2: 5 };
    const spec = { sheets: [{ name: 'S', cells: { ...cells, C1: { formula: 'A1*2', value: 10 } } }] };
    const made = await activity({ ...spec, names: { in_X: 'S!$A$1', out_Y: 'S!$C$1' } });
    expect(valueOf(await made.run([]), 'Y')).toBe(10);
    expect(valueOf(await made.run([value('X', 4)]), 'Y')).toBe(8);
  });
});
