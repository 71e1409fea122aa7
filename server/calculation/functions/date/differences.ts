/** Time between two days: by the calendar, in years of 360 days, and as fractions of a year. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { strictNumberOf } from '../numeric.ts';
import { typed } from '../typed.ts';
import { calendarDay, dayOf, monthLength, serialOfDay, type CalendarDay } from './calendar.ts';
import { actualYear, americanDays, europeanDays } from './day-count.ts';

const HALF_SECOND = 0.5 / 86_400;

/** Converts two days of the workbook to the 1900 system; returns the error of the first invalid one. */
function bothDays(start: number, end: number, context: CallContext): [number, number] | CellError {
  const first = dayOf(start, context);
  const last = dayOf(end, context);
  if (typeof first !== 'number') return first;
  return typeof last === 'number' ? [first, last] : last;
}

function dateDif(start: number, end: number, unit: string, context: CallContext): number | CellError {
  const days = bothDays(start, end, context);
  if (!Array.isArray(days)) return days;
  const [first, last] = days;
  if (first > last) return NUM_ERROR;
  const from = calendarDay(first);
  const to = calendarDay(last);
  const months = (to.year - from.year) * 12 + to.month - from.month - (to.day < from.day ? 1 : 0);
  switch (unit.toUpperCase()) {
    case 'Y':
      return Math.floor(months / 12);
    case 'M':
      return months;
    case 'D':
      return last - first;
    case 'YM':
      return months % 12;
    case 'YD': {
      // Excel counts within the year of the first day.
      const isLater = to.month > from.month || (to.month === from.month && to.day >= from.day);
      return serialOfDay(isLater ? from.year : from.year + 1, to.month, to.day) - first;
    }
    case 'MD':
      // Counts from the most recent same day of a month. Short months make the result negative, a known bug of Excel.
      return last - serialOfDay(to.year, to.day < from.day ? to.month - 1 : to.month, from.day);
    default:
      return NUM_ERROR;
  }
}

const isLastOfFebruary = ({ year, month, day }: CalendarDay): boolean => month === 2 && day === monthLength(year, 2);

/**
 * European: the 31st becomes the 30th. American (NASD): the end of February also becomes the 30th if it is the first
 * day.
 */
function days360(first: number, last: number, european: boolean): number {
  if (european) return europeanDays(first, last);
  const from = calendarDay(first);
  const to = calendarDay(last);
  const firstDay = isLastOfFebruary(from) ? 30 : Math.min(from.day, 30);
  const lastDay = to.day === 31 && firstDay === 30 ? 30 : to.day;
  return (to.year - from.year) * 360 + (to.month - from.month) * 30 + lastDay - firstDay;
}

/** Returns the fraction of a year between two days (1900 system, ascending) by day count basis 0 to 4. */
function yearFraction(first: number, last: number, basis: number): number {
  switch (basis) {
    case 0:
      return americanDays(first, last) / 360;
    case 1:
      return (last - first) / actualYear(first, last);
    case 2:
      return (last - first) / 360;
    case 3:
      return (last - first) / 365;
    default:
      return europeanDays(first, last) / 360;
  }
}

function yearFrac(start: number, end: number, basis: number, context: CallContext): number | CellError {
  const days = bothDays(start, end, context);
  if (!Array.isArray(days)) return days;
  return yearFraction(Math.min(...days), Math.max(...days), Math.trunc(basis));
}

const fraction = typed('YEARFRAC', 'ddn', ([start, end, basis], context) => yearFrac(start, end, basis, context), {
  required: 2,
  noBooleans: true,
});

/** An invalid basis takes precedence over invalid days. Source: values saved by Excel. */
function yearFracOf(args: FormulaValue[], context: CallContext): FormulaValue {
  const basis = strictNumberOf(args[2]);
  if (typeof basis !== 'number') return basis;
  const kind = Math.trunc(basis);
  if (kind < 0 || kind > 4) return NUM_ERROR;
  const failure = args.find((arg) => arg instanceof CellError);
  return failure ?? fraction.call(args, context);
}

export const dateDifferenceFunctions: FunctionDefinition[] = [
  typed('DATEDIF', 'ddt', ([start, end, unit], context) => dateDif(start, end, unit, context)),
  typed('DAYS', 'dd', ([end, start], context) => {
    const days = bothDays(start, end, context);
    return Array.isArray(days) ? days[1] - days[0] : days;
  }),
  typed(
    'DAYS360',
    'ddb',
    ([start, end, european], context) => {
      // DAYS360 rounds to seconds before it determines the days.
      const days = bothDays(start + HALF_SECOND, end + HALF_SECOND, context);
      return Array.isArray(days) ? days360(days[0], days[1], european) : days;
    },
    { required: 2 },
  ),
  defineFunction('YEARFRAC', 'vvv', yearFracOf, { required: 2, takesErrors: true }),
];
