import { expect, it } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

/** 2^24 - 1.4e-5 and adjacent numbers: they are 2^-29 apart, so 16 steps are 2^-25 and 8 steps 2^-26. */
const NUMBER = 16_777_214.999_986_03;
const STEP = 2 ** -29;

it.each([
  ['=0.5-0.4-0.1', 0],
  ['=(0.5-0.4-0.1)', 0.5 - 0.4 - 0.1],
  // The powers of two decide, not the quotient of the numbers.
  ['=A2-A1', 8 * STEP],
  ['=A3-A1', 0],
  ['=A4-A1', 14 * STEP],
  ['=A1-A4', -14 * STEP],
  ['=-A1+A4', 14 * STEP],
  ['=15.953812-A5', 2 ** -46],
  ['=1.5-A6', 0],
])('%s is %s', (formula, result) => {
  const cells = {
    A1: NUMBER,
    A2: NUMBER + 8 * STEP,
    A3: NUMBER + 7 * STEP,
    A4: NUMBER + 14 * STEP,
    A5: 15.953812 - 2 ** -46,
    A6: 1.5 - 2 ** -50,
  };
  expect(evaluate(formula, cells)).toBe(result);
});
