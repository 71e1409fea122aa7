import { expect, test } from 'vitest';
import { evaluate, type Shown } from '#server/calculation/testing/evaluate.ts';

function close(result: Shown | Shown[][], expected: unknown): void {
  if (Array.isArray(expected)) {
    (expected as unknown[][]).forEach((row, y) =>
      row.forEach((value, x) => close((result as Shown[][])[y]![x]!, value)),
    );
  } else if (typeof expected === 'number' && typeof result === 'number') {
    expect(Math.abs(result - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
  } else expect(result).toEqual(expected);
}

const STRENGTHS = '{1345,1301,1368,1322,1310,1370,1318,1350,1303,1299}';

const SAMPLES: [string, unknown][] = [
  [`=STDEV(${STRENGTHS})`, 27.4639157198435],
  [`=STDEV.S(${STRENGTHS})`, 27.4639157198435],
  [`=STDEV.P(${STRENGTHS})`, 26.0545581424825],
  [`=VAR(${STRENGTHS})`, 754.266666666667],
  [`=VAR.P(${STRENGTHS})`, 678.84],
  ['=AVEDEV(4,5,6,7,5,4,3)', 1.02040816326531],
  ['=DEVSQ(4,5,8,7,11,4,3)', 48],
  ['=GEOMEAN(4,5,8,7,11,4,3)', 5.47698696965696],
  ['=HARMEAN(4,5,8,7,11,4,3)', 5.02837596206149],
  ['=KURT(3,4,5,2,3,4,5,6,4,7)', -0.151799637208416],
  ['=SKEW(3,4,5,2,3,4,5,6,4,7)', 0.359543071406797],
  ['=SKEW.P(3,4,5,2,3,4,5,6,4,7)', 0.303193339354144],
  ['=TRIMMEAN({4,5,6,7,2,3,4,5,1,2,3},0.2)', 3.77777777777778],
  ['=MEDIAN(1,2,3,4,5)', 3],
  ['=MEDIAN(1,2,3,4,5,6)', 3.5],
  ['=MODE(5.6,4,4,3,2,4)', 4],
  ['=MODE({1,2,3})', '#N/A'],
  ['=MODE(1,"1",2,3)', '#VALUE!'],
  ['=MODE(2,2,Z1)', '#VALUE!'],
  ['=MODE({2,2,"x"})', 2],
  ['=MODE.MULT({1,2,3,4,3,2,1,2,3,5,6,1})', [[1], [2], [3]]],
  ['=LARGE({3,5,3,5,4;4,2,4,6,7},3)', 5],
  ['=LARGE({3,5,3,5,4;4,2,4,6,7},7)', 4],
  ['=SMALL({3,4,5,2,3,4,6,4,7},4)', 4],
  ['=SMALL({1,2},3)', '#NUM!'],
  ['=SMALL({1,2},{1,2})', [[1, 2]]],
  ['=PERCENTILE({1,3,2,4},0.3)', 1.9],
  ['=PERCENTILE.EXC({6,7,15,36,39,40,41,42,43,47,49},0.25)', 15],
  ['=PERCENTILE.EXC({1,2,3},0.1)', '#NUM!'],
  ['=QUARTILE({1,2,4,7,8,9,10,12},1)', 3.5],
  ['=QUARTILE.EXC({6,7,15,36,39,40,41,42,43,47,49},3)', 43],
  ['=QUARTILE({1,2},5)', '#NUM!'],
  ['=QUARTILE({1,2},-0.1)', '#NUM!'],
  // Errors among the values are not numbers.
  ['=LINEST({1,#N/A},{1,2})', '#VALUE!'],
  ['=TREND({1;2},{1;2},A1:A2)', '#VALUE!'],
  ['=IRR({-7;2;#N/A})', '#VALUE!'],
  ['=IMCSCH("13+5j")', '1.28233995888454E-06+4.33496947416312E-06j'],
  ['=PERCENTRANK({13,12,11,8,4,3,2,1,1,1},2)', 0.333],
  ['=PERCENTRANK({13,12,11,8,4,3,2,1,1,1},5)', 0.583],
  ['=PERCENTRANK({13,12,11,8,4,3,2,1,1,1},14)', '#N/A'],
  ['=PERCENTRANK({1,2,3,4},3,20)', 2 / 3],
  ['=PERCENTRANK({1,2,3,4},3,1000)', '#NUM!'],
  ['=PERCENTRANK.EXC({1,2,3,6,6,6,7,8,9},7)', 0.7],
  ['=PERCENTRANK.EXC({1,2,3,6,6,6,7,8,9},5.43)', 0.381],
  ['=PERCENTRANK.EXC({1,2,3,6,6,6,7,8,9},5.43,1)', 0.3],
  ['=FREQUENCY({79,85,78,85,50,81,95,88,97},{70,79,89})', [[1], [2], [4], [2]]],
  ['=FREQUENCY({1,2,3,4},{3,1,3})', [[2], [1], [0], [1]]],
  ['=VAR(5)', '#DIV/0!'],
  ['=VARP(5)', 0],
  ['=STDEVA(TRUE,3)', Math.SQRT2],
  ['=GEOMEAN(1,0)', '#NUM!'],
];

test.each([
  ['=INDEX(TREND({1;2},{1;2},A1:A3),1)', '#VALUE!'],
  ['=INDEX(TREND({1;2},{1;2},A1:A9),1)', '#VALUE!'],
  ['=INDEX(LINEST(A1:A9,B1:B9),1)', '#VALUE!'],
  ['=INDEX(GROWTH({1,2},{1,2},A1:D1),1)', '#VALUE!'],
  // The new x of a level line are not used.
  ['=SUM(TREND({5;5},{1;2},A1:A9))', 45],
])('a blank cell is no number for a line, wherever the last cell in use stands: %s is %s', (formula, expected) => {
  const cells = { A1: 1, B1: 2, A2: 3, B2: 5 };
  expect(evaluate(formula, cells, { at: 'C2' })).toEqual(expected);
});

test.each(SAMPLES)('%s is %j', (formula, expected) => close(evaluate(formula), expected));

test('texts, truth values and blanks of ranges count only in the functions that end in A', () => {
  const cells = { A1: 1, A2: 'x', A3: true, A4: 5 };
  expect(evaluate('=VAR(A1:A5)', cells)).toBe(8);
  close(evaluate('=VARA(A1:A5)', cells), 4.916666666666667);
  expect(evaluate('=MEDIAN(A1:A5)', cells)).toBe(3);
  expect(evaluate('=MEDIAN(A:A)', cells)).toBe(3);
  expect(evaluate('=MEDIAN(1,TRUE,"3")', cells)).toBe(1);
  expect(evaluate('=MEDIAN(1,"x")', cells)).toBe('#VALUE!');
  expect(evaluate('=MEDIAN(A1:A4)', { ...cells, A2: { formula: '=1/0' } })).toBe('#DIV/0!');
});

test('ranks are counted from the largest unless an order is given', () => {
  const cells = { A1: 7, A2: 3.5, A3: 3.5, A4: 1, A5: 2 };
  expect(evaluate('=RANK(A2,A1:A5,1)', cells)).toBe(3);
  expect(evaluate('=RANK(A1,A1:A5,1)', cells)).toBe(5);
  expect(evaluate('=RANK.EQ(3.5,A1:A5)', cells)).toBe(2);
  expect(evaluate('=RANK.AVG(3.5,A1:A5)', cells)).toBe(2.5);
  expect(evaluate('=RANK(4,A1:A5)', cells)).toBe('#N/A');
});

const PAIRS: [string, unknown][] = [
  ['=COVAR({3,2,4,5,6},{9,7,12,15,17})', 5.2],
  ['=COVARIANCE.S({2,4,8},{5,11,12})', 9.66666666666667],
  ['=CORREL({3,2,4,5,6},{9,7,12,15,17})', 0.997054485501581],
  ['=PEARSON({9,7,5,3,1},{10,6,1,5,3})', 0.699378606210664],
  ['=RSQ({2,3,9,1,8,7,5},{6,5,11,7,5,4,4})', 0.0579501915708812],
  ['=SLOPE({2,3,9,1,8,7,5},{6,5,11,7,5,4,4})', 0.305555555555556],
  ['=INTERCEPT({2,3,9,1,8},{6,5,11,7,5})', 0.0483870967741939],
  ['=STEYX({2,3,9,1,8,7,5},{6,5,11,7,5,4,4})', 3.30571895021375],
  ['=FORECAST(30,{6,7,9,15,21},{20,28,31,38,40})', 10.6072530864198],
  ['=FORECAST(30,Z98,Z99)', '#VALUE!'],
  ['=FORECAST(30,Z97:Z98,Z98:Z99)', '#DIV/0!'],
  ['=SLOPE({1,2},{3,3})', '#DIV/0!'],
  ['=CORREL({1,2},{1,2,3})', '#N/A'],
  // Errors of other pairs come before #NULL!.
  ['=CORREL({#NULL!,#NUM!},{#REF!,1})', '#NUM!'],
  ['=CORREL({1,#NUM!},{#REF!,1})', '#REF!'],
  ['=CORREL({#DIV/0!,#NUM!},{#NULL!,1})', '#DIV/0!'],
  ['=SLOPE({#NULL!,#NUM!},{1,#REF!})', '#NUM!'],
  ['=COVARIANCE.P({#NULL!,2},{1,2})', '#NULL!'],
  ['=CHISQ.TEST({#NULL!,#NUM!},{1,#REF!})', '#NUM!'],
  ['=F.TEST({#NULL!,#NUM!},{1,#REF!})', '#NUM!'],
  ['=F.TEST({#NULL!,1},{1,2})', '#NULL!'],
  ['=Z.TEST({4,"x"},0,2)', '#DIV/0!'],
  ['=LINEST({1,2,4},{1,2,3},#N/A)', '#VALUE!'],
  ['=LOGEST({1,2,4},{1,2,3},#N/A)', '#VALUE!'],
  ['=LARGE({1,2,3},0.9)', '#NUM!'],
  ['=LARGE({1,2,3},1.1)', 2],
  ['=SLOPE({1,"x",3},{1,2,3})', 1],
  ['=PROB({0,1,2,3},{0.2,0.3,0.1,0.4},2)', 0.1],
  ['=PROB({0,1,2,3},{0.2,0.3,0.1,0.4},1,3)', 0.8],
  ['=PROB({0,1},{0.2,0.3},1)', '#NUM!'],
];

test.each(PAIRS)('%s is %j', (formula, expected) => close(evaluate(formula), expected));

const TESTS: [string, unknown][] = [
  ['=T.TEST({3,4,5,8,9,1,2,4,5},{6,19,3,2,14,4,5,17,1},2,1)', 0.196015785],
  ['=F.TEST({6,7,9,15,21},{20,28,31,38,40})', 0.648317847],
  ['=CHISQ.TEST({58,35;11,25;10,23},{45.35,47.65;17.56,18.44;16.09,16.91})', 0.000308192],
  ['=Z.TEST({3,6,7,8,6,5,4,2,1,9},4)', 0.090574197],
  ['=Z.TEST({3,6,7,8,6,5,4,2,1,9},6)', 0.863043389],
  ['=CONFIDENCE.NORM(0.05,2.5,50)', 0.692951912],
  ['=CONFIDENCE.T(0.05,1,50)', 0.284196855],
];

test.each(TESTS)('%s is %f in the published example', (formula, expected) => {
  expect(evaluate(formula)).toBeCloseTo(expected as number, 8);
});

test('tests of hypotheses refuse what they cannot test', () => {
  expect(evaluate('=T.TEST({1,2},{1,2,3},2,1)')).toBe('#N/A');
  expect(evaluate('=T.TEST({1,2},{1,2,3},3,1)')).toBe('#NUM!');
  expect(evaluate('=T.TEST({1,2},{1,2,4},1,4)')).toBe('#NUM!');
  expect(evaluate('=F.TEST({1},{1,2})')).toBe('#DIV/0!');
  expect(evaluate('=CHISQ.TEST({1,2},{1,2,3})')).toBe('#N/A');
});

const SALES = '{3100;4500;4400;5400;7500;8100}';
const BUILDINGS =
  '{2310,2,2,20;2333,2,2,12;2356,3,1.5,33;2379,3,2,43;2402,2,3,53;2425,4,2,23;2448,2,1.5,99;2471,2,2,34;2494,3,3,23;2517,4,4,55;2540,2,3,22}';
const PRICES = '{142000;144000;151000;150000;139000;169000;126000;142900;163000;169000;149000}';

const REGRESSIONS: [string, unknown][] = [
  ['=LINEST({1;9;5;7},{0;4;2;3},,FALSE)', [[2, 1]]],
  // A size mismatch comes before values that are not numbers.
  ['=LINEST({1;9;5;"x"},{0;4;2}^{1,2})', '#REF!'],
  [`=SUM(LINEST(${SALES},{1;2;3;4;5;6})*{9,1})`, 11000],
  [
    `=LINEST(${PRICES},${BUILDINGS},TRUE,TRUE)`,
    [
      [-234.237164468181, 2553.21066040375, 12529.7681671017, 27.6413873660642, 52317.8305071306],
      [13.2680114737389, 530.669151885541, 400.066838189979, 5.42937404205462, 12237.3616028657],
      [0.996747993077862, 970.578463366034, '#N/A', '#N/A', '#N/A'],
      [459.75367418026, 6, '#N/A', '#N/A', '#N/A'],
      [1732393319.2292, 5652135.31598983, '#N/A', '#N/A', '#N/A'],
    ],
  ],
  ['=LOGEST({33100;47300;69000;102000;150000;220000},{11;12;13;14;15;16})', [[1.46327562815882, 495.304770158727]]],
  ['=GROWTH({33100;47300;69000;102000;150000;220000},{11;12;13;14;15;16},{17;18})', [[320196.718363], [468536.054184]]],
  ['=TREND({2,4,6},,{4,5})', [[8, 10]]],
  ['=TREND({1;2;3},{1,1;2,3;3,2})', [[1], [2], [3]]],
  ['=LINEST({1;2;3;5},{1,0.1;2,0.2;3,0.3;4,0.4})', [[0, 1.3, -0.5]]],
  ['=LINEST({2;4;6},{1;2;3},FALSE)', [[2, 0]]],
  ['=LINEST({1;2},{1;2;3})', '#REF!'],
  ['=LOGEST({1;-2},{1;2})', '#NUM!'],
];

test.each(REGRESSIONS)('%s is %j', (formula, expected) => close(evaluate(formula, {}, { at: 'A1' }), expected));
