/** Functions of the chi-squared, t, F, beta, gamma, exponential and Weibull distributions. Source: Microsoft's function reference. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { DIV0_ERROR, NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { FunctionDefinition } from '../function.ts';
import { numeric, unary } from '../numeric.ts';
import { typed } from '../typed.ts';
import { betaDensity } from './beta.ts';
import * as dist from './distributions.ts';
import { gamma, logGamma } from './gamma.ts';
import type { Tails } from './invert.ts';

type Result = number | CellError;

const MAX_DEGREES_OF_FREEDOM = 1e10;
const isFreedom = (df: number): boolean => df >= 1 && df <= MAX_DEGREES_OF_FREEDOM;

function chiTails(x: number, freedom: number, pick: (tails: Tails) => number): Result {
  const df = Math.trunc(freedom);
  return x < 0 || !isFreedom(df) ? NUM_ERROR : pick(dist.gammaTails(x, df / 2, 2));
}

function chiInverse(probability: number, freedom: number, tails: (probability: number) => Tails): Result {
  const df = Math.trunc(freedom);
  if (probability < 0 || probability > 1 || !isFreedom(df)) return NUM_ERROR;
  return positiveInverse(tails(probability), (wanted) => dist.gammaInverse(wanted, df / 2, 2));
}

/** The inverse is infinite if the upper tail is 0. */
function positiveInverse(wanted: Tails, find: (wanted: Tails) => number | null): Result {
  return wanted.upper === 0 ? NUM_ERROR : (find(wanted) ?? NUM_ERROR);
}

function chiDistribution([x, freedom, cumulative]: [number, number, boolean]): Result {
  if (cumulative) return chiTails(x, freedom, ({ lower }) => lower);
  const df = Math.trunc(freedom);
  return x < 0 || !isFreedom(df) ? NUM_ERROR : dist.gammaDensity(x, df / 2, 2);
}

function student([t, freedom, cumulative]: [number, number, boolean]): Result {
  const df = Math.trunc(freedom);
  if (df < 1) return cumulative || df < 0 ? NUM_ERROR : DIV0_ERROR;
  return cumulative ? dist.studentUpper(-t, df) : dist.studentDensity(t, df);
}

const studentTail =
  (tail: (t: number, df: number) => number) =>
  ([t, freedom]: number[]): Result => {
    const df = Math.trunc(freedom!);
    return df < 1 ? NUM_ERROR : tail(t!, df);
  };

const twoTails = ([t, freedom]: number[]): Result =>
  t! < 0 ? NUM_ERROR : studentTail(dist.studentTails)([t!, freedom!]);

function oldStudent([t, freedom, tailCount]: number[]): Result {
  const tails = Math.trunc(tailCount!);
  if (t! < 0 || (tails !== 1 && tails !== 2)) return NUM_ERROR;
  const both = twoTails([t!, freedom!]);
  return typeof both === 'number' && tails === 1 ? both / 2 : both;
}

function twoTailedInverse([probability, freedom]: number[]): Result {
  const df = Math.trunc(freedom!);
  if (probability! <= 0 || probability! > 1 || df < 1) return NUM_ERROR;
  return dist.studentInverse(probability!, df) ?? NUM_ERROR;
}

function studentInverse([probability, freedom]: number[]): Result {
  if (probability! <= 0 || probability! >= 1) return NUM_ERROR;
  const isLower = probability! < 0.5;
  const t = twoTailedInverse([2 * (isLower ? probability! : 1 - probability!), freedom!]);
  return typeof t === 'number' && isLower ? -t : t;
}

function fParts(x: number, first: number, second: number, calculate: (d1: number, d2: number) => number): Result {
  const [d1, d2] = [Math.trunc(first), Math.trunc(second)];
  return x < 0 || !isFreedom(d1) || !isFreedom(d2) ? NUM_ERROR : calculate(d1, d2);
}

const fUpper = ([x, first, second]: number[]): Result =>
  fParts(x!, first!, second!, (d1, d2) => dist.fTails(x!, d1, d2).upper);

const fInverse =
  (tails: (probability: number) => Tails) =>
  ([probability, first, second]: number[]): Result => {
    const [d1, d2] = [Math.trunc(first!), Math.trunc(second!)];
    if (probability! < 0 || probability! > 1 || !isFreedom(d1) || !isFreedom(d2)) return NUM_ERROR;
    return positiveInverse(tails(probability!), (wanted) => dist.fInverse(wanted, d1, d2));
  };

function betaDistribution(args: [number, number, number, boolean, number, number]): Result {
  const [value, alpha, beta, cumulative, low, high] = args;
  if (alpha <= 0 || beta <= 0 || value < low || value > high || low === high) return NUM_ERROR;
  const [x, y] = [(value - low) / (high - low), (high - value) / (high - low)];
  if (cumulative) return dist.betaTails(x, y, alpha, beta).lower;
  if (x > 0 && y > 0) return betaDensity(x, y, alpha, beta) / (high - low);
  const edge = x === 0 ? alpha : beta;
  if (edge < 1) return NUM_ERROR;
  return edge > 1 ? 0 : (x === 0 ? beta : alpha) / (high - low);
}

function betaInverse([probability, alpha, beta, low, high]: number[]): Result {
  if (alpha! <= 0 || beta! <= 0 || probability! <= 0 || probability! >= 1 || low! >= high!) return NUM_ERROR;
  const found = dist.betaInverse(dist.lowerTail(probability!), alpha!, beta!);
  return found ? low! + found.x * (high! - low!) : NUM_ERROR;
}

function gammaDistribution([x, alpha, beta, cumulative]: [number, number, number, boolean]): Result {
  if (x < 0 || alpha <= 0 || beta <= 0) return NUM_ERROR;
  return cumulative ? dist.gammaTails(x, alpha, beta).lower : dist.gammaDensity(x, alpha, beta);
}

function gammaInverse([probability, alpha, beta]: number[]): Result {
  if (probability! < 0 || probability! > 1 || alpha! <= 0 || beta! <= 0) return NUM_ERROR;
  return positiveInverse(dist.lowerTail(probability!), (wanted) => dist.gammaInverse(wanted, alpha!, beta!));
}

function exponential([x, rate, cumulative]: [number, number, boolean]): Result {
  if (x < 0 || rate <= 0) return NUM_ERROR;
  return cumulative ? -Math.expm1(-rate * x) : rate * Math.exp(-rate * x);
}

function weibull([x, alpha, beta, cumulative]: [number, number, number, boolean]): Result {
  if (x < 0 || alpha <= 0 || beta <= 0) return NUM_ERROR;
  const power = (x / beta) ** alpha;
  return cumulative ? -Math.expm1(-power) : (alpha / beta) * (x / beta) ** (alpha - 1) * Math.exp(-power);
}

/** Defines a function under its new and its old name. */
const both = (names: [string, string], make: (name: string) => FunctionDefinition): FunctionDefinition[] =>
  names.map(make);

const UNIT = [0, 0, 0, false, 0, 1] as const;

export const continuousFunctions: FunctionDefinition[] = [
  typed('CHISQ.DIST', 'nnb', chiDistribution),
  ...both(['CHISQ.DIST.RT', 'CHIDIST'], (name) =>
    numeric(name, 2, ([x, df]) => chiTails(x!, df!, ({ upper }) => upper)),
  ),
  numeric('CHISQ.INV', 2, ([p, df]) => chiInverse(p!, df!, dist.lowerTail)),
  ...both(['CHISQ.INV.RT', 'CHIINV'], (name) => numeric(name, 2, ([p, df]) => chiInverse(p!, df!, dist.upperTail))),
  typed('T.DIST', 'nnb', student),
  numeric('T.DIST.RT', 2, studentTail(dist.studentUpper)),
  numeric('T.DIST.2T', 2, twoTails),
  numeric('TDIST', 3, oldStudent),
  numeric('T.INV', 2, studentInverse),
  ...both(['T.INV.2T', 'TINV'], (name) => numeric(name, 2, twoTailedInverse)),
  typed('F.DIST', 'nnnb', ([x, first, second, cumulative]) =>
    fParts(x, first, second, (d1, d2) => (cumulative ? dist.fTails(x, d1, d2).lower : dist.fDensity(x, d1, d2))),
  ),
  ...both(['F.DIST.RT', 'FDIST'], (name) => numeric(name, 3, fUpper)),
  numeric('F.INV', 3, fInverse(dist.lowerTail)),
  ...both(['F.INV.RT', 'FINV'], (name) => numeric(name, 3, fInverse(dist.upperTail))),
  typed('BETA.DIST', 'nnnbnn', betaDistribution, { required: 4, defaults: [...UNIT] }),
  numeric('BETADIST', 5, ([x, a, b, low, high]) => betaDistribution([x!, a!, b!, true, low!, high!]), {
    required: 3,
    defaults: [0, 0, 0, 0, 1],
  }),
  ...both(['BETA.INV', 'BETAINV'], (name) => numeric(name, 5, betaInverse, { required: 3, defaults: [0, 0, 0, 0, 1] })),
  ...both(['GAMMA.DIST', 'GAMMADIST'], (name) => typed(name, 'nnnb', gammaDistribution)),
  ...both(['GAMMA.INV', 'GAMMAINV'], (name) => numeric(name, 3, gammaInverse)),
  ...both(['GAMMALN', 'GAMMALN.PRECISE'], (name) => unary(name, (x) => (x <= 0 ? NUM_ERROR : logGamma(x)))),
  unary('GAMMA', gamma),
  ...both(['EXPON.DIST', 'EXPONDIST'], (name) => typed(name, 'nnb', exponential)),
  ...both(['WEIBULL.DIST', 'WEIBULL'], (name) => typed(name, 'nnnb', weibull)),
];
