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

const AGES = { name: 'Ages', sheet: 'Sheet1', block: 'A1:C2', columns: ['31-60 ', '31-60', ' 61-90'] };

it.each([
  ['=Ages[31-60 ]', 1],
  ['=Ages[31-60]', 2],
  ['=Ages[61-90]', 3],
  ['=Ages[ 61-90 ]', 3],
  ['=Ages[[#Data],[ 61-90]]', 3],
  ['=Ages[ #Data ]', [[1, 2, 3]]],
])('%s means the column of that name, blanks at its ends included, else that without them', (formula, expected) => {
  const cells = { A1: '31-60 ', B1: '31-60', C1: ' 61-90', A2: 1, B2: 2, C2: 3 };
  expect(evaluate(formula, cells, { tables: [AGES], at: 'F9' })).toEqual(expected);
});
