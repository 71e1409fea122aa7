/** The normal distribution and functions derived from it. Source: Microsoft's function reference. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { FunctionDefinition } from '../function.ts';
import { numeric, unary } from '../numeric.ts';
import { typed } from '../typed.ts';
import { erf, normalCumulative, normalDensity, normalInverse } from './erf.ts';

const isProbability = (value: number): boolean => value > 0 && value < 1;

function normal([x, mean, deviation, cumulative]: [number, number, number, boolean]): number | CellError {
  if (deviation <= 0) return NUM_ERROR;
  const z = (x - mean) / deviation;
  return cumulative ? normalCumulative(z) : normalDensity(z) / deviation;
}

function inverse([probability, mean, deviation]: number[]): number | CellError {
  if (!isProbability(probability!) || deviation! <= 0) return NUM_ERROR;
  return mean! + deviation! * normalInverse(probability!);
}

const standardInverse = (probability: number): number | CellError =>
  isProbability(probability) ? normalInverse(probability) : NUM_ERROR;

function logNormal([x, mean, deviation, cumulative]: [number, number, number, boolean]): number | CellError {
  if (x <= 0 || deviation <= 0) return NUM_ERROR;
  const z = (Math.log(x) - mean) / deviation;
  return cumulative ? normalCumulative(z) : normalDensity(z) / (deviation * x);
}

function logInverse(args: number[]): number | CellError {
  const result = inverse(args);
  return typeof result === 'number' ? Math.exp(result) : result;
}

function confidence([alpha, deviation, size]: number[]): number | CellError {
  const count = Math.trunc(size!);
  if (!isProbability(alpha!) || deviation! <= 0 || count < 1) return NUM_ERROR;
  return (-normalInverse(alpha! / 2) * deviation!) / Math.sqrt(count);
}

export const normalFunctions: FunctionDefinition[] = [
  ...['NORM.DIST', 'NORMDIST'].map((name) => typed(name, 'nnnb', normal)),
  ...['NORM.INV', 'NORMINV'].map((name) => numeric(name, 3, inverse)),
  typed('NORM.S.DIST', 'nb', ([z, cumulative]) => (cumulative ? normalCumulative(z) : normalDensity(z))),
  unary('NORMSDIST', normalCumulative),
  ...['NORM.S.INV', 'NORMSINV'].map((name) => unary(name, standardInverse)),
  typed('LOGNORM.DIST', 'nnnb', logNormal),
  typed('LOGNORMDIST', 'nnn', ([x, mean, deviation]) => logNormal([x, mean, deviation, true])),
  ...['LOGNORM.INV', 'LOGINV'].map((name) => numeric(name, 3, logInverse)),
  ...['CONFIDENCE', 'CONFIDENCE.NORM'].map((name) => numeric(name, 3, confidence)),
  unary('GAUSS', (z) => erf(z / Math.SQRT2) / 2),
  unary('PHI', normalDensity),
  numeric('STANDARDIZE', 3, ([x, mean, deviation]) => (deviation! <= 0 ? NUM_ERROR : (x! - mean!) / deviation!)),
  unary('FISHER', (x) => (Math.abs(x) >= 1 ? NUM_ERROR : Math.atanh(x))),
  unary('FISHERINV', Math.tanh),
];
