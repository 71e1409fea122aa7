/** Formats dates, times and durations for editing, following the format of the cell. */
import { dateFormatOf, type DateFormat, type DateKind } from './date-format.ts';
import { formatSerialDate, isSerialDate, MAX_SERIAL } from './serial-date.ts';

const DAY_MS = 86_400_000;
const two = (value: number): string => String(value).padStart(2, '0');

/**
 * Returns the text for editing a serial number: '31/Jan/2026', '21:30', '9:30 PM', '31/Jan/2026 21:30:00', '37:30'. It
 * contains what the format shows, plus any other part that is not zero, so editing loses nothing.
 */
export function editDate(serial: number, format: string): string {
  const shown = dateFormatOf(format);
  if (shown.kind === 'duration') return durationText(serial, shown);
  if (!isSerialDate(serial)) return String(serial);
  const ms = Math.round((serial - Math.floor(serial)) * DAY_MS);
  const clock = (): string => clockText(ms === DAY_MS ? DAY_MS - 1 : ms, shown);
  if (serial < 1) return clock();
  if (shown.kind === 'time' || shown.kind === 'dateTime' || (ms % 1000 !== 0 && ms !== DAY_MS))
    return `${formatSerialDate(Math.floor(serial))} ${clock()}`;
  return formatSerialDate(serial);
}

const WANTED: Record<DateKind, string> = {
  date: 'a date, such as 31/Jan/2026',
  dateTime: 'a date and time, such as 31/Jan/2026 21:30',
  time: 'a time of day, such as 21:30',
  duration: 'a duration, such as 37:30',
  any: 'a date or time, such as 31/Jan/2026',
};

/** Describes what a Date cell of this format accepts; continues the sentence 'Value must be'. */
export const wantedDate = (format: string): string => WANTED[dateFormatOf(format).kind];

/**
 * Returns whether a Date cell of this format can hold the number. Durations may be negative, because they may be
 * differences.
 */
export const isDateValue = (value: number, format: string): boolean =>
  isSerialDate(value) || (dateFormatOf(format).kind === 'duration' && value < 0 && value >= -MAX_SERIAL);

/**
 * Returns the display text of a Date cell: days as day/Mon/year, anything else in the cell's format through
 * `formatted`.
 */
export function displayDate(serial: number, format: string, formatted: () => string): string {
  const { kind } = dateFormatOf(format);
  if (kind === 'date' || kind === 'any') return isSerialDate(serial) ? formatSerialDate(serial) : String(serial);
  return kind === 'duration' || isSerialDate(serial) ? formatted() : String(serial);
}

function clockText(ms: number, { seconds, halves }: DateFormat): string {
  const hour = Math.floor(ms / 3_600_000);
  const rest = minutesAndSeconds(ms, seconds);
  return halves ? `${hour % 12 || 12}:${rest} ${hour < 12 ? 'AM' : 'PM'}` : `${two(hour)}:${rest}`;
}

function durationText(days: number, { seconds, hours }: DateFormat): string {
  const ms = Math.round(Math.abs(days) * DAY_MS);
  // If the format shows no hours, the seconds are always written: two numbers would be read back as minutes and
  // seconds.
  return `${days < 0 ? '-' : ''}${Math.floor(ms / 3_600_000)}:${minutesAndSeconds(ms, seconds || !hours)}`;
}

function minutesAndSeconds(ms: number, seconds: boolean): string {
  const minutes = two(Math.floor(ms / 60_000) % 60);
  const rest = ms % 60_000;
  if (rest === 0 && !seconds) return minutes;
  const part =
    rest % 1000 === 0
      ? ''
      : `.${String(rest % 1000)
          .padStart(3, '0')
          .replace(/0+$/, '')}`;
  return `${minutes}:${two(Math.floor(rest / 1000))}${part}`;
}
