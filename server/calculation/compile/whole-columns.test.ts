import { expect, it } from 'vitest';
import { evaluate } from '../testing/evaluate.ts';

/** x y x - z in A2:A6 beside 1 2 3 4 5 in B2:B6 and letters in C2:C6. */
const CELLS = {
  A1: 'key',
  B1: 'value',
  C1: 'name',
  A2: 'x',
  A3: 'y',
  A4: 'x',
  A6: 'z',
  B2: 1,
  B3: 2,
  B4: 3,
  B5: 4,
  B6: 5,
  C2: 'a',
  C3: 'b',
  C4: 'c',
  C5: 'd',
  C6: 'e',
  E1: 'x',
};

it.each([
  // One row represents all blank rows.
  ['SUM(_xlws.FILTER(B:B,A:A=E1))', 4],
  ['SUM(_xlws.FILTER(B:B,(A:A=E1)*(B:B>1)))', 3],
  ['ROWS(_xlws.FILTER(B:C,A:A="x"))', 2],
  ['COLUMNS(_xlws.FILTER(B:C,A:A="x"))', 2],
  ['_xlws.FILTER(B:B,A:A="none","nothing")', 'nothing'],
  ['SUM(_xlws.FILTER(B:B,B:B=MAX(B:B),9))', 5],
  ['AVERAGE(IF(A:A=E1,B:B))', 2],
  ['SUM(IF(A:A="x",B:B,0))', 4],
  ['SUM((A:A="x")*1)', 2],
  ['SUM(IF(ISNUMBER(B:B),B:B*2))', 30],
  ['MAX(IF(A:A="x",B:B))', 3],
  ['MIN(IF(A:A="x",B:B))', 1],
  ['MEDIAN(IF(A:A<>"",IF(ISNUMBER(B:B),B:B)))', 2.5],
  ['LARGE(IF(A:A="x",B:B),2)', 1],
  ['SUMPRODUCT((A:A="x")*(C:C="c"))', 1],
  ['SUMPRODUCT(--(A:A="x"),B:B)', 4],
  ['SUMPRODUCT(--(LEN(A:A)>0),--ISNUMBER(B:B),B:B)', 11],
  ['MATCH(1,(A:A="x")*(C:C="c"),0)', 4],
  ['MATCH(TRUE,ISBLANK(A:A),0)', 5],
  ['INDEX(C:C,MATCH(1,(A:A="x")*(B:B=3),0))', 'c'],
  ['_xlfn.XLOOKUP(1,(A:A="x")*(B:B=3),C:C)', 'c'],
  ['_xlfn.XLOOKUP(1,(A:A="x")*(B:B=9),C:C,"none")', 'none'],
  ['LOOKUP(2,1/(A:A="x"),C:C)', 'c'],
  ['INDEX(A:A&C:C,3)', 'yb'],
  ['_xlfn.TEXTJOIN(",",TRUE,IF(A:A="x",C:C,""))', 'a,c'],
  ['ROWS(_xlfn.UNIQUE(A:A))', 5],
  ['OR(A:A="z")', true],
  ['AND(LEN(A:A)<4)', true],
  // Blank rows count as well.
  ['SUM(--(A:A=""))', 1_048_571],
  ['SUMPRODUCT(--(A:A=""))', 1_048_571],
  ['COUNT(B:B*2)', 1_048_575],
  ['COUNT(IF(A:A="",1))', 1_048_571],
  ['ROWS(_xlws.FILTER(B:B,A:A=""))', 1_048_571],
  ['_xlfn.XLOOKUP(0,--(A:A="x"),ROW(A:A),,0,-1)', 1_048_576],
  ['INDEX(A:A&"!",1048576)', '!'],
  ['SUM((A:A=B2:B6)*1)', '#N/A'],
  // ROW yields an array with its own length, so the columns are calculated whole.
  ['SUM(IF(ROW(A:A)<4,1,0))', 3],
] satisfies [string, string | number | boolean][])('%s is %j', (formula, expected) => {
  expect(evaluate(`=${formula}`, CELLS)).toBe(expected);
});

it('calls within calls are compiled in time', () => {
  const nested = (depth: number): string => (depth === 0 ? 'B:B' : `SUM(IF(A:A="x",B:B,0),${nested(depth - 1)})`);
  expect(evaluate(`=IF(E1="x",5,${nested(40)})`, CELLS)).toBe(5);
  expect(evaluate(`=${nested(1)}`, CELLS)).toBe(19);
});
