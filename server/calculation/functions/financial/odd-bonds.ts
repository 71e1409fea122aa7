/**
 * Bonds whose first or last coupon period is shorter or longer than the others. Source: Microsoft, 'ODDFPRICE
 * function', 'ODDLPRICE function' and their yields; the day counts of odd periods reproduce results saved by Excel.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import { calendarDay } from '../date/calendar.ts';
import type { FunctionDefinition } from '../function.ts';
import { addMonths, couponDates, couponDays, americanDays, daysBetween, isLastDay } from '../date/day-count.ts';
import { security } from './security.ts';
import { solveYield } from './solve-yield.ts';

interface OddBond {
  settlement: number;
  maturity: number;
  issue: number;
  firstCoupon: number;
  rate: number;
  redemption: number;
  frequency: number;
  basis: number;
}

/** Times that determine a price in addition to the yield, in coupon periods. */
interface OddTimes {
  /** Length of the odd first period. */
  first: number;
  /** Elapsed part of the odd first period. */
  elapsed: number;
  /** Time from the settlement to the first coupon. */
  toFirst: number;
  /** Number of coupons after the first one. */
  count: number;
}

const daysFrom = (first: number, last: number, basis: number): number => Math.max(0, daysBetween(first, last, basis));

function shortFirst(bond: OddBond, period: number): OddTimes {
  const { settlement, maturity, issue, firstCoupon, frequency, basis } = bond;
  return {
    first: daysFrom(issue, firstCoupon, basis) / period,
    elapsed: daysFrom(issue, settlement, basis) / period,
    toFirst: daysFrom(settlement, firstCoupon, basis) / period,
    count: couponDates(settlement, maturity, frequency).count - 1,
  };
}

/** A long first period consists of quasi-coupon periods, counted back from the first coupon. */
function longFirst(bond: OddBond, period: number): OddTimes {
  const { settlement, maturity, issue, firstCoupon, frequency, basis } = bond;
  const months = 12 / frequency;
  let first = 0;
  let elapsed = 0;
  let late = firstCoupon;
  for (let index = couponDates(issue, firstCoupon, frequency).count; index >= 1; index -= 1) {
    const early = addMonths(late, -months, false);
    const whole = basis === 1 ? daysFrom(early, late, basis) : period;
    first += (index > 1 ? whole : daysFrom(issue, late, basis)) / whole;
    elapsed += daysFrom(Math.max(issue, early), Math.min(settlement, late), basis) / whole;
    late = early;
  }
  const { previous, next } = couponDates(settlement, firstCoupon, frequency);
  const rest =
    basis === 2 || basis === 3 ? daysFrom(settlement, next, basis) : period - daysBetween(previous, settlement, basis);
  const whole = wholePeriods(settlement, firstCoupon, months);
  return { first, elapsed, toFirst: whole + rest / period, count: couponDates(firstCoupon, maturity, frequency).count };
}

/**
 * Returns the number of whole coupon periods between the settlement and the first coupon, counted from the settlement.
 */
function wholePeriods(settlement: number, firstCoupon: number, months: number): number {
  const end = calendarDay(firstCoupon);
  let atEnd = isLastDay(end);
  if (!atEnd && end.month !== 2 && end.day > 28) atEnd = isLastDay(calendarDay(settlement));
  const start = addMonths(settlement, 0, atEnd);
  let count = settlement < start ? 1 : 0;
  for (let day = addMonths(start, months, atEnd); day < firstCoupon; day = addMonths(day, months, atEnd)) count += 1;
  return count;
}

function timesOf(bond: OddBond): OddTimes {
  const { settlement, issue, firstCoupon, frequency, basis } = bond;
  const period = couponDays(couponDates(settlement, firstCoupon, frequency), frequency, basis);
  return daysFrom(issue, firstCoupon, basis) < period ? shortFirst(bond, period) : longFirst(bond, period);
}

function firstPrice({ rate, redemption, frequency }: OddBond, times: OddTimes, yearlyYield: number): number {
  const { first, elapsed, toFirst, count } = times;
  const coupon = (100 * rate) / frequency;
  const discount = 1 + yearlyYield / frequency;
  let result = redemption / discount ** (count + toFirst) + (coupon * first) / discount ** toFirst;
  for (let index = 1; index <= count; index += 1) result += coupon / discount ** (index + toFirst);
  return result - coupon * elapsed;
}

/** Returns true if the day is a coupon date: the first coupon must be whole periods before the maturity. */
function isCoupon(day: number, maturity: number, frequency: number): boolean {
  return couponDates(day, maturity, frequency).previous === day;
}

function oddFirst(solve: (bond: OddBond, times: OddTimes, value: number) => number | CellError) {
  return (args: number[]): number | CellError => {
    const [settlement, maturity, issue, firstCoupon, rate, value, redemption, frequency, basis] = args as Nine;
    if (!(maturity > firstCoupon && firstCoupon > settlement && settlement > issue)) return NUM_ERROR;
    if (rate < 0 || value < 0 || redemption <= 0 || !isCoupon(firstCoupon, maturity, frequency)) return NUM_ERROR;
    const bond = { settlement, maturity, issue, firstCoupon, rate, redemption, frequency, basis };
    return solve(bond, timesOf(bond), value);
  };
}

type Nine = [number, number, number, number, number, number, number, number, number];

function oddFirstYield(bond: OddBond, times: OddTimes, paid: number): number | CellError {
  if (paid === 0) return NUM_ERROR;
  return solveYield((guess) => firstPrice(bond, times, guess) - paid, bond.rate, bond.frequency) ?? NUM_ERROR;
}

interface LastTimes {
  whole: number;
  elapsed: number;
  rest: number;
}

/** Returns the odd last period in quasi-coupon periods, counted from the last interest date. */
function lastTimes(
  settlement: number,
  maturity: number,
  lastInterest: number,
  frequency: number,
  basis: number,
): LastTimes {
  const months = 12 / frequency;
  const period = (from: number, to: number): number =>
    Math.max(0, basis === 0 ? americanDays(from, to, true) : daysBetween(from, to, basis));
  const times: LastTimes = { whole: 0, elapsed: 0, rest: 0 };
  const count = couponDates(lastInterest, maturity, frequency).count;
  let early = lastInterest;
  for (let index = 1; index <= count; index += 1) {
    const late = addMonths(early, months, false);
    const whole = period(early, late);
    const days = index < count ? whole : period(early, maturity);
    times.whole += days / whole;
    if (late < settlement) times.elapsed += days / whole;
    else if (early < settlement) times.elapsed += daysFrom(early, settlement, basis) / whole;
    times.rest += daysFrom(Math.max(settlement, early), Math.min(maturity, late), basis) / whole;
    early = late;
  }
  return times;
}

function oddLast(
  solve: (times: LastTimes, coupon: number, value: number, redemption: number, frequency: number) => number,
) {
  return (args: number[]): number | CellError => {
    const [settlement, maturity, lastInterest, rate, value, redemption, frequency, basis] = args as Nine;
    if (!(maturity > settlement && settlement > lastInterest)) return NUM_ERROR;
    if (rate < 0 || value < 0 || redemption <= 0) return NUM_ERROR;
    const times = lastTimes(settlement, maturity, lastInterest, frequency, basis);
    return solve(times, (100 * rate) / frequency, value, redemption, frequency);
  };
}

export const oddBondFunctions: FunctionDefinition[] = [
  security('ODDFPRICE', 'ddddnnnfb', oddFirst(firstPrice)),
  security('ODDFYIELD', 'ddddnnnfb', oddFirst(oddFirstYield)),
  security(
    'ODDLPRICE',
    'dddnnnfb',
    oddLast(({ whole, elapsed, rest }, coupon, yearlyYield, redemption, frequency) => {
      return (whole * coupon + redemption) / ((rest * yearlyYield) / frequency + 1) - elapsed * coupon;
    }),
  ),
  security(
    'ODDLYIELD',
    'dddnnnfb',
    oddLast(({ whole, elapsed, rest }, coupon, paid, redemption, frequency) => {
      const cost = elapsed * coupon + paid;
      return (((whole * coupon + redemption - cost) / cost) * frequency) / rest;
    }),
  ),
];
