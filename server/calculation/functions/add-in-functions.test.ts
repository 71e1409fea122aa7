import { expect, it } from 'vitest';
import { evaluate } from '../testing/evaluate.ts';
import { ADD_IN_FUNCTIONS } from './add-in-functions.ts';
import { findFunction } from './registry.ts';

it.each([
  ['=EDATE(,1)', '#N/A'],
  ['=EDATE(A1,1)', 31],
  ['=WEEKNUM(,2)', '#N/A'],
  ['=HEX2DEC(,)', '#VALUE!'],
  ['=CONVERT(,"m","km")', '#N/A'],
  ['=YEARFRAC(1,)', '#N/A'],
  // These functions accept arrays but no range of several cells.
  ['=SUM(EDATE(A1:A3,1))', '#VALUE!'],
  ['=SUM(EDATE(+A1:A3,1))', 93],
  ['=SUMPRODUCT(--ISEVEN(A1:A3))', '#VALUE!'],
  ['=SUMPRODUCT(--ISEVEN(+A1:A3))', 3],
  ['=IMTAN(A1:A2)', '#VALUE!'],
  ['=SUM(SQRTPI({0,0}))', 0],
  ['=SUM(BITAND(A1:A3,1))', 0],
  // Optional arguments may be empty.
  ['=DELTA(0,)', 1],
  ['=YEARFRAC(1,361,)', '=YEARFRAC(1,361)'],
  // Newer functions and the original ones read an empty argument as 0.
  ['=BITAND(,1)', 0],
  ['=SIN()', '#VALUE!'],
  ['=POWER(,2)', 0],
])('%s', (formula, expected) => {
  const isFormula = typeof expected === 'string' && expected.startsWith('=');
  expect(evaluate(formula)).toBe(isFormula ? evaluate(expected) : expected);
});

it('names functions that are there', () => {
  expect([...ADD_IN_FUNCTIONS].filter((name) => !findFunction(name))).toEqual([]);
});
