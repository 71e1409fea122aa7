import { describe, expect, it } from 'vitest';
import { evaluate } from '../testing/evaluate.ts';

const CELLS = { A1: 45_000, A2: 3, A3: 8, B1: 1, B2: 5, B3: 9 };

describe('A variable named like a function leaves calls of the function alone', () => {
  it.each([
    ['LET(date,A1,year,YEAR(date),month,MONTH(date),DATE(year,month,1))', 44_986],
    ['LET(max,A2,MAX(max,2)+max)', 6],
    ['LET(min,A2,MIN(min,2)+min)', 5],
    ['LET(left,"abc",LEFT(left,2))', 'ab'],
    ['LET(index,2,INDEX(A1:A3,index))', 3],
    ['LET(row,2,row+ROW(A3))', 5],
    ['LET(sum,A2,SUM(sum,sum))', 6],
    ['LET(value,"7",VALUE(value))', 7],
    ['LET(filter,A2:A3,SUM(FILTER(filter,filter>3)))', 8],
    ['LET(if,TRUE,IF(if,1,2))', 1],
    ['LET(let,2,LET(x,let,x+1))', 3],
    ['LET(lambda,2,MAP({1,2},LAMBDA(x,x*lambda)))', [[2, 4]]],
    ['MAP(A2:A3,LAMBDA(max,MAX(max,5)))', [[5], [8]]],
    ['LAMBDA(sum,SUM(sum,1))(A2)', 4],
    ['LET(sum,{1,2},SUM(SUM(sum*2),sum))', 9],
    ['SUMPRODUCT(LET(abs,A2:A3,ABS(abs)))', 11],
  ])('=%s', (formula, expected) => {
    expect(evaluate(`=${formula}`, CELLS)).toEqual(expected);
  });

  it('in a formula of the old kind as well', () => {
    expect(evaluate('=LET(sum,{1,2},SUM(ABS(sum),sum))', CELLS, { isOld: true })).toBe(6);
    expect(evaluate('=LET(row,2,row+ROW(A3))', CELLS, { isOld: true })).toBe(5);
  });

  it('in the spelling of files', () => {
    const let_ = '_xlfn.LET(_xlpm.date,A1,_xlpm.year,YEAR(_xlpm.date),DATE(_xlpm.year,1,1))';
    expect(evaluate(`=${let_}`, CELLS)).toBe(44_927);
    expect(evaluate('=_xlfn.LET(_xlpm.sum,_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1),SUM(A2:A3))', CELLS)).toBe(11);
  });
});

describe('A function keeps its name in calls, as Excel does', () => {
  // Observed in Excel 16.0, build 20026, even if a LAMBDA has the name.
  it.each([
    ['LET(SUM,LAMBDA(x,x+10),SUM(2))', 2],
    ['LET(SUM,LAMBDA(x,x+10),SUM)', '#CALC!'],
    ['LAMBDA(SUM,SUM(2))(LAMBDA(x,x+10))', 2],
    ['LAMBDA(SUM,SUM)(LAMBDA(x,x+10))', '#CALC!'],
    ['LET(if,LAMBDA(a,b,c,c),if(TRUE,1,2))', 1],
    ['LET(f,LAMBDA(x,x+10),sum,f,sum(2))', 2],
    ['MAX(2)', 2],
  ])('=%s', (formula, expected) => {
    expect(evaluate(`=${formula}`, CELLS, { names: { MAX: '=LAMBDA(x,x+10)' } })).toBe(expected);
  });
});

describe('A variable is called', () => {
  it.each([
    ['LET(f,LAMBDA(x,x+1),f(A2))', 4],
    ['LAMBDA(f,f(A2))(LAMBDA(x,x+1))', 4],
    ['LET(f,_xleta.MAX,f(A2,1))', 3],
    ['LET(f,MAX,f(A2,1))', 3],
    ['LET(f,Twice,f(A2))', 6],
    // If the file marks the call, the name does not matter.
    ['_xlfn.LET(_xlpm.sum,_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1),_xlpm.sum(A2))', 4],
    ['_xlfn.LAMBDA(_xlpm.sum,_xlpm.sum(A2))(_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1))', 4],
    // Observed in Excel: a value that is not a function cannot be called.
    ['LET(LexScalar,9,LexScalar(1))', '#VALUE!'],
    ['_xlfn.LET(_xlpm.x,9,_xlpm.x(1))', '#VALUE!'],
    ['Five(1)', '#VALUE!'],
    ['LET(x,1/0,x(1))', '#DIV/0!'],
  ])('=%s', (formula, expected) => {
    expect(evaluate(`=${formula}`, CELLS, { names: { Twice: '=LAMBDA(x,x*2)', Five: '=5' } })).toBe(expected);
  });
});

describe('A function passed by name', () => {
  it.each([
    ['LET(sum,5,_xlfn.BYROW(A2:B3,_xleta.SUM))', [[8], [17]]],
    ['_xlfn.LET(_xlpm.sum,5,_xlpm.f,_xleta.SUM,_xlpm.f(A2:B3)+_xlpm.sum)', 30],
    ['BYROW(A2:B3,_xleta.MAX)', [[5], [9]]],
    ['MAP(A2:A3,LAMBDA(sum,SUM(BYROW(A2:B3,_xleta.SUM))+sum))', [[28], [33]]],
    ['LET(sum,5,GROUPBY(B2:B3,A2:A3,HSTACK(_xleta.SUM,_xleta.COUNT),0,0))', [['', 'SUM', 'COUNT'], [5, 3, 1], [9, 8, 1]]], // oxfmt-ignore
  ])('is that function although a variable or a defined name is called like it: =%s', (formula, expected) => {
    expect(evaluate(`=${formula}`, CELLS, { names: { MAX: '=Sheet1!$A$1' } })).toEqual(expected);
  });

  it('is hidden by a variable where the file does not mark it', () => {
    expect(evaluate('=LET(sum,LAMBDA(r,MAX(r)),BYROW(A2:B3,sum))', CELLS)).toEqual([[5], [9]]);
  });
});
