import { describe, expect, it } from 'vitest';
import { evaluate, type Shown } from '#server/calculation/testing/evaluate.ts';

type Row = [formula: string, result: Shown | Shown[][]];

const CELLS = {
  A1: 1,
  A2: 'text',
  A3: true,
  A5: '=1/0',
  A6: '=""',
  A7: '=SUM(A1:A1)*2',
  'Other!A1': 5,
  'My sheet!B2': 6,
};

const KINDS: Row[] = [
  ['ISBLANK(A4)', true],
  ['ISBLANK(A6)', false],
  ['ISBLANK("")', false],
  ['ISERROR(A5)', true],
  ['ISERR(NA())', false],
  ['ISERR(A5)', true],
  ['ISNA(NA())', true],
  ['ISNA(A5)', false],
  ['ISNUMBER("1")', false],
  ['ISNUMBER(A1)', true],
  ['ISTEXT(A2)&ISTEXT(A4)&ISNONTEXT(A4)', 'TRUEFALSETRUE'],
  ['ISLOGICAL(A3)', true],
  ['ISLOGICAL("TRUE")', false],
  ['ISEVEN(-1.5)', false],
  ['ISODD(2.5)', false],
  ['ISEVEN(A4)', true],
  ['ISEVEN(TRUE)', '#VALUE!'],
  ['ISREF(A1)', true],
  ['ISREF("A1")', false],
  ['TYPE(A1)', 1],
  ['TYPE(A4)', 1],
  ['TYPE("x")', 2],
  ['TYPE(A3)', 4],
  ['TYPE(A5)', 16],
  ['TYPE({1,2})', 64],
  ['TYPE(A1:A2)', 64],
  ['ERROR.TYPE(A5)', 2],
  ['ERROR.TYPE(NA())', 7],
  ['ERROR.TYPE(1)', '#N/A'],
  ['N(A1)+N(A2)+N(A3)+N("7")', 2],
  ['N(A5)', '#DIV/0!'],
  ['N(A1:A3)', 1],
  ['SUM(N({1,TRUE,"x"}))', 2],
  ['ISNUMBER(A1:A3)', [[true], [false], [false]]],
];

const SHEETS: Row[] = [
  ['FORMULATEXT(A7)', '=SUM(A1:A1)*2'],
  ['FORMULATEXT(A1)', '#N/A'],
  ['ISFORMULA(A7)', true],
  ['ISFORMULA(A5:A6)', [[true], [true]]],
  ['SHEET()', 1],
  ['SHEET(Other!A1)', 2],
  ['SHEET("other")', 2],
  ['SHEET("none")', '#N/A'],
  ['SHEET(1/0)', '#DIV/0!'],
  ['SHEETS()', 3],
  ['SHEETS(Other!A1)', 1],
  ['INFO("numfile")', 3],
  ['INFO("nothing")', '#VALUE!'],
  ['CELL("address",B3:C4)', '$B$3'],
  ['CELL("address",\'My sheet\'!B2)', "'My sheet'!$B$2"],
  ['CELL("col",B3)&CELL("row",B3)', '23'],
  ['CELL("contents",A2)', 'text'],
  ['CELL("contents",A4)', 0],
  ['CELL("TYPE",A4)&CELL("type",A2)&CELL("type",A1)', 'blv'],
  ['CELL("format",A1)', 'G'],
  ['MID(CELL("filename",Other!A1),FIND("]",CELL("filename",Other!A1))+1,31)', 'Other'],
  ['CELL("nothing",A1)', '#VALUE!'],
  ['CELL("row")', 1000],
];

describe('functions on information', () => {
  for (const [title, rows] of Object.entries({ KINDS, SHEETS })) {
    it.each(rows)(`${title.toLowerCase()}: %s`, (formula, result) => {
      expect(evaluate(`=${formula}`, CELLS)).toEqual(result);
    });
  }

  it.each<Row>([
    ['AND(TRUE,1,"TRUE")', true],
    ['AND("",TRUE)', true],
    ['OR("")', '#VALUE!'],
    ['AND("1",1)', '#VALUE!'],
    ['OR("x",TRUE)', '#VALUE!'],
    ['AND(A1:A2)', true],
    ['OR(A5,TRUE)', '#DIV/0!'],
    ['XOR(TRUE,TRUE,TRUE)', true],
    ['NOT("FALSE")', true],
    ['NOT("x")', '#VALUE!'],
  ])('truth: %s', (formula, result) => {
    expect(evaluate(`=${formula}`, CELLS)).toEqual(result);
  });
});
