import { describe, expect, it } from 'vitest';
import type { TestCell } from '#server/calculation/testing/build-model.ts';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

const CELLS: Record<string, TestCell> = {};
[
  ['Region', 'Color', 'Year', 'Sales', 'Units'],
  ['West', 'Red', 2023, 10, 1],
  ['East', 'Blue', 2023, 20, 2],
  ['west', 'Blue', 2024, 30, 3],
  ['East', 'Red', 2024, 40, 4],
  ['East', 'Red', 2023, 5, 5],
].forEach((row, at) => row.forEach((value, col) => (CELLS[`${'ABCDE'[col]}${at + 1}`] = value)));

describe('GROUPBY', () => {
  it.each([
    [
      '=GROUPBY(A2:A6,D2:D6,SUM)',
      [
        ['East', 65],
        ['West', 40],
        ['Total', 105],
      ],
    ],
    [
      '=GROUPBY(A1:A6,D1:D6,SUM)',
      [
        ['East', 65],
        ['West', 40],
        ['Total', 105],
      ],
    ],
    [
      '=GROUPBY(A1:A6,D1:D6,SUM,3)',
      [
        ['Region', 'Sales'],
        ['East', 65],
        ['West', 40],
        ['Total', 105],
      ],
    ],
    [
      '=GROUPBY(A2:A6,D2:D6,SUM,2,0)',
      [
        ['Row Field 1', 'Value 1'],
        ['East', 65],
        ['West', 40],
      ],
    ],
    [
      '=GROUPBY(A2:A6,D2:E6,SUM,0,-1)',
      [
        ['Total', 105, 15],
        ['East', 65, 11],
        ['West', 40, 4],
      ],
    ],
    [
      '=GROUPBY(A2:A6,D2:D6,AVERAGE,,0,-1)',
      [
        ['West', 20],
        ['East', 65 / 3],
      ],
    ],
    [
      '=GROUPBY(B2:B6,D2:D6,LAMBDA(v,MAX(v)),,0,2)',
      [
        ['Blue', 30],
        ['Red', 40],
      ],
    ],
    [
      '=GROUPBY(B2:B6,D2:D6,SUM,,0,-2)',
      [
        ['Red', 55],
        ['Blue', 50],
      ],
    ],
    [
      '=GROUPBY(A2:B6,D2:D6,SUM)',
      [
        ['East', 'Blue', 20],
        ['East', 'Red', 45],
        ['West', 'Blue', 30],
        ['West', 'Red', 10],
        ['Total', '', 105],
      ],
    ],
    [
      '=GROUPBY(A2:B6,D2:D6,SUM,,2)',
      [
        ['East', 'Blue', 20],
        ['East', 'Red', 45],
        ['East', '', 65],
        ['west', 'Blue', 30],
        ['west', 'Red', 10],
        ['west', '', 40],
        ['Grand Total', '', 105],
      ].map((row) => row.map((value) => (value === 'west' ? 'West' : value))),
    ],
    [
      '=GROUPBY(A2:B6,D2:D6,SUM,,-2,-3)',
      [
        ['Grand Total', '', 105],
        ['East', '', 65],
        ['East', 'Red', 45],
        ['East', 'Blue', 20],
        ['West', '', 40],
        ['West', 'Blue', 30],
        ['West', 'Red', 10],
      ],
    ],
    [
      '=GROUPBY(A2:B6,D2:D6,SUM,,0,-3,,1)',
      [
        ['East', 'Red', 45],
        ['west', 'Blue', 30],
        ['East', 'Blue', 20],
        ['West', 'Red', 10],
      ],
    ],
    [
      '=GROUPBY(A2:A6,D2:D6,SUM,,0,,C2:C6=2023)',
      [
        ['East', 25],
        ['West', 10],
      ],
    ],
    [
      '=GROUPBY(A2:A6,D2:D6,PERCENTOF,,0)',
      [
        ['East', 65 / 105],
        ['West', 40 / 105],
      ],
    ],
    [
      '=GROUPBY(A2:A6,D2:D6,HSTACK(_xleta.SUM,_xleta.COUNT))',
      [
        ['', 'SUM', 'COUNT'],
        ['East', 65, 3],
        ['West', 40, 2],
        ['Total', 105, 5],
      ],
    ],
    [
      '=GROUPBY(A1:A6,D1:E6,HSTACK(SUM,LAMBDA(v,MAX(v))),3,0,-2)',
      [
        ['Region', 'Sales', 'Sales', 'Units', 'Units'],
        ['', 'SUM', 'CUSTOM', 'SUM', 'CUSTOM'],
        ['East', 65, 40, 11, 5],
        ['West', 40, 30, 4, 3],
      ],
    ],
    [
      '=GROUPBY(A2:A6,D2:D6,VSTACK(SUM,PERCENTOF),,0)',
      [
        ['East', 'SUM', 65],
        ['East', 'PERCENTOF', 65 / 105],
        ['West', 'SUM', 40],
        ['West', 'PERCENTOF', 40 / 105],
      ],
    ],
    [
      '=GROUPBY(A2:A6,D2:D6,VSTACK(HSTACK(SUM,LAMBDA(v,MIN(v))),{"Sum","Least"}),,0)',
      [
        ['', 'Sum', 'Least'],
        ['East', 65, 5],
        ['West', 40, 10],
      ],
    ],
    ['=GROUPBY(A2:A6,D2:D6,HSTACK(SUM,5))', '#VALUE!'],
    // A named list of functions.
    ['=SUM(LET(f,HSTACK(_xleta.SUM,_xleta.COUNT),GROUPBY({"a";"b";"a"},{1;2;3},f)))', 18],
    ['=LET(f,HSTACK(SUM,COUNT),f+1)', '#VALUE!'],
    ['=GROUPBY(A2:A6,D2:D6,SUM,,,,C2:C6=1999)', '#CALC!'],
    ['=GROUPBY(A2:A6,D2:D5,SUM)', '#VALUE!'],
    ['=GROUPBY(A2:A6,D2:D6,SUM,4)', '#VALUE!'],
    ['=GROUPBY(A2:A6,D2:D6,SUM,,2)', '#VALUE!'],
    ['=GROUPBY(A2:A6,D2:D6,SUM,,,0)', '#VALUE!'],
    ['=GROUPBY(A2:B6,D2:D6,SUM,,2,,,1)', '#VALUE!'],
    ['=GROUPBY(A2:A6,D2:D6,LAMBDA(a,b,c,1))', '#VALUE!'],
    ['=GROUPBY(A2:A6,D2:D6,5)', '#VALUE!'],
    ['=PERCENTOF(D2:D3,D2:D6)', 30 / 105],
    ['=PERCENTOF(D2:D3,0)', '#DIV/0!'],
  ])('%s', (formula, expected) => {
    expect(evaluate(formula, CELLS, { at: 'H1' })).toEqual(expected);
  });
});

describe('PIVOTBY', () => {
  it.each([
    [
      '=PIVOTBY(A2:A6,C2:C6,D2:D6,SUM)',
      [
        ['', 2023, 2024, 'Total'],
        ['East', 25, 40, 65],
        ['West', 10, 30, 40],
        ['Total', 35, 70, 105],
      ],
    ],
    [
      '=PIVOTBY(A2:A6,C2:C6,D2:D6,SUM,,0,-1,0,-1)',
      [
        ['', 2024, 2023],
        ['West', 30, 10],
        ['East', 40, 25],
      ],
    ],
    [
      '=PIVOTBY(A2:A6,C2:C6,D2:D6,PERCENTOF,,0,,0)',
      [
        ['', 2023, 2024],
        ['East', 25 / 35, 40 / 70],
        ['West', 10 / 35, 30 / 70],
      ],
    ],
    [
      '=PIVOTBY(A2:A6,C2:C6,D2:D6,PERCENTOF,,0,,0,,,1)',
      [
        ['', 2023, 2024],
        ['East', 25 / 65, 40 / 65],
        ['West', 0.25, 0.75],
      ],
    ],
    [
      '=PIVOTBY(A2:A6,C2:C6,D2:D6,PERCENTOF,,0,,0,,,2)',
      [
        ['', 2023, 2024],
        ['East', 25 / 105, 40 / 105],
        ['West', 10 / 105, 30 / 105],
      ],
    ],
    [
      '=PIVOTBY(B2:B4,C2:C4,D2:E4,SUM,,0,,0)',
      [
        ['', 2023, 2023, 2024, 2024],
        ['Blue', 20, 2, 30, 3],
        ['Red', 10, 1, '', ''],
      ],
    ],
    [
      '=PIVOTBY(A1:A6,,D1:D6,SUM,,0)',
      [
        ['East', 65],
        ['West', 40],
      ],
    ],
    [
      '=PIVOTBY(A2:A6,C2:C6,D2:D6,HSTACK(SUM,COUNT),,0,,0)',
      [
        ['', 2023, 2023, 2024, 2024],
        ['', 'SUM', 'COUNT', 'SUM', 'COUNT'],
        ['East', 25, 2, 40, 1],
        ['West', 10, 1, 30, 1],
      ],
    ],
    [
      '=PIVOTBY(A2:A6,C2:C6,D2:D6,VSTACK(SUM,COUNT),,0,,0)',
      [
        ['', '', 2023, 2024],
        ['East', 'SUM', 25, 40],
        ['East', 'COUNT', 2, 1],
        ['West', 'SUM', 10, 30],
        ['West', 'COUNT', 1, 1],
      ],
    ],
    // Values sort the colors within the regions.
    [
      '=PIVOTBY(,A2:B6,D2:D6,SUM,,,,1,3)',
      [
        ['East', 'East', 'West', 'West', 'Total'],
        ['Blue', 'Red', 'Red', 'Blue', ''],
        [20, 45, 10, 30, 105],
      ],
    ],
    // Values also sort the regions if their subtotals are shown.
    [
      '=PIVOTBY(,A2:B6,D2:D6,SUM,,,,2,3)',
      [
        ['West', 'West', 'West', 'East', 'East', 'East', 'Grand Total'],
        ['Red', 'Blue', '', 'Blue', 'Red', '', ''],
        [10, 30, 40, 20, 45, 65, 105],
      ],
    ],
    // If a filter has two columns, only the first one counts.
    [
      '=PIVOTBY(A2:A6,,D2:D6,SUM,,0,,,,HSTACK(C2:C6=2024,1/(C2:C6=2024)))',
      [
        ['East', 40],
        ['west', 30],
      ],
    ],
    ['=PIVOTBY(A2:A6,C2:C6,D2:D6,SUM,,,,,,,5)', '#VALUE!'],
    ['=PIVOTBY(A2:A6,C2:C6,D2:D6,Z1)', '#VALUE!'],
    ['=LET(e,#N/A,PIVOTBY(A2:A6,C2:C6,D2:D6,e))', '#N/A'],
  ])('%s', (formula, expected) => {
    expect(evaluate(formula, CELLS, { at: 'H1' })).toEqual(expected);
  });
});
