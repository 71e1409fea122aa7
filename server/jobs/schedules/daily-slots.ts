/**
 * The moments of daily schedules in a time zone. A time that a day does not have, because the clocks were moved forward, is read
 * with the offset from before: 02:30 becomes 03:30. A time that a day has twice is its first. Source: RFC 5545, section 3.3.5.
 */
import { MONTH_NAMES } from '#shared/codecs/serial-date.ts';

const DAY_MS = 86_400_000;

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

/** What the clocks of the zone show at a moment, as if it were UTC: milliseconds since 1970. */
function localTime(moment: number, timeZone: string): number {
  const parts: Partial<Record<string, number>> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(moment)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Milliseconds by which the clocks of the zone are ahead of UTC. */
function offsetAt(moment: number, timeZone: string): number {
  return localTime(moment, timeZone) - Math.floor(moment / 1000) * 1000;
}

/** The moment at which the clocks of the zone show a time. */
function momentOf(local: number, timeZone: string): number {
  const before = offsetAt(local - DAY_MS, timeZone);
  const after = offsetAt(local + DAY_MS, timeZone);
  const shown = [before, after]
    .map((offset) => local - offset)
    .filter((moment) => localTime(moment, timeZone) === local);
  return shown.length > 0 ? Math.min(...shown) : local - before;
}

/** @param timeOfDay a fraction of the day, to the second. */
export function nextSlot(after: Date, timeOfDay: number, timeZone: string): Date {
  const seconds = Math.round(timeOfDay * 86_400) * 1000;
  const today = Math.floor(localTime(after.getTime(), timeZone) / DAY_MS) * DAY_MS;
  // From the day before: a time moved forward may lie in the day after its own.
  for (let day = today - DAY_MS; ; day += DAY_MS) {
    const moment = momentOf(day + seconds, timeZone);
    if (moment > after.getTime()) return new Date(moment);
  }
}

const MOST_COUNTED = 400;

/** How many slots after `slot` have come up to `now`. */
export function slotsSince(slot: Date, now: Date, timeOfDay: number, timeZone: string): number {
  let count = 0;
  for (let next = nextSlot(slot, timeOfDay, timeZone); next <= now && count < MOST_COUNTED; count++) {
    next = nextSlot(next, timeOfDay, timeZone);
  }
  return count;
}

/** @param day '2026-11-21' */
export function startOfDay(day: string, timeZone: string): Date {
  return new Date(momentOf(Date.parse(`${day}T00:00:00Z`), timeZone));
}

/** '21/Nov/2026 02:30 (Europe/Berlin)' */
export function slotText(moment: Date, timeZone: string): string {
  const local = new Date(localTime(moment.getTime(), timeZone));
  const time = local.toISOString().slice(11, 16);
  return `${local.getUTCDate()}/${MONTH_NAMES[local.getUTCMonth()]}/${local.getUTCFullYear()} ${time} (${timeZone})`;
}
