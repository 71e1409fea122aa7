/**
 * Exponential triple smoothing with additive error, trend and season ('AAA') in its error correction form: Hyndman,
 * Koehler, Ord and Snyder, 'Forecasting with Exponential Smoothing', 2008, 2.5 and 6.2. Intervals, statistics, the
 * initial level and the initial trend match values saved by Excel to the last digit. How Excel estimates the initial
 * season and chooses the parameters is not published. Here the season is the mean of its detrended points, and the
 * parameters minimize the squared error.
 */

export interface Smoothing {
  /** Fractions of an error that are added to the level, the trend and the season. */
  alpha: number;
  beta: number;
  gamma: number;
  /** The forecast of each point from the points before it. */
  fitted: Float64Array;
  /** Square root of the mean squared error. */
  error: number;
  /** Level and trend after the last point, and the last values of the season, starting with the next one. */
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

/** Maximum number of passes over the points in a fit. */
export const RUNS = 1_000;
/** Parameters saved by Excel are on a grid with steps of an eighth, starting at a thousandth. */
const MIN_PARAMETER = 0.001;
const STEPS = 8;

/** Fits evenly spaced points. `period` 1 means no season; otherwise there must be at least two periods of points. */
export function smooth(y: Float64Array, period: number): Smoothing {
  const start = startOf(y, period > 1 ? seasonOf(y, period) : new Float64Array(1));
  const [alpha, beta, gamma] = bestParameters(y, start);
  const state = { ...start, season: start.season.slice() };
  const fitted = new Float64Array(y.length);
  const squares = run(y, state, [alpha, beta, gamma], fitted);
  const phase = y.length % state.season.length;
  const season = state.season.map((_, index) => state.season[(index + phase) % state.season.length]!);
  const { level, trend } = state;
  return { alpha, beta, gamma, fitted, error: Math.sqrt(squares / y.length), level, trend, season };
}

/** Returns the forecast `steps` (from 1) after the last point. */
export const forecast = ({ level, trend, season }: Smoothing, steps: number): number =>
  level + trend * steps + season[(steps - 1) % season.length]!;

/** Returns the factor by which the standard error of one step grows after `steps`. */
export function growthOfError({ alpha, beta, gamma, season }: Smoothing, steps: number): number {
  const period = season.length;
  let sum = 1;
  for (let step = 1; step < steps; step += 1) {
    const seasonal = period > 1 && step % period === 0 ? gamma : 0;
    sum += (alpha + beta * step + seasonal) ** 2;
  }
  return Math.sqrt(sum);
}

/** Returns the least-squares line. */
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

/**
 * Returns the state before the first point. The trend is the slope of the line through the deseasonalized points; the
 * level is such that level and trend lead to the first point.
 */
function startOf(y: Float64Array, season: Float64Array): Start {
  const { slope } = lineOf(y.map((value, index) => value - season[index % season.length]!));
  return { level: y[0]! - season[0]! - slope, trend: slope, season };
}

/**
 * Returns the mean deviation of each seasonal position from the mean of its season, without the trend between seasons.
 */
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
  for (let phase = 0; phase < period; phase += 1) {
    for (let index = 0; index < count; index += 1)
      season[phase]! += (y[index * period + phase]! - means[index]! - (phase - middle) * trend) / count;
  }
  return season;
}

/** Runs over the points, updates the state, and returns the sum of the squared errors. */
function run(y: Float64Array, state: Start, [alpha, beta, gamma]: Parameters, fitted?: Float64Array): number {
  const { season } = state;
  const period = season.length;
  let squares = 0;
  for (let index = 0; index < y.length; index += 1) {
    const value = y[index]!;
    const phase = index % period;
    const expected = state.level + state.trend;
    const error = value - expected - season[phase]!;
    if (fitted) fitted[index] = expected + season[phase]!;
    squares += error * error;
    state.level = expected + alpha * error;
    state.trend += beta * error;
    if (period > 1) season[phase]! += gamma * error;
  }
  return squares;
}

/**
 * Returns the best parameters of a grid; among equals, the smallest ones. Alpha and gamma together stay below 1: a
 * larger sum would correct a point by more than its error.
 */
function bestParameters(y: Float64Array, start: Start): Parameters {
  const state = { level: 0, trend: 0, season: start.season.slice() };
  const gammas = start.season.length > 1 ? STEPS : 1;
  let best: Parameters = [MIN_PARAMETER, MIN_PARAMETER, start.season.length > 1 ? MIN_PARAMETER : 0];
  let minSquares = Infinity;
  for (let a = 0; a < STEPS; a += 1)
    for (let b = 0; b < STEPS; b += 1)
      for (let c = 0; c < gammas && a + c < STEPS; c += 1) {
        const parameters = [
          MIN_PARAMETER + a / STEPS,
          MIN_PARAMETER + b / STEPS,
          gammas > 1 ? MIN_PARAMETER + c / STEPS : 0,
        ] as const;
        state.level = start.level;
        state.trend = start.trend;
        state.season.set(start.season);
        const squares = run(y, state, parameters);
        if (!(squares < minSquares * (1 - 1e-12))) continue;
        minSquares = squares;
        best = parameters;
      }
  return best;
}

/**
 * Minimum autocorrelation of points one season apart: above 90 % of the values that occur by chance, and at least
 * MIN_RESEMBLANCE.
 */
const CERTAINTY = 1.645;
const MIN_RESEMBLANCE = 0.3;
/** Minimum rise of the autocorrelation over shorter distances. */
const MIN_RISE = 0.1;

/**
 * Finds the length of the season; 0 if there is none. Candidates are distances at which the autocorrelation of the
 * detrended points has a local maximum. The one that rises most above all shorter distances wins. Excel finds no season
 * in two seasons of points, but finds one in three.
 */
export function findSeason(y: Float64Array, maxSeason: number): number {
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
  const maxDistance = Math.min(maxSeason, Math.floor(y.length / 3));
  const minResemblance = Math.max(MIN_RESEMBLANCE, CERTAINTY / Math.sqrt(y.length));
  let season = 0;
  let best = MIN_RISE;
  let [before, here] = [resemblance(1), resemblance(2)];
  let lowest = before;
  for (let distance = 2; distance <= maxDistance; distance += 1) {
    const after = resemblance(distance + 1);
    const rise = here - lowest;
    // Multiples of a season also have a high autocorrelation.
    const isBetter = rise > (season > 0 && distance % season === 0 ? best * 1.2 : best);
    if (here > minResemblance && here > before && here >= after && isBetter) [season, best] = [distance, rise];
    lowest = Math.min(lowest, here);
    [before, here] = [here, after];
  }
  return season;
}
