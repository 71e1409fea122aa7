import { expect, it } from 'vitest';
import type { GridRows, GridShape } from './grid-rows.ts';
import { exampleRowsFrom } from './example-rows.ts';

const shape: GridShape = {
  width: 2,
  rowsVariable: true,
  maxRows: 100,
  kind: () => ({ usage: 'Text', format: '@', maxSize: null }),
  isReadOnly: () => false,
  isHidden: () => false,
  countsBlankRows: false,
};
const examples: GridRows = [
  ['a', 1],
  ['b', 2],
  ['c', 3],
  ['', null],
];
const after = (from: number, rows: GridRows, grid = shape): number => exampleRowsFrom(from, rows, examples, grid);

it('counts the rows of the workbook that follow pasted ones', () => {
  expect(after(1, [['x', 9], ...examples.slice(1)])).toBe(2);
  expect(
    after(2, [
      ['a', 1],
      ['x', 9],
      ['c', 3],
    ]),
  ).toBe(1);
  // Pasting a wider block has widened the grid.
  expect(
    after(1, [
      ['x', 9, 5],
      ['b', 2, null],
      ['c', 3, null],
      ['', null, null],
    ]),
  ).toBe(2);
});

it('counts none where nothing was pasted, where others follow, and where rows stay', () => {
  expect(after(1, examples)).toBe(0);
  expect(
    after(1, [
      ['x', 9],
      ['b', 2],
      ['mine', 3],
    ]),
  ).toBe(0);
  expect(
    after(3, [
      ['x', 1],
      ['y', 2],
      ['z', 3],
      ['', null],
    ]),
  ).toBe(0);
  expect(after(1, [['x', 9], ...examples.slice(1)], { ...shape, rowsVariable: false })).toBe(0);
});
