/**
 * Exponential triple smoothing with additive error, trend and season ('AAA'). The recurrences and the variance of forecasts are
 * published: Hyndman, Koehler, Ord and Snyder, 'Forecasting with Exponential Smoothing', 2008, 2.5 and 6.2. How Excel starts the
 * states and looks for the parameters is not; here the states start from the means of the seasons, or as forecasts saved by Excel have it from
 * the first point and the slope of the fitted line, and the parameters are those of the least squared error.
 */

export interface Smoothing {
  /** Of the level, the trend and the season: 0 to 1. */
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
export const RUNS = 2_000;
const GRID = 10;
const FINEST = 0.0005;

/** Fits points of even distance; `period` 1 means no season, else there are at least two periods of points. */
export function smooth(y: Float64Array, period: number): Smoothing {
  const start = period > 1 ? seasonalStart(y, period) : linearStart(y);
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
    const seasonal = period > 1 && step % period === 0 ? gamma * (1 - alpha) : 0;
    sum += (alpha * (1 + beta * step) + seasonal) ** 2;
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

/** States before the first point: the trend of the line, and the level from which it leads to the first point itself. Source: forecasts Excel saved. */
function linearStart(y: Float64Array): Start {
  const { slope } = lineOf(y);
  return { level: y[0]! - slope, trend: slope, season: new Float64Array(1) };
}

function seasonalStart(y: Float64Array, period: number): Start {
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
  return { level: means[0]! - (middle + 1) * trend, trend, season };
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
    const level = expected + alpha * error;
    state.trend += beta * (level - state.level - state.trend);
    state.level = level;
    if (period > 1) season[place]! += gamma * (value - level - season[place]!);
  }
  return squares;
}

/** The best of a grid, refined by halving its distances. Of equals the smaller parameters win. */
function bestParameters(y: Float64Array, start: Start): Parameters {
  const hasSeason = start.season.length > 1;
  const state = { level: 0, trend: 0, season: start.season.slice() };
  const squaresOf = (parameters: Parameters): number => {
    state.level = start.level;
    state.trend = start.trend;
    state.season.set(start.season);
    return run(y, state, parameters);
  };
  let best: Parameters = [0, 0, 0];
  let least = squaresOf(best);
  const attempt = (parameters: Parameters): void => {
    const squares = squaresOf(parameters);
    if (squares >= least * (1 - 1e-12)) return;
    least = squares;
    best = parameters;
  };
  const gammas = hasSeason ? GRID : 0;
  for (let a = 0; a <= GRID; a += 1)
    for (let b = 0; b <= GRID; b += 1) for (let c = 0; c <= gammas; c += 1) attempt([a / GRID, b / GRID, c / GRID]);
  for (let distance = 0.5 / GRID; distance > FINEST; distance /= 2) {
    const [a, b, c] = best;
    for (const da of [-distance, 0, distance])
      for (const db of [-distance, 0, distance])
        for (const dc of hasSeason ? [-distance, 0, distance] : [0])
          attempt([within(a + da), within(b + db), within(c + dc)]);
  }
  return best;
}

const within = (parameter: number): number => Math.min(1, Math.max(0, parameter));

/**
 * The length of the season: the distance at which what is left of the points without their line resembles itself most, if that
 * is no accident (beyond two standard errors) and there are two seasons of points; 0 where there is none.
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
    return sum / whole;
  };
  const most = Math.min(longest, Math.floor(y.length / 2));
  let season = 0;
  let best = 2 / Math.sqrt(y.length);
  let [before, here] = [resemblance(1), resemblance(2)];
  for (let distance = 2; distance <= most; distance += 1) {
    const after = resemblance(distance + 1);
    if (here > best && here > before && here >= after) [season, best] = [distance, here];
    [before, here] = [here, after];
  }
  return season;
}
