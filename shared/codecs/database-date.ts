/** Dates and timestamps as databases write them, as serial days. */
import { fromSerial, toSerial } from './serial-date.ts';

const DAY_NS = 86_400e9;

/** A blank stands before an offset of SQL Server, which is the value's own; PostgreSQL writes that of the session, whose clock shows the time. */
const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?)?(?:Z|[+-]\d{2}(?::?\d{2}){0,2})?$/;

/**
 * The serial of '2026-01-31', '2026-01-31 13:45:00.123456' or '2026-01-31 13:45:00.123456+01', by the clock that the text shows. The
 * fraction of the second is kept as far as the serial holds one: to about a microsecond. Null where Excel knows no such day, and for
 * texts that are no date ('infinity').
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
  // Whoever shows it rounds to the millisecond. The last instant of a day must not become the next day.
  return fromSerial(serial)?.day === date.day ? serial : toSerial({ ...date, ...clock, millisecond: 999 });
}

/** Whether a serial day holds the date only rounded: its second has more than three digits behind the point. */
export const isFinerThanSerial = (text: string): boolean => /:\d{2}\.\d{3}\d*[1-9]/.test(text);
