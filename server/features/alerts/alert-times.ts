/** Computes quiet hours, deadlines and summary times in time zones. */
import { nextOccurrence, startOfDay } from '#server/automation/schedules/daily-occurrences.ts';
import { MINUTES_OF_DAY, type AlertCondition, type NotificationSettings } from '#shared/contract/alerts.ts';

/** Returns the next time after `after` at which the local clock shows the given minute of the day. */
export const nextMinute = (after: Date, minute: number, timeZone: string): Date =>
  nextOccurrence(after, minute / MINUTES_OF_DAY, timeZone);

/** Returns when a person may be notified of something that happens now: now, or when their quiet hours end. */
export function afterQuiet(
  now: Date,
  quiet: Pick<NotificationSettings, 'QuietFrom' | 'QuietUntil' | 'TimeZone'> | undefined,
): Date {
  if (!quiet || quiet.QuietFrom === null || quiet.QuietUntil === null || quiet.QuietFrom === quiet.QuietUntil)
    return now;
  // Quiet hours include their first minute.
  const before = new Date(now.getTime() - 1);
  const until = nextMinute(now, quiet.QuietUntil, quiet.TimeZone);
  const from = nextMinute(before, quiet.QuietFrom, quiet.TimeZone);
  return until < from || from <= now ? until : now;
}

export type Late = Extract<AlertCondition, { Kind: 'Late' }>;

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Returns the local date, such as '2026-11-23'. */
export const dayOf = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant);

function weekdayOf(instant: Date, timeZone: string): number {
  return WEEKDAYS.indexOf(new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short' }).format(instant)) + 1;
}

/** Returns the next time by which a run must have succeeded. */
export function nextDeadline(after: Date, { By, TimeZone, Days }: Pick<Late, 'By' | 'TimeZone' | 'Days'>): Date {
  let deadline = nextMinute(after, By, TimeZone);
  while (!Days.includes(weekdayOf(deadline, TimeZone))) deadline = nextMinute(deadline, By, TimeZone);
  return deadline;
}

/** Returns the start of the deadline's local day. */
export const dayBegin = (deadline: Date, timeZone: string): Date => startOfDay(dayOf(deadline, timeZone), timeZone);

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
