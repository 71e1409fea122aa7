/** Distributions of counts. Source: Microsoft's function reference. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { CallContext, FunctionDefinition } from '../function.ts';
import { combinations } from '../math/counting.ts';
import { numeric } from '../numeric.ts';
import { typed } from '../typed.ts';
import { binomialTerm, incompleteBeta } from './beta.ts';
import { incompleteGamma, poissonTerm } from './gamma.ts';

type Result = number | CellError;

/** Up to this count, sums and products are calculated directly, which keeps round results exact. */
const FEW = 60;

/** Marks an omitted count; no actual count has this value. */
const NOT_GIVEN = -Infinity;

/** Excel returns an error for more trials. */
const MAX_TRIALS = 1e10;

const isPart = (value: number): boolean => value >= 0 && value <= 1;

function binomial(k: number, n: number, p: number): number {
  if (n > FEW || p === 0 || p === 1) return binomialTerm(k, n, p, 1 - p);
  return combinations(n, k) * p ** k * (1 - p) ** (n - k);
}

function binomialCumulative(k: number, n: number, p: number): number {
  if (k >= n) return 1;
  if (k < 0) return 0;
  if (n <= FEW) {
    let sum = 0;
    for (let count = 0; count <= k; count += 1) sum += binomial(count, n, p);
    return Math.min(1, sum);
  }
  return incompleteBeta(p, 1 - p, k + 1, n - k).upper;
}

function binomialDistribution([successes, trials, p, cumulative]: [number, number, number, boolean]): Result {
  const [k, n] = [Math.trunc(successes), Math.trunc(trials)];
  if (k < 0 || k > n || n > MAX_TRIALS || !isPart(p)) return NUM_ERROR;
  return cumulative ? binomialCumulative(k, n, p) : binomial(k, n, p);
}

function binomialRange([trials, p, from, to]: number[]): Result {
  const [n, first, last] = [Math.trunc(trials!), Math.trunc(from!), Math.trunc(to!)];
  if (n < 0 || !isPart(p!) || first < 0 || first > n || last < first || last > n) return NUM_ERROR;
  if (first === last) return binomial(first, n, p!);
  return binomialCumulative(last, n, p!) - binomialCumulative(first - 1, n, p!);
}

/**
 * Returns the smallest count whose cumulative probability reaches `alpha`, with a tolerance of a few units in the last
 * place for rounding errors.
 */
function binomialInverse([trials, p, alpha]: number[]): Result {
  const n = Math.trunc(trials!);
  if (n < 0 || n > MAX_TRIALS || p! <= 0 || p! >= 1 || alpha! <= 0 || alpha! >= 1) return NUM_ERROR;
  const target = alpha! * (1 - 32 * Number.EPSILON);
  let low = -1;
  let high = n;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (binomialCumulative(middle, n, p!) >= target) high = middle;
    else low = middle;
  }
  return high;
}

function negativeBinomial([failures, successes, p, cumulative]: [number, number, number, boolean]): Result {
  const [f, s] = [Math.trunc(failures), Math.trunc(successes)];
  if (f < 0 || s < 1 || p <= 0 || p >= 1) return NUM_ERROR;
  if (cumulative) return incompleteBeta(p, 1 - p, s, f + 1).lower;
  return (s / (s + f)) * binomial(s, s + f, p);
}

function poisson([events, mean, cumulative]: [number, number, boolean]): Result {
  const x = Math.trunc(events);
  if (events < 0 || mean < 0) return NUM_ERROR;
  return cumulative ? incompleteGamma(x + 1, mean).upper : poissonTerm(x, mean);
}

/** Returns the probability that a sample of `size` from `all` contains `k` of the `marked` ones. */
function hypergeometric(k: number, size: number, marked: number, all: number): number {
  if (all <= FEW * 2) return (combinations(marked, k) / combinations(all, size)) * combinations(all - marked, size - k);
  const p = size / all;
  const q = (all - size) / all;
  return (binomialTerm(k, marked, p, q) * binomialTerm(size - k, all - marked, p, q)) / binomialTerm(size, all, p, q);
}

function hypergeometricDistribution(args: [number, number, number, number, boolean], context: CallContext): Result {
  const cumulative = args[4];
  const [k, size, marked, all] = args.slice(0, 4).map((value) => Math.trunc(value as number)) as [
    number,
    number,
    number,
    number,
  ];
  if (k < 0 || size < 0 || size > all || marked < 0 || marked > all) return NUM_ERROR;
  const min = Math.max(0, size - all + marked);
  const max = Math.min(size, marked);
  // Differs from the documentation. Source: values saved by Excel.
  if (cumulative && k >= max) return 1;
  if (cumulative && k < min) return 0;
  if (k > max || k < min) return NUM_ERROR;
  if (!cumulative) return hypergeometric(k, size, marked, all);
  let sum = 0;
  for (let count = min; count <= k; count += 1) {
    context.spend(1);
    sum += hypergeometric(count, size, marked, all);
  }
  return Math.min(1, sum);
}

export const discreteFunctions: FunctionDefinition[] = [
  ...['BINOM.DIST', 'BINOMDIST'].map((name) => typed(name, 'nnnb', binomialDistribution)),
  numeric('BINOM.DIST.RANGE', 4, ([n, p, from, to]) => binomialRange([n!, p!, from!, to === NOT_GIVEN ? from! : to!]), {
    required: 3,
    defaults: [0, 0, 0, NOT_GIVEN],
  }),
  ...['BINOM.INV', 'CRITBINOM'].map((name) => numeric(name, 3, binomialInverse)),
  typed('NEGBINOM.DIST', 'nnnb', negativeBinomial),
  typed('NEGBINOMDIST', 'nnn', ([f, s, p]) => negativeBinomial([f, s, p, false])),
  ...['POISSON.DIST', 'POISSON'].map((name) => typed(name, 'nnb', poisson)),
  typed('HYPGEOM.DIST', 'nnnnb', hypergeometricDistribution),
  typed('HYPGEOMDIST', 'nnnn', ([k, size, marked, all], context) =>
    hypergeometricDistribution([k, size, marked, all, false], context),
  ),
];
