import { expect, test } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { buildWorkbook, type CellSpec, type SheetSpec } from '#test/support/build-workbook.ts';
import { openPackage } from '../package.ts';
import { carryOver } from './carry-over.ts';

const CELLS: Record<string, CellSpec> = {
  A1: 'Loan',
  A2: 'Rate:',
  B2: 0.05,
  A3: 'Amount',
  B3: 1000,
  A4: 'Interest',
  B4: { formula: 'B2*B3', value: 50 },
};
const NAMES = { in_Rate: 'S!$B$2', in_Amount: 'S!$B$3', out_Interest: 'S!$B$4' };

async function model(
  cells: Record<string, CellSpec>,
  names: Record<string, string> = {},
  more: Partial<SheetSpec> = {},
): Promise<WorkbookModel> {
  return readWorkbook(await openPackage(await buildWorkbook({ sheets: [{ name: 'S', cells, ...more }], names })));
}

async function carried(cells: Record<string, CellSpec>, last = CELLS, names: Record<string, string> = NAMES) {
  const { marks, carried: all } = carryOver(await model(last, names), await model(cells));
  return {
    placed: marks.map(({ Name, Range }) => `${Name} ${Range}`),
    states: all.map(({ Name, State, Places }) =>
      `${Name} ${State} ${Places.map(({ Range, Why }) => `${Range} ${Why}`).join(', ')}`.trim(),
    ),
  };
}

/** Moves the cells of rows from `row` on down by `by` rows. */
const moved = (cells: Record<string, CellSpec>, row: number, by: number): Record<string, CellSpec> =>
  Object.fromEntries(
    Object.entries(cells).map(([address, cell]) => {
      const [, letters, number] = /^([A-Z]+)(\d+)$/.exec(address)!;
      return [Number(number) >= row ? `${letters}${Number(number) + by}` : address, cell];
    }),
  );

test('marks of a file in which nothing moved are where they were', async () => {
  expect((await carried({ ...CELLS, B2: 0.07 })).states).toEqual([
    'Rate Same B2 Position',
    'Amount Same B3 Position',
    'Interest Same B4 Position',
  ]);
});

test('marks follow their labels where rows were inserted, whatever case and colon they have now', async () => {
  const { states, placed } = await carried({ ...moved(CELLS, 2, 3), A5: 'RATE' });
  expect(states).toEqual(['Rate Moved B5 Label', 'Amount Moved B6 Label', 'Interest Moved B7 Label']);
  expect(placed).toEqual(['Rate B5', 'Amount B6', 'Interest B7']);
});

test('a label that moved away from a value that stayed is asked about', async () => {
  const { A2: _, ...cells } = CELLS;
  const { states, placed } = await carried({ ...cells, D8: 'Rate', E8: 0.1 });
  expect(states[0]).toBe('Rate Unsure E8 Label, B2 Position');
  expect(placed).toEqual(['Amount B3', 'Interest B4']);
});

test('a label that stands at several other places is asked about, and one that is gone with its value is gone', async () => {
  const { A2: _, B2: __, ...rest } = CELLS;
  const twice = { ...rest, A7: 'Rate', B7: 1, A8: 'Rate', B8: 2 };
  expect((await carried(twice)).states[0]).toBe('Rate Unsure B7 Label, B8 Label');
  expect((await carried(rest)).states[0]).toBe('Rate Gone');
});

test('a renamed label is asked about, and so is a result that is no longer a formula', async () => {
  expect((await carried({ ...CELLS, A3: 'Principal' })).states[1]).toBe('Amount Unsure B3 Position');
  expect((await carried({ ...CELLS, B4: 50 })).states[2]).toBe('Interest Unsure B4 Label');
});

test('cells without a label are carried over only where all around them is as it was', async () => {
  const last = { ...CELLS, D12: 3 };
  const names = { ...NAMES, in_Extra: 'S!$D$12' };
  const same = await carried(last, last, names);
  expect(same.states).toContain('Extra Same D12 Position');
  const other = await carried({ ...last, D11: 'New heading' }, last, names);
  expect(other.states).toContain('Extra Unsure D12 Position');
});

test('tables are found by their names, wherever they stand', async () => {
  const rows: Record<string, CellSpec> = { A1: 'Item', B1: 'Price', A2: 'Pen', B2: 2 };
  const table = (ref: string) => ({ tables: [{ name: 'Lines', ref, columns: ['Item', 'Price'] }] });
  const last = await model(rows, { in_Items: 'S!$A$2:$B$2' }, table('A1:B2'));
  const now = await model(moved({ ...rows, A3: 'Ink', B3: 3 }, 1, 4), {}, table('A5:B7'));
  const { marks, carried: all } = carryOver(last, now);
  expect(all).toMatchObject([{ State: 'Moved', From: 'S!A2:B2', Places: [{ Range: 'A6:B7', Why: 'Table' }] }]);
  expect(marks).toMatchObject([{ Name: 'Items', Range: 'A6:B7' }]);
});
