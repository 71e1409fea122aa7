/**
 * Calculates XIRR in the same way as Excel. Its documentation mentions only 0.000001 % and 100 tries. The saved results
 * show the rest: they are 0.1 (the guess) times a fraction with a power of two as denominator, which means bisection.
 * The width of the last interval shows when Excel stops. Newton's method would be more exact, and would differ from
 * Excel in the ninth digit.
 */
import type { CallContext } from '../function.ts';

const MAX_ITERATIONS = 100;
/**
 * Bisection stops at this width times 1 + WIDTH_BY_RATE · |rate|. Any factor from 1.74 to 1.81 reproduces all saved
 * results.
 */
const WIDTH = 1e-8;
const WIDTH_BY_RATE = 1.77;
/**
 * At rates below 0, discount factors change steeply. There the value must also be at most this fraction of the first
 * payment.
 */
const LEFT_OVER = 2.2e-8;
/** Replaces a guess of 0. */
const NO_GUESS = 1e-5;

export function datedReturn(
  payments: readonly number[],
  dates: readonly number[],
  guess: number,
  context: CallContext,
): number | null {
  const years = dates.map((date) => (date - dates[0]!) / 365);
  const valueAt = (rate: number): number => {
    context.spend(payments.length);
    let value = 0;
    for (let index = 0; index < payments.length; index += 1) value += payments[index]! / (1 + rate) ** years[index]!;
    return value;
  };
  const start = Math.abs(guess) || NO_GUESS;
  const interval = (guess < 0 ? null : positive(valueAt, start)) ?? negative(valueAt, start);
  if (!interval) return null;
  const leftOver = LEFT_OVER * Math.abs(payments.find((payment) => payment !== 0) ?? 0);
  return bisect(valueAt, interval, (rate, value) => rate >= 0 || Math.abs(value) <= leftOver);
}

interface Interval {
  low: number;
  high: number;
}

type Value = (rate: number) => number;

const changesSign = (valueAt: Value, low: number, high: number): boolean => {
  const first = valueAt(low);
  const last = valueAt(high);
  return (first <= 0 && last >= 0) || (first >= 0 && last <= 0);
};

/** Searches from 0 to the guess, then doubles the guess until the value changes its sign. */
function positive(valueAt: Value, guess: number): Interval | null {
  if (changesSign(valueAt, 0, guess)) return { low: 0, high: guess };
  let low = guess;
  for (let tries = 0; tries < MAX_ITERATIONS; tries += 1) {
    if (changesSign(valueAt, low, low * 2)) return { low, high: low * 2 };
    low *= 2;
  }
  return null;
}

/** Searches from a total loss (-1) to the negative guess, then from there to 0. */
function negative(valueAt: Value, guess: number): Interval | null {
  const atLoss = valueAt(-1 + Number.EPSILON);
  const atGuess = valueAt(-guess);
  if (atLoss > 0 !== atGuess > 0) return { low: -1, high: -guess };
  return changesSign(valueAt, -guess, 0) ? { low: -guess, high: 0 } : null;
}

function bisect(
  valueAt: Value,
  { low, high }: Interval,
  isSmall: (rate: number, value: number) => boolean,
): number | null {
  const isUpperPositive = valueAt(high) > 0;
  let [from, to] = [low, high];
  for (let tries = 0; tries < MAX_ITERATIONS; tries += 1) {
    const middle = (from + to) / 2;
    const value = valueAt(middle);
    if (to - from <= WIDTH * (1 + WIDTH_BY_RATE * Math.abs(middle)) && isSmall(middle, value)) return middle;
    if (value > 0 === isUpperPositive) to = middle;
    else from = middle;
  }
  return null;
}
