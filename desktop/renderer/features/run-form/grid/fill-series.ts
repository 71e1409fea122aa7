/**
 * Continues cells as Excel's fill handle does. Source: Microsoft, 'Fill data automatically in worksheet cells', and the
 * behavior of Excel's Edit > Fill > Series with the type AutoFill.
 */
import { dateFormatOf } from '#shared/codecs/date-format.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { fromSerial, isSerialDate, toSerial } from '#shared/codecs/serial-date.ts';
import type { CellKind } from '#shared/codecs/cell-text.ts';
import { continueTexts } from './text-series.ts';

export interface SeriesOptions {
  kind: Pick<CellKind, 'usage' | 'format'>;
  /** True if the fill goes up or left: a single date or text then counts down. */
  backward: boolean;
  /** True if Ctrl was held: series are copied instead, and a single number counts. */
  invert: boolean;
}

/**
 * Returns the next `count` cells after `source`, both in the direction of the drag.
 * @param source at least one cell
 */
export function continueSeries(source: readonly FormCell[], count: number, options: SeriesOptions): FormCell[] {
  const { usage } = options.kind;
  if (usage === 'Number' || usage === 'Date') {
    const numbers = source.filter((cell) => typeof cell === 'number');
    const countsByItself = numbers.length > 1 || (numbers.length === 1 && source.length === 1 && usage === 'Date');
    // Texts in these cells are unreadable, or have more digits than counting would preserve.
    const hasText = source.some((cell) => typeof cell === 'string' && cell !== '');
    const canCount = !hasText && (numbers.length > 1 || (numbers.length === 1 && source.length === 1));
    if (!canCount || countsByItself === options.invert) return repeat(source, count);
    return usage === 'Date' ? continueDates(source, count, options) : continueNumbers(source, count, options.backward);
  }
  if (options.invert || usage === 'Boolean') return repeat(source, count);
  return continueTexts(source, count, options.backward);
}

/** Repeats the cells cyclically. */
export const repeat = (source: readonly FormCell[], count: number): FormCell[] =>
  Array.from({ length: count }, (_, at) => source[at % source.length]!);

/** Excel shows 15 digits: 0.1, 0.2 continues with 0.3 and not with 0.30000000000000004. */
const digits15 = (value: number): number => Number(value.toPrecision(15));

function continueNumbers(source: readonly FormCell[], count: number, backward: boolean): FormCell[] {
  const numbers = source.filter((cell) => typeof cell === 'number');
  const trend = numbers.length === 1 ? constantStep(numbers[0]!, backward ? -1 : 1) : trendOf(numbers);
  return alongPattern(
    source,
    count,
    (cell) => typeof cell === 'number',
    (at) => trend(numbers.length + at),
  );
}

/** Continues the counting cells, each at its position in the pattern; the others are repeated. */
function alongPattern(
  source: readonly FormCell[],
  count: number,
  isCounted: (cell: FormCell) => boolean,
  next: (at: number) => FormCell,
): FormCell[] {
  let counted = 0;
  return Array.from({ length: count }, (_, at) => {
    const cell = source[at % source.length]!;
    if (!isCounted(cell)) return cell;
    counted += 1;
    return next(counted - 1);
  });
}

const constantStep =
  (first: number, step: number) =>
  (at: number): number =>
    digits15(first + step * at);

/** Returns the line through the numbers. Equal steps continue exactly, others by least squares as in Excel. */
function trendOf(numbers: readonly number[]): (at: number) => number {
  const step = digits15(numbers[1]! - numbers[0]!);
  const isEven = numbers.every((value, at) => at === 0 || digits15(value - numbers[at - 1]!) === step);
  if (isEven) return constantStep(numbers[0]!, step);
  const middle = (numbers.length - 1) / 2;
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const [covariance, variance] = numbers.reduce(
    ([xy, xx], value, at) => [xy + (at - middle) * (value - mean), xx + (at - middle) ** 2],
    [0, 0],
  );
  const slope = covariance / variance;
  return (at) => digits15(mean + slope * (at - middle));
}

function continueDates(source: readonly FormCell[], count: number, { kind, backward }: SeriesOptions): FormCell[] {
  const dates = source.filter((cell) => typeof cell === 'number');
  const forward = backward ? -1 : 1;
  const next = dates.length === 1 ? dateAfter(dates[0]!, kind.format, forward) : (byMonths(dates) ?? trendOf(dates));
  return alongPattern(
    source,
    count,
    (cell) => typeof cell === 'number',
    (at) => onClock(next(dates.length + at)),
  );
}

/** Continues a single date by days, and a single time of day by hours. */
function dateAfter(first: number, format: string, forward: number): (at: number) => number {
  const { kind } = dateFormatOf(format);
  return (at) => (kind === 'time' || kind === 'duration' ? first + (forward * at) / 24 : first + forward * at);
}

const DAY_MS = 86_400_000;

/**
 * Rounds to whole milliseconds: eight hours added one by one are a third of a day, not slightly less. Returns blank for
 * dates that Excel does not support.
 */
const onClock = (serial: number): FormCell => {
  if (!isSerialDate(serial)) return null;
  return Number.isInteger(serial) ? serial : Math.round(serial * DAY_MS) / DAY_MS;
};

/**
 * Continues dates by months, and so by years, if all are on the same day of the month or all on its last day; else
 * returns null.
 */
function byMonths(dates: readonly number[]): ((at: number) => number) | null {
  const parts = dates.map(fromSerial);
  const first = parts[0];
  if (!first || parts.includes(null) || dates.some((date) => date < 61)) return null;
  const months = parts.map((part) => part!.year * 12 + part!.month - 1);
  const step = months[1]! - months[0]!;
  const isEven = step !== 0 && months.every((month, at) => at === 0 || step === month - months[at - 1]!);
  const isAtEnd = parts.every((part) => part!.day === lastDay(part!.year, part!.month));
  const day = Math.max(...parts.map((part) => part!.day));
  const isOneDay = parts.every((part) => part!.day === first.day);
  const time = dates[0]! - Math.floor(dates[0]!);
  if (!isEven || !(isOneDay || isAtEnd) || dates.some((date) => date - Math.floor(date) !== time)) return null;
  return (at) => {
    const month = months[0]! + step * at;
    const [year, inYear] = [Math.floor(month / 12), (((month % 12) + 12) % 12) + 1];
    const last = lastDay(year, inYear);
    const serial = toSerial({ year, month: inYear, day: isAtEnd && !isOneDay ? last : Math.min(day, last) });
    return serial === null ? Number.NaN : serial + time;
  };
}

const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
