import { describe, expect, it } from 'vitest';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import { evaluate } from '../testing/evaluate.ts';

const NUMBERS = { A1: 1, A2: 2, A3: 3, A4: 4, A5: 5, B1: 10, B2: 20, B3: 30 };
const TEXTS = { C1: 'a', C2: 'b', C3: 'a', D1: 'A1:A3', D2: 'B1:B3' };
const CELLS = { ...NUMBERS, ...TEXTS, 'Jan!A1': 7, 'Feb!A1': 8 };

describe('Arrays of references', () => {
  it.each([
    ['=SUMIF(INDIRECT({"A1:A3","B1:B3"}),">1")', [[5, 60]]],
    ['=SUMIF(INDIRECT(D1:D2),">1")', [[5], [60]]],
    ['=SUM(SUMIF(INDIRECT("\'"&{"Jan","Feb"}&"\'!A1"),">0"))', 15],
    ['=COUNTIF(INDIRECT({"A1:A3";"no such name"}),">1")', [[2], ['#REF!']]],
    ['=SUMIFS(INDIRECT({"A1:A3","B1:B3"}),INDIRECT({"C1:C3","C1:C3"}),"a")', [[4, 40]]],
    ['=COUNTIF(OFFSET(A1:A2,{0;1;3},0),{2,4})', [[1, 0], [1, 0], [0, 1]]], // oxfmt-ignore
    ['=SUBTOTAL(9,OFFSET(A1,ROW(1:5)-1,0))', [[1], [2], [3], [4], [5]]],
    ['=SUBTOTAL(9,OFFSET(A1:A3,0,{0,1}))', [[6, 60]]],
    ['=SUBTOTAL({1;9},OFFSET(A1:A3,0,{0,1}))', [[2, 20], [6, 60]]], // oxfmt-ignore
    ['=N(OFFSET(A1,{0;2},0))', [[1], [3]]],
    ['=T(OFFSET(C1,{0;1},0))', [['a'], ['b']]],
    ['=AREAS(OFFSET(A1,{0;2;4},0,1,1))', [[1], [1], [1]]],
    ['=ROW(OFFSET(A1,{0;2;4},0))', [[1], [3], [5]]],
    ['=COUNTBLANK(OFFSET(A1,{0;4},0,2,1))', [[0], [1]]],
    ['=SUM(OFFSET(A1:A2,{0;1},0))', [[3], [5]]],
    ['=SUM(TRANSPOSE(OFFSET(A1,{0;2;4},0,1,1)))', 9],
    ['=SUM(N(OFFSET(OFFSET(A1,{0;1},0),1,1)))', 50],
    ['=OFFSET(A1,{0;1},0)', [['#VALUE!'], ['#VALUE!']]],
    ['=OFFSET(A1,{0;1},0)+1', [['#VALUE!'], ['#VALUE!']]],
    ['=N(OFFSET(A1,{0;-1},0))', [[1], ['#REF!']]],
    ['=LET(r,OFFSET(A1,{0;2},0),SUM(N(r)))', 4],
    ['=MAP(A1:A2,LAMBDA(x,SUM(OFFSET(A1,0,0,x))))', [[1], [3]]],
    ['=MAP(D1:D2,LAMBDA(x,SUM(INDIRECT(x))))', [[6], [60]]],
    ['=REDUCE(0,A1:A2,LAMBDA(a,x,VSTACK(a,SUM(INDEX(A1:B3,x,0)))))', [[0], [11], [22]]],
  ])('%s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });
});

describe('A formula of the old kind', () => {
  it.each([
    ['=SUM(LARGE(A1:A5,{1,2,3}))', 12],
    ['=SUM({1,2,3}*2)', 12],
    ['=SUM(-{1,2,3})', -6],
    ['=SUM({50,100}%)', 1.5],
    ['=SUM(LEN({"a","bb"}))', 3],
    ['={1,2,3}+1', 2],
    ['=LEN({"aa","b"})', 2],
    ['=OR(A1={2,1})', true],
    ['=IF(OR(C2={"a","b"}),"in","out")', 'in'],
    ['=SUM(COUNTIF(C1:C3,{"a","b"}))', 3],
    ['=SUM(--ISNUMBER(SEARCH({"x","b"},"abc")))', 1],
    ['=MIN(FIND({0,1,2},"a12"&"012"))', 2],
    ['=SUM(VLOOKUP(1,A1:B3,{1,2},0))', 11],
    ['=VLOOKUP(20,IF({1,0},B1:B3,A1:A3),2,0)', 2],
    ['=VLOOKUP(20,CHOOSE({1,2},B1:B3,A1:A3),2,FALSE)', 2],
    ['=SUM(SUMIF(INDIRECT({"A1:A3","B1:B3"}),">1"))', 65],
    ['=SUM(N(OFFSET(A1,{0;2;4},0,1,1)))', 9],
    // Published by Harlan Grove and Aladin Akyurek, 2004: only the first, and all.
    ['=SUM(OFFSET(A1,{2;2;4},0,1,1))', 3],
    ['=SUM(SUM(OFFSET(A1,{0;2;4},0,1,1)))', 9],
    ['=SUMPRODUCT(SUBTOTAL(9,OFFSET(A1,ROW(1:5)-1,0)))', 15],
    // TRANSPOSE intersects ranges.
    ['=TRANSPOSE(A1:A5)', '#VALUE!'],
    ['=SUM(TRANSPOSE(A1:A5))', '#VALUE!'],
    ['=SUMPRODUCT(TRANSPOSE(A1:A5))', '#VALUE!'],
    ['=TRANSPOSE($A1000:$B1000)', '#VALUE!'],
    ['=TRANSPOSE(A2)+0', 2],
    ['=SUM(TRANSPOSE({1;2;3}))', 6],
    // So does TYPE: it returns the type of the cell beside it, or of an error.
    ['=TYPE($A1:$A1000)', 1],
    ['=TYPE(A1:A5)', 16],
    ['=TYPE({1;2;3})', 64],
    ['=TYPE(SEQUENCE(3))', 64],
    ['=SUM(LET(x,{1,2,3},x*2))', 12],
    ['=SUM(top*10)', 60],
    // Arrays returned by functions remain arrays.
    ['=SUM(SEQUENCE(2,2)*2)', 20],
    ['=SUM(-SEQUENCE(2,2))', -10],
    ['=SUM(SEQUENCE(2,2)%)', 0.1],
    ['=SUM(--(FREQUENCY(A1:B3,A1:B3)>0))', 6],
    ['=SUM(IF(FREQUENCY(A1:A3,A1:A3)>0,1))', 3],
    ['=SUM(MMULT({1,2;3,4},{1,0;0,1})*2)', 20],
    ['=SUM(ABS(TRANSPOSE({1;2;3})-2))', 2],
    ['=SEQUENCE(3)*2', 2],
    ['=SEQUENCE(3)', 1],
    ['=ABS(-SEQUENCE(3))', 1],
    ['=SUM(ROW(A1:A3)*2)', 2],
    // Ranges are still intersected.
    ['=SUM(A1:A5*2)', '#VALUE!'],
    ['=SUM(A1:A5*{1,2})', '#VALUE!'],
    ['=SUM(INDEX(A1:A5,{1,2,3}))', 1],
  ])('%s', (formula, expected) => {
    expect(evaluate(formula, CELLS, { isOld: true, names: { top: '={1,2,3}' } })).toEqual(expected);
  });
});

describe('[#This Row] on another sheet', () => {
  const tables = [{ name: 'Regions', sheet: 'Other', block: 'A1:A3', columns: ['Name'] }];
  const cells = { 'Other!A1': 'Name', 'Other!A2': 'north', 'Other!A3': 'south' };
  it.each([
    ['C1', '#VALUE!'],
    ['C2', 'north'],
    ['C3', 'south'],
    ['C4', '#VALUE!'],
  ])('is the row with the number of the formula: in %s it gives %s', (at, expected) => {
    expect(evaluate('=Regions[[#This Row],[Name]]', cells, { tables, at, isOld: true })).toBe(expected);
  });

  it('is read again where it changes', () => {
    const model = createRunsheetEngine().load(
      buildModel({
        sheets: { Sheet1: { C2: '=Regions[[#This Row],[Name]]' }, Other: { A1: 'Name', A2: 'a', A3: 'b' } },
        tables,
      }),
    );
    model.recalculate();
    model.setCells([{ sheet: 1, row: 1, col: 0, value: 'c' }]);
    model.recalculate();
    expect(model.value(0, 1, 2)).toBe('c');
  });
});
