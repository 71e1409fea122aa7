/** Parses dates in text files. The order of day and month is determined from a whole column, never guessed. */
import { parseSerialDate, toSerial } from '#shared/codecs/serial-date.ts';

export type DateOrder = 'dmy' | 'mdy' | 'ymd' | 'unknown' | 'both';

const NUMERIC = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[ T](.*))?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?Z?$/;

/** Returns the order that the texts of a column prove. Dots mean that the day comes first; a part above 12 is a day. */
export function findOrder(texts: Iterable<string>): DateOrder {
  let dayFirst = false;
  let monthFirst = false;
  let open = false;
  for (const text of texts) {
    const match = NUMERIC.exec(text.trim());
    if (!match) continue;
    const [first, second] = [Number(match[1]), Number(match[3])];
    if (match[2] === '.' || first > 12) dayFirst = true;
    else if (second > 12) monthFirst = true;
    else if (first !== second) open = true;
  }
  if (dayFirst && monthFirst) return 'both';
  if (monthFirst) return 'mdy';
  return dayFirst || !open ? 'dmy' : 'unknown';
}

/** Returns the order of a step's DateFormat. */
export function orderOf(format: string): DateOrder {
  const plain = format.toLowerCase();
  if (plain === 'mm/dd/yyyy') return 'mdy';
  return plain === 'dd/mm/yyyy' ? 'dmy' : 'ymd';
}

/** Returns the serial number of a date text (1900 date system); null if it is not a date. */
export function parseFileDate(text: string, order: DateOrder): number | null {
  const trimmed = text.trim();
  const compact = COMPACT.exec(trimmed);
  if (compact) return toSerial({ year: Number(compact[1]), month: Number(compact[2]), day: Number(compact[3]) });
  const match = NUMERIC.exec(trimmed);
  if (!match) return parseSerialDate(trimmed.replace(/(:\d{2})(?:\.\d+)?Z?$/, '$1'));
  if (order === 'ymd') return null;
  const [day, month] = order === 'mdy' ? [match[3], match[1]] : [match[1], match[3]];
  const time = match[5] === undefined ? null : TIME.exec(match[5]);
  if (match[5] !== undefined && !time) return null;
  return toSerial({
    year: Number(match[4]),
    month: Number(month),
    day: Number(day),
    hour: Number(time?.[1] ?? 0),
    minute: Number(time?.[2] ?? 0),
    second: Number(time?.[3] ?? 0),
  });
}
