import { describe, expect, it } from 'vitest';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { buildModel, type TestCell } from '#server/calculation/testing/build-model.ts';
import { evaluate } from '#server/calculation/testing/evaluate.ts';
import { cellError } from '#server/calculation/values/cell-value.ts';

/** Microsoft's orchard example: criteria in rows 1 to 3, the list from row 5 on. */
const ORCHARD: Record<string, TestCell> = {};
const put = (row: number, values: readonly TestCell[]): void =>
  values.forEach((value, col) => {
    ORCHARD[`${'ABCDEFG'[col]}${row}`] = value;
  });
put(1, ['Tree', 'Height', 'Age', 'Yield', 'Profit', 'Height']);
put(2, [{ constant: '=Apple' }, '>10', null, null, null, '<16']);
put(3, [{ constant: '=Pear' }, '>12']);
put(5, ['Tree', 'Height', 'Age', 'Yield', 'Profit']);
put(6, ['Apple', 18, 20, 14, 105]);
put(7, ['Pear', 12, 12, 10, 96]);
put(8, ['Cherry', 13, 14, 9, 105]);
put(9, ['Apple', 14, 15, 10, 75]);
put(10, ['Pear', 9, 8, 8, 77]);
put(11, ['Apple', 8, 9, 6, 45]);

describe('database functions', () => {
  it.each([
    ['=DSUM(A5:E11,"Profit",A1:A2)', 225],
    ['=DSUM(A5:E11,"Profit",A1:F3)', 75],
    ['=DSUM(A5:E11,5,A1:F2)', 75],
    ['=DCOUNT(A5:E11,"Age",A1:F2)', 1],
    ['=DCOUNTA(A5:E11,"Profit",A1:F2)', 1],
    ['=DSUM(A5:E5,"Profit",A1:A2)', '#VALUE!'],
    ['=DCOUNT(A5:E5,,A1:A2)', '#VALUE!'],
    ['=DCOUNT(A5:E11,,A1:A2)', 3],
    ['=DCOUNT(A5:E11,0,A1:A2)', '#VALUE!'],
    ['=DCOUNTA(A5:E11,1/3,A1:A2)', '#VALUE!'],
    ['=DSUM(VSTACK(A5:E11),5,A1:A2)', '#VALUE!'],
    ['=DCOUNT(A5:E11,"Tree",A1:A2)', 0],
    ['=DCOUNTA(A5:E11,"Tree",A1:A3)', 5],
    ['=DMAX(A5:E11,"Profit",A1:F3)', 75],
    ['=DMAX(A5:E11,"Profit",A1:A3)', 105],
    ['=DMIN(A5:E11,"Profit",A1:B2)', 75],
    ['=DAVERAGE(A5:E11,"Yield",A1:B2)', 12],
    ['=DAVERAGE(A5:E11,3,A5:E11)', 13],
    ['=DPRODUCT(A5:E11,"Yield",A1:B2)', 140],
    ['=DSTDEV(A5:E11,"Yield",A1:A3)', 2.96647939483827],
    ['=DSTDEVP(A5:E11,"Yield",A1:A3)', 2.65329983228432],
    ['=DVAR(A5:E11,"Yield",A1:A3)', 8.8],
    ['=DVARP(A5:E11,"Yield",A1:A3)', 7.04],
    ['=DGET(A5:E11,"Yield",A1:A3)', '#NUM!'],
    ['=DGET(A5:E11,"Yield",A1:F2)', 10],
    ['=DSUM(A5:E11,"None",A1:A2)', '#VALUE!'],
    ['=DSUM(A5:E11,6,A1:A2)', '#VALUE!'],
    ['=DSUM(A5:E11,0,A1:A2)', '#VALUE!'],
    ['=DSUM(A5:E11,,A1:A2)', '#VALUE!'],
    ['=DSUM(A5:E11,"profit",A1:A2)', 225],
    ['=DSUM(A5:E11,"Profit",A1:A4)', 503],
    ['=DSUM(A5:E11,"Profit",E1:E2)', 503],
  ])('%s is %s', (formula, expected) => {
    const result = evaluate(formula, ORCHARD);
    if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 10);
    else expect(result).toBe(expected);
  });

  const LIST: Record<string, TestCell> = {
    A1: 'Category',
    B1: 'Person',
    C1: 'Sales',
    A2: 'Beverages',
    B2: 'Suyama',
    C2: 5122,
    A3: 'Meat',
    B3: 'Davolio',
    C3: 450,
    A4: 'produce',
    B4: 'Buchanan',
    C4: 6328,
    A5: 'Produce',
    B5: 'Davolio',
    C5: 6544,
    A6: 'Meat',
    B6: 'Dav',
    C6: 10,
  };
  const sales = (criteria: Record<string, TestCell>, block: string): unknown =>
    evaluate(`=DSUM(A1:C6,"Sales",${block})`, { ...LIST, ...criteria });

  it('takes a text for the beginning of what is sought', () => {
    expect(sales({ E1: 'Person', E2: 'Dav' }, 'E1:E2')).toBe(7004);
    expect(sales({ E1: 'Person', E2: { constant: '=Dav' } }, 'E1:E2')).toBe(10);
    expect(sales({ E1: 'Person', E2: '?u*' }, 'E1:E2')).toBe(11450);
    expect(sales({ E1: 'Category', E2: 'PRODUCE' }, 'E1:E2')).toBe(12872);
    expect(sales({ E1: 'Sales', E2: 450 }, 'E1:E2')).toBe(450);
    expect(sales({ E1: 'Sales', F1: 'Sales', E2: '>6000', F2: '<6500', E3: '<500' }, 'E1:F3')).toBe(6788);
  });

  it('finds columns whose names are numbers or truth values', () => {
    const named = { A1: 'Region', B1: true, C1: 2026, A2: 'East', B2: 'a', C2: 5, A3: 'West', B3: 'b', C3: 7 };
    const sum = (name: TestCell, criterion: TestCell): unknown =>
      evaluate('=DSUM(A1:C3,3,E1:E2)', { ...named, E1: name, E2: criterion });
    expect([sum(true, 'a'), sum('TRUE', 'b'), sum(2026, '>5'), sum('2026', 5)]).toEqual([5, 7, 7, 5]);
  });

  it('tests a formula for each record', () => {
    expect(sales({ E2: '=C2>AVERAGE($C$2:$C$6)' }, 'E1:E2')).toBe(17994);
    expect(sales({ E1: 'any name', E2: '=C2>C3' }, 'E1:E2')).toBe(11676);
    expect(sales({ E2: '=EXACT(A2,"Produce")' }, 'E1:E2')).toBe(6544);
    expect(sales({ E1: 'Category', E2: 'Meat', F2: '=LEN(B2)>3' }, 'E1:F2')).toBe(450);
  });

  it('fails where a number it needs is an error, and recalculates with its criteria', () => {
    const cells = { ...LIST, C3: cellError('#N/A')!, E1: 'Category', E2: 'Meat', G1: '=DSUM(A1:C6,3,E1:E2)' };
    const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
    model.recalculate();
    expect(model.value(0, 0, 6)).toBe(cellError('#N/A'));
    model.setCells([{ sheet: 0, row: 1, col: 4, value: 'Bev' }]);
    model.recalculate();
    expect(model.value(0, 0, 6)).toBe(5122);
  });
});
