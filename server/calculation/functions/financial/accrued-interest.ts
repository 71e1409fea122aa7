/** Interest that has accrued since a security was issued. Source: Microsoft, 'ACCRINT function', 'ACCRINTM function'. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import { calendarDay } from '../date/calendar.ts';
import type { FunctionDefinition } from '../function.ts';
import { addMonths, americanDays, daysBetween, daysInYear, isLastDay } from '../date/day-count.ts';
import { security } from './security.ts';

type Eight = [number, number, number, number, number, number, number, number];

/** Returns the days of a coupon period, to calculate fractions of it. */
function periodDays(from: number, to: number, frequency: number, basis: number): number {
  if (basis === 1) return to - from;
  if (basis === 3) return 365 / frequency;
  return basis === 4 ? daysBetween(from, to, basis) : americanDays(from, to, basis === 0);
}

/**
 * Returns the coupon date from which Excel counts: one period before the first interest date, or the last one before
 * the settlement.
 */
function startingDay({ firstInterest, settlement, frequency, fromIssue }: Accrual, atEnd: boolean): number {
  const months = 12 / frequency;
  if (settlement <= firstInterest || !fromIssue) return addMonths(firstInterest, -months, atEnd);
  let index = 0;
  while (addMonths(firstInterest, (index + 1) * months, atEnd) < settlement) index += 1;
  return addMonths(firstInterest, index * months, atEnd);
}

interface Accrual {
  issue: number;
  firstInterest: number;
  settlement: number;
  frequency: number;
  basis: number;
  fromIssue: boolean;
}

/**
 * Returns the number of accrued coupon periods. It counts from the starting coupon date to the settlement (negative if
 * that date is later), and back to the issue. Whole periods before the starting date count as 1, or as 0 if interest is
 * calculated from the first interest date.
 */
function accruedPeriods(accrual: Accrual, spend: (steps: number) => void): number {
  const { issue, firstInterest, settlement, frequency, basis, fromIssue } = accrual;
  const months = 12 / frequency;
  const atEnd = isLastDay(calendarDay(firstInterest));
  let front = startingDay(accrual, atEnd);
  const length =
    basis === 1 ? firstInterest - addMonths(firstInterest, -months, atEnd) : (basis === 3 ? 365 : 360) / frequency;
  let result = daysBetween(Math.max(issue, front), settlement, basis) / length;
  while (front > issue) {
    spend(1);
    const back = front;
    front = addMonths(front, -months, atEnd);
    if (issue <= front) result += fromIssue ? 1 : 0;
    else result += daysBetween(issue, back, basis) / periodDays(front, back, frequency, basis);
  }
  return result;
}

function accruedInterest(args: number[], spend: (steps: number) => void): number | CellError {
  const [issue, firstInterest, settlement, rate, par, frequency, basis, method] = args as Eight;
  if (issue >= settlement || rate <= 0 || par <= 0) return NUM_ERROR;
  const accrual = { issue, firstInterest, settlement, frequency, basis, fromIssue: method !== 0 };
  return ((par * rate) / frequency) * accruedPeriods(accrual, spend);
}

function accruedAtMaturity(args: number[]): number | CellError {
  const [issue, settlement, rate, par, basis] = args as [number, number, number, number, number];
  if (issue >= settlement || rate <= 0 || par <= 0) return NUM_ERROR;
  return (par * rate * daysBetween(issue, settlement, basis)) / daysInYear(issue, settlement, basis);
}

export const accruedInterestFunctions: FunctionDefinition[] = [
  security('ACCRINT', 'dddnnfbt', (args, context) => accruedInterest(args, (steps) => context.spend(steps)), 6),
  security('ACCRINTM', 'ddnnb', accruedAtMaturity),
];
