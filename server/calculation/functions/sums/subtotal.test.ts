import { describe, expect, it } from 'vitest';
import type { TestCell } from '#server/calculation/testing/build-model.ts';
import { evaluate } from '#server/calculation/testing/evaluate.ts';
import { cellError } from '#server/calculation/values/cell-value.ts';

const CELLS: Record<string, TestCell> = { A1: 120, A2: 10, A3: 150, A4: 23, A5: '=SUBTOTAL(9,A1:A4)', A6: 'text' };
const hidden = { hiddenRows: { Sheet1: [1] } };

describe('SUBTOTAL', () => {
  it.each([
    ['=SUBTOTAL(9,A1:A6)', 303],
    ['=SUBTOTAL(1,A1:A4)', 75.75],
    ['=SUBTOTAL(2,A1:A6)', 4],
    ['=SUBTOTAL(3,A1:A6)', 5],
    ['=SUBTOTAL(4,A1:A6)', 150],
    ['=SUBTOTAL(5,A1:A6)', 10],
    ['=SUBTOTAL(6,A2:A4)', 34500],
    ['=SUBTOTAL(7,A1:A2)', Math.sqrt(6050)],
    ['=SUBTOTAL(8,A1:A2)', 55],
    ['=SUBTOTAL(10,A1:A2)', 6050],
    ['=SUBTOTAL(11,A1:A2)', 3025],
    ['=SUBTOTAL(109,A1:A4,A1)', 423],
    ['=SUBTOTAL(12,A1:A4)', '#VALUE!'],
    ['=SUBTOTAL(0,A1:A4)', '#VALUE!'],
    ['=SUBTOTAL(9,{1,2})', '#VALUE!'],
    ['=SUBTOTAL(1,C1:C4)', '#DIV/0!'],
    ['=SUBTOTAL(9,A:A)', 303],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });

  it.each([
    ['=SUBTOTAL(9,A1:A4)', 303],
    ['=SUBTOTAL(109,A1:A4)', 293],
    ['=SUBTOTAL(102,A1:A4)', 3],
    ['=SUBTOTAL(105,A1:A4)', 23],
    ['=AGGREGATE(9,5,A1:A4)', 293],
    ['=AGGREGATE(9,4,A1:A5)', 606],
    ['=AGGREGATE(9,0,A1:A5)', 303],
    ['=AGGREGATE(15,1,A1:A5,1)', 23],
  ])('%s beside a hidden row is %s', (formula, expected) => {
    expect(evaluate(formula, CELLS, hidden)).toEqual(expected);
  });
});

it('leaves out what a filter hides, even where hidden rows count', () => {
  const filtered = { ...hidden, filters: { Sheet1: ['A1:A4'] } };
  expect(evaluate('=SUBTOTAL(9,A1:A4)', CELLS, filtered)).toBe(293);
  // A filter elsewhere on the sheet.
  expect(evaluate('=SUBTOTAL(9,A1:A4)', CELLS, { ...hidden, filters: { Sheet1: ['C3:C9'] } })).toBe(293);
  expect(evaluate('=SUBTOTAL(9,A1:A4)', CELLS, { ...hidden, filters: { Other: ['A3:A9'] } })).toBe(303);
});

describe('AGGREGATE', () => {
  const EXAMPLE: Record<string, TestCell> = {
    A1: '=1/0',
    B1: 82,
    A2: 72,
    B2: 65,
    A3: 30,
    B3: 95,
    A4: cellError('#NUM!')!,
    B4: 63,
    A5: 31,
    B5: 53,
    A6: 96,
    B6: 71,
    A7: 32,
    B7: 55,
    A8: 81,
    B8: 83,
    A9: 33,
    B9: 100,
    A10: 53,
    B10: 91,
    A11: 34,
    B11: 89,
  };
  it.each([
    ['=AGGREGATE(4,6,A1:A11)', 96],
    ['=AGGREGATE(14,6,A1:A11,3)', 72],
    ['=AGGREGATE(15,6,A1:A11)', '#VALUE!'],
    ['=AGGREGATE(12,6,A1:A11,B1:B11)', 68],
    ['=AGGREGATE(4,4,A1:A11)', '#DIV/0!'],
    ['=AGGREGATE(15,6,A1:A11/(B1:B11>80),{1,2})', [[30, 33]]],
    ['=AGGREGATE(14,6,{1,2,3,4},5)', '#NUM!'],
    ['=AGGREGATE(16,4,{1,2,3,4},0.5)', 2.5],
    ['=AGGREGATE(17,4,{1,2,4,7,8,9,10,12},1)', 3.5],
    ['=AGGREGATE(18,4,{6,7,15,36,39,40,41,42,43,47,49},0.25)', 15],
    ['=AGGREGATE(19,4,{6,7,15,36,39,40,41,42,43,47,49},3)', 43],
    ['=AGGREGATE(13,4,B1:B2)', '#N/A'],
    ['=AGGREGATE(9,6,{1,2})', '#VALUE!'],
    ['=AGGREGATE(20,6,A1:A3)', '#VALUE!'],
    ['=AGGREGATE(9,8,A1:A3)', '#VALUE!'],
    ['=AGGREGATE(3,6,A1:A4)', 2],
    ['=AGGREGATE(3,4,A1:A4)', 4],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, EXAMPLE)).toEqual(expected);
  });
});

describe('of many rows', () => {
  const LAST = 200;
  const cells: Record<string, TestCell> = { A90: '=SUBTOTAL(9,A1:A89)', A150: 'text', A151: { constant: '' } };
  for (let row = 1; row <= LAST; row += 1) cells[`A${row}`] ??= row;
  const left = (rows: readonly number[]): number =>
    Array.from({ length: LAST }, (_, at) => at + 1)
      .filter((row) => ![90, 150, 151, 160, ...rows].includes(row))
      .reduce((sum, row) => sum + row, 160);
  it.each([
    ['=SUBTOTAL(9,A1:A200)', left([])],
    ['=SUBTOTAL(2,A1:A200)', 197],
    ['=SUBTOTAL(3,A1:A200)', 199],
    ['=SUBTOTAL(104,A1:A200)', 200],
    ['=AGGREGATE(14,4,A1:A200,1)', 4005],
    ['=AGGREGATE(14,0,A1:A200,1)', 200],
    ['=AGGREGATE(9,4,A:A)', left([]) + 4005],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, cells)).toEqual(expected);
  });

  it('leaves out hidden rows', () => {
    const book = { hiddenRows: { Sheet1: [4] } };
    expect(evaluate('=SUBTOTAL(109,A1:A200)', cells, book)).toBe(left([5]));
    expect(evaluate('=SUBTOTAL(9,A1:A200)', cells, book)).toBe(left([]));
    expect(evaluate('=AGGREGATE(15,5,A5:A200,1)', cells, book)).toBe(6);
  });
});
