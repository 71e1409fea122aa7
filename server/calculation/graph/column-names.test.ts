import { expect, it } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

const TABLE = { name: 'Sold', sheet: 'Sheet1', block: 'A1:D2', columns: ['Count', ' ', '  ', 'Unit price'] };

it.each([
  ['=Sold[[#Data],[ ]]', 'each'],
  ['=Sold[[#Data],[  ]]', 5],
  ['=Sold[[#Data],[   ]]', 'each'],
  ['=Sold[[#Data],[UNIT  PRICE]]', 7],
])('%s means the column of exactly that name before one that differs by blanks', (formula, expected) => {
  const cells = { A1: 'Count', B1: ' ', C1: '  ', D1: 'Unit price', A2: 3, B2: 'each', C2: 5, D2: 7 };
  expect(evaluate(formula, cells, { tables: [TABLE], at: 'F9' })).toBe(expected);
});
