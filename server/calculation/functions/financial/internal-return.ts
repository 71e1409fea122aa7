/**
 * IRR as Excel finds it. Its documentation speaks of cycles until the result is accurate within 0.00001 % only. The results it saves show the rest,
 * to the last digit: it looks for the discount factor, not for the rate, by secants, and stops when both the factor changes and the present
 * value is left by less than 0.0000001. What it so leaves of the true rate is seen in present values that should be 0.
 */
import type { CallContext } from '../function.ts';

const MOST_STEPS = 60;
const ACCURACY = 1e-7;
/** How far the second factor lies from that of the guess. */
const FIRST_STEP = 1e-3;

export function returnOf(payments: readonly number[], guess: number, context: CallContext): number | null {
  context.spend(payments.length * MOST_STEPS);
  return (
    secantReturn(payments, guess) ??
    newtonReturn(payments, guess, finalStep) ??
    newtonReturn(payments, guess, presentStep)
  );
}

/** At the time of the first payment. */
function presentValue(payments: readonly number[], rate: number): number {
  let value = 0;
  let growth = 1;
  for (const payment of payments) {
    value += payment / growth;
    growth *= 1 + rate;
  }
  return value;
}

/** Null where the steps lead nowhere, or to the loss of more than everything. */
function secantReturn(payments: readonly number[], guess: number): number | null {
  let before = 1 / (1 + guess);
  let valueBefore = presentValue(payments, guess);
  let factor = before + (valueBefore > 0 ? FIRST_STEP : -FIRST_STEP);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const rate = 1 / factor - 1;
    const value = presentValue(payments, rate);
    const isStill = Math.abs(factor - before) < ACCURACY;
    if (step > 0 && isStill && (Math.abs(value) < ACCURACY || value === valueBefore)) return factor > 0 ? rate : null;
    const next = factor - (value * (factor - before)) / (value - valueBefore);
    if (!Number.isFinite(next) || next === 0) return null;
    before = factor;
    valueBefore = value;
    factor = next;
  }
  return null;
}

/** The value of payments at a rate over its slope, which is Newton's step. */
type NewtonStep = (payments: readonly number[], rate: number) => number;

/** On the present value. */
const presentStep: NewtonStep = (payments, rate) => {
  const factor = 1 / (1 + rate);
  let value = 0;
  let slope = 0;
  for (let index = payments.length - 1; index >= 0; index -= 1) {
    slope = slope * factor + value;
    value = value * factor + payments[index]!;
  }
  return value === 0 ? 0 : -value / (slope * factor * factor);
};

/**
 * On the value at the time of the last payment: a polynomial, which leads to rates near -1 as well, as results saved by Excel
 * do. Above 0 it is got from the present value, so that powers of long rows of payments stay small.
 */
const finalStep: NewtonStep = (payments, rate) => {
  const last = payments.length - 1;
  if (rate > 0) {
    const step = presentStep(payments, rate);
    return step === 0 ? 0 : 1 / (1 / step + last / (1 + rate));
  }
  let value = 0;
  let slope = 0;
  for (const payment of payments) {
    slope = slope * (1 + rate) + value;
    value = value * (1 + rate) + payment;
  }
  return value === 0 ? 0 : value / slope;
};

/** From the guess; null where the steps do not arrive. */
function newtonReturn(payments: readonly number[], guess: number, stepAt: NewtonStep): number | null {
  let rate = guess;
  for (let iteration = 0; iteration < MOST_STEPS; iteration += 1) {
    const step = stepAt(payments, rate);
    rate -= step;
    if (!Number.isFinite(rate)) return null;
    if (Math.abs(step) < ACCURACY) return rate > -1 ? rate : null;
  }
  return null;
}
