import { describe, expect, it } from 'vitest';
import type { TestCell } from '#server/calculation/testing/build-model.ts';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

const CELLS: Record<string, TestCell> = {
  A1: 3,
  B1: 'b',
  C1: true,
  A2: 1,
  B2: 'A',
  C2: false,
  A3: 2,
  B3: 'b',
  C3: true,
  A4: 1,
  B4: 'a',
  C4: null,
  D1: '=1/0',
  D2: 5,
  D3: null,
  D4: 'x',
};

describe('parts of arrays', () => {
  it.each([
    [
      '=TAKE(A1:B4,2)',
      [
        [3, 'b'],
        [1, 'A'],
      ],
    ],
    ['=TAKE(A1:B4,-1)', [[1, 'a']]],
    ['=TAKE(A1:B4,,-1)', [['b'], ['A'], ['b'], ['a']]],
    ['=TAKE(A1:B4,1,1)', 3],
    [
      '=TAKE(A1:B4,9,9)',
      [
        [3, 'b'],
        [1, 'A'],
        [2, 'b'],
        [1, 'a'],
      ],
    ],
    ['=TAKE(A1:B4,0)', '#CALC!'],
    ['=SUM(A1:TAKE(A1:A4,-2))', 7],
    [
      '=DROP(A1:B4,2)',
      [
        [2, 'b'],
        [1, 'a'],
      ],
    ],
    ['=DROP(A1:B4,-3)', [[3, 'b']]],
    ['=DROP(A1:B4,1,-1)', [[1], [2], [1]]],
    ['=DROP({1,2,3},,1)', [[2, 3]]],
    ['=DROP(A1:B4,4)', '#CALC!'],
    [
      '=CHOOSEROWS(A1:B4,1,3)',
      [
        [3, 'b'],
        [2, 'b'],
      ],
    ],
    [
      '=CHOOSEROWS(A1:B4,{-1,1})',
      [
        [1, 'a'],
        [3, 'b'],
      ],
    ],
    ['=CHOOSEROWS(A1:B4,5)', '#VALUE!'],
    ['=CHOOSEROWS(A1:B4,0)', '#VALUE!'],
    [
      '=CHOOSECOLS(A1:C2,3,1)',
      [
        [true, 3],
        [false, 1],
      ],
    ],
    ['=CHOOSECOLS(A1:C2,-2)', [['b'], ['A']]],
    ['=CHOOSECOLS(A1:C2,{1,2;2,1})', '#VALUE!'],
    [
      '=EXPAND({1,2;3,4},3,3)',
      [
        [1, 2, '#N/A'],
        [3, 4, '#N/A'],
        ['#N/A', '#N/A', '#N/A'],
      ],
    ],
    [
      '=EXPAND({1,2},2,,"-")',
      [
        [1, 2],
        ['-', '-'],
      ],
    ],
    ['=EXPAND({1,2;3,4},1)', '#VALUE!'],
    ['=SUM(TRIMRANGE(A1:A900))', 7],
    ['=ROWS(TRIMRANGE(A:A))', 4],
    ['=ROWS(TRIMRANGE(G1:H9))', '#REF!'],
    ['=COLUMNS(TRIMRANGE(A1:H9,2,0))', 8],
  ])('%s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });
});

describe('arrays put together', () => {
  it.each([
    [
      '=VSTACK({1,2},{3})',
      [
        [1, 2],
        [3, '#N/A'],
      ],
    ],
    [
      '=HSTACK({1;2},{3})',
      [
        [1, 3],
        [2, '#N/A'],
      ],
    ],
    ['=VSTACK(A1:A2,D1:D2)', [[3], [1], ['#DIV/0!'], [5]]],
    ['=VSTACK(1,"a",TRUE)', [[1], ['a'], [true]]],
    ['=TOROW({1,2;3,4})', [[1, 2, 3, 4]]],
    ['=TOCOL({1,2;3,4},,TRUE)', [[1], [3], [2], [4]]],
    ['=TOCOL(D1:D4)', [['#DIV/0!'], [5], [0], ['x']]],
    ['=TOCOL(D1:D4,1)', [['#DIV/0!'], [5], ['x']]],
    ['=TOCOL(D1:D4,2)', [[5], [0], ['x']]],
    ['=TOROW(D1:D4,3)', [[5, 'x']]],
    ['=TOROW(D3:D3,1)', '#CALC!'],
    ['=TOROW(D1:D4,4)', '#VALUE!'],
    [
      '=WRAPROWS({1,2,3,4,5},2)',
      [
        [1, 2],
        [3, 4],
        [5, '#N/A'],
      ],
    ],
    [
      '=WRAPROWS({1,2,3},2,"")',
      [
        [1, 2],
        [3, ''],
      ],
    ],
    [
      '=WRAPCOLS({1,2,3,4,5},2,0)',
      [
        [1, 3, 5],
        [2, 4, 0],
      ],
    ],
    ['=WRAPROWS({1,2;3,4},2)', '#VALUE!'],
    ['=WRAPROWS({1,2},0)', '#NUM!'],
    ['=WRAPROWS({1,2},5)', [[1, 2]]],
  ])('%s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });
});

describe('filtered and sorted', () => {
  it.each([
    [
      '=FILTER(A1:B4,A1:A4>1)',
      [
        [3, 'b'],
        [2, 'b'],
      ],
    ],
    [
      '=FILTER(A1:B4,(A1:A4=1)*(B1:B4="a"))',
      [
        [1, 'A'],
        [1, 'a'],
      ],
    ],
    [
      '=FILTER(A1:C2,{1,0,1})',
      [
        [3, true],
        [1, false],
      ],
    ],
    ['=FILTER(A1:B4,A1:A4>9)', '#CALC!'],
    ['=FILTER(A1:B4,A1:A4>9,"none")', 'none'],
    ['=FILTER(A1:B4,A1:A3>1)', '#VALUE!'],
    ['=FILTER(A1:A4,D1:D4)', '#DIV/0!'],
    ['=FILTER(A1:A4,B1:B4)', '#VALUE!'],
    ['=FILTER(A1:A4,C1:C4)', [[3], [2]]],
    ['=SORT(A1:A4)', [[1], [1], [2], [3]]],
    [
      '=SORT(A1:B4,1,-1)',
      [
        [3, 'b'],
        [2, 'b'],
        [1, 'A'],
        [1, 'a'],
      ],
    ],
    [
      '=SORT(A1:B4,{2,1},{1,-1})',
      [
        [1, 'A'],
        [1, 'a'],
        [3, 'b'],
        [2, 'b'],
      ],
    ],
    ['=SORT({3,1,2},1,1,TRUE)', [[1, 2, 3]]],
    ['=SORT({3,1,2})', [[3, 1, 2]]],
    ['=SORT(D1:D4)', [[5], ['x'], ['#DIV/0!'], [0]]],
    ['=SORT(D1:D4,,-1)', [['#DIV/0!'], ['x'], [5], [0]]],
    ['=SORT(A1:B4,3)', '#VALUE!'],
    ['=SORT(A1:B4,1,2)', '#VALUE!'],
    ['=SORT({"10";"9";10;9;TRUE})', [[9], [10], ['10'], ['9'], [true]]],
    ['=SORTBY(B1:B4,A1:A4)', [['A'], ['a'], ['b'], ['b']]],
    ['=SORTBY(A1:A4,B1:B4,1,A1:A4,-1)', [[1], [1], [3], [2]]],
    ['=SORTBY({1,2,3},{3,2,1})', [[3, 2, 1]]],
    ['=SORTBY(A1:A4,B1:B3)', '#VALUE!'],
    ['=SORTBY(A1:A4,B1:B4,0)', '#VALUE!'],
    ['=UNIQUE(A1:A4)', [[3], [1], [2]]],
    ['=UNIQUE(B1:B4)', [['b'], ['A']]],
    [
      '=UNIQUE(A1:B4)',
      [
        [3, 'b'],
        [1, 'A'],
        [2, 'b'],
      ],
    ],
    ['=UNIQUE(A1:A4,,TRUE)', [[3], [2]]],
    ['=UNIQUE({1,1,2},TRUE)', [[1, 2]]],
    ['=UNIQUE({1;1},,TRUE)', '#CALC!'],
    ['=UNIQUE({1;"1";TRUE})', [[1], ['1'], [true]]],
    [
      '=UNIQUE({"a","bc";"ab","c"})',
      [
        ['a', 'bc'],
        ['ab', 'c'],
      ],
    ],
  ])('%s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });
});

describe('functions called over arrays', () => {
  it.each([
    ['=MAP(A1:A3,LAMBDA(x,x*x))', [[9], [1], [4]]],
    ['=MAP({1,2},{10,20},LAMBDA(x,y,x+y))', [[11, 22]]],
    ['=MAP({1,2},LAMBDA(x,SEQUENCE(x)))', [[1, '#CALC!']]],
    [
      '=MAP({1,2},{1;2},LAMBDA(x,y,x+y))',
      [
        [2, '#N/A'],
        ['#N/A', '#N/A'],
      ],
    ],
    ['=MAP({1,2},5)', '#VALUE!'],
    ['=MAP({1,2},LAMBDA(x,y,x))', [['#VALUE!', '#VALUE!']]],
    ['=MAP(A1:A3,LAMBDA(x,ROW(x)))', [[1], [2], [3]]],
    // An error in an array of one element is still an array.
    ['=ROWS(NA()*{1})', 1],
    ['=COLUMNS(-{#N/A})', 1],
    ['=ROWS(NA()*2)', '#N/A'],
    ['=IFERROR(NA()*{1},7)', 7],
    ['=SUM(NA()*{1})', '#N/A'],
    // Functions as elements of arrays.
    ['=REDUCE("abc",MAP({"a";"b"},{"x";"y"},LAMBDA(b,a,LAMBDA(t,SUBSTITUTE(t,b,a)))),LAMBDA(t,f,f(t)))', 'xyc'],
    ['=INDEX(MAP({1,2,3},LAMBDA(x,LAMBDA(x*10))),2)()', 20],
    ['=XLOOKUP(2,{1;2},MAP({1;2},LAMBDA(x,LAMBDA(y,x+y))))(5)', 7],
    ['=LET(f,VSTACK(LAMBDA(SEQUENCE(2)),LAMBDA(9)),SUM(INDEX(f,1)()))', 3],
    ['=LET(f,MAP({1;2},LAMBDA(n,LAMBDA(SEQUENCE(1,n)))),REDUCE(0,f,LAMBDA(a,g,VSTACK(a,SUM(g())))))', [[0], [1], [3]]],
    ['=MAP({1,2},LAMBDA(x,LAMBDA(x)))', [['#CALC!', '#CALC!']]],
    ['=INDEX({1,2},2)(5)', '#REF!'],
    // A variable does not hide the function with the same name: files mark function names with a prefix.
    ['=_xlfn.LET(_xlpm.lambda,4,_xlfn.MAP({1,2},_xlfn.LAMBDA(_xlpm.x,_xlpm.x*_xlpm.lambda)))', [[4, 8]]],
    ['=REDUCE(0,A1:A4,LAMBDA(total,x,total+x))', 7],
    ['=REDUCE(,A1:A4,LAMBDA(total,x,total*x))', 6],
    ['=REDUCE("",{"a","b"},LAMBDA(all,x,x&all))', 'ba'],
    ['=REDUCE({0},{1,2},LAMBDA(all,x,VSTACK(all,x)))', [[0], [1], [2]]],
    [
      '=SCAN(0,{1,2;3,4},LAMBDA(total,x,total+x))',
      [
        [1, 3],
        [6, 10],
      ],
    ],
    ['=SCAN(,{"a","b","c"},LAMBDA(all,x,all&x))', [['a', 'ab', 'abc']]],
    ['=BYROW({1,2;3,4},LAMBDA(r,SUM(r)))', [[3], [7]]],
    ['=BYROW(A1:B4,SUM)', [[3], [1], [2], [1]]],
    ['=BYROW(A1:B4,_xleta.SUM)', [[3], [1], [2], [1]]],
    ['=SUM', '#NAME?'],
    ['=SORT({#N/A;#NULL!;TRUE;#DIV/0!})', [[true], ['#NULL!'], ['#DIV/0!'], ['#N/A']]],
    ['=BYCOL({1,2;3,4},LAMBDA(c,MAX(c)))', [[3, 4]]],
    ['=BYCOL({1,2;3,4},LAMBDA(c,c))', [['#CALC!', '#CALC!']]],
    [
      '=MAKEARRAY(2,3,LAMBDA(r,c,r*c))',
      [
        [1, 2, 3],
        [2, 4, 6],
      ],
    ],
    ['=MAKEARRAY(0,3,LAMBDA(r,c,r*c))', '#VALUE!'],
    ['=SUM(MAP(SEQUENCE(1000),LAMBDA(x,x)))', 500500],
  ])('%s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });

  it('hands cells on as references', () => {
    const formula = '=MAP(A1:A4,LAMBDA(x,SUBTOTAL(103,x)))';
    expect(evaluate(formula, CELLS, { hiddenRows: { Sheet1: [1, 3] } })).toEqual([[1], [0], [1], [0]]);
  });
});
