/**
 * How cells go on where the fill handle is dragged, as in Excel. Source: Microsoft, 'Fill data automatically in worksheet cells', and the
 * behaviour of Excel's Edit > Fill > Series with the type AutoFill.
 */
import { dateFormatOf } from '#shared/codecs/date-format.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { fromSerial, isSerialDate, toSerial } from '#shared/codecs/serial-date.ts';
import type { CellKind } from '#shared/codecs/cell-text.ts';
import { continueTexts } from './text-series.ts';

export interface SeriesOptions {
  kind: Pick<CellKind, 'usage' | 'format'>;
  /** Upwards or to the left: a single date or text then counts down. */
  backward: boolean;
  /** Ctrl was held: what would count copies, and a single number counts. */
  invert: boolean;
}

/**
 * The next `count` cells after `source`, both in the order in which they are dragged.
 * @param source at least one cell
 */
export function continueSeries(source: readonly FormCell[], count: number, options: SeriesOptions): FormCell[] {
  const { usage } = options.kind;
  if (usage === 'Number' || usage === 'Date') {
    const numbers = source.filter((cell) => typeof cell === 'number');
    const countsByItself = numbers.length > 1 || (numbers.length === 1 && source.length === 1 && usage === 'Date');
    // Texts among them could not be read, or have more digits than counting would keep.
    const hasText = source.some((cell) => typeof cell === 'string' && cell !== '');
    const canCount = !hasText && (numbers.length > 1 || (numbers.length === 1 && source.length === 1));
    if (!canCount || countsByItself === options.invert) return repeat(source, count);
    return usage === 'Date' ? continueDates(source, count, options) : continueNumbers(source, count, options.backward);
  }
  if (options.invert || usage === 'Boolean') return repeat(source, count);
  return continueTexts(source, count, options.backward);
}

/** The cells again and again. */
export const repeat = (source: readonly FormCell[], count: number): FormCell[] =>
  Array.from({ length: count }, (_, at) => source[at % source.length]!);

/** Excel shows 15 digits: 0.1, 0.2 goes on with 0.3 and not with 0.30000000000000004. */
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

/** Cells that count do so, each at its place in the pattern; the others are repeated. */
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

/** The line through the numbers: steps that are all alike go on exactly, others by least squares as in Excel. */
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

/** A single day goes on by days, a time of day by hours. */
function dateAfter(first: number, format: string, forward: number): (at: number) => number {
  const { kind } = dateFormatOf(format);
  return (at) => (kind === 'time' || kind === 'duration' ? first + (forward * at) / 24 : first + forward * at);
}

const DAY_MS = 86_400_000;

/** Whole milliseconds, and blank beyond the days that Excel knows: eight hours added one by one are a third of a day, not a little less. */
const onClock = (serial: number): FormCell => {
  if (!isSerialDate(serial)) return null;
  return Number.isInteger(serial) ? serial : Math.round(serial * DAY_MS) / DAY_MS;
};

/** Dates on one day of the month, or all on its last one, go on by months and so by years; null where they do not. */
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
