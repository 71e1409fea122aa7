import { describe, expect, it } from 'vitest';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { buildModel, type TestCell } from '#server/calculation/testing/build-model.ts';
import { evaluate, type Shown } from '#server/calculation/testing/evaluate.ts';
import { cellError } from '#server/calculation/values/cell-value.ts';

/** Creates cells of one column from row 1 on. */
function column(letter: string, values: readonly TestCell[]): Record<string, TestCell> {
  return Object.fromEntries(values.map((value, index) => [`${letter}${index + 1}`, value]));
}

const PEOPLE: Record<string, TestCell> = {
  ...column('A', [101, 102, 103, 104, 105]),
  ...column('B', ['Davis', 'Fontana', 'Leal', 'Patten', 'Burke']),
  ...column('C', ['Sara', 'Olivier', 'Karina', 'Michael', 'Brian']),
  ...column('D', ['', null, 0, true, 7]),
  ...column('H', [0.1, '=H1+0.1', '=H2+0.1', '=H3+0.1']),
  ...column('L', ['INTEGRAL', 'DOUBLE', 'BLANK', 'STRING', 'REF', 'AREA (rows)']),
  M9: 1,
};

describe('VLOOKUP and HLOOKUP', () => {
  it.each([
    ['=VLOOKUP(102,A1:C5,2,FALSE)', 'Fontana'],
    ['=VLOOKUP(102,A:C,3,0)', 'Olivier'],
    ['=VLOOKUP("fontana",B1:E5,2,FALSE)', 'Olivier'],
    ['=VLOOKUP("Fon*",B1:E5,2,FALSE)', 'Olivier'],
    ['=VLOOKUP("?eal",B1:E5,2,)', 'Karina'],
    ['=VLOOKUP("~?eal",B1:E5,2,FALSE)', '#N/A'],
    ['=VLOOKUP(103.9,A1:C5,2)', 'Leal'],
    ['=VLOOKUP(100,A1:C5,2)', '#N/A'],
    ['=VLOOKUP(999,A1:C5,2,TRUE)', 'Burke'],
    ['=VLOOKUP("102",A1:C5,2,FALSE)', '#N/A'],
    ['=VLOOKUP(102,A1:C5,0,FALSE)', '#VALUE!'],
    ['=VLOOKUP(102,A1:C5,4,FALSE)', '#REF!'],
    ['=VLOOKUP(8,A1:C5,0,FALSE)', '#N/A'],
    ['=VLOOKUP(8,A1:C5,4,FALSE)', '#N/A'],
    ['=VLOOKUP(102,A1:C5,2.9,FALSE)', 'Fontana'],
    ['=VLOOKUP(102,A1:C5,2,"x")', '#VALUE!'],
    ['=VLOOKUP(#DIV/0!,A1:C5,2,FALSE)', '#DIV/0!'],
    ['=VLOOKUP(105,A1:D5,4,FALSE)', 7],
    ['=VLOOKUP(102,A1:D5,4,FALSE)', 0],
    ['=VLOOKUP(102,A1:D5,4,FALSE)&""', ''],
    ['=VLOOKUP({101;105},A1:C5,2,FALSE)', [['Davis'], ['Burke']]],
    ['=VLOOKUP(2,{1,"one";2,"two"},2,FALSE)', 'two'],
    ['=VLOOKUP(REPT("x",256),B1:C5,2,FALSE)', '#VALUE!'],
    ['=VLOOKUP("x","x",1)', '#VALUE!'],
    // Trailing blanks take part in the bisection of unsorted values.
    ['=MATCH("STRING",L1:L7)', 4],
    ['=MATCH("STRING",L1:L6)', 6],
    ['=HLOOKUP("two",{"one","Two";1,2},2,FALSE)', 2],
    ['=HLOOKUP(2.5,{1,2,3;"a","b","c"},2)', 'b'],
    ['=HLOOKUP(1,{1,2;3,4},3)', '#REF!'],
    ['=HLOOKUP(0,{1,2;3,4},2)', '#N/A'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, PEOPLE)).toEqual(expected);
  });

  it('halves whole columns as Excel does, with all the blanks below', () => {
    const column = { B1: 'NIP', B2: '713-264-90-72', B3: '537-207-25-76', B4: '538-102-83-91', B5: '823-157-78-15' };
    expect(evaluate('=MATCH("538-000-32-07",B:B)', column)).toBe('#N/A');
    expect(evaluate('=MATCH("717-179-27-73",B:B)', column)).toBe(4);
    expect(evaluate('=MATCH("538-000-32-07",B1:B5)', column)).toBe(3);
    expect(evaluate('=MATCH(1E+306,A:A)', { A1: 3, A2: 'x', A4: 2, A9: 1, A10: 'y' })).toBe(9);
    expect(evaluate('=LOOKUP("zz",A:A)', { A1: 'a', A7: 'c', A8: 1 })).toBe('c');
  });

  it('looks a blank cell up as 0 and finds no number that is equal in 15 digits only', () => {
    expect(evaluate('=MATCH(Z9,D1:D5,0)', PEOPLE)).toBe(3);
    expect(evaluate('=MATCH(0.3,H1:H4,0)', PEOPLE)).toBe('#N/A');
    expect(evaluate('=MATCH(0.4,H1:H4,0)', PEOPLE)).toBe(4);
  });
});

describe('MATCH', () => {
  const CELLS: Record<string, TestCell> = {
    ...column('A', [25, 38, 40, 41]),
    ...column('B', [1, 'a', 2, cellError('#N/A')!, 3, true, null, 4, 'b']),
    ...column('C', [1, 2, 2, 2, 3]),
    ...column('D', [9, 7, 7, 5, 'x', 3]),
    ...column('E', ['apple', 'Banana', 'cherry', 'cherry', 'date']),
    ...column('F', ['ab', 'a*', 'a?', 'a~', 'abc']),
  };
  it.each([
    ['=MATCH(39,A1:A4,1)', 2],
    ['=MATCH(39,A1:A4)', 2],
    ['=MATCH(41,A1:A4,0)', 4],
    ['=MATCH(40,A1:A4,-1)', '#N/A'],
    ['=MATCH(20,A1:A4)', '#N/A'],
    ['=MATCH(40,A:A,0)', 3],
    ['=MATCH(9E+307,B:B)', 8],
    ['=MATCH(2.5,B1:B9)', 3],
    ['=MATCH("zzz",B:B)', 9],
    ['=MATCH("REPT",B1:B9)', 9],
    ['=MATCH(TRUE,B1:B9,0)', 6],
    ['=MATCH("B",B1:B9,0)', 9],
    ['=MATCH(2,C1:C5)', 4],
    ['=MATCH(2,C1:C5,0)', 2],
    ['=MATCH(6,D1:D6,-1)', 3],
    ['=MATCH(7,D1:D6,-1)', 2],
    ['=MATCH(4,D1:D6,-1)', 4],
    ['=MATCH(10,D1:D6,-1)', '#N/A'],
    ['=MATCH(1,D1:D6,-1)', 6],
    ['=MATCH("CHERRY",E1:E5)', 4],
    ['=MATCH("blue",E1:E5)', 2],
    ['=MATCH("a*",F1:F5,0)', 1],
    ['=MATCH("a~*",F1:F5,0)', 2],
    ['=MATCH("a~?",F1:F5,0)', 3],
    ['=MATCH("a~~",F1:F5,0)', 4],
    ['=MATCH("a??",F1:F5,0)', 5],
    ['=MATCH("*c*",F1:F5,0)', 5],
    ['=MATCH(2,{1,2,3},0)', 2],
    ['=MATCH(1,A1:B2,0)', '#N/A'],
    ['=MATCH({40;25},A1:A4,0)', [[3], [1]]],
    ['=MATCH(#NUM!,A1:A4,0)', '#NUM!'],
    ['=MATCH(1,(A1:A4>39)*(A1:A4<41),0)', 3],
    ['=MATCH(5,{3,9,1,4,8,2,7},1)', 6],
    ['=LOOKUP(2,1/(A1:A4<41),A1:A4)', 40],
    ['=LOOKUP(2,1/(B1:B9="none"),B1:B9)', '#N/A'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });
});

describe('LOOKUP', () => {
  const CELLS: Record<string, TestCell> = {
    ...column('A', [4.14, 4.19, 5.17, 5.77, 6.39]),
    ...column('B', ['red', 'orange', 'yellow', 'green', 'blue']),
  };
  it.each([
    ['=LOOKUP(4.19,A1:A5,B1:B5)', 'orange'],
    ['=LOOKUP(5.75,A1:A5,B1:B5)', 'yellow'],
    ['=LOOKUP(7.66,A1:A5,B1:B5)', 'blue'],
    ['=LOOKUP(0,A1:A5,B1:B5)', '#N/A'],
    ['=LOOKUP("C",{"a","b","c","d";1,2,3,4})', 3],
    ['=LOOKUP("bump",{"a",1;"b",2;"c",3})', 2],
    ['=LOOKUP(5.2,A1:B5)', 'yellow'],
    ['=LOOKUP(5.2,A1:A5)', 5.17],
    ['=LOOKUP(6.39,A1:A5,B1:B2)', 'blue'],
    ['=LOOKUP(3,{1;2;3},{7,8,9})', 9],
    ['=LOOKUP(3,{1;2;3},{7,8})', '#N/A'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });
});

describe('the nearest value among mixed ones', () => {
  const cells = {
    A1: 2,
    A2: 5,
    A3: 3,
    A4: true,
    A5: 'ala',
    B1: 9700,
    B2: 'x',
    B3: 'x',
    B4: 160_726,
    B5: 204_100,
    B6: 510_300,
  };
  it.each<[string, Shown]>([
    ['=XMATCH("aaa",A1:A5,-1)', 2],
    ['=XMATCH("qwerty",A1:A5,-1)', 5],
    ['=XMATCH("qwerty",A1:A5,1)', 4],
    ['=XMATCH(FALSE,A1:A5,-1)', 5],
    ['=XMATCH(10,A1:A5,1)', 5],
    ['=XMATCH(1,A1:A5,-1)', '#N/A'],
    ['=XMATCH(46523,B1:B6,1,2)', 2],
    ['=XMATCH("a",{2;3;4},-1,2)', 3],
    ['=XMATCH(12,{"a";"b"},-1,2)', '#N/A'],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, cells)).toBe(expected);
  });
});

it.each([
  ['=XMATCH("ß",{1,"Ss","ß"})', 2],
  ['=XMATCH("ss",{1,"ß"},-1)', 2],
  ['=XLOOKUP("Straße",{"x";"STRASSE"},{1;2})', 2],
  ['=XMATCH("ß",{1,"Ss"},2)', '#N/A'],
  ['=XMATCH("ß",{1,"Ss"},1,2)', '#N/A'],
  ['=MATCH("ß",{1,"ss","ß"},0)', 3],
  ['=MATCH("ß",{1,"ss"},0)', '#N/A'],
  ['=VLOOKUP("strasse",{"Straße",1;"Strasse",2},2,FALSE)', 2],
])('XMATCH and XLOOKUP take ß for ss, others do not: %s', (formula, expected) => {
  expect(evaluate(formula)).toEqual(expected);
});

describe('XLOOKUP by bisection among equal values, as Excel for the web saved it', () => {
  const LETTERS = 'aa,a,b,c,d,e,f,g,h,i,j,k,l'.split(',');
  const ASCENDING = [1, 2, 3, 4, 5, 5, 5, 6, 7, 7, 7, 8, 9];
  const CELLS = {
    ...column('A', ASCENDING),
    ...column('B', LETTERS),
    ...column('I', ASCENDING.toReversed()),
    ...column('J', LETTERS),
  };
  it.each([
    // Each row: the value, the next smaller and next larger one in ascending values, then in descending values.
    [2, 'a', 'a', 'k', 'k'],
    [1.8, 'aa', 'a', 'l', 'k'],
    [5, 'd', 'd', 'h', 'h'],
    [7, 'h', 'h', 'd', 'd'],
    [7.1, 'j', 'k', 'b', 'a'],
    [6.8, 'g', 'h', 'e', 'd'],
    [4.8, 'c', 'd', 'i', 'h'],
    [8, 'k', 'k', 'a', 'a'],
  ])('%s', (value, ...expected) => {
    const ascending = [-1, 1].map((mode) => evaluate(`=XLOOKUP(${value},A:A,B:B,,${mode},2)`, CELLS));
    const descending = [-1, 1].map((mode) => evaluate(`=XLOOKUP(${value},I1:I13,J1:J13,,${mode},-2)`, CELLS));
    expect([...ascending, ...descending]).toEqual(expected);
  });

  it('asked for an equal value alone', () => {
    expect(evaluate('=XMATCH(7,A1:A13,0,2)', CELLS)).toBe(9);
    expect(evaluate('=XMATCH(7,I1:I13,0,-2)', CELLS)).toBe(5);
  });
});

describe('XLOOKUP and XMATCH', () => {
  const CELLS: Record<string, TestCell> = {
    ...column('A', ['China', 'India', 'United States', 'Brazil', 'india', null, 'x9y']),
    ...column('B', [86, 91, 1, 55, 92, 93, 94]),
    ...column('C', ['CN', 'IN', 'US', 'BR', 'in', '--', 'xx']),
    ...column('D', [10, 20, 20, 30, 5]),
    ...column('E', [9, 7, 7, 4]),
  };
  it.each([
    ['=XLOOKUP("Brazil",A1:A7,B1:B7)', 55],
    ['=XLOOKUP("brazil",A:A,B:B)', 55],
    ['=XLOOKUP("India",A1:A7,B1:C7)', [[91, 'IN']]],
    ['=XLOOKUP("India",A1:A7,B1:B7,,0,-1)', 92],
    ['=XLOOKUP("Peru",A1:A7,B1:B7)', '#N/A'],
    ['=XLOOKUP("Peru",A1:A7,B1:B7,"none")', 'none'],
    ['=XLOOKUP("Peru",A1:A7,B1:B7,#NUM!)', '#NUM!'],
    ['=XLOOKUP("India",A1:A7,B1:B7,#NUM!)', 91],
    ['=XLOOKUP(#DIV/0!,A1:A7,B1:B7,"none")', '#DIV/0!'],
    ['=XLOOKUP(Z1,A1:A7,B1:B7)', 93],
    ['=XLOOKUP("*st*",A1:A7,B1:B7,,2)', 1],
    ['=XLOOKUP("*st*",A1:A7,B1:B7)', '#N/A'],
    ['=XLOOKUP("x\\d",A1:A7,B1:B7,,3)', 94],
    ['=XLOOKUP("^x[0-9]",A1:A7,B1:B7,,3)', 94],
    ['=XLOOKUP("(",A1:A7,B1:B7,,3)', '#VALUE!'],
    ['=XLOOKUP("*",A1:A7,B1:B7,,2,2)', '#VALUE!'],
    ['=XLOOKUP(1,A1:A7,B1:B6)', '#VALUE!'],
    ['=XLOOKUP(1,A1:B7,B1:B7)', '#VALUE!'],
    ['=XLOOKUP(1,A1:A7,B1:B7,,4)', '#VALUE!'],
    ['=SUM(XLOOKUP("India",A1:A7,B1:B7):XLOOKUP("Brazil",A1:A7,B1:B7))', 147],
    ['=XLOOKUP({"China";"Peru"},A1:A7,B1:B7,0)', [[86], [0]]],
    ['=XLOOKUP(2,{1,2,3},{4,5,6;7,8,9})', [[5], [8]]],
    ['=XMATCH("u*",A1:A7,2)', 3],
    ['=XMATCH(20,D1:D5)', 2],
    ['=XMATCH(20,D1:D5,0,-1)', 3],
    ['=XMATCH(25,D1:D5,-1)', 2],
    ['=XMATCH(25,D1:D5,-1,-1)', 3],
    ['=XMATCH(25,D1:D5,1)', 4],
    ['=XMATCH(1,D1:D5,-1)', '#N/A'],
    ['=XMATCH(99,D1:D5,1)', '#N/A'],
    ['=XMATCH(25,D1:D4,-1)', 2],
    ['=XMATCH(25,D1:D4,-1,-1)', 3],
    ['=XMATCH(20,D1:D4,0,2)', 2],
    ['=XMATCH(25,D1:D4,1,2)', 4],
    ['=XMATCH(25,D1:D4,-1,2)', 3],
    ['=XMATCH(25,D1:D4,0,2)', '#N/A'],
    ['=XMATCH(7,E1:E4,0,-2)', 3],
    ['=XMATCH(8,E1:E4,1,-2)', 1],
    ['=XMATCH(8,E1:E4,-1,-2)', 2],
    ['=XMATCH(3,E1:E4,-1,-2)', '#N/A'],
    ['=XMATCH(1,A1:B2)', '#VALUE!'],
    ['=XMATCH("abc",{"a","abd"},-1)', 1],
  ])('%s is %s', (formula, expected) => {
    expect(evaluate(formula, CELLS)).toEqual(expected);
  });
});

it('finds what a change has put into a table that was searched before', () => {
  const cells: Record<string, TestCell> = { ...column('A', ['a', 'b', 'c']), ...column('B', [1, 2, 3]) };
  cells['D1'] = '=VLOOKUP("d",A1:B3,2,FALSE)';
  cells['D2'] = '=VLOOKUP("c",A1:B3,2,FALSE)';
  const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
  model.recalculate();
  expect([model.value(0, 0, 3), model.value(0, 1, 3)]).toEqual([cellError('#N/A'), 3]);
  model.setCells([{ sheet: 0, row: 2, col: 0, value: 'D' }]);
  model.recalculate();
  expect([model.value(0, 0, 3), model.value(0, 1, 3)]).toEqual([3, cellError('#N/A')]);
});
