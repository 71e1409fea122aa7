/** Occurrences of daily schedules in a time zone. */
import { MONTH_NAMES } from '#shared/codecs/serial-date.ts';
import { DAY_MS, localTime, instantOf } from '#server/base/zone-time.ts';

/** Returns the first occurrence after a time. @param timeOfDay fraction of the day, to the second */
export function nextOccurrence(after: Date, timeOfDay: number, timeZone: string): Date {
  const seconds = Math.round(timeOfDay * 86_400) * 1000;
  const today = Math.floor(localTime(after.getTime(), timeZone) / DAY_MS) * DAY_MS;
  // Start one day earlier: a time that is shifted forward can fall into the next day.
  for (let day = today - DAY_MS; ; day += DAY_MS) {
    const instant = instantOf(day + seconds, timeZone);
    if (instant > after.getTime()) return new Date(instant);
  }
}

const MAX_COUNT = 400;

/** Counts the occurrences after `slot` up to `now`. */
export function countOccurrencesSince(occurrence: Date, now: Date, timeOfDay: number, timeZone: string): number {
  let count = 0;
  for (let next = nextOccurrence(occurrence, timeOfDay, timeZone); next <= now && count < MAX_COUNT; count++) {
    next = nextOccurrence(next, timeOfDay, timeZone);
  }
  return count;
}

/** @param day a date such as '2026-11-21' */
export function startOfDay(day: string, timeZone: string): Date {
  return new Date(instantOf(Date.parse(`${day}T00:00:00Z`), timeZone));
}

/** Formats an occurrence, such as '21/Nov/2026 02:30 (Europe/Berlin)'. */
export function formatOccurrence(instant: Date, timeZone: string): string {
  const local = new Date(localTime(instant.getTime(), timeZone));
  const time = local.toISOString().slice(11, 16);
  return `${local.getUTCDate()}/${MONTH_NAMES[local.getUTCMonth()]}/${local.getUTCFullYear()} ${time} (${timeZone})`;
}
