import { describe, expect, it } from 'vitest';
import { evaluate } from '#server/calculation/testing/evaluate.ts';
import { cellError } from '#server/calculation/values/cell-value.ts';
import type { TestCell } from '#server/calculation/testing/build-model.ts';

const NA = cellError('#N/A')!;

/** Microsoft's example cells for SUM and similar functions: a text number, a Boolean, a blank, a text. */
const MIXED: Record<string, TestCell> = { A1: '5', A2: true, A3: 3, A5: 'text', A6: 4, B1: -2, B2: { constant: '' } };

describe('sums and counts', () => {
  it.each([
    ['=SUM(A1:A6)', 7],
    ['=SUM("5",15,TRUE)', 21],
    ['=SUM(3,2)', 5],
    ['=SUM("x")', '#VALUE!'],
    ['=SUM("")', '#VALUE!'],
    ['=SUM(A1,A2)', 0],
    ['=SUM(A5)', 0],
    ['=SUM({1,"2",TRUE,4})', 5],
    ['=SUM(1,)', 1],
    ['=SUM(1,#N/A)', '#N/A'],
    ['=SUM(A:A,B1:B2)', 5],
    ['=SUM((A1:A3,A6:B6))', 7],
    ['=SUM(C1:D9)', 0],
    ['=SUM(0.1,0.2,-0.3)', 5.551115123125783e-17],
    ['=SUM(1E308,1E308)', '#NUM!'],
    ['=SUM(A1:A3*1)', 9],
    ['=PRODUCT(A1:A6)', 12],
    ['=PRODUCT(A1:A3,2)', 6],
    ['=PRODUCT("5",2)', 10],
    ['=PRODUCT(C1:C3)', 0],
    ['=PRODUCT(A1:A6,"x")', '#VALUE!'],
    ['=SUMSQ(3,4)', 25],
    ['=SUMSQ(A1:A6)', 25],
    ['=COUNT(A1:B6)', 3],
    ['=COUNT(A1:A6,2)', 3],
    ['=COUNT("1","x",TRUE,#N/A,,"1/2/2020")', 4],
    ['=COUNT({1,"2",TRUE})', 1],
    ['=COUNT(#DIV/0!)', 0],
    ['=COUNTA(A1:B6)', 7],
    ['=COUNTA(A1:A6,2,)', 7],
    ['=COUNTA(C1:C9)', 0],
    ['=COUNTA(UNIQUE(C1:C9))', 1],
    ['=COUNTA(FILTER(C1:C9,ROW(C1:C9)<4))', 3],
    ['=COUNTA(TAKE(C1:C9,4))', 0],
    ['=COUNT(IF(ROW(A1:A6)>3,A1:A6))', 2],
    ['=COUNT(FILTER(A1:A6,ROW(A1:A6)>3))', 1],
    ['=AVERAGE(IF(ROW(A1:A6)>3,A1:A6))', 2],
    ['=AVERAGEA(IF(ROW(A1:A6)>3,A1:A6,"x"))', 2 / 3],
    ['=MIN(IF(ROW(A1:A6)>2,A1:A6))', 0],
    ['=MEDIAN(IF(ROW(A1:A6)>2,A1:A6))', 3],
    ['=SMALL(IF(ROW(A1:A6)>2,A1:A6),2)', 3],
    ['=SUM(IF(ROW(A1:A6)>2,A1:A6))', 7],
    ['=COUNTBLANK(A1:B6)', 6],
    ['=COUNTBLANK(A:A)', 1048571],
    ['=COUNTBLANK(5)', '#VALUE!'],
    ['=AVERAGE(A1:A6)', 3.5],
    ['=AVERAGE(A1:A6,5)', 4],
    ['=AVERAGE(1,)', 0.5],
    ['=AVERAGE("4",2)', 3],
    ['=AVERAGE(C1:C3)', '#DIV/0!'],
    ['=AVERAGE("x")', '#VALUE!'],
    ['=AVERAGEA(A1:A6)', 1.6],
    ['=AVERAGEA({10,7,9,2,"Not available"})', 5.6],
    ['=AVERAGEA({1;2;4;"Text";TRUE})', 1.75],
    ['=AVERAGEA(C1:C3)', '#DIV/0!'],
    ['=MIN(A1:A6)', 3],
    ['=MIN(A1:B6,-7)', -7],
    ['=MIN(C1:C3)', 0],
    ['=MIN(TRUE,5)', 1],
    ['=MIN("x")', '#VALUE!'],
    ['=MAX(A1:A6)', 4],
    ['=MAX(A1:A6,"30")', 30],
    ['=MAX(C1:C3)', 0],
    ['=MAX(-3,-5)', -3],
    ['=MINA(A1:A6)', 0],
    ['=MINA(A2:A3)', 1],
    ['=MAXA(A1:A2,B1)', 1],
    ['=MAXA(0,0.2,0.5,0.4,TRUE)', 1],
    ['=MAXA("x")', '#VALUE!'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, MIXED)).toEqual(expected);
  });

  it.each([
    ['=SUM(A1:A3)', '#N/A'],
    ['=MAX(A:A)', '#N/A'],
    ['=AVERAGE(A1:A3)', '#N/A'],
    ['=PRODUCT(A1:A3)', '#N/A'],
    ['=COUNT(A1:A3)', 2],
    ['=COUNTA(A1:A3)', 3],
    ['=AVERAGEA(A1:A3)', '#N/A'],
    ['=MINA(A1:A3)', '#N/A'],
  ])('%s beside an error is %s', (formula, expected) => {
    expect(evaluate(formula, { A1: 1, A2: NA, A3: 3 })).toEqual(expected);
  });

  it('sums references through several sheets', () => {
    expect(evaluate('=SUM(Sheet1:Sheet3!A1)', { A1: 1, 'Sheet2!A1': 2, 'Sheet3!A1': 3 })).toBe(6);
  });

  it('adds up a power series', () => {
    const cells = { A3: 1, A4: -0.5, A5: '=1/24', A6: '=-1/720' };
    expect(evaluate('=SERIESSUM(0.785398163397448,0,2,A3:A6)', cells)).toBeCloseTo(0.707103, 6);
    expect(evaluate('=SERIESSUM(2,1,1,{1,2,3})')).toBe(34);
    expect(evaluate('=SERIESSUM(2,1,1,{1,"x"})')).toBe('#VALUE!');
    expect(evaluate('=SERIESSUM(0,0,2,{1,2})')).toBe('#NUM!');
    expect(evaluate('=SERIESSUM(TRUE,0,2,{1,2})')).toBe('#VALUE!');
    expect(evaluate('=SERIESSUM(,0,2,{1,2})')).toBe('#N/A');
  });
});

describe('products of arrays', () => {
  const CELLS: Record<string, TestCell> = {
    A1: 2,
    A2: 3,
    A3: 9,
    A4: 1,
    A5: 8,
    A6: 7,
    A7: 5,
    B1: 6,
    B2: 5,
    B3: 11,
    B4: 7,
    B5: 5,
    B6: 4,
    B7: 4,
    C1: 'x',
    C2: true,
    C3: 3,
  };
  it.each([
    ['=SUMX2MY2(A1:A7,B1:B7)', -55],
    ['=SUMX2PY2(A1:A7,B1:B7)', 521],
    ['=SUMXMY2(A1:A7,B1:B7)', 79],
    ['=SUMXMY2(A1:A7,B1:B6)', '#N/A'],
    ['=SUMXMY2(A1:A3,C1:C3)', 36],
    ['=SUMPRODUCT({#NUM!,1},{1,2,3})', '#NUM!'],
    ['=SUMPRODUCT({1,2},{1,#NUM!,3})', '#VALUE!'],
    ['=SUMPRODUCT(A1:A7,B1:B7)', 12 + 15 + 99 + 7 + 40 + 28 + 20],
    ['=SUMPRODUCT(A:A,B:B)', 221],
    ['=SUMPRODUCT(A1:A3,C1:C3)', 27],
    ['=SUMPRODUCT(A1:A3,B1:B2)', '#VALUE!'],
    ['=SUMPRODUCT("4",2)', '#VALUE!'],
    ['=SUMPRODUCT(A1:A3,A1:C1)', '#VALUE!'],
    ['=SUMPRODUCT({3,4;8,6;1,9},{2,7;6,7;5,3})', 156],
    ['=SUMPRODUCT((A1:A7>2)*(B1:B7=5)*A1:A7)', 11],
    ['=SUMPRODUCT(--(A1:A7>2),A1:A7)', 32],
    ['=SUMPRODUCT(A1:A7>2)', 0],
    ['=SUMPRODUCT(3,4)', 12],
    ['=SUMPRODUCT(#N/A)', '#N/A'],
    ['=SUMPRODUCT(A1:A2/{0;1})', '#DIV/0!'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });

  it('calculates SUMPRODUCT over arrays in formulas of the old kind', () => {
    expect(evaluate('=SUMPRODUCT((A1:A7>2)*A1:A7)', CELLS, { isOld: true })).toBe(32);
  });
});

describe('matrices', () => {
  it.each([
    [
      '=MMULT({1,3;7,2},{2,0;0,2})',
      [
        [2, 6],
        [14, 4],
      ],
    ],
    ['=MMULT({1,2},{1,2})', '#VALUE!'],
    ['=MMULT({1,"x"},{1;2})', '#VALUE!'],
    ['=MMULT({1,2},{3;4})', 11],
    ['=MDETERM({1,3,8,5;1,3,6,1;1,1,1,0;7,3,10,2})', 88],
    ['=MDETERM({3,6,1;1,1,0;3,10,2})', 1],
    ['=MDETERM({3,6;1,1})', -3],
    ['=MDETERM({1,3,8,5;1,3,6,1})', '#VALUE!'],
    [
      '=MINVERSE({4,-1;2,0})',
      [
        [0, 0.5],
        [-1, 2],
      ],
    ],
    ['=MINVERSE({1,2;2,4})', '#NUM!'],
    ['=MINVERSE(A1:B2)', '#VALUE!'],
    [
      '=MUNIT(2)',
      [
        [1, 0],
        [0, 1],
      ],
    ],
    ['=MUNIT(0)', '#VALUE!'],
    [
      '=TRANSPOSE({1,2,3;4,5,6})',
      [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    ],
    [
      '=SEQUENCE(2,3)',
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    ['=SEQUENCE(3,,10,-5)', [[10], [5], [0]]],
    ['=SEQUENCE(,2)', [[1, 2]]],
    ['=SEQUENCE(0)', '#CALC!'],
    ['=SEQUENCE(-1)', '#VALUE!'],
    ['=SUM(SEQUENCE(100))', 5050],
    ['=COUNT(RANDARRAY(3,2))', 6],
    ['=RANDBETWEEN(1.5,2.5)', 2],
    ['=RANDBETWEEN(3,2)', '#NUM!'],
    ['=RANDARRAY(1,1,7,7,TRUE)', 7],
    ['=RANDARRAY(1,1,7,6)', '#VALUE!'],
    ['=RANDARRAY(1,1,1.5,6,TRUE)', '#VALUE!'],
    ['=AND(RAND()>=0,RAND()<1)', true],
  ])('%s', (formula, expected) => {
    const result = evaluate(formula);
    if (!Array.isArray(expected)) {
      if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 10);
      else expect(result).toEqual(expected);
    } else expect(result).toEqual(expected);
  });
});
