/** Hypothesis tests. Source: Microsoft's function reference. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, NA_ERROR, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { asMatrix, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { numberOf, numeric } from '../numeric.ts';
import { fTails, gammaTails, studentInverse, studentTails } from './distributions.ts';
import { normalCumulative } from './erf.ts';
import { comparedSampleOf, deviationsOf, meanOf, pairsOf, sampleOf } from './samples.ts';

interface Statistic {
  t: number;
  df: number;
}

function pairedStatistic(first: FormulaValue, second: FormulaValue, context: CallContext): Statistic | CellError {
  const pairs = pairsOf(first, second, context);
  if (pairs instanceof CellError) return pairs;
  const differences = pairs.first.map((value, index) => value - pairs.second[index]!);
  const n = differences.length;
  if (n < 2) return DIV0_ERROR;
  return { t: meanOf(differences) / Math.sqrt(deviationsOf(differences) / (n - 1) / n), df: n - 1 };
}

/** Type 2 assumes equal variances. Type 3 (Welch) does not, and has fractional degrees of freedom. */
function unpairedStatistic(first: number[], second: number[], isEqual: boolean): Statistic | CellError {
  const [n1, n2] = [first.length, second.length];
  if (n1 < 2 || n2 < 2) return DIV0_ERROR;
  const difference = meanOf(first) - meanOf(second);
  const [s1, s2] = [deviationsOf(first), deviationsOf(second)];
  if (isEqual) {
    const variance = (s1 + s2) / (n1 + n2 - 2);
    return { t: difference / Math.sqrt(variance * (1 / n1 + 1 / n2)), df: n1 + n2 - 2 };
  }
  const [v1, v2] = [s1 / (n1 - 1) / n1, s2 / (n2 - 1) / n2];
  return { t: difference / Math.sqrt(v1 + v2), df: (v1 + v2) ** 2 / (v1 ** 2 / (n1 - 1) + v2 ** 2 / (n2 - 1)) };
}

function statisticOf(first: FormulaValue, second: FormulaValue, type: number, context: CallContext) {
  if (type === 1) return pairedStatistic(first, second, context);
  const [a, b] = [comparedSampleOf(first, context), comparedSampleOf(second, context)];
  if (a instanceof CellError) return a;
  return b instanceof CellError ? b : unpairedStatistic(a, b, type === 2);
}

function studentTest([first, second, tailCount, kind]: FormulaValue[], context: CallContext): FormulaValue {
  const tails = numberOf(tailCount);
  if (typeof tails !== 'number') return tails;
  const type = numberOf(kind);
  if (typeof type !== 'number') return type;
  const [sides, test] = [Math.trunc(tails), Math.trunc(type)];
  if ((sides !== 1 && sides !== 2) || test < 1 || test > 3) return NUM_ERROR;
  const statistic = statisticOf(first, second, test, context);
  if (statistic instanceof CellError) return statistic;
  if (!Number.isFinite(statistic.t)) return DIV0_ERROR;
  const both = studentTails(Math.abs(statistic.t), statistic.df);
  return checkNumber(sides === 2 ? both : both / 2);
}

function fTest([first, second]: FormulaValue[], context: CallContext): FormulaValue {
  const [a, b] = [comparedSampleOf(first, context), comparedSampleOf(second, context)];
  if (a instanceof CellError) return a;
  if (b instanceof CellError) return b;
  const [v1, v2] = [deviationsOf(a) / (a.length - 1), deviationsOf(b) / (b.length - 1)];
  if (a.length < 2 || b.length < 2 || v1 === 0 || v2 === 0) return DIV0_ERROR;
  const { lower, upper } = fTails(v1 / v2, a.length - 1, b.length - 1);
  return checkNumber(2 * Math.min(lower, upper));
}

function chiTest([actual, expected]: FormulaValue[], context: CallContext): FormulaValue {
  const [first, second] = [asMatrix(actual), asMatrix(expected)];
  if (!first || !second) return VALUE_ERROR;
  const { rows, cols } = first;
  if (rows * cols !== second.rows * second.cols || rows * cols === 1) return NA_ERROR;
  // Unlike in other functions, errors of the first argument come before those of the second. Source: values saved by
  // Excel.
  const observed = comparedSampleOf(actual, context);
  if (observed instanceof CellError) return observed;
  const pairs = pairsOf(actual, expected, context);
  if (pairs instanceof CellError) return pairs;
  if (pairs.first.length === 0) return DIV0_ERROR;
  let chi = 0;
  for (let index = 0; index < pairs.first.length; index += 1) {
    const mean = pairs.second[index]!;
    if (mean === 0) return DIV0_ERROR;
    chi += (pairs.first[index]! - mean) ** 2 / mean;
  }
  if (chi < 0) return NUM_ERROR;
  const df = rows === 1 ? cols - 1 : cols === 1 ? rows - 1 : (rows - 1) * (cols - 1);
  return checkNumber(gammaTails(chi, df / 2, 2).upper);
}

function normalTest([array, value, sigma]: FormulaValue[], context: CallContext): FormulaValue {
  const numbers = sampleOf([array], context);
  if (numbers instanceof CellError) return numbers;
  const x = numberOf(value);
  if (typeof x !== 'number') return x;
  const n = numbers.length;
  if (n === 0) return NA_ERROR;
  const given = sigma === undefined ? null : numberOf(sigma);
  if (given instanceof CellError) return given;
  // This also applies if the standard deviation is given. Source: values saved by Excel.
  if (n < 2) return DIV0_ERROR;
  if (given !== null && given <= 0) return NUM_ERROR;
  const deviation = given ?? Math.sqrt(deviationsOf(numbers) / (n - 1));
  return deviation === 0
    ? DIV0_ERROR
    : checkNumber(normalCumulative(((x - meanOf(numbers)) * Math.sqrt(n)) / deviation));
}

function studentConfidence([alpha, deviation, size]: number[]): number | CellError {
  const n = Math.trunc(size!);
  if (alpha! <= 0 || alpha! >= 1 || deviation! <= 0 || n < 1) return NUM_ERROR;
  if (n === 1) return DIV0_ERROR;
  const t = studentInverse(alpha!, n - 1);
  return t === null ? NUM_ERROR : (t * deviation!) / Math.sqrt(n);
}

export const testFunctions: FunctionDefinition[] = [
  ...['T.TEST', 'TTEST'].map((name) => defineFunction(name, 'aavv', studentTest)),
  ...['F.TEST', 'FTEST'].map((name) => defineFunction(name, 'aa', fTest)),
  ...['CHISQ.TEST', 'CHITEST'].map((name) => defineFunction(name, 'aa', chiTest)),
  ...['Z.TEST', 'ZTEST'].map((name) => defineFunction(name, 'avv', normalTest, { required: 2 })),
  numeric('CONFIDENCE.T', 3, studentConfidence),
];
