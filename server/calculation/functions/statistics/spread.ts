/** Variances, deviations, means and moments of a sample. Source: Microsoft's function reference. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { FEW_CELLS } from '#server/calculation/kernels/range-totals.ts';
import { checkNumber, DIV0_ERROR, NUM_ERROR } from '#server/calculation/values/coerce.ts';
import { Range } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { growingDeviations } from './growing-deviations.ts';
import { deviationsOf, meanOf, sampleOf } from './samples.ts';

type Summary = (numbers: number[]) => number | CellError;

/** Calculates a statistic from Σ (x - mean)² and the count. */
type OfDeviations = (deviations: number, count: number) => number | CellError;

function summary(
  names: string[],
  summarize: Summary,
  withTexts = false,
  ofGrowing: (range: Range, context: CallContext) => number | CellError | null = () => null,
): FunctionDefinition[] {
  return names.map((name) =>
    defineFunction(
      name,
      'r',
      (args, context) => {
        const checked = (result: number | CellError): number | CellError =>
          typeof result === 'number' ? checkNumber(result) : result;
        const calculate = (): number | CellError => {
          const numbers = sampleOf(args, context, withTexts);
          return numbers instanceof CellError ? numbers : checked(summarize(numbers));
        };
        const [range] = args;
        // Cache the result, because many formulas often use the same column.
        const isColumn = args.length === 1 && range instanceof Range && range.rows >= FEW_CELLS;
        if (!isColumn) return calculate();
        const grown = ofGrowing(range, context);
        return grown === null ? context.cached(range, `spread ${name}`, calculate) : checked(grown);
      },
      { repeat: 1 },
    ),
  );
}

/** Creates statistics that depend only on the squared deviations; growing ranges are calculated several at a time. */
function ofDeviations(names: string[], finish: OfDeviations): FunctionDefinition[] {
  return summary(
    names,
    (numbers) => finish(deviationsOf(numbers), numbers.length),
    false,
    (range, context) => {
      const grown = growingDeviations(range, context);
      if (grown === null || grown instanceof CellError) return grown;
      return finish(grown.deviations, grown.count);
    },
  );
}

/** The divisor is the count minus one for a sample, and the count for a population. */
const variance =
  (ofSample: boolean): OfDeviations =>
  (deviations, count) => {
    const divisor = count - (ofSample ? 1 : 0);
    return divisor < 1 ? DIV0_ERROR : deviations / divisor;
  };

const deviation =
  (ofSample: boolean): OfDeviations =>
  (deviations, count) => {
    const result = variance(ofSample)(deviations, count);
    return typeof result === 'number' ? Math.sqrt(result) : result;
  };

const ofNumbers =
  (finish: OfDeviations): Summary =>
  (numbers) =>
    finish(deviationsOf(numbers), numbers.length);

function averageDeviation(numbers: number[]): number | CellError {
  if (numbers.length === 0) return NUM_ERROR;
  const mean = meanOf(numbers);
  let sum = 0;
  for (const number of numbers) sum += Math.abs(number - mean);
  return sum / numbers.length;
}

function geometricMean(numbers: number[]): number | CellError {
  if (numbers.length === 0 || numbers.some((number) => number <= 0)) return NUM_ERROR;
  let product = 1;
  for (const number of numbers) product *= number;
  if (product > 1e-290 && product < 1e300) return product ** (1 / numbers.length);
  let logs = 0;
  for (const number of numbers) logs += Math.log(number);
  return Math.exp(logs / numbers.length);
}

function harmonicMean(numbers: number[]): number | CellError {
  if (numbers.length === 0 || numbers.some((number) => number <= 0)) return NUM_ERROR;
  let sum = 0;
  for (const number of numbers) sum += 1 / number;
  return numbers.length / sum;
}

/** Σ ((x - mean) / deviation)^power. */
function standardMoments(numbers: number[], power: number, ofSample: boolean): number | CellError {
  const spread = ofNumbers(deviation(ofSample))(numbers);
  if (typeof spread !== 'number') return spread;
  if (spread === 0) return DIV0_ERROR;
  const mean = meanOf(numbers);
  let sum = 0;
  for (const number of numbers) sum += ((number - mean) / spread) ** power;
  return sum;
}

function skewness(numbers: number[]): number | CellError {
  const n = numbers.length;
  if (n < 3) return DIV0_ERROR;
  const sum = standardMoments(numbers, 3, true);
  return typeof sum === 'number' ? (n / ((n - 1) * (n - 2))) * sum : sum;
}

function populationSkewness(numbers: number[]): number | CellError {
  if (numbers.length < 3) return DIV0_ERROR;
  const sum = standardMoments(numbers, 3, false);
  return typeof sum === 'number' ? sum / numbers.length : sum;
}

function kurtosis(numbers: number[]): number | CellError {
  const n = numbers.length;
  if (n < 4) return DIV0_ERROR;
  const sum = standardMoments(numbers, 4, true);
  if (typeof sum !== 'number') return sum;
  return ((n * (n + 1)) / ((n - 1) * (n - 2) * (n - 3))) * sum - (3 * (n - 1) ** 2) / ((n - 2) * (n - 3));
}

export const spreadFunctions: FunctionDefinition[] = [
  ...ofDeviations(['VAR', 'VAR.S'], variance(true)),
  ...ofDeviations(['VARP', 'VAR.P'], variance(false)),
  ...summary(['VARA'], ofNumbers(variance(true)), true),
  ...summary(['VARPA'], ofNumbers(variance(false)), true),
  ...ofDeviations(['STDEV', 'STDEV.S'], deviation(true)),
  ...ofDeviations(['STDEVP', 'STDEV.P'], deviation(false)),
  ...summary(['STDEVA'], ofNumbers(deviation(true)), true),
  ...summary(['STDEVPA'], ofNumbers(deviation(false)), true),
  ...summary(['AVEDEV'], averageDeviation),
  ...ofDeviations(['DEVSQ'], (deviations, count) => (count === 0 ? NUM_ERROR : deviations)),
  ...summary(['GEOMEAN'], geometricMean),
  ...summary(['HARMEAN'], harmonicMean),
  ...summary(['SKEW'], skewness),
  ...summary(['SKEW.P'], populationSkewness),
  ...summary(['KURT'], kurtosis),
];
