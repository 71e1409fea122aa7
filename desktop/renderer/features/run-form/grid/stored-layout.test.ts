import { expect, test } from 'vitest';
import { PLAIN_LAYOUT, storedOf, withStored } from './grid-layout.ts';

test('widths and frozen columns of an input grid are stored, its filters are not', () => {
  const filters = new Map([[0, new Set(['EUR'])]]);
  const layout = { ...PLAIN_LAYOUT, filters, shown: [2], widths: new Map([[3, 180]]), frozen: 2 };
  const stored = storedOf(layout);
  expect(JSON.parse(JSON.stringify(stored))).toEqual({ widths: { 3: 180 }, frozen: 2 });
  expect(withStored(PLAIN_LAYOUT, stored)).toEqual({ ...layout, filters: new Map(), shown: null });
});

test('a grid that was not arranged stores nothing', () => {
  expect(storedOf(PLAIN_LAYOUT)).toEqual({ widths: {} });
  expect(withStored(PLAIN_LAYOUT, { widths: {} })).toEqual(PLAIN_LAYOUT);
});
