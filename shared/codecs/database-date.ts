/** Converts dates and timestamps in database notation to serial days. */
import { fromSerial, toSerial } from './serial-date.ts';

const DAY_NS = 86_400e9;

/**
 * SQL Server writes a space before an offset that belongs to the value; such texts do not match. PostgreSQL writes the
 * offset of the session, in whose time zone the time is already given.
 */
const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?)?(?:Z|[+-]\d{2}(?::?\d{2}){0,2})?$/;

/**
 * Returns the serial day of '2026-01-31', '2026-01-31 13:45:00.123456' or '2026-01-31 13:45:00.123456+01', using the
 * time as written. Fractions of a second are accurate to about a microsecond, the limit of a serial day. Returns null
 * for days that Excel does not know, and for texts that are not dates ('infinity').
 */
export function serialOfDatabaseDate(text: string): number | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = WRITTEN.exec(text) ?? [];
  if (year === undefined) return null;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const clock = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  const midnight = toSerial(date);
  if (midnight === null || toSerial({ ...date, ...clock }) === null) return null;
  const seconds = (clock.hour * 60 + clock.minute) * 60 + clock.second;
  const serial = midnight + (seconds * 1e9 + Number(fraction.slice(0, 9).padEnd(9, '0'))) / DAY_NS;
  // Displays round to the millisecond. The last instant of a day must not be rounded to the next day.
  return fromSerial(serial)?.day === date.day ? serial : toSerial({ ...date, ...clock, millisecond: 999 });
}

/** Returns whether a serial day displays the date only rounded, because the seconds have more than three decimals. */
export const isFinerThanSerial = (text: string): boolean => /:\d{2}\.\d{3}\d*[1-9]/.test(text);
