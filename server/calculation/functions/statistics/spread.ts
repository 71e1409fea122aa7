/** Variances, deviations, means and moments of one sample. Source: Microsoft's function reference. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { FEW_CELLS } from '#server/calculation/kernels/range-totals.ts';
import { checkNumber, DIV0_ERROR, NUM_ERROR } from '#server/calculation/values/coerce.ts';
import { Range } from '#server/calculation/values/matrix.ts';
import { defineFunction, type FunctionDefinition } from '../function.ts';
import { deviationsOf, meanOf, sampleOf } from './samples.ts';

type Summary = (numbers: number[]) => number | CellError;

function summary(names: string[], summarize: Summary, withTexts = false): FunctionDefinition[] {
  return names.map((name) =>
    defineFunction(
      name,
      'r',
      (args, context) => {
        const calculate = (): number | CellError => {
          const numbers = sampleOf(args, context, withTexts);
          if (numbers instanceof CellError) return numbers;
          const result = summarize(numbers);
          return typeof result === 'number' ? checkNumber(result) : result;
        };
        const [range] = args;
        // many formulas ask for that of one column
        const isColumn = args.length === 1 && range instanceof Range && range.rows >= FEW_CELLS;
        return isColumn ? context.kept(range, `spread ${name}`, calculate) : calculate();
      },
      { repeat: 1 },
    ),
  );
}

/** Of a sample the divisor is one less than the count, of a population the count. */
const variance =
  (ofSample: boolean): Summary =>
  (numbers) => {
    const divisor = numbers.length - (ofSample ? 1 : 0);
    return divisor < 1 ? DIV0_ERROR : deviationsOf(numbers) / divisor;
  };

const deviation =
  (ofSample: boolean): Summary =>
  (numbers) => {
    const result = variance(ofSample)(numbers);
    return typeof result === 'number' ? Math.sqrt(result) : result;
  };

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
  const spread = deviation(ofSample)(numbers);
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
  ...summary(['VAR', 'VAR.S'], variance(true)),
  ...summary(['VARP', 'VAR.P'], variance(false)),
  ...summary(['VARA'], variance(true), true),
  ...summary(['VARPA'], variance(false), true),
  ...summary(['STDEV', 'STDEV.S'], deviation(true)),
  ...summary(['STDEVP', 'STDEV.P'], deviation(false)),
  ...summary(['STDEVA'], deviation(true), true),
  ...summary(['STDEVPA'], deviation(false), true),
  ...summary(['AVEDEV'], averageDeviation),
  ...summary(['DEVSQ'], (numbers) => (numbers.length === 0 ? NUM_ERROR : deviationsOf(numbers))),
  ...summary(['GEOMEAN'], geometricMean),
  ...summary(['HARMEAN'], harmonicMean),
  ...summary(['SKEW'], skewness),
  ...summary(['SKEW.P'], populationSkewness),
  ...summary(['KURT'], kurtosis),
];
