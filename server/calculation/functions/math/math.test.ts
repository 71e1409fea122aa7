/** Rounding, numerals and divisors for which Excel is stricter or more lenient than its documentation. */
import { describe, expect, it } from 'vitest';
import { evaluate, type Shown } from '#server/calculation/testing/evaluate.ts';

describe('functions of mathematics', () => {
  it.each<[string, Shown]>([
    ['=FLOOR(0,0)', 0],
    ['=FLOOR(2,0)', '#DIV/0!'],
    ['=CEILING(0,0)', 0],
    ['=CEILING(2,0)', 0],
    ['=ROMAN(499,0)', 'CDXCIX'],
    ['=ROMAN(499,1)', 'LDVLIV'],
    ['=ROMAN(499,2)', 'XDIX'],
    ['=ROMAN(499,3)', 'VDIV'],
    ['=ROMAN(499,4)', 'ID'],
    ['=ROMAN(99,1)', 'VCIV'],
    ['=ROMAN(99,2)', 'IC'],
    ['=ROMAN(2596,1)', 'MMDVCI'],
    ['=ROMAN(3999.5)', 'MMMCMXCIX'],
    ['=ROMAN(4000)', '#VALUE!'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula)).toBe(expected);
  });

  it.each<[string, Shown]>([
    ['=GCD(TRUE,10)', '#VALUE!'],
    ['=LCM(5,A1)', '#VALUE!'],
    ['=MULTINOMIAL(TRUE,1,2)', '#VALUE!'],
    // 60! / (20! 20! 20!) and 1007! / (1000! 3! 4!): Microsoft documents a limit only for GCD and LCM.
    ['=TEXT(MULTINOMIAL(20,20,20),"0.0000000000E+00")', '5.7783121448E+26'],
    ['=TEXT(MULTINOMIAL(1000,3,4),"0.0000000000E+00")', '7.1411386582E+18'],
    ['=MULTINOMIAL(500,500,500)', '#NUM!'],
    ['=MULTINOMIAL(2,-3,4)', '#NUM!'],
    ['=LCM(94906267,94906266)', '#NUM!'],
    ['=MROUND(TRUE,2)', '#VALUE!'],
    ['=MROUND(,2)', '#N/A'],
    ['=GCD(,5)', '#N/A'],
    ['=LCM(Z1,5)', 5],
    ['=LCM(Z1:Z2,5)', 0],
    ['=GCD(Z1:Z2,5)', 5],
    ['=LCM(10,"")', '#VALUE!'],
    ['=COTH(9999999999999)', 1],
    ['=CEILING.MATH(0.1,0.0999999999999996)', 0.0999999999999996],
    ['=FLOOR.MATH(-1.1,0.0999999999999996)', -1.1],
    ['=SQRTPI(TRUE)', '#VALUE!'],
    ['=FACTDOUBLE(TRUE)', '#VALUE!'],
    ['=CSCH(0)', '#DIV/0!'],
    ['=QUOTIENT(TRUE,1)', '#VALUE!'],
    ['=GCD("15",10)', 5],
    ['=MROUND("15",10)', 20],
  ])('what came with the Analysis ToolPak takes no truth values: %s is %s', (formula, expected) => {
    expect(evaluate(formula, { A1: true })).toBe(expected);
  });

  it.each<[string, Shown]>([
    ['=FLOOR("",#DIV/0!)', '#VALUE!'],
    ['=FLOOR(#N/A,"x")', '#N/A'],
    ['=ROUND(#NUM!,#DIV/0!)', '#NUM!'],
    ['=LOG(100)', 2],
    ['=LOG(100,)', '#NUM!'],
    ['=LOG(8,2)', 3],
    ['=LOG(8,"x")', '#VALUE!'],
    ['=LOG(#N/A,)', '#N/A'],
    // Values near halves, including numbers with the full number of digits.
    ['=ROUND(2.675,2)', 2.68],
    ['=ROUND(1.005,2)', 1.01],
    ['=ROUND(2.7-2.7/1.2,1)', 0.5],
    ['=ROUND(0.4499999999999,1)', 0.4],
    ['=ROUNDDOWN(0.125*POWER(4,6.5)+43,0)', 1067],
    ['=ROUNDDOWN(1066.9999999999,0)', 1066],
    ['=ROUND(-2.5,0)', -3],
    ['=ROUND(2.4999,0)', 2],
    ['=ROUND(99999999999999.5,0)', 100000000000000],
    ['=ROUND(1234567890.12345,4)', 1234567890.1235],
    ['=ROUND(123456789012.345,4)', 123456789012.345],
    ['=ROUND(999999999999.999,3)', 999999999999.999],
    ['=ROUND(999999999999.999,5)', 999999999999.999],
    ['=ROUND(2E15+1,0)', 2000000000000001],
    ['=ROUND(2E15+0.25,0)', 2000000000000000],
    ['=ROUNDUP(2E15+0.25,0)', 2000000000000001],
    ['=ROUNDDOWN(2E15+0.75,0)', 2000000000000000],
    // Differences with a rounding error, as saved by Excel.
    ['=ROUNDDOWN(10385.8-9139.5,2)', 1246.3],
    ['=ROUNDDOWN(10308-1236.96-10308,2)', -1236.96],
    ['=ROUNDDOWN(1789-143.12-1789,2)', -143.12],
    ['=ROUNDDOWN(145.88999999999942,2)', 145.88],
    ['=ROUNDUP(5+10308-9095.88-5,2)', 1212.12],
    ['=ROUNDUP(1.00000000000006,2)', 1.01],
    ['=ROUNDDOWN(123456789012.345,2)', 123456789012.34],
    ['=ROUNDDOWN(1E300,2)', 1e300],
    ['=ROUNDDOWN(9.99,-1)', 0],
    ['=ROUNDUP(0,2)', 0],
  ])('the first argument that is no number decides: %s is %s', (formula, expected) => {
    expect(evaluate(formula)).toBe(expected);
  });

  it('reads numbers between spaces, but no dates', () => {
    expect(evaluate('=FLOOR(" 10 ",1)')).toBe(10);
    expect(evaluate('=FLOOR("2024-01-10",1)')).toBe(45_301);
    expect(evaluate('=FLOOR(" 2024-01-10 ",1)')).toBe('#VALUE!');
  });
});
