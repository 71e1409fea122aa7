/**
 * Loans and savings with equal payments. Source: Microsoft, 'PV function' (its equation is the basis of all of them),
 * and related functions.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { DIV0_ERROR, NUM_ERROR } from '#server/calculation/values/coerce.ts';
import { raised } from '#server/calculation/values/powers.ts';
import type { FunctionDefinition } from '../function.ts';
import { numeric } from '../numeric.ts';
import { security } from './security.ts';

/** Returns the value, after the last period, of 1 paid at the end (type 0) or the beginning (type 1) of each period. */
function annuityGrowth(rate: number, periods: number, type: number): number {
  if (rate === 0) return periods;
  return ((1 + rate * type) * (raised(1 + rate, periods) - 1)) / rate;
}

const paymentType = (type: number): number => (type === 0 ? 0 : 1);

function futureValue(rate: number, periods: number, payment: number, present: number, type: number): number {
  return -(present * raised(1 + rate, periods) + payment * annuityGrowth(rate, periods, type));
}

function presentValue(rate: number, periods: number, payment: number, future: number, type: number): number {
  return -(future + payment * annuityGrowth(rate, periods, type)) / raised(1 + rate, periods);
}

/** Uses logarithms, which stay exact for small rates. This reproduces Excel's results to the last digits. */
function paymentOf(rate: number, periods: number, present: number, future: number, type: number): number {
  if (rate === 0 || rate <= -1)
    return -(present * raised(1 + rate, periods) + future) / annuityGrowth(rate, periods, type);
  const growth = periods * Math.log1p(rate);
  return (-(future / Math.expm1(growth) - present / Math.expm1(-growth)) * rate) / (1 + rate * type);
}

/** Returns the interest part of the payment of a period (from 1): interest on the debt at the start of the period. */
function interestOf(
  rate: number,
  period: number,
  periods: number,
  present: number,
  future: number,
  type: number,
): number {
  if (rate === 0 || (type === 1 && period === 1)) return 0;
  if (rate <= -1) {
    const payment = paymentOf(rate, periods, present, future, type);
    if (type === 0) return futureValue(rate, period - 1, payment, present, 0) * rate;
    return (futureValue(rate, period - 2, payment, present, 1) - payment) * rate;
  }
  const log = Math.log1p(rate);
  const owed = ((present + future) / Math.expm1(-periods * log)) * Math.expm1(-(periods - period + 1) * log);
  return (future * rate - owed * rate) / (1 + rate * type);
}

/** Returns the principal part of the payment, which reduces the debt. */
function principalOf(
  rate: number,
  period: number,
  periods: number,
  present: number,
  future: number,
  type: number,
): number {
  if (rate === 0 || rate <= -1 || (type === 1 && period === 1)) {
    const payment = paymentOf(rate, periods, present, future, type);
    return payment - interestOf(rate, period, periods, present, future, type);
  }
  const log = Math.log1p(rate);
  const last = ((present + future) / Math.expm1(-periods * log)) * Math.exp(-(periods - period + 1) * log);
  return (last * rate) / (1 + rate * type);
}

type Six = [number, number, number, number, number, number];

/** IPMT and PPMT. */
const partOf =
  (part: typeof interestOf) =>
  (args: number[]): number | CellError => {
    const [rate, period, periods, present, future, type] = args as Six;
    if (period < 1 || period >= periods + 1 || periods <= 0) return NUM_ERROR;
    return part(rate, period, periods, present, future, paymentType(type));
  };

/** Up to this number of periods, the parts are added one by one, which reproduces Excel's last digits. */
const MAX_SUMMED_PERIODS = 2_000;

/**
 * CUMIPMT and CUMPRINC. Both ends are included; fractional periods are rounded towards the inside of the interval. For
 * long intervals, a closed form is used: the principal grows by the rate from payment to payment, therefore its sum is
 * a difference of two powers. With payments in advance, the first payment contains no interest.
 */
function cumulative(ofInterest: boolean) {
  return (args: number[]): number | CellError => {
    const [rate, periods, present, start, end, type] = args as Six;
    if (rate <= 0 || periods <= 0 || present <= 0 || start < 1 || end < 1 || start > end || end > periods) {
      return NUM_ERROR;
    }
    if (type !== 0 && type !== 1) return NUM_ERROR;
    const payment = paymentOf(rate, periods, present, 0, type);
    const first = Math.ceil(start);
    const last = Math.floor(end);
    if (last < first) return 0;
    if (last - first < MAX_SUMMED_PERIODS) {
      const part = ofInterest ? interestOf : principalOf;
      let sum = 0;
      for (let period = first; period <= last; period += 1) sum += part(rate, period, periods, present, 0, type);
      return sum;
    }
    const withoutInterest = type === 1 && first === 1 ? 1 : 0;
    const from = first + withoutInterest - 1 - type;
    const to = Math.max(from, last - type);
    const growth = raised(1 + rate, periods) - 1;
    const returned = (-present * (raised(1 + rate, to) - raised(1 + rate, from))) / growth;
    const principal = withoutInterest * payment + (growth === Infinity ? 0 : returned);
    return ofInterest ? payment * (last - first + 1) - principal : principal;
  };
}

/** Returns the interest of a loan repaid in equal parts; its periods count from 0. */
function straightInterest([rate, period, periods, present]: number[]): number | CellError {
  if (periods === 0) return DIV0_ERROR;
  return present! * rate! * (period! / periods! - 1);
}

function periodsOf([rate, payment, present, future, type]: number[]): number | CellError {
  if (rate === 0) return payment === 0 ? NUM_ERROR : -(present! + future!) / payment!;
  const due = payment! * (1 + rate! * paymentType(type!));
  return Math.log((due - future! * rate!) / (due + present! * rate!)) / Math.log(1 + rate!);
}

const RATE_ITERATIONS = 100;
const RATE_ACCURACY = 1e-7;
const RATE_STEP = 1e-5;
/**
 * With payments at the beginning of periods, a rate of -1 always solves the equation. Results up to this limit are
 * therefore rejected.
 */
const TOTAL_LOSS = -1 + 1e-9;

/**
 * Finds the rate by the secant method until the future value is within 0.0000001. #NUM! if it does not converge or
 * reaches a total loss. Results saved by Excel contain the error of this method. (Microsoft, 'RATE function', mentions
 * 20 steps; Excel takes more.)
 */
function rateOf([periods, payment, present, future, type, guess]: number[]): number | CellError {
  if (periods! <= 0 || guess! <= -1) return NUM_ERROR;
  const due = paymentType(type!);
  const valueAt = (rate: number): number => futureValue(rate, periods!, payment!, present!, due) - future!;
  let before = guess!;
  let rate = before + RATE_STEP;
  let valueBefore = valueAt(before);
  for (let iteration = 0; iteration < RATE_ITERATIONS; iteration += 1) {
    const value = valueAt(rate);
    // For very large amounts, the rounding error exceeds the accuracy. Stop when a step no longer changes the rate.
    const isStill = Math.abs(rate - before) <= 1e-14 * (1 + Math.abs(rate));
    if (Math.abs(value) < RATE_ACCURACY || (isStill && iteration > 0)) return rate > TOTAL_LOSS ? rate : NUM_ERROR;
    const next = rate - (value * (rate - before)) / (value - valueBefore);
    [before, valueBefore, rate] = [rate, value, next];
    if (!Number.isFinite(rate)) return NUM_ERROR;
  }
  return Math.abs(rate - before) < RATE_ACCURACY && rate > TOTAL_LOSS ? rate : NUM_ERROR;
}

export const annuityFunctions: FunctionDefinition[] = [
  numeric(
    'PMT',
    5,
    ([rate, periods, present, future, type]) =>
      periods === 0 || rate! <= -1 ? NUM_ERROR : paymentOf(rate!, periods!, present!, future!, paymentType(type!)),
    { required: 3 },
  ),
  numeric('IPMT', 6, partOf(interestOf), { required: 4 }),
  numeric('PPMT', 6, partOf(principalOf), { required: 4 }),
  security('CUMIPMT', 'nnnnnn', cumulative(true), 6),
  security('CUMPRINC', 'nnnnnn', cumulative(false), 6),
  numeric(
    'PV',
    5,
    ([rate, periods, payment, future, type]) =>
      rate === -1 && periods! > 0 ? DIV0_ERROR : presentValue(rate!, periods!, payment!, future!, paymentType(type!)),
    { required: 3 },
  ),
  numeric(
    'FV',
    5,
    ([rate, periods, payment, present, type]) =>
      rate === -1 && periods! < 0 ? DIV0_ERROR : futureValue(rate!, periods!, payment!, present!, paymentType(type!)),
    { required: 3 },
  ),
  numeric('NPER', 5, periodsOf, { required: 3 }),
  numeric('RATE', 6, rateOf, { required: 3, defaults: [0, 0, 0, 0, 0, 0.1] }),
  numeric('ISPMT', 4, straightInterest),
];
