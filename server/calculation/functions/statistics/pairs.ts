/** Relations between two samples. Source: Microsoft's function reference. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Range } from '#server/calculation/values/matrix.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { cachedForTwoRanges } from '../two-range-cache.ts';
import { numberOf } from '../numeric.ts';
import { deviationsOf, meanOf, pairsOf, productsOf, type Pairs } from './samples.ts';

type Measure = (pairs: Pairs) => number | CellError;

function paired(names: string[], measure: Measure): FunctionDefinition[] {
  return names.map((name) =>
    defineFunction(name, 'aa', ([first, second], context) => {
      const calculate = (): { result: number | CellError } => {
        const pairs = pairsOf(first, second, context);
        return { result: pairs instanceof CellError ? pairs : measure(pairs) };
      };
      const { result } = cachedForTwoRanges(first, second, name, context, calculate);
      return typeof result === 'number' ? checkNumber(result) : result;
    }),
  );
}

const covariance =
  (ofSample: boolean): Measure =>
  (pairs) => {
    const divisor = pairs.first.length - (ofSample ? 1 : 0);
    return divisor < 1 ? DIV0_ERROR : productsOf(pairs) / divisor;
  };

function correlation(pairs: Pairs): number | CellError {
  const spread = deviationsOf(pairs.first) * deviationsOf(pairs.second);
  if (pairs.first.length === 0 || spread === 0) return DIV0_ERROR;
  return Math.max(-1, Math.min(1, productsOf(pairs) / Math.sqrt(spread)));
}

/** The first sample is y, the second x. */
function slope(pairs: Pairs): number | CellError {
  const spread = deviationsOf(pairs.second);
  return pairs.first.length === 0 || spread === 0 ? DIV0_ERROR : productsOf(pairs) / spread;
}

interface Line {
  rise: number;
  meanY: number;
  meanX: number;
}

function lineOf(pairs: Pairs): Line | CellError {
  const rise = slope(pairs);
  return typeof rise === 'number' ? { rise, meanY: meanOf(pairs.first), meanX: meanOf(pairs.second) } : rise;
}

const heightAt = (line: Line | CellError, x: number): number | CellError =>
  line instanceof CellError ? line : line.meanY + line.rise * (x - line.meanX);

function standardError(pairs: Pairs): number | CellError {
  const n = pairs.first.length;
  const spread = deviationsOf(pairs.second);
  if (n < 3 || spread === 0) return DIV0_ERROR;
  const rest = deviationsOf(pairs.first) - productsOf(pairs) ** 2 / spread;
  return Math.sqrt(Math.max(0, rest) / (n - 2));
}

function squaredCorrelation(pairs: Pairs): number | CellError {
  const result = correlation(pairs);
  return typeof result === 'number' ? result * result : result;
}

/** A single cell without a number is no sample; several are an empty sample. */
const isLoneBlank = (sample: FormulaValue): boolean =>
  sample instanceof Range && sample.rows * sample.cols === 1 && typeof sample.at(0, 0) !== 'number';

function forecast([x, ys, xs]: FormulaValue[], context: CallContext): FormulaValue {
  const at = numberOf(x);
  if (typeof at !== 'number') return at;
  const line = cachedForTwoRanges(ys, xs, 'line', context, () => {
    const pairs = pairsOf(ys, xs, context);
    return pairs instanceof CellError ? pairs : lineOf(pairs);
  });
  if (line === DIV0_ERROR && (isLoneBlank(ys) || isLoneBlank(xs))) return VALUE_ERROR;
  const result = heightAt(line, at);
  return typeof result === 'number' ? checkNumber(result) : result;
}

/** Returns the sum of the probabilities of values between two bounds. All probabilities together must be 1. */
function probability([values, chances, from, to]: FormulaValue[], context: CallContext): FormulaValue {
  const low = numberOf(from);
  if (typeof low !== 'number') return low;
  const high = to === undefined ? low : numberOf(to);
  if (typeof high !== 'number') return high;
  const pairs = pairsOf(values, chances, context);
  if (pairs instanceof CellError) return pairs;
  const { first, second } = pairs;
  if (first.length === 0) return DIV0_ERROR;
  let total = 0;
  let result = 0;
  for (let index = 0; index < first.length; index += 1) {
    const chance = second[index]!;
    if (chance <= 0 || chance > 1) return NUM_ERROR;
    total += chance;
    if (first[index]! >= low && first[index]! <= high) result += chance;
  }
  return Math.abs(total - 1) > 1e-7 ? NUM_ERROR : result;
}

export const pairFunctions: FunctionDefinition[] = [
  ...paired(['COVAR', 'COVARIANCE.P'], covariance(false)),
  ...paired(['COVARIANCE.S'], covariance(true)),
  ...paired(['CORREL', 'PEARSON'], correlation),
  ...paired(['RSQ'], squaredCorrelation),
  ...paired(['SLOPE'], slope),
  ...paired(['INTERCEPT'], (pairs) => heightAt(lineOf(pairs), 0)),
  ...paired(['STEYX'], standardError),
  ...['FORECAST', 'FORECAST.LINEAR'].map((name) => defineFunction(name, 'vaa', forecast)),
  defineFunction('PROB', 'aavv', probability, { required: 3 }),
];
