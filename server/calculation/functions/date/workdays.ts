/** Working days: NETWORKDAYS and WORKDAY, with configurable weekends and holidays. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { asMatrix, eachValue, Range } from '#server/calculation/values/matrix.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { bookDay, dayOf, LAST_DAY, weekdayOf } from './calendar.ts';
import { serialOfText } from './date-text.ts';

/** True for each day of the week that is off, starting with Sunday. */
type Weekend = readonly boolean[];

const weekend = (...days: number[]): Weekend => Array.from({ length: 7 }, (_, day) => days.includes(day));
const SATURDAY_SUNDAY = weekend(6, 0);

/**
 * Reads a weekend. 1 to 7 are two consecutive days (1 is Saturday and Sunday); 11 to 17 are single days (11 is Sunday).
 * A text has a '1' for each day off, starting with Monday.
 */
function weekendOf(arg: FormulaValue): Weekend | CellError {
  if (arg === undefined) return SATURDAY_SUNDAY;
  if (typeof arg === 'string') {
    if (!/^[01]{7}$/.test(arg)) return VALUE_ERROR;
    return Array.from({ length: 7 }, (_, day) => arg[(day + 6) % 7] === '1');
  }
  const number = toNumber(arg as CellValue);
  if (number instanceof CellError) return number;
  const kind = Math.trunc(number);
  if (kind >= 1 && kind <= 7) return weekend((kind + 5) % 7, (kind + 6) % 7);
  return kind >= 11 && kind <= 17 ? weekend(kind - 11) : NUM_ERROR;
}

/** Returns the holidays in the 1900 system, ascending, without duplicates. */
function holidaysOf(arg: FormulaValue, context: CallContext): readonly number[] | CellError {
  if (arg === undefined) return [];
  return arg instanceof Range
    ? context.cached(arg, 'holidays', () => readHolidays(arg, context))
    : readHolidays(arg, context);
}

function readHolidays(arg: FormulaValue, context: CallContext): readonly number[] | CellError {
  const matrix = asMatrix(arg);
  if (!matrix) return VALUE_ERROR;
  const days = new Set<number>();
  let failure: CellError | null = null;
  eachValue(matrix, (value) => {
    if (value === null) return false;
    const serial = typeof value === 'string' ? (serialOfText(value, context) ?? VALUE_ERROR) : toNumber(value);
    const day = typeof serial === 'number' ? dayOf(serial, context) : serial;
    if (typeof day === 'number') days.add(day);
    else failure = day;
    return failure !== null;
  });
  return failure ?? [...days].sort((a, b) => a - b);
}

/** Counts working days from `first` to `last`, both included, without regard to holidays. */
function weekCount(first: number, last: number, off: Weekend): number {
  const perWeek = off.filter((isOff) => !isOff).length;
  const weeks = Math.floor((last - first + 1) / 7);
  let count = weeks * perWeek;
  for (let day = first + weeks * 7; day <= last; day += 1) if (!off[weekdayOf(day)]) count += 1;
  return count;
}

/** Counts holidays on working days from `first` to `last`. */
const holidayCount = (holidays: readonly number[], first: number, last: number, off: Weekend): number =>
  holidays.filter((day) => day >= first && day <= last && !off[weekdayOf(day)]).length;

function networkDays(start: number, end: number, off: Weekend, holidays: readonly number[]): number {
  const [first, last] = start <= end ? [start, end] : [end, start];
  const count = weekCount(first, last, off) - holidayCount(holidays, first, last, off);
  return start <= end ? count : -count;
}

/** Moves `count` working days (at least 1) in the given direction, without regard to holidays. */
function step(from: number, count: number, direction: 1 | -1, off: Weekend): number {
  const perWeek = off.filter((isOff) => !isOff).length;
  const weeks = Math.floor((count - 1) / perWeek);
  let day = from + direction * weeks * 7;
  for (let open = count - weeks * perWeek; open > 0;) {
    day += direction;
    if (!off[weekdayOf(day)]) open -= 1;
  }
  return day;
}

function workDay(start: number, days: number, off: Weekend, holidays: readonly number[]): number {
  if (days === 0) return start;
  const direction = days > 0 ? 1 : -1;
  let day = start;
  // Each holiday passed adds one more day, and the additional days can contain further holidays.
  for (let open = Math.abs(days); open > 0;) {
    const next = step(day, open, direction, off);
    open = direction > 0 ? holidayCount(holidays, day + 1, next, off) : holidayCount(holidays, next, day - 1, off);
    day = next;
    if (day < 0 || day > LAST_DAY) break;
  }
  return day;
}

/** Converts an argument to a number; these functions reject Booleans. */
function numberArgument(arg: FormulaValue, context: CallContext): number | CellError {
  if (typeof arg === 'number') return arg;
  if (typeof arg === 'boolean') return VALUE_ERROR;
  if (typeof arg === 'string') return serialOfText(arg, context) ?? VALUE_ERROR;
  return toNumber(arg as CellValue);
}

function define(
  name: string,
  hasWeekend: boolean,
  calculate: (
    numbers: [number, number],
    off: Weekend,
    holidays: readonly number[],
    context: CallContext,
  ) => number | CellError,
): FunctionDefinition {
  return defineFunction(
    name,
    hasWeekend ? 'vvva' : 'vva',
    (args, context) => {
      const first = numberArgument(args[0], context);
      const second = numberArgument(args[1], context);
      const off = hasWeekend ? weekendOf(args[2]) : SATURDAY_SUNDAY;
      const holidays = holidaysOf(args[hasWeekend ? 3 : 2], context);
      for (const value of [first, second, off, holidays]) if (value instanceof CellError) return value;
      return calculate([first as number, second as number], off as Weekend, holidays as readonly number[], context);
    },
    { required: 2 },
  );
}

function countDays(
  [start, end]: [number, number],
  off: Weekend,
  holidays: readonly number[],
  context: CallContext,
): number | CellError {
  const first = dayOf(start, context);
  const last = dayOf(end, context);
  if (typeof first !== 'number') return first;
  return typeof last === 'number' ? networkDays(first, last, off, holidays) : last;
}

function moveDay(
  [start, days]: [number, number],
  off: Weekend,
  holidays: readonly number[],
  context: CallContext,
): number | CellError {
  const first = dayOf(start, context);
  if (typeof first !== 'number') return first;
  if (off.every(Boolean)) return VALUE_ERROR;
  if (Math.abs(days) > LAST_DAY) return NUM_ERROR;
  return bookDay(workDay(first, Math.trunc(days), off, holidays), context);
}

export const workdayFunctions: FunctionDefinition[] = [
  define('NETWORKDAYS', false, countDays),
  define('NETWORKDAYS.INTL', true, countDays),
  define('WORKDAY', false, moveDay),
  define('WORKDAY.INTL', true, moveDay),
];
