import { describe, expect, it } from 'vitest';
import { cellsOf, TABLE, value, valueOf, workbookExecutors } from '#test/support/workbook-executors.ts';

const { activity } = workbookExecutors();

describe('a run with inputs inside of an Excel table', () => {
  const spec = {
    ...TABLE,
    names: { in_First: 'S!$B$2', in_Items: 'T[Item]', out_Amounts: 'S!$F$2', out_Tax: 'S!$F$1' },
  };

  it('writes their cells and leaves the table as long as it is', async () => {
    const outcome = await (await activity(spec)).run([value('First', 10), value('Items', ['x', 'y'])]);
    expect([valueOf(outcome, 'Amounts'), valueOf(outcome, 'Tax')]).toEqual([60, 12]);
    const addresses: [number, number][] = [
      [1, 0],
      [2, 0],
      [1, 1],
      [2, 1],
      [3, 0],
      [3, 2],
    ];
    expect(await cellsOf(outcome, 0, addresses)).toEqual(['x', 'y', 10, 50, 'Total', 12]);
  });
});
