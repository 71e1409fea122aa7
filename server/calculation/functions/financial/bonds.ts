/** Prices, yields and durations of bonds with regular coupons. Source: Microsoft, 'PRICE function', 'DURATION function' etc. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { FunctionDefinition } from '../function.ts';
import { couponDates, couponDays, daysBetween } from '../date/day-count.ts';
import { security } from './security.ts';
import { solveYield } from './solve-yield.ts';

interface Bond {
  /** Annual rate, as a fraction of the face value. */
  rate: number;
  /** Per 100 of face value. */
  redemption: number;
  frequency: number;
  /** Number of remaining coupons. */
  count: number;
  /** Days since the last coupon, as a fraction of the coupon period. */
  elapsed: number;
}

function bondAt(
  settlement: number,
  maturity: number,
  rate: number,
  redemption: number,
  frequency: number,
  basis: number,
): Bond {
  const coupons = couponDates(settlement, maturity, frequency);
  const elapsed = daysBetween(coupons.previous, settlement, basis) / couponDays(coupons, frequency, basis);
  return { rate, redemption, frequency, count: coupons.count, elapsed };
}

/** Returns the clean price: the discounted future payments minus the interest accrued since the last coupon. */
function priceOf({ rate, redemption, frequency, count, elapsed }: Bond, yearlyYield: number): number {
  const coupon = (100 * rate) / frequency;
  const discount = 1 + yearlyYield / frequency;
  const first = 1 - elapsed;
  if (count === 1) return (redemption + coupon) / (1 + (first * yearlyYield) / frequency) - coupon * elapsed;
  let result = redemption / discount ** (count - 1 + first);
  for (let index = 0; index < count; index += 1) result += coupon / discount ** (index + first);
  return result - coupon * elapsed;
}

type Seven = [number, number, number, number, number, number, number];

function price(args: number[]): number | CellError {
  const [settlement, maturity, rate, yearlyYield, redemption, frequency, basis] = args as Seven;
  if (settlement >= maturity || rate < 0 || yearlyYield < 0 || redemption <= 0) return NUM_ERROR;
  return priceOf(bondAt(settlement, maturity, rate, redemption, frequency, basis), yearlyYield);
}

function yieldOf(args: number[]): number | CellError {
  const [settlement, maturity, rate, paid, redemption, frequency, basis] = args as Seven;
  if (settlement >= maturity || rate < 0 || paid <= 0 || redemption <= 0) return NUM_ERROR;
  const bond = bondAt(settlement, maturity, rate, redemption, frequency, basis);
  if (bond.count > 1) return solveYield((guess) => priceOf(bond, guess) - paid, rate, frequency) ?? NUM_ERROR;
  const cost = paid / 100 + (bond.elapsed * rate) / frequency;
  return (((redemption / 100 + rate / frequency) / cost - 1) * frequency) / (1 - bond.elapsed);
}

/** Returns the mean time to the payments in years, weighted by their present values (Macaulay duration). */
function durationOf(bond: Bond, yearlyYield: number): number {
  const { rate, frequency, count, elapsed } = bond;
  const coupon = (100 * rate) / frequency;
  const discount = 1 + yearlyYield / frequency;
  let weighted = 0;
  let total = 0;
  for (let index = 1; index <= count; index += 1) {
    const periods = index - elapsed;
    const value = (coupon + (index === count ? 100 : 0)) / discount ** periods;
    weighted += value * periods;
    total += value;
  }
  return weighted / total / frequency;
}

function duration(isModified: boolean) {
  return (args: number[]): number | CellError => {
    const [settlement, maturity, rate, yearlyYield, frequency, basis] = args as Seven;
    if (settlement >= maturity || rate < 0 || yearlyYield < 0) return NUM_ERROR;
    const years = durationOf(bondAt(settlement, maturity, rate, 100, frequency, basis), yearlyYield);
    return isModified ? years / (1 + yearlyYield / frequency) : years;
  };
}

export const bondFunctions: FunctionDefinition[] = [
  security('PRICE', 'ddnnnfb', price),
  security('YIELD', 'ddnnnfb', yieldOf),
  security('DURATION', 'ddnnfb', duration(false)),
  security('MDURATION', 'ddnnfb', duration(true)),
];
