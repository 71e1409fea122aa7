import { expect, test } from 'vitest';
import type { Input } from '../contract/parameters.ts';
import { inputInfo } from '../testing/input-info.ts';
import { readInputs } from './inputs.ts';

const table = (Width: number): Input => ({
  Id: 1,
  ActivityId: 1,
  Name: 'Lines',
  Description: '',
  HasAccess: true,
  PresetValue: null,
  PresetValueError: null,
  Info: inputInfo({ RangeType: 'RangeWithColumnHeaders', RowsVariable: true, Width }),
});

test.each([
  [1, [1, 2], 'Lines, row 1: 2 cells are given, 1 is wanted'],
  [3, [1], 'Lines, row 1: 1 cell is given, 3 are wanted'],
])('a row of another width than %i is refused with its cells counted', (Width, row, message) => {
  expect(() => readInputs({ Name: 'Orders', Inputs: [table(Width)] }, { Lines: [row] })).toThrow(message);
});
