/** Conversions between points in time and the local time of a time zone. */

export const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    const number = 'numeric';
    const date = { year: number, month: number, day: number } as const;
    const time = { hour: number, minute: number, second: number, hourCycle: 'h23' } as const;
    format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { timeZone, ...date, ...time });
    formats.set(timeZone, format);
  }
  return format;
}

/**
 * Returns true if the name is in the IANA database. An offset such as +02:00 is not accepted because it has no clock
 * changes.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns the local time of the zone as if it were UTC, in milliseconds since 1970. */
export function localTime(instant: number, timeZone: string): number {
  const parts: Partial<Record<string, number>> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns the milliseconds by which local time is ahead of UTC. */
export function offsetAt(instant: number, timeZone: string): number {
  return localTime(instant, timeZone) - Math.floor(instant / 1000) * 1000;
}

/**
 * Returns the points in time at which the zone's clocks show a local time: none if the clocks skip it, two if they show
 * it twice.
 */
export function instantsOf(local: number, timeZone: string): number[] {
  const offsets = new Set([offsetAt(local - DAY_MS, timeZone), offsetAt(local + DAY_MS, timeZone)]);
  return [...offsets]
    .map((offset) => local - offset)
    .filter((instant) => localTime(instant, timeZone) === local)
    .toSorted((a, b) => a - b);
}

/**
 * Returns the point in time at which the zone's clocks show a local time. A time skipped by a clock change is read with
 * the offset from before: 02:30 becomes 03:30. Of a time that occurs twice, the first is returned. Source: RFC 5545,
 * section 3.3.5.
 */
export function instantOf(local: number, timeZone: string): number {
  return instantsOf(local, timeZone)[0] ?? local - offsetAt(local - DAY_MS, timeZone);
}
