/** Cron expressions with five fields: the days and the times of day that they select. */
import { CronExpressionParser } from 'cron-parser';
import { partsOf, weekdayOf } from '#shared/rules/schedules/days.ts';

export interface CronTimes {
  isDay: (day: number) => boolean;
  /** Seconds of the day, ascending. */
  times: readonly number[];
  /**
   * True if every hour that the clocks show counts. A time that occurs twice then starts twice, and a skipped time does
   * not start.
   */
  byClock: boolean;
}

/** Digits, names, lists, ranges and steps, which every cron supports. */
const FIELD = /^(?:\*|[0-9A-Za-z]+)(?:-[0-9A-Za-z]+)?(?:\/\d+)?(?:,(?:\*|[0-9A-Za-z]+)(?:-[0-9A-Za-z]+)?(?:\/\d+)?)*$/;
const NAMES = new Set('jan feb mar apr may jun jul aug sep oct nov dec sun mon tue wed thu fri sat'.split(' '));

/** Returns null if the text is not a cron expression. */
export function readCron(text: string): CronTimes | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5 || !fields.every(isField)) return null;
  const parsed = parse(fields.join(' '));
  if (!parsed) return null;
  const [, hour = '', date = '', , weekday = ''] = fields;
  const { minute, hour: hours, dayOfMonth, month, dayOfWeek } = parsed;
  const numbers = (values: readonly unknown[]): number[] => values.map(Number);
  const dates = new Set(numbers(dayOfMonth.values));
  const months = new Set(numbers(month.values));
  // 0 and 7 are both Sunday.
  const weekdays = new Set(numbers(dayOfWeek.values).map((value) => (value === 0 ? 7 : value)));
  // As in cron: if both fields are restricted, either match is enough.
  const isEither = !date.startsWith('*') && !weekday.startsWith('*');
  return {
    isDay: (day) => {
      const parts = partsOf(day);
      if (!months.has(parts.month + 1)) return false;
      const isDate = dates.has(parts.date);
      const isWeekday = weekdays.has(weekdayOf(day));
      return isEither ? isDate || isWeekday : isDate && isWeekday;
    },
    times: numbers(hours.values)
      .flatMap((at) => numbers(minute.values).map((past) => at * 3600 + past * 60))
      .toSorted((a, b) => a - b),
    byClock: hour.startsWith('*'),
  };
}

function isField(text: string): boolean {
  if (!FIELD.test(text)) return false;
  return (text.match(/[A-Za-z]+/g) ?? []).every((name) => NAMES.has(name.toLowerCase()));
}

function parse(text: string) {
  try {
    return CronExpressionParser.parse(text, { tz: 'UTC' }).fields;
  } catch {
    return null;
  }
}
