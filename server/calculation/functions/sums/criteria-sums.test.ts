import { describe, expect, it } from 'vitest';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { buildModel, type TestCell } from '#server/calculation/testing/build-model.ts';
import { evaluate } from '#server/calculation/testing/evaluate.ts';
import { cellError } from '#server/calculation/values/cell-value.ts';

/** Microsoft's examples for SUMIF and COUNTIF, and other values that a column can contain. */
const FOOD: Record<string, TestCell> = {
  A2: 'Vegetables',
  B2: 'Tomatoes',
  C2: 2300,
  A3: 'Vegetables',
  B3: 'Celery',
  C3: 5500,
  A4: 'Fruits',
  B4: 'Oranges',
  C4: 800,
  B5: 'Butter',
  C5: 400,
  A6: 'Vegetables',
  B6: 'Carrots',
  C6: 4200,
  A7: 'Fruits',
  B7: 'Apples',
  C7: 1200,
};

const ODD: Record<string, TestCell> = {
  A1: 1,
  A2: '1',
  A3: true,
  A4: 'TRUE',
  A5: cellError('#N/A')!,
  A6: { constant: '' },
  A8: 'a*b',
  A9: 'a~b',
  A10: 'axb',
  B1: 10,
  B2: 20,
  B3: 30,
  B4: 40,
  B5: 50,
  B6: 60,
  B7: 70,
  B8: 80,
  B9: 90,
  B10: 100,
  C1: 0.1,
  C2: 0.2,
  C3: '=0.1+0.2',
  C4: 0.3,
  C5: 'text',
  C6: true,
};

describe('one criterion', () => {
  it.each([
    ['=SUMIF(A2:A7,"Fruits",C2:C7)', 2000],
    ['=SUMIF(A2:A7,"Vegetables",C2:C7)', 12000],
    ['=SUMIF(B2:B7,"*es",C2:C7)', 4300],
    ['=SUMIF(A2:A7,"",C2:C7)', 400],
    ['=SUMIF(A2:A7,"fruits",C2)', 2000],
    ['=SUMIF(A:A,"Fruits",C:C)', 2000],
    ['=SUMIF(C2:C7,">1000")', 13200],
    ['=SUMIF(C2:C7,800)', 800],
    ['=SUMIF(A2:A7,{"Fruits","Vegetables"},C2:C7)', [[2000, 12000]]],
    ['=SUMIF(A2:A7,"none",C2:C7)', 0],
    ['=SUMIF({1,2},1)', '#VALUE!'],
    ['=COUNTIF(A2:A7,"Fruits")', 2],
    ['=COUNTIF(A2:A7,A4)', 2],
    ['=COUNTIF(A2:A7,"<>"&A4)', 4],
    ['=COUNTIF(B2:B7,"?????????")', 0],
    ['=COUNTIF(B2:B7,"??????")', 3],
    ['=COUNTIF(C2:C7,">=800")-COUNTIF(C2:C7,">4000")', 3],
    ['=COUNTIF(A:A,"")', 1048571],
    ['=COUNTIF(A:A,"<>")', 5],
    ['=COUNTIF(A1:A9,"=")', 4],
    ['=AVERAGEIF(A2:A7,"Fruits",C2:C7)', 1000],
    ['=AVERAGEIF(C2:C7,">10000")', '#DIV/0!'],
    ['=AVERAGEIF(A2:A7,"<>Fruits",C2:C7)', 3100],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, FOOD)).toEqual(expected);
  });

  it.each([
    ['=COUNTIF(A1:A10,1)', 2],
    ['=COUNTIF(A1:A10,"1")', 2],
    ['=COUNTIF(A1:A10,TRUE)', 1],
    ['=COUNTIF(A1:A10,#N/A)', 1],
    ['=COUNTIF(A1:A10,"#N/A")', 1],
    ['=COUNTIF(A1:A10,"")', 2],
    ['=COUNTIF(A1:A10,"=")', 1],
    ['=COUNTIF(A1:A10,"<>")', 9],
    ['=COUNTIF(A1:A10,A7)', 0],
    ['=COUNTIF(A1:A10,"*")', 6],
    ['=COUNTIF(A1:A10,"a*b")', 3],
    ['=COUNTIF(A1:A10,"a~*b")', 1],
    ['=COUNTIF(A1:A10,"a~~b")', 1],
    ['=COUNTIF(A1:A10,"a?b")', 3],
    ['=COUNTIF(C1:C6,0.3)', 2],
    ['=COUNTIF(C1:C6,">0.2")', 2],
    ['=COUNTIF(C1:C6,">=t")', 1],
    ['=SUMIF(A1:A10,1,B1:B10)', 30],
    ['=SUMIF(A1:A10,"#N/A",B1:B10)', 50],
    ['=SUMIF(B1:B10,">0",A1:A10)', '#N/A'],
    ['=SUMIF(B1:B4,">0",A1:A4)', 1],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, ODD)).toEqual(expected);
  });
});

describe('several criteria', () => {
  const SALES: Record<string, TestCell> = {
    A2: 5,
    B2: 'Apples',
    C2: 'Tom',
    A3: 4,
    B3: 'Apples',
    C3: 'Sarah',
    A4: 15,
    B4: 'Artichokes',
    C4: 'Tom',
    A5: 3,
    B5: 'Artichokes',
    C5: 'Sarah',
    A6: 22,
    B6: 'Bananas',
    C6: 'Tom',
    A7: 12,
    B7: 'Bananas',
    C7: 'Sarah',
    A8: 10,
    B8: 'Carrots',
    C8: 'Tom',
    A9: 33,
    B9: 'Carrots',
    C9: 'Sarah',
    'Sheet2!A20': 'x',
  };
  it.each([
    ['=SUMIFS(A2:A9,B2:B9,"=A*",C2:C9,"Tom")', 20],
    ['=SUMIFS(A2:A9,B2:B9,"<>Bananas",C2:C9,"Tom")', 30],
    ['=SUMIFS(A:A,B:B,"Carrots",C:C,"sarah")', 33],
    ['=SUMIFS(A2:A9,B2:B9,"A*")', 27],
    ['=SUMIFS(A2:A9,B2:B8,"A*")', '#VALUE!'],
    ['=SUMIFS(A2:A9,B2:B9,"Pears",C2:C9,"Tom")', 0],
    ['=SUMIFS(A2:A9,B2:B9,{"Apples";"Bananas"},C2:C9,"Tom")', [[5], [22]]],
    ['=COUNTIFS(B2:B9,"A*",C2:C9,"Tom")', 2],
    ['=COUNTIFS(A2:A9,">=10",A2:A9,"<20")', 3],
    ['=COUNTIFS(B:B,"",C:C,"")', 1048568],
    ['=COUNTIFS(B:B,"",Sheet2!A:A,"x")', 1],
    ['=AVERAGEIFS(A2:A9,B2:B9,"Bananas")', 17],
    ['=AVERAGEIFS(A2:A9,B2:B9,"Pears")', '#DIV/0!'],
    ['=MINIFS(A2:A9,C2:C9,"Sarah")', 3],
    ['=MAXIFS(A2:A9,C2:C9,"Tom",B2:B9,"<>Bananas")', 15],
    ['=MAXIFS(A2:A9,B2:B9,"Pears")', 0],
    ['=COUNTIFS(B2:B9,"A*",C2:C9)', '#VALUE!'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, SALES)).toEqual(expected);
  });
});

describe('criteria asked for many times', () => {
  /** Rows with repeated values, and each formula four times: the first one scans, the others use the index. */
  function results(formula: string): unknown[] {
    const cells: Record<string, TestCell> = {};
    for (let row = 1; row <= 60; row += 1) {
      cells[`A${row}`] = ['north', 'South', 'EAST', '7', 7][row % 5]!;
      cells[`B${row}`] = row % 7 === 0 ? null : row % 3;
      cells[`C${row}`] = row % 11 === 0 ? 'none' : row / 10;
    }
    for (let row = 1; row <= 4; row += 1) cells[`E${row}`] = formula;
    const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
    model.recalculate();
    return model.values(0, { top: 0, left: 4, bottom: 3, right: 4 }).flat();
  }

  it.each([
    '=COUNTIF(A1:A60,"south")',
    '=COUNTIF(A:A,7)',
    '=COUNTIF(C1:C60,">=1.5")',
    '=COUNTIF(C:C,"<"&0.1+0.2)',
    '=SUMIF(C1:C60,"<=2")',
    '=COUNTIF(A:A,"")',
    '=COUNTIF(B1:B80,"=")',
    '=SUMIF(A1:A60,"north",C1:C60)',
    '=SUMIF(A:A,"<>north",C:C)',
    '=AVERAGEIF(B:B,">=1",C:C)',
    '=SUMIFS(C1:C60,A1:A60,"EAST",B1:B60,2)',
    '=SUMIFS(C:C,A:A,"EAST",B:B,"")',
    '=SUMIFS(C1:C60,A1:A60,"EAST",B1:B60,2,C1:C60,">2")',
    '=SUMIFS(C1:C60,A1:A60,"7",B1:B60,1)',
    '=COUNTIFS(A1:A60,"east",B1:B60,2)',
    '=MAXIFS(C1:C60,A1:A60,"east",B1:B60,2)',
    '=MINIFS(C1:C60,C1:C60,">1")',
    '=COUNTIFS(A1:A60,"nowhere",B1:B60,2)',
  ])('%s is the same each time', (formula) => {
    const [first, ...others] = results(formula);
    expect(typeof first).toBe('number');
    expect(others).toEqual([first, first, first]);
  });

  it('sees what has changed in one of the columns', () => {
    const cells: Record<string, TestCell> = {};
    for (let row = 1; row <= 40; row += 1) {
      cells[`A${row}`] = `k${row % 4}`;
      cells[`B${row}`] = `m${row % 2}`;
      cells[`C${row}`] = row;
      cells[`E${row}`] = `=SUMIFS(C$1:C$40,A$1:A$40,A${row},B$1:B$40,B${row})`;
    }
    const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
    model.recalculate();
    const value = (row: number): unknown => model.value(0, row - 1, 4);
    expect(value(4)).toBe(4 + 8 + 12 + 16 + 20 + 24 + 28 + 32 + 36 + 40);
    model.setCells([{ sheet: 0, row: 3, col: 2, value: 1004 }]);
    model.recalculate();
    expect(value(8)).toBe(1220);
    model.setCells([{ sheet: 0, row: 7, col: 1, value: 'm1' }]);
    model.recalculate();
    expect(value(4)).toBe(1212);
    expect(value(8)).toBe(8);
    model.setCells([{ sheet: 0, row: 3, col: 0, value: 'k9' }]);
    model.recalculate();
    expect(value(12)).toBe(208);
  });
});

it('a sum in the column it adds up depends on itself only where its own row matches', () => {
  const cells = { A1: 'x', B1: 1, A2: 'y', B2: 2, A3: 'x', B3: 4, B5: '=SUM(B1:B3)' };
  expect(evaluate('=SUMIFS(B:B,A:A,"x")', cells, { at: 'B9', isOld: true })).toBe(5);
  expect(evaluate('=SUMIF(A:A,"x",B:B)', cells, { at: 'B9', isOld: true })).toBe(5);
  expect(evaluate('=MAXIFS(B1:B20,A1:A20,"x")', cells, { at: 'B9', isOld: true })).toBe(4);
  expect(evaluate('=SUMIFS(B2:B20,A2:A20,"x")+B10', { ...cells, B10: '=B9*0' }, { at: 'C9', isOld: true })).toBe(4);
  expect(() => evaluate('=SUMIFS(B:B,A:A,"x")', { ...cells, A9: 'x' }, { at: 'B9', isOld: true })).toThrow(
    /themselves/,
  );
});

describe('a formula in the range it sums', () => {
  const LIST: Record<string, TestCell> = {};
  for (let row = 1; row <= 40; row += 1) {
    LIST[`A${row}`] = row % 10 === 0 ? 'total' : 'item';
    LIST[`B${row}`] = row;
  }
  const value = (formula: string, more: Record<string, TestCell> = {}): unknown => {
    const model = createRunsheetEngine().load(buildModel({ sheets: { S: { ...LIST, ...more, B20: formula } } }));
    model.recalculate();
    return model.value(0, 19, 1);
  };

  it.each([
    ['=SUMIF(A1:A40,"item",B1:B40)', 720],
    ['=SUMIF(A:A,"item",B:B)', 720],
    ['=SUMIF($A1:$A22,"<>total",B1:B22)', 223],
    ['=SUMIFS(B1:B40,A1:A40,"item",A1:A40,"i*")', 720],
    ['=AVERAGEIF(A1:A40,"item",B1:B40)', 20],
    ['=MAXIFS(B:B,A:A,"item")', 39],
    ['=MINIFS(B2:B40,A2:A40,"item")', 2],
    ['=SUMIF(A1:A40,"none",B1:B40)', 0],
  ])('is no circular reference where it does not take itself: %s', (formula, expected) => {
    expect(value(formula)).toBe(expected);
    expect(value(formula, { B10: formula, B30: formula })).toBe(expected);
  });

  it('is one where it does', () => {
    expect(() => value('=SUMIF(A1:A40,"total",B1:B40)')).toThrow('Formulas depend on themselves: S!B20');
  });

  it('hands on the error of what it takes alone', () => {
    const na = cellError('#N/A')!;
    expect(value('=SUMIF(A1:A40,"item",B1:B40)', { B30: { constant: na } })).toBe(720);
    expect(value('=SUMIF(A1:A40,"item",B1:B40)', { B31: { constant: na } })).toBe(na);
  });
});
