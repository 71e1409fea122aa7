/**
 * Calculates IRR in the same way as Excel. Its documentation says only that it iterates until the result is accurate
 * within 0.00001 %. The saved results show the rest, to the last digit. Excel searches for the discount factor, not the
 * rate, by the secant method. It stops when both the change of the factor and the present value are below 0.0000001.
 * The remaining error is visible in present values that should be 0.
 */
import type { CallContext } from '../function.ts';

const MAX_STEPS = 60;
const ACCURACY = 1e-7;
/** Distance of the second factor from the factor of the guess. */
const FIRST_STEP = 1e-3;

export function returnOf(payments: readonly number[], guess: number, context: CallContext): number | null {
  context.spend(payments.length * MAX_STEPS);
  return (
    secantReturn(payments, guess) ??
    newtonReturn(payments, guess, finalStep) ??
    newtonReturn(payments, guess, presentStep)
  );
}

/** Returns the value at the time of the first payment. */
function presentValue(payments: readonly number[], rate: number): number {
  let value = 0;
  let growth = 1;
  for (const payment of payments) {
    value += payment / growth;
    growth *= 1 + rate;
  }
  return value;
}

/** Returns null if the method does not converge, or converges to a loss of more than 100 %. */
function secantReturn(payments: readonly number[], guess: number): number | null {
  let before = 1 / (1 + guess);
  let valueBefore = presentValue(payments, guess);
  let factor = before + (valueBefore > 0 ? FIRST_STEP : -FIRST_STEP);
  for (let step = 0; step < MAX_STEPS; step += 1) {
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

/** Returns the Newton step at a rate: the value of the payments divided by its derivative. */
type NewtonStep = (payments: readonly number[], rate: number) => number;

/** Newton step on the present value. */
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
 * Newton step on the value at the time of the last payment. This is a polynomial and also converges to rates near -1,
 * as results saved by Excel do. For positive rates the step is derived from the present value, because powers would
 * become large for long lists of payments.
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

/** Iterates from the guess; null if the method does not converge. */
function newtonReturn(payments: readonly number[], guess: number, stepAt: NewtonStep): number | null {
  let rate = guess;
  for (let iteration = 0; iteration < MAX_STEPS; iteration += 1) {
    const step = stepAt(payments, rate);
    rate -= step;
    if (!Number.isFinite(rate)) return null;
    if (Math.abs(step) < ACCURACY) return rate > -1 ? rate : null;
  }
  return null;
}
