import { expect, it } from 'vitest';
import { evaluate } from '../testing/evaluate.ts';
import { withSpacesOf } from './spaced-formula.ts';

it.each([
  ['SUM( A1 , 2 )', 'SUM(A1,2)', 'SUM( A1 , 2 )'],
  ['sum(a1,\n 2)', 'SUM(A1,2)', 'SUM(A1,\n 2)'],
  ['SUM(A1, $B1)', 'SUM(A7,$B7)', 'SUM(A7, $B7)'],
  ['IF(A1 = "a  b", \'My Sheet\'!A1, "")', 'IF(A1="a  b",\'My Sheet\'!A1,"")', 'IF(A1 = "a  b", \'My Sheet\'!A1, "")'],
  ['A1:B2 B1:C2 + 1', 'A1:B2 B1:C2+1', 'A1:B2 B1:C2 + 1'],
  [' 1 + 2', '1+2', ' 1 + 2'],
  ['A1+(B1*C1)', 'A1+B1*C1', 'A1+(B1*C1)'],
  ['((A1+B1))*(C1)', '(A7+B7)*C7', '((A7+B7))*(C7)'],
  ['(SUM((A1),(2)))', 'SUM(A1,2)', '(SUM((A1),(2)))'],
  ['LAMBDA(x,[y],x+y)', 'LAMBDA(x,y,x+y)', 'LAMBDA(x,[y],x+y)'],
  ['SUM(Table1[Net (EUR)])', 'SUM(Table1[Net (EUR)])', 'SUM(Table1[Net (EUR)])'],
  // A different formula.
  ['SUM(A1, 2)', 'MAX(A1,2)', 'MAX(A1,2)'],
  ['SUM(A1, 2)', 'SUM(A1,2,3)', 'SUM(A1,2,3)'],
  ['IF(A1, "x")', 'IF(A1,"yy")', 'IF(A1,"yy")'],
])('%j with the blanks of the file, which is now %j, is %j', (typed, printed, expected) => {
  expect(withSpacesOf(typed, printed)).toBe(expected);
});

it('FORMULATEXT shows a formula as it was typed', () => {
  expect(evaluate('=FORMULATEXT(A1)', { A1: '=SUM( 1, B1 )  * 2' })).toBe('=SUM( 1, B1 )  * 2');
  expect(evaluate('=FORMULATEXT(A1)', { A1: { formula: '=_xll.Price_of(A2)+MyMacro( 1 )', saved: 1 } })).toBe(
    '=Price_of(A2)+MyMacro( 1 )',
  );
  const filled = { formula: '=_xlfn.CONCAT(B1, "a")', kind: 'array', block: 'A1:A1', saved: 'a' } as const;
  expect(evaluate('=FORMULATEXT(A1)', { A1: filled })).toBe('{=CONCAT(B1, "a")}');
  const block = { formula: '=INDEX(B1:C2, 0, 2)', kind: 'array', block: 'A1:A2', saved: 1 } as const;
  expect(evaluate('=FORMULATEXT(A2)', { A1: block })).toBe('{=INDEX(B1:C2, 0, 2)}');
});

it('FORMULATEXT leaves functions of macros as they were typed', () => {
  expect(evaluate('=FORMULATEXT(A1)', { A1: '=Even_odd(B1)&Sum(B2)' })).toBe('=Even_odd(B1)&SUM(B2)');
});

it('FORMULATEXT shows brackets around what a LAMBDA may be called without', () => {
  const typed = '=_xlfn.LAMBDA(_xlpm.x,_xlop.tax,_xlpm.x+IF(_xlfn.ISOMITTED(_xlpm.tax),0,_xlpm.tax))(1)';
  expect(evaluate('=FORMULATEXT(A1)', { A1: typed })).toBe('=LAMBDA(x,[tax],x+IF(ISOMITTED(tax),0,tax))(1)');
});
