import { describe, expect, it } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { cellsOf, value, valueOf, workbookExecutors } from '#test/support/workbook-executors.ts';

const { activity } = workbookExecutors();

const QUOTE: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Qty',
        B1: 'Description',
        E1: 'Price',
        F1: 'Total',
        A2: 2,
        B2: 'Bolt',
        E2: 1.5,
        F2: { formula: 'A2*E2', value: 3 },
        A3: 1,
        B3: 'Nut',
        E3: 1,
        F3: { formula: 'A3*E3', value: 1 },
        H1: { formula: 'B2&"/"&B3', value: 'Bolt/Nut' },
        J1: { formula: '"a"&B2', value: 'aBolt' },
        J2: { formula: '"b"&B3', value: 'bNut' },
      },
      merges: ['B1:D1', 'B2:D2', 'B3:D3', 'J1:K1', 'J2:K2'],
    },
  ],
  names: { in_Lines: 'S!$A$1:$F$3', out_Lines: 'S!$A$1:$F$3', out_Both: 'S!$H$1', out_Texts: 'S!$J$1:$K$2' },
};

describe('a run of merged cells', () => {
  it('writes and reads the cells that hold their values, and leaves those they hide', async () => {
    const made = await activity(QUOTE);
    const outcome = await made.run([
      value('Lines', [
        [10, 'Screw', 2, null],
        [4, 'Washer', 0.5, null],
      ]),
    ]);
    expect(outcome.status).toBe('Succeeded');
    expect(valueOf(outcome, 'Lines')).toEqual([
      [10, 'Screw', 2, 20],
      [4, 'Washer', 0.5, 2],
    ]);
    expect(valueOf(outcome, 'Both')).toBe('Screw/Washer');
    expect(valueOf(outcome, 'Texts')).toEqual(['aScrew', 'bWasher']);
    const addresses: [number, number][] = [
      [1, 1],
      [1, 2],
      [1, 3],
      [1, 4],
      [2, 1],
    ];
    expect(await cellsOf(outcome, 0, addresses)).toEqual(['Screw', null, null, 2, 'Washer']);
  });

  it('without values gives what Excel saved', async () => {
    const outcome = await (await activity(QUOTE)).run([]);
    expect(valueOf(outcome, 'Lines')).toEqual([
      [2, 'Bolt', 1.5, 3],
      [1, 'Nut', 1, 1],
    ]);
  });
});
