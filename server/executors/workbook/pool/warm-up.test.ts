import { expect, it } from 'vitest';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { warmUp } from './warm-up.ts';

it('the workbook a thread warms up with is read and calculated without an error', () => {
  const values = warmUp().values(0, { top: 1, left: 0, bottom: 60, right: 12 });
  expect(values.flat().filter((value) => value === null || value instanceof CellError)).toEqual([]);
  // The formulas use what a run changes.
  expect(values[4]!.slice(0, 5)).toEqual(['Key 6', 3, 6, 6.5, 'small']);
});
