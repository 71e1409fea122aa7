/**
 * Exponential triple smoothing with additive error, trend and season ('AAA'), in its error correction form: Hyndman, Koehler, Ord and
 * Snyder, 'Forecasting with Exponential Smoothing', 2008, 2.5 and 6.2. Intervals and statistics that Excel saved follow from it to the last digit,
 * and so do the level and the trend it starts from. How Excel estimates the season to start from, and what it looks for in the
 * parameters, is not published: here the season is the mean of its detrended points, and the parameters are those of the least squared error.
 */

export interface Smoothing {
  /** What of an error goes to the level, the trend and the season. */
  alpha: number;
  beta: number;
  gamma: number;
  /** What was forecast for each point from those before it. */
  fitted: Float64Array;
  /** Square root of the mean squared error. */
  error: number;
  /** Level and trend after the last point, and the last values of the season, the next one first. */
  level: number;
  trend: number;
  season: Float64Array;
}

interface Start {
  level: number;
  trend: number;
  season: Float64Array;
}

type Parameters = readonly [alpha: number, beta: number, gamma: number];

/** How many times a fit runs over its points, at most. */
export const RUNS = 1_000;
/** Parameters that Excel saved lie on a grid of eighths, from a thousandth on. */
const LEAST = 0.001;
const STEPS = 8;

/** Fits points of even distance; `period` 1 means no season, else there are at least two periods of points. */
export function smooth(y: Float64Array, period: number): Smoothing {
  const start = startOf(y, period > 1 ? seasonOf(y, period) : new Float64Array(1));
  const [alpha, beta, gamma] = bestParameters(y, start);
  const state = { ...start, season: start.season.slice() };
  const fitted = new Float64Array(y.length);
  const squares = run(y, state, [alpha, beta, gamma], fitted);
  const turn = y.length % state.season.length;
  const season = state.season.map((_, index) => state.season[(index + turn) % state.season.length]!);
  const { level, trend } = state;
  return { alpha, beta, gamma, fitted, error: Math.sqrt(squares / y.length), level, trend, season };
}

/** The value forecast for `steps` (from 1) after the last point. */
export const forecast = ({ level, trend, season }: Smoothing, steps: number): number =>
  level + trend * steps + season[(steps - 1) % season.length]!;

/** What the standard error of one step grows to after `steps`. */
export function growthOfError({ alpha, beta, gamma, season }: Smoothing, steps: number): number {
  const period = season.length;
  let sum = 1;
  for (let step = 1; step < steps; step += 1) {
    const seasonal = period > 1 && step % period === 0 ? gamma : 0;
    sum += (alpha + beta * step + seasonal) ** 2;
  }
  return Math.sqrt(sum);
}

/** The line of least squares. */
function lineOf(y: Float64Array): { slope: number; first: number } {
  const middle = (y.length - 1) / 2;
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  let products = 0;
  let squares = 0;
  y.forEach((value, index) => {
    products += (index - middle) * (value - mean);
    squares += (index - middle) ** 2;
  });
  const slope = squares === 0 ? 0 : products / squares;
  return { slope, first: mean - slope * middle };
}

/** States before the first point: the trend of the line through the points without their season, and the level from which it leads to the first of them. */
function startOf(y: Float64Array, season: Float64Array): Start {
  const { slope } = lineOf(y.map((value, index) => value - season[index % season.length]!));
  return { level: y[0]! - season[0]! - slope, trend: slope, season };
}

/** The mean of what the points of a place in the season are above or below their season, the trend between seasons taken out. */
function seasonOf(y: Float64Array, period: number): Float64Array {
  const count = Math.floor(y.length / period);
  const means = Array.from({ length: count }, (_, index) => {
    let sum = 0;
    for (let at = index * period; at < (index + 1) * period; at += 1) sum += y[at]!;
    return sum / period;
  });
  const trend = (means.at(-1)! - means[0]!) / ((count - 1) * period);
  const middle = (period - 1) / 2;
  const season = new Float64Array(period);
  for (let place = 0; place < period; place += 1) {
    for (let index = 0; index < count; index += 1)
      season[place]! += (y[index * period + place]! - means[index]! - (place - middle) * trend) / count;
  }
  return season;
}

/** Runs over the points from a state, which is moved on; gives the sum of the squared errors. */
function run(y: Float64Array, state: Start, [alpha, beta, gamma]: Parameters, fitted?: Float64Array): number {
  const { season } = state;
  const period = season.length;
  let squares = 0;
  for (let index = 0; index < y.length; index += 1) {
    const value = y[index]!;
    const place = index % period;
    const expected = state.level + state.trend;
    const error = value - expected - season[place]!;
    if (fitted) fitted[index] = expected + season[place]!;
    squares += error * error;
    state.level = expected + alpha * error;
    state.trend += beta * error;
    if (period > 1) season[place]! += gamma * error;
  }
  return squares;
}

/** The best of a grid. Of equals the smaller parameters win. A point is never followed further than to itself. */
function bestParameters(y: Float64Array, start: Start): Parameters {
  const state = { level: 0, trend: 0, season: start.season.slice() };
  const gammas = start.season.length > 1 ? STEPS : 1;
  let best: Parameters = [LEAST, LEAST, start.season.length > 1 ? LEAST : 0];
  let least = Infinity;
  for (let a = 0; a < STEPS; a += 1)
    for (let b = 0; b < STEPS; b += 1)
      for (let c = 0; c < gammas && a + c < STEPS; c += 1) {
        const parameters = [LEAST + a / STEPS, LEAST + b / STEPS, gammas > 1 ? LEAST + c / STEPS : 0] as const;
        state.level = start.level;
        state.trend = start.trend;
        state.season.set(start.season);
        const squares = run(y, state, parameters);
        if (!(squares < least * (1 - 1e-12))) continue;
        least = squares;
        best = parameters;
      }
  return best;
}

/** How far points have to resemble those a season before: beyond what nine in ten accidents come to, and by no less than this. */
const CERTAINTY = 1.645;
const LEAST_RESEMBLANCE = 0.3;
/** By how much that has to stand out from shorter distances. */
const LEAST_RISE = 0.1;

/**
 * The length of the season: of the distances at which what is left of the points without their line resembles itself more than at those beside
 * them, the one that stands out most from all shorter ones; 0 where there is none. Excel finds none in two seasons of points, but in three.
 */
export function findSeason(y: Float64Array, longest: number): number {
  const { slope, first } = lineOf(y);
  const rest = y.map((value, index) => value - first - slope * index);
  const whole = rest.reduce((sum, value) => sum + value * value, 0);
  const size = y.reduce((sum, value) => sum + value * value, 0);
  if (whole <= size * 1e-20) return 0;
  const resemblance = (distance: number): number => {
    let sum = 0;
    for (let index = distance; index < rest.length; index += 1) sum += rest[index]! * rest[index - distance]!;
    return (sum / whole) * (rest.length / (rest.length - distance));
  };
  const most = Math.min(longest, Math.floor(y.length / 3));
  const least = Math.max(LEAST_RESEMBLANCE, CERTAINTY / Math.sqrt(y.length));
  let season = 0;
  let best = LEAST_RISE;
  let [before, here] = [resemblance(1), resemblance(2)];
  let lowest = before;
  for (let distance = 2; distance <= most; distance += 1) {
    const after = resemblance(distance + 1);
    const rise = here - lowest;
    // seasons of a season resemble each other as well
    const isBetter = rise > (season > 0 && distance % season === 0 ? best * 1.2 : best);
    if (here > least && here > before && here >= after && isBetter) [season, best] = [distance, rise];
    lowest = Math.min(lowest, here);
    [before, here] = [here, after];
  }
  return season;
}
