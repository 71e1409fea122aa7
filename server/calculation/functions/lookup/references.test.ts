import { describe, expect, it } from 'vitest';
import type { TestCell } from '#server/calculation/testing/build-model.ts';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

const CELLS: Record<string, TestCell> = {
  A1: 'Apples',
  B1: 'Lemons',
  C1: 1,
  A2: 'Bananas',
  B2: 'Pears',
  C2: 2,
  A3: 3,
  B3: 4,
  C3: 5,
  D1: 'B2',
  D2: 'R2C3',
  D3: 'Sheet2!A1',
  'Sheet2!A1': 'far',
  'Sheet2!A2': 8,
};

describe('INDEX', () => {
  it.each([
    ['=INDEX(A1:B2,2,2)', 'Pears'],
    ['=INDEX(A1:B2,2,1)', 'Bananas'],
    ['=INDEX({1,2;3,4},0,2)', [[2], [4]]],
    ['=INDEX({1,2;3,4},1,0)', [[1, 2]]],
    ['=INDEX({1,2;3,4},2,2)', 4],
    ['=INDEX(A3:C3,2)', 4],
    ['=INDEX(C1:C3,3)', 5],
    ['=INDEX(A3:C3,1,3)', 5],
    ['=INDEX(A1:C3,3)', '#REF!'],
    ['=SUM(INDEX(A1:C3,3,))', 12],
    ['=SUM(INDEX(A1:C3,,3))', 8],
    ['=SUM(INDEX(A1:C3,0,0))', 15],
    ['=INDEX(A1:B2,3,1)', '#REF!'],
    ['=INDEX(A1:B2,1,3)', '#REF!'],
    ['=INDEX(A1:B2,-1,1)', '#VALUE!'],
    ['=INDEX((A1:B2,C1:C3),2,1,2)', 2],
    ['=INDEX((A1:B2,C1:C3),2,1,3)', '#REF!'],
    ['=SUM(C1:INDEX(C:C,2))', 3],
    ['=SUM(INDEX(C:C,2):INDEX(C:C,3))', 7],
    ['=INDEX(C1:C3,{1;3})', [[1], [5]]],
    [
      '=INDEX(A1:C3,{1;3},{1,3})',
      [
        ['Apples', 1],
        [3, 5],
      ],
    ],
    ['=INDEX(7,1)', 7],
    ['=INDEX(C1:C3,2.9)', 2],
    ['=INDEX(A1:B2,"x",1)', '#VALUE!'],
    ['=INDEX(A1:C3,3,0)', [[3, 4, 5]]],
    ['=ROW(INDEX(A1:C9,4,2))', 4],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });
});

describe('OFFSET and INDIRECT', () => {
  it.each([
    ['=OFFSET(A1,1,1)', 'Pears'],
    ['=SUM(OFFSET(C1,0,0,3,1))', 8],
    ['=SUM(OFFSET(C3,0,0,-2,1))', 7],
    ['=SUM(OFFSET(C3,0,0,-3,-2))', 12],
    ['=SUM(OFFSET(C1:C2,1,0))', 7],
    ['=SUM(OFFSET(C1:C2,1,,1))', 2],
    ['=OFFSET(A1,-1,0)', '#REF!'],
    ['=OFFSET(A1,0,0,0,1)', '#REF!'],
    ['=SUM(OFFSET(C1,0,0,0.4,1))', 1],
    ['=OFFSET(C1,0.9,0)', 1],
    ['=INDIRECT("C01")', 1],
    ['=INDIRECT("Sheet2!$A$01")', 'far'],
    ['=OFFSET(5,0,0)', '#VALUE!'],
    ['=OFFSET(A1,"x",0)', '#VALUE!'],
    ['=INDIRECT("C"&3)', 5],
    ['=INDIRECT(D1)', 'Pears'],
    ['=INDIRECT(D2,FALSE)', 2],
    ['=INDIRECT(D3)', 'far'],
    ['=SUM(INDIRECT("C1:C3"))', 8],
    ['=SUM(INDIRECT("Sheet2!A:A"))', 8],
    ['=INDIRECT("nothing here")', '#REF!'],
    ['=INDIRECT("Nosheet!A1")', '#REF!'],
    ['=ROWS(INDIRECT("1:3"))', 3],
    ['=INDIRECT(#N/A)', '#N/A'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });
});

describe('positions', () => {
  it.each([
    ['=ROW(C10)', 10],
    ['=ROW(C4:D6)', [[4], [5], [6]]],
    ['=COLUMN(C10)', 3],
    ['=COLUMN(C4:D6)', [[3, 4]]],
    ['=ROW(5)', '#VALUE!'],
    ['=ROWS(C1:E4)', 4],
    ['=ROWS({1,2,3;4,5,6})', 2],
    ['=ROWS(A:A)', 1048576],
    ['=ROWS(5)', 1],
    ['=COLUMNS(C1:E4)', 3],
    ['=COLUMNS({1,2,3;4,5,6})', 3],
    ['=COLUMNS(1:1)', 16384],
    ['=AREAS(B2:D4)', 1],
    ['=AREAS((B2:D4,E5,F6:I9))', 3],
    ['=SUM(ROW(INDIRECT("1:4")))', 10],
    ['=ADDRESS(2,3)', '$C$2'],
    ['=ADDRESS(2,3,2)', 'C$2'],
    ['=ADDRESS(2,3,3)', '$C2'],
    ['=ADDRESS(2,3,4)', 'C2'],
    ['=ADDRESS(2,3,2,FALSE)', 'R2C[3]'],
    ['=ADDRESS(2,3,1,FALSE,"[Book1]Sheet1")', '[Book1]Sheet1!R2C3'],
    ['=ADDRESS(2,3,1,FALSE,"[Book 1]Sheet1")', "'[Book 1]Sheet1'!R2C3"],
    ['=ADDRESS(2,3,1,FALSE,"[Book1]My Sheet")', "'[Book1]My Sheet'!R2C3"],
    ['=ADDRESS(2,3,1,FALSE,"EXCEL SHEET")', "'EXCEL SHEET'!R2C3"],
    ['=ADDRESS(2,3,,,"Sheet2")', 'Sheet2!$C$2'],
    ['=ADDRESS(1,16384)', '$XFD$1'],
    ['=ADDRESS(0,1)', '#VALUE!'],
    ['=ADDRESS(1,16385)', '#VALUE!'],
    ['=ADDRESS(1,1,5)', '#VALUE!'],
    ['=HYPERLINK("https://example.org","Open")', 'Open'],
    ['=HYPERLINK("https://example.org")', 'https://example.org'],
    ['=HYPERLINK("https://example.org",12)', 12],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });

  it('returns the row and column of the formula itself', () => {
    expect(evaluate('=ROW()', {}, { at: 'F7' })).toBe(7);
    expect(evaluate('=COLUMN()', {}, { at: 'F7' })).toBe(6);
    expect(evaluate('=ROW(A1:A3)', {}, { at: 'F7', isOld: true })).toBe(1);
  });
});

it('ROW and COLUMN of nothing are those of all cells an array formula fills', () => {
  const rows = { formula: '=IF(ROW()-ROW(A1)>1,"",B1:B2)', kind: 'array', block: 'A2:A4' } as const;
  const columns = { formula: '=COLUMN()*10', kind: 'array', block: 'D1:E1' } as const;
  expect(evaluate('=A2:A4', { A2: rows, B1: 7, B2: 8 })).toEqual([[7], [''], ['']]);
  expect(evaluate('=D1:E1', { D1: columns })).toEqual([[40, 50]]);
  expect(evaluate('=A2', { A2: { formula: '=ROW()+A3', kind: 'array', block: 'A2:A2' }, A3: '=ROW()' })).toBe(5);
});

it('ROWS and COLUMNS count what a calculation with ranges comes to, in formulas of the old kind too', () => {
  expect(evaluate('=COLUMNS(C3=B6:G16)', {}, { isOld: true })).toBe(6);
  expect(evaluate('=ROWS(B6:G16*2)', {}, { isOld: true })).toBe(11);
});
