import { expect, it, vi } from 'vitest';
import { designSheet } from '#test/support/design-sheet.ts';
import { createSheetCells, partOf, valueAt } from './sheet-cells.ts';

const sheet = designSheet({ Rows: 300, Parts: [0, 100, 200] });

it('fetches each part once, and only those that are needed', async () => {
  const fetchPart = vi.fn((_: number, part: number) =>
    Promise.resolve({ Rows: [[part * 100, [[2, 0, `part ${part}`]]]] as [number, [number, number, string][]][] }),
  );
  const cells = createSheetCells([sheet], fetchPart);
  expect(valueAt(cells, 0, 100, 2)).toBeUndefined();
  await Promise.all([cells.need(0, 90, 110), cells.need(0, 100, 120)]);
  expect(fetchPart.mock.calls.map(([, part]) => part).sort((a, b) => a - b)).toEqual([0, 1]);
  expect(valueAt(cells, 0, 100, 2)).toBe('part 1');
  expect(valueAt(cells, 0, 101, 2)).toBeNull();
  expect(valueAt(cells, 0, 250, 2)).toBeUndefined();
  expect(valueAt(cells, 0, 5000, 2)).toBeNull();
});

it('reports what could not be fetched, and retries only on request', async () => {
  let isAway = true;
  const fetchPart = vi.fn(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve({ Rows: [] })));
  const cells = createSheetCells([sheet], fetchPart);
  await cells.need(0, 0, 10);
  await cells.need(0, 0, 10);
  expect(fetchPart).toHaveBeenCalledTimes(1);
  expect(cells.store.getState().failure?.sheet).toBe(0);
  isAway = false;
  cells.retry();
  await cells.need(0, 0, 10);
  expect(cells.row(0, 0)?.size).toBe(0);
});

it('finds the part of a row, and needs none for a sheet of merged cells alone', () => {
  expect([0, 99, 100, 250, 9999].map((row) => partOf([0, 100, 200], row))).toEqual([0, 0, 1, 2, 2]);
  const cells = createSheetCells([designSheet({ Parts: [] })], () => Promise.reject(new Error('none')));
  expect(cells.row(0, 3)?.size).toBe(0);
});
