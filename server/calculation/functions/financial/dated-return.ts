/**
 * XIRR as Excel finds it. Its documentation speaks of 0.000001 % and 100 tries only; the results it saves show the rest:
 * they are 0.1 (the guess) times a fraction with a power of two below, so it halves an interval, and how far the last half
 * lies off says when it stops. Newton's method would be closer to the true root, and differ from Excel in the ninth digit.
 */
import type { CallContext } from '../function.ts';

const MOST_TRIES = 100;
/** An interval is small enough at this times 1 + 1.7 |rate|: between 1.74 and 1.81 all saved results are met. */
const WIDTH = 1e-8;
const WIDTH_BY_RATE = 1.77;
/** Below 0, discount factors are steep: there the value has to be this small as well, as a part of the first payment. */
const LEFT_OVER = 2.2e-8;
/** What a guess of 0 is taken for. */
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

/** Between 0 and the guess, else the guess doubled until the value changes its sign. */
function positive(valueAt: Value, guess: number): Interval | null {
  if (changesSign(valueAt, 0, guess)) return { low: 0, high: guess };
  let low = guess;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (changesSign(valueAt, low, low * 2)) return { low, high: low * 2 };
    low *= 2;
  }
  return null;
}

/** From the loss of everything up to the guess, else from there to 0. */
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
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const middle = (from + to) / 2;
    const value = valueAt(middle);
    if (to - from <= WIDTH * (1 + WIDTH_BY_RATE * Math.abs(middle)) && isSmall(middle, value)) return middle;
    if (value > 0 === isUpperPositive) to = middle;
    else from = middle;
  }
  return null;
}
