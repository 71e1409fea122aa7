/**
 * Days and coupons of bonds by the five bases of Excel: 0 American 30/360, 1 actual days, 2 actual/360, 3 actual/365,
 * 4 European 30/360. Days are whole serials of the 1900 system. Sources: Microsoft, 'COUPDAYS function' and its kin; D.
 * Wheeler, 'YEARFRAC' (the analysis behind OpenFormula's bases); results saved by Excel.
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
 * Days by the American 30/360. Of the second day, the 31st and the end of February become the 30th where the first
 * day is such an end, too; or, as a period from coupon to coupon is counted, always (`isPeriod`).
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

/** Actual days of the years touched, on average where they are more than one apart. */
export function actualYear(first: number, last: number): number {
  const from = calendarDay(first);
  const to = calendarDay(last);
  const isWithinYear =
    from.year === to.year ||
    (to.year === from.year + 1 && (from.month > to.month || (from.month === to.month && from.day >= to.day)));
  if (!isWithinYear) {
    const days = serialOfDay(to.year + 1, 1, 1) - serialOfDay(from.year, 1, 1);
    // 1900 counts 365 here, though its serials have a 29 February. Source: values saved by Excel
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

/** The same day some months on; the last of its month where that is shorter, or where `atEnd`. */
export function addMonths(day: number, months: number, atEnd: boolean): number {
  const { year, month, day: dayOfMonth } = calendarDay(day);
  const count = year * 12 + month - 1 + months;
  const newYear = Math.floor(count / 12);
  const newMonth = (count % 12) + 1;
  const length = monthLength(newYear, newMonth);
  return serialOfDay(newYear, newMonth, atEnd ? length : Math.min(dayOfMonth, length));
}

export interface CouponDates {
  /** The last coupon at or before the settlement. */
  previous: number;
  /** The first after it. */
  next: number;
  /** From the next to the maturity, both included. */
  count: number;
}

/** Coupons lie whole periods before the maturity. */
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

/** Days of the coupon period that holds the settlement. */
export function couponDays({ previous, next }: CouponDates, frequency: number, basis: number): number {
  if (basis === ACTUAL) return next - previous;
  return (basis === ACTUAL_365 ? 365 : 360) / frequency;
}
