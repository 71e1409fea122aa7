import { expect, test } from 'vitest';
import { runNumber } from './run-number.ts';

test.each([
  ['12', 12],
  [' #12 ', 12],
  ['Run 12', 12],
  ['run#12', 12],
  ['Lauf 12', 12],
  ['lauf #12', 12],
  ['Report 12', 0],
  ['Run', 0],
  ['12 runs', 0],
  ['1234567890123456', 0],
])('%s asks for run %d', (query, number) => {
  expect(runNumber(query, 'Lauf ')).toBe(number);
});
