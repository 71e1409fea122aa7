/** Converts days between the format of calls and addresses, 'YYYY-MM-DD', and the formats that users read and type. */
import { editDate } from '#shared/codecs/date-text.ts';
import { readDate } from '#shared/codecs/read-date.ts';
import { formatSerialDate, fromSerial, toSerial } from '#shared/codecs/serial-date.ts';
import { personRegion } from '#renderer/language/region.ts';
import { formatDay } from '../format-date.ts';

const DAY_FORMAT = 'd/mmm/yyyy';
const TIME_FORMAT = 'hh:mm';
const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the serial day of '2026-01-31'; null if the text is not a day. */
export function serialOfIsoDay(text: string): number | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return year === undefined ? null : toSerial({ year: Number(year), month: Number(month), day: Number(day) });
}

export const isIsoDay = (text: string): boolean => serialOfIsoDay(text) !== null;

export function isoDayOf(serial: number): string {
  const parts = fromSerial(serial);
  return parts ? `${String(parts.year).padStart(4, '0')}-${two(parts.month)}-${two(parts.day)}` : '';
}

/**
 * Returns '31/Jan/2026' for '2026-01-31', or '31.01.2026' in German for Germany; other texts are returned unchanged.
 */
export function shownDay(value: string): string {
  const serial = serialOfIsoDay(value);
  if (serial === null) return value;
  return formatDay(`${value}T00:00:00`);
}

export interface TypedDay {
  /** 'YYYY-MM-DD', '' for an empty text, or the text unchanged if it is not a day. */
  value: string;
  /** How an ambiguous text was interpreted; otherwise null. */
  note: string | null;
}

export function readTypedDay(text: string): TypedDay {
  if (text.trim() === '') return { value: '', note: null };
  const own = readDate(text, { format: DAY_FORMAT, region: personRegion() });
  // A day that is valid only in another order is accepted in that order, and reported.
  const read = own ?? readDate(text, { format: DAY_FORMAT });
  if (!read || !Number.isInteger(read.value)) return { value: text, note: null };
  return { value: isoDayOf(read.value), note: own ? own.note : `read as ${formatSerialDate(read.value)}` };
}

/** Returns '21:30' for '9:30 PM'; other texts are returned unchanged. */
export function readTypedTime(text: string): string {
  const read = readDate(text, { format: TIME_FORMAT });
  return read && read.value < 1 ? editDate(read.value, TIME_FORMAT) : text.trim();
}
