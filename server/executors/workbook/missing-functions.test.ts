import { describe, expect, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { cellsOf, value, valueOf, workbookExecutors } from '#test/support/workbook-executors.ts';

const { activity } = workbookExecutors();

const CELLS: Record<string, CellSpec> = {
  A1: 1,
  A2: { formula: 'A1*2', value: 2 },
  B1: { formula: 'MyRate(A1)', value: 5 },
  B2: { formula: 'IFERROR(MyRate(A1),0)', value: 6 },
  B3: { formula: 'MyRate(A5)', value: 7 },
  C1: { formula: 'B1+1', value: 6 },
};
const NAMES = { in_X: 'S!$A$1', out_Y: 'S!$A$2' };

describe('a cell that calls a function of VBA', () => {
  it('keeps its saved value in the workbook that a run hands back, and the log says so', async () => {
    const made = await activity({ sheets: [{ name: 'S', cells: CELLS }], names: NAMES, macros: true });
    const outcome = await made.run([value('X', 50)]);
    expect([outcome.status, valueOf(outcome, 'Y')]).toEqual(['Succeeded', 100]);
    const positions: [number, number][] = [
      [0, 1],
      [1, 1],
      [2, 1],
      [0, 2],
    ];
    expect(await cellsOf(outcome, 0, positions)).toEqual([5, 6, 7, '#NAME?']);
    expect(made.log).toMatchObject([
      {
        Message:
          "2 cells keep their saved values in the workbook, because they call functions that can't be calculated here: S!B1 (MYRATE), S!B2 (MYRATE). " +
          'Cells that depend on them may show an error until Excel calculates them.',
        Category: 1,
      },
    ]);
  });

  it('is left alone without a word where nothing it reads has changed', async () => {
    const made = await activity({ sheets: [{ name: 'S', cells: CELLS }], names: NAMES, macros: true });
    expect(await cellsOf(await made.run([value('X', 1)]), 0, [[0, 1]])).toEqual([5]);
    expect(made.log).toEqual([]);
  });

  it('does so in a table that gets other rows', async () => {
    const cells = {
      A1: 'Item',
      B1: 'Rate',
      A2: 1,
      B2: { formula: 'MyRate(T[[#This Row],[Item]])', value: 5 },
      D1: { formula: 'SUM(T[Item])', value: 1 },
    };
    const columns = ['Item', { name: 'Rate', formula: 'MyRate(T[[#This Row],[Item]])' }];
    const made = await activity({
      sheets: [{ name: 'S', cells, tables: [{ name: 'T', ref: 'A1:B2', columns }] }],
      names: { in_T: 'T', out_Y: 'S!$D$1' },
      macros: true,
    });
    const outcome = await made.run([
      value('T', [
        [8, null],
        [9, null],
      ]),
    ]);
    expect(
      await cellsOf(outcome, 0, [
        [1, 1],
        [2, 1],
        [0, 3],
      ]),
    ).toEqual([5, '#NAME?', 17]);
    expect(made.log).toMatchObject([{ Message: expect.stringContaining('S!B2 (MYRATE)') as string }]);
  });
});
