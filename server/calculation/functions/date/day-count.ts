/**
 * Counts days and coupons of bonds by Excel's five bases: 0 American 30/360, 1 actual days, 2 actual/360, 3 actual/365,
 * 4 European 30/360. Days are whole serial numbers of the 1900 system. Sources: Microsoft, 'COUPDAYS function' and
 * related functions; D. Wheeler, 'YEARFRAC' (the analysis behind OpenFormula's bases); results saved by Excel.
 */
import { calendarDay, isLeapYear, monthLength, serialOfDay, type CalendarDay } from './calendar.ts';

const AMERICAN = 0;
const ACTUAL = 1;
const ACTUAL_365 = 3;
const EUROPEAN = 4;

export const isBasis = (basis: number): boolean => basis >= AMERICAN && basis <= EUROPEAN;

export const isLastDay = ({ year, month, day }: CalendarDay): boolean => day === monthLength(year, month);
const isLastOfFebruary = (date: CalendarDay): boolean => date.month === 2 && isLastDay(date);

/**
 * Counts days by the American 30/360 method. The first day becomes the 30th if it is the 31st or the end of February.
 * The second day becomes the 30th if it is the 31st and the first day is the 30th or 31st, or if both days end
 * February. With `isPeriod`, which counts from coupon to coupon, the 31st and the end of February always become the
 * 30th.
 */
export function americanDays(first: number, last: number, isPeriod = false): number {
  const from = calendarDay(first);
  const to = calendarDay(last);
  let firstDay = from.day;
  let lastDay = to.day;
  if (isLastOfFebruary(to) && (isPeriod || isLastOfFebruary(from))) lastDay = 30;
  if (lastDay === 31 && (isPeriod || firstDay >= 30)) lastDay = 30;
  if (firstDay === 31 || isLastOfFebruary(from)) firstDay = 30;
  return (to.year - from.year) * 360 + (to.month - from.month) * 30 + lastDay - firstDay;
}

export function europeanDays(first: number, last: number): number {
  const from = calendarDay(first);
  const to = calendarDay(last);
  return (to.year - from.year) * 360 + (to.month - from.month) * 30 + Math.min(to.day, 30) - Math.min(from.day, 30);
}

export function daysBetween(first: number, last: number, basis: number): number {
  if (basis === AMERICAN) return americanDays(first, last);
  return basis === EUROPEAN ? europeanDays(first, last) : last - first;
}

/**
 * Returns the actual number of days in the year, or their average over all years touched if the days are more than one
 * year apart.
 */
export function actualYear(first: number, last: number): number {
  const from = calendarDay(first);
  const to = calendarDay(last);
  const isWithinYear =
    from.year === to.year ||
    (to.year === from.year + 1 && (from.month > to.month || (from.month === to.month && from.day >= to.day)));
  if (!isWithinYear) {
    const days = serialOfDay(to.year + 1, 1, 1) - serialOfDay(from.year, 1, 1);
    // 1900 counts as 365 days here, although its serial numbers include February 29. Source: values saved by Excel.
    return (from.year === 1900 ? days - 1 : days) / (to.year - from.year + 1);
  }
  if (from.year === to.year) return isLeapYear(from.year) ? 366 : 365;
  const hasLeapDay =
    (isLeapYear(from.year) && from.month <= 2) ||
    (isLeapYear(to.year) && (to.month > 2 || (to.month === 2 && to.day === 29)));
  return hasLeapDay ? 366 : 365;
}

export function daysInYear(first: number, last: number, basis: number): number {
  if (basis === ACTUAL) return actualYear(first, last);
  return basis === ACTUAL_365 ? 365 : 360;
}

/** Returns the same day some months later; the last day of the month if that month is shorter or if `atEnd` is true. */
export function addMonths(day: number, months: number, atEnd: boolean): number {
  const { year, month, day: dayOfMonth } = calendarDay(day);
  const count = year * 12 + month - 1 + months;
  const newYear = Math.floor(count / 12);
  const newMonth = (count % 12) + 1;
  const length = monthLength(newYear, newMonth);
  return serialOfDay(newYear, newMonth, atEnd ? length : Math.min(dayOfMonth, length));
}

export interface CouponDates {
  /** The last coupon date at or before the settlement. */
  previous: number;
  /** The first coupon date after the settlement. */
  next: number;
  /** Number of coupons from the next one to the maturity, both included. */
  count: number;
}

/** Finds the coupon dates around the settlement. Coupon dates are whole periods before the maturity. */
export function couponDates(settlement: number, maturity: number, frequency: number): CouponDates {
  const months = 12 / frequency;
  const end = calendarDay(maturity);
  const start = calendarDay(settlement);
  const atEnd = isLastDay(end);
  let count = Math.max(1, Math.floor(((end.year - start.year) * 12 + end.month - start.month) / months));
  while (addMonths(maturity, -count * months, atEnd) > settlement) count += 1;
  while (count > 1 && addMonths(maturity, -(count - 1) * months, atEnd) <= settlement) count -= 1;
  return {
    previous: addMonths(maturity, -count * months, atEnd),
    next: addMonths(maturity, -(count - 1) * months, atEnd),
    count,
  };
}

/** Returns the number of days in the coupon period that contains the settlement. */
export function couponDays({ previous, next }: CouponDates, frequency: number, basis: number): number {
  if (basis === ACTUAL) return next - previous;
  return (basis === ACTUAL_365 ? 365 : 360) / frequency;
}
