import { describe, expect, it } from 'vitest';
import { evaluate, type Shown } from '#server/calculation/testing/evaluate.ts';

describe('SWITCH', () => {
  it.each<[string, Shown]>([
    ['=SWITCH(2,1,"a",2,"b")', 'b'],
    ['=SWITCH("ABC","abc","match")', 'match'],
    ['=SWITCH(Z1,0,"match")', 'match'],
    ['=SWITCH(0,Z1,"match")', 'match'],
    ['=SWITCH(Z1,"","match")', '#N/A'],
    ['=SWITCH(FALSE,Z1,"match")', '#N/A'],
    ['=SWITCH(TRUE,1,"match","none")', 'none'],
  ])('keeps kinds of values apart, and a blank is 0: %s is %s', (formula, expected) => {
    expect(evaluate(formula)).toBe(expected);
  });
});

describe('A skipped branch', () => {
  it.each<[string, Shown]>([
    ['="a"&IF(TRUE,,1)', 'a'],
    ['="a"&CHOOSE(1,,2)', 'a'],
    ['=IFS(TRUE,)&"x"', 'x'],
    ['=SWITCH(1,1,,2)&"x"', 'x'],
    ['=LET(x,IF(TRUE,,1),x&"a")', 'a'],
    ['=IF(TRUE,,1)', 0],
    ['=IF(TRUE,,1)+2', 2],
    ['=IF(TRUE,,1)=0', true],
    ['=IF(TRUE,,1)=""', true],
    ['=AVERAGE(IF(TRUE,,1),4)', 2],
    ['=VLOOKUP(2.5,{1,5;2,6;3,7},2,IF(TRUE,,TRUE))', '#N/A'],
  ])('is blank: %s is %s', (formula, expected) => {
    expect(evaluate(formula)).toBe(expected);
  });
});

describe('IFERROR and IFNA', () => {
  it.each<[string, Shown | Shown[][]]>([
    ['=IFERROR(1/0,A1)', 0],
    ['=IFERROR(1/0,A1)=""', true],
    ['=IFERROR(1/0,A1)=0', true],
    ['="a"&IFNA(NA(),A1)', 'a'],
    ['=IFERROR(1/{0,1},A1)=""', [[true, false]]],
  ])('give a blank cell in place of an error: %s is %s', (formula, expected) => {
    expect(evaluate(formula)).toEqual(expected);
  });
});

describe('LET', () => {
  it.each<[string, Shown | Shown[][]]>([
    // Variables of a branch that is not taken are not calculated; otherwise these would be circular references.
    ['=LET(x,A1,y,2,IF(y=2,5,x))', 5],
    ['=LET(x,A1,y,x+1,IFERROR(7,y))', 7],
    ['=LET(x,A1,f,LAMBDA(a,a+x),3)', 3],
    ['=LET(x,A1,CHOOSE(2,x,4))', 4],
    ['=_xlfn.LET(_xlpm.sum,A1+0,_xlfn.BYCOL(B1:B2,_xleta.SUM))', 3],
    // Variables that are needed after all, once or more often.
    ['=LET(a,B2,b,a+1,IF(B1=1,b*a+b,0))', 9],
    ['=LET(g,SUM(B1:B2),MAP({1;2},LAMBDA(k,IF(k>1,g,k))))', [[1], [3]]],
    ['=BYROW({1;2},LAMBDA(r,LET(a,r*2,IF(SUM(r)>1,SUM(a),0))))', [[0], [4]]],
    ['=LET(x,,IF(TRUE,x,1))', 0],
  ])('calculates no variable before it is needed: %s is %s', (formula, expected) => {
    expect(evaluate(formula, { B1: 1, B2: 2 }, { at: 'A1' })).toEqual(expected);
  });
});
