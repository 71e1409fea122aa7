/** Results saved by Excel where its documentation is silent or differs. */
import { describe, expect, it } from 'vitest';
import { evaluate, type Shown } from '#server/calculation/testing/evaluate.ts';

type Row = [formula: string, result: Shown | Shown[][]];

const CELLS = {
  A1: 'text',
  A2: true,
  A3: -0.1,
  B1: 10,
  B2: 10,
  C1: 0.1,
  C2: 3.2,
  D1: 0.7,
  D2: 0.7,
  D3: 0.7,
  D4: 0.7,
  E1: '=#N/A',
  F2: 5,
  F3: 5,
};

const SAMPLE = [15, 77, 30, 28, 31, 96, 77, 53, 34, 12.545454545454545, 91];
SAMPLE.forEach((value, index) => Object.assign(CELLS, { [`H${index + 1}`]: value }));
['n', ...SAMPLE.filter((value) => value !== 96)].forEach((value, index) =>
  Object.assign(CELLS, { [`H${index + 20}`]: value }),
);
Object.assign(CELLS, { I20: 'n', I21: '>0', H40: 0.7, H41: 0.7, H42: 0.7, H43: 0.7, H44: 0.7 });

const TRUTHS: Row[] = [
  ['=AND(TRUE,"0")', true],
  ['=AND(TRUE,"0",#REF!)', '#REF!'],
  ['=AND("1",#REF!)', '#REF!'],
  ['=AND("1",1)', '#VALUE!'],
  ['=OR(FALSE,"x")', false],
  ['=OR({"0","x"},FALSE)', false],
  ['=XOR(TRUE,"0",#REF!)', '#REF!'],
  ['=OR("0")', '#VALUE!'],
];

const LOOKUPS: Row[] = [
  ['=XMATCH(4.1,{"c bau c",4.1,"a",1.1},0,2)', 2],
  ['=XMATCH(4.1,{"",4.1,"a",1.1},1,2)', 2],
  ['=XMATCH(4.1,{"","a",1.1,4.1},0,2)', '#N/A'],
  ['=XMATCH("ss",{1,"SS","c bau c",4.1},0,2)', 2],
  ['=XMATCH(4.1,{1.1,4.1,"","a"},-1,-2)', 2],
  ['=XMATCH("*b?u*",{TRUE,4.1,FALSE,"c bau c"},-1,-2)', 2],
  ['=XMATCH(FALSE,{"a",FALSE,4.1,3,2.1,2,FALSE,"b"},1,-2)', 2],
  ['=XMATCH(FALSE,{"a",2,FALSE,4.1,3,2.1,2,FALSE,9,9},-1,2)', 8],
  ['=XLOOKUP(4,{TRUE,4.1,FALSE,1.1},{"L","ML","MR","R"},1,1,2)', 'L'],
  ['=XLOOKUP("b",{TRUE,4.1,FALSE,1.1},{"L","ML","MR","R"},1,1,2)', 'MR'],
  ['=XLOOKUP(-1.1,{-1.1,2.1,3.1,4.1},{"L","ML","MR","R"},1,1,-1.1)', 'R'],
  ['=INDEX(B1:C2,-1)', '#VALUE!'],
  // A blank sorts after all values.
  ['=XMATCH(Z1,{FALSE,2.1,TRUE,4.1},-1)', 3],
  ['=XMATCH(Z1,{"",4.1,"a",1.1},-1)', 3],
  ['=XMATCH(Z1,{4.1,3.1,2.1,1.1},1)', '#N/A'],
  ['=XMATCH(Z1,{TRUE,4.1,FALSE,1.1},-1,2)', 4],
  ['=XMATCH(Z1,{TRUE,4.1,FALSE,"c bau c"},-1,-2)', 1],
];

const STATISTICS: Row[] = [
  ['=FREQUENCY({1;2;3;0;-1},Z1)', [[2], [3]]],
  ['=FREQUENCY({2;3;4},Z1:Z4)', [[0], [3]]],
  ['=FREQUENCY({1,2,3},2)', [[2], [1]]],
  [
    '=LINEST({1;2;3},{2,3;2,3;2,3},,TRUE)',
    [
      [0, 0, 2],
      [0, 0, 0],
      [1, 0, '#N/A'],
      ['#NUM!', 0, '#N/A'],
      [2, 0, '#N/A'],
    ],
  ],
  ['=MODE.MULT({0.1,0.1,0.3},"")', 0.1],
  ['=MODE.SNGL({2,3,3},"29/02/1900")', 3],
  ['=MODE.SNGL(A1,A3)', '#N/A'],
  ['=MODE.SNGL(A2,A3)', '#N/A'],
  ['=MODE.MULT({2,2},)', '#VALUE!'],
  ['=MODE(A1,2,2)', '#VALUE!'],
  ['=ROUND(CHISQ.TEST(B1:C2,D1:D4)*1E+60,3)', 966.041],
  ['=CHISQ.TEST(Z1:Z3,A1:A3)', '#DIV/0!'],
  ['=HYPGEOM.DIST(0,,,,)', 1],
  ['=HYPGEOM.DIST(0,2,3,3,TRUE)', 0],
  ['=HYPGEOM.DIST(5,3,2,30,TRUE)', 1],
  ['=HYPGEOM.DIST(5,3,2,30,FALSE)', '#NUM!'],
];

const NUMBERS: Row[] = [
  ['=TRUNC(-0.49999999999999956,1)', -0.5],
  ['=TRUNC(145.88999999999942,2)', 145.88],
  ['=GCD(A3,A2)', '#VALUE!'],
  ['=LCM(A3,A2)', '#VALUE!'],
  ['=GCD(A3,4)', '#NUM!'],
  ['=BESSELI(0,1E+7)', 0],
  ['=BESSELJ(0,1E+7)', 0],
  ['=BESSELI(1,1E+7)', '#NUM!'],
  ['=CONVERT(1,"pc","J")', 4.184e-12],
  ['=CONVERT(1,"pc","m")', 30856775814913672],
  ['=IMTAN("13+5j")', '0.0000692361330972509+0.999941259144671j'],
  ['=IMCOT("13+5j")', '0.0000692442674613868-1.00005873951153j'],
  ['=COMPLEX(1.28233995888454E-06,0)', '1.28233995888454E-06'],
  ['=YEARFRAC(1987,345,1)', 4.496576905522592],
  ['=NUMBERVALUE("(2500.27)",".",".,")', '#VALUE!'],
  ['=NUMBERVALUE("(2500.27)",".")', -2500.27],
  ['=NUMBERVALUE("(2500,27)",",")', -2500.27],
];

/** Exact to the last digit: these functions calculate variances in one pass, while VAR.S and VAR.P use two. */
const VARIANCES: Row[] = [
  ['=SUBTOTAL(10,H1:H11)', 939.0138241923374],
  ['=SUBTOTAL(11,H1:H11)', 853.6489310839429],
  ['=AGGREGATE(10,4,H1:H11)', 939.0138241923374],
  ['=AGGREGATE(11,4,H1:H11)', 853.6489310839429],
  ['=AGGREGATE(7,4,H1:H11)', 30.643332458992404],
  ['=AGGREGATE(8,4,H1:H11)', 29.217271109464395],
  ['=DVAR(H20:H30,1,I20:I21)', 779.1206611570249],
  ['=DVARP(H20:H30,1,I20:I21)', 701.2085950413224],
  ['=DSTDEV(H20:H30,1,I20:I21)', 27.9127329575057],
  ['=VAR.S(H1:H11)', 939.0138241923366],
  // Never negative, whatever the rounding error.
  ['=SUBTOTAL(8,H40:H44)', 0],
];

const ARRAYS: Row[] = [
  ['=MAKEARRAY(2.3,1,LAMBDA(x,y,x))', '#VALUE!'],
  ['=MAKEARRAY(2,1,LAMBDA(x,y,x))', [[1], [2]]],
  ['=MAKEARRAY(0,1,LAMBDA(x,y,x))', '#VALUE!'],
  ['=TRIMRANGE(F1:F4,2.3)', '#VALUE!'],
  ['=TRIMRANGE(F1:F4,"3")', [[5], [5]]],
  ['=TRIMRANGE(F1:F4,{1,3})', [['#VALUE!', '#VALUE!']]],
  ['=UNIQUE({2,1,2,1},{1,1,1})', [[2, 0, 0]]],
  ['=UNIQUE({2,1,2,1},{1,"b"})', [[2, '#VALUE!']]],
  ['=PERCENTOF(E1,{1,2})', '#NUM!'],
  [
    '=PIVOTBY({2;2;3},{1;2;2},{1;3;4},PERCENTOF,0,1,,1,,,3)',
    [
      ['', 1, 2, 'Total'],
      [2, 0.25, 0.75, 1],
      [3, '', 1, 1],
      ['Total', 0.125, 0.875, 1],
    ],
  ],
  [
    '=PIVOTBY({2;2;3},{1;2;2},{1;3;4},PERCENTOF,0,0,,0,,,4)',
    [
      ['', 1, 2],
      [2, 1, 3 / 7],
      [3, '', 4 / 7],
    ],
  ],
  ['=TAKE(PIVOTBY({"r";2;3},{"c1","c2";1,1;2,1},{"v";1;3},SUM,3,0,,0),1)', [['', 'c1, c2', '']]],
];

describe('results Excel saved', () => {
  for (const [title, rows] of Object.entries({ TRUTHS, LOOKUPS, STATISTICS, NUMBERS, VARIANCES, ARRAYS })) {
    it.each(rows)(`${title.toLowerCase()}: %s`, (formula, result) => {
      expect(evaluate(formula, CELLS)).toEqual(result);
    });
  }

  it.each([
    ['ISBLANK', [true, false, false, false]],
    ['ISERR', [false, false, false, false]],
    ['ISERROR', [false, true, true, true]],
    ['ISLOGICAL', [false, false, false, false]],
    ['ISNA', [false, true, true, true]],
    ['ISNONTEXT', [true, true, true, true]],
    ['ISNUMBER', [false, false, false, false]],
    ['ISTEXT', [false, false, false, false]],
    ['ERROR.TYPE', ['#N/A', 7, '#N/A', '#N/A']],
  ])('show of %s in an array formula what is beyond its range', (name, results) => {
    const cells = { E1: '=NA()', G1: { formula: `=${name}(D1:E1)`, kind: 'array', block: 'G1:J1' } } as const;
    expect(['G1', 'H1', 'I1', 'J1'].map((cell) => evaluate(`=${cell}`, cells))).toEqual(results);
  });

  it('take a formula that does not spill for the cell it stands in', () => {
    const cells = { G1: '=SUM(1,2)', G2: 7 };
    expect(evaluate('=AVERAGE(G1#)', cells)).toBe(3);
    expect(evaluate('=AVERAGE(G2#)', cells)).toBe('#REF!');
  });
});
