/** Days as calls and addresses have them, 'YYYY-MM-DD', and as people read and type them. */
import { editDate } from '#shared/codecs/date-text.ts';
import { readDate } from '#shared/codecs/read-date.ts';
import { formatSerialDate, fromSerial, toSerial } from '#shared/codecs/serial-date.ts';
import { personRegion } from '#renderer/language/region.ts';
import { formatDay } from '../format-date.ts';

const DAY_FORMAT = 'd/mmm/yyyy';
const TIME_FORMAT = 'hh:mm';
const two = (value: number): string => String(value).padStart(2, '0');

/** The serial day of '2026-01-31'; null for a text that is no day. */
export function serialOfIsoDay(text: string): number | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return year === undefined ? null : toSerial({ year: Number(year), month: Number(month), day: Number(day) });
}

export const isIsoDay = (text: string): boolean => serialOfIsoDay(text) !== null;

export function isoDayOf(serial: number): string {
  const parts = fromSerial(serial);
  return parts ? `${String(parts.year).padStart(4, '0')}-${two(parts.month)}-${two(parts.day)}` : '';
}

/** '31/Jan/2026' of '2026-01-31', in German of Germany '31.01.2026'; what is no day stays as it was typed. */
export function shownDay(value: string): string {
  const serial = serialOfIsoDay(value);
  if (serial === null) return value;
  return formatDay(`${value}T00:00:00`);
}

export interface TypedDay {
  /** 'YYYY-MM-DD', '' for nothing, or the text as it is where it is no day. */
  value: string;
  /** How it was read, where it could be read otherwise. */
  note: string | null;
}

export function readTypedDay(text: string): TypedDay {
  if (text.trim() === '') return { value: '', note: null };
  const own = readDate(text, { format: DAY_FORMAT, region: personRegion() });
  // What only the other order can read is read by it, and told.
  const read = own ?? readDate(text, { format: DAY_FORMAT });
  if (!read || !Number.isInteger(read.value)) return { value: text, note: null };
  return { value: isoDayOf(read.value), note: own ? own.note : `read as ${formatSerialDate(read.value)}` };
}

/** '21:30' of '9:30 PM'; what is no time of day stays as it was typed. */
export function readTypedTime(text: string): string {
  const read = readDate(text, { format: TIME_FORMAT });
  return read && read.value < 1 ? editDate(read.value, TIME_FORMAT) : text.trim();
}
