/** Quiet hours, deadlines and summaries by the clocks of time zones. */
import { nextSlot, startOfDay } from '#server/jobs/schedules/daily-slots.ts';
import { MINUTES_OF_DAY, type AlertCondition, type NotificationSettings } from '#shared/contract/alerts.ts';

/** The next moment after one at which the clocks of a zone show a minute of the day. */
export const nextMinute = (after: Date, minute: number, timeZone: string): Date =>
  nextSlot(after, minute / MINUTES_OF_DAY, timeZone);

/** When a person may be told of what happens now: now, or when their quiet ends. */
export function afterQuiet(
  now: Date,
  quiet: Pick<NotificationSettings, 'QuietFrom' | 'QuietUntil' | 'TimeZone'> | undefined,
): Date {
  if (!quiet || quiet.QuietFrom === null || quiet.QuietUntil === null || quiet.QuietFrom === quiet.QuietUntil)
    return now;
  // The minute at which it begins belongs to it.
  const before = new Date(now.getTime() - 1);
  const until = nextMinute(now, quiet.QuietUntil, quiet.TimeZone);
  const from = nextMinute(before, quiet.QuietFrom, quiet.TimeZone);
  return until < from || from <= now ? until : now;
}

export type Late = Extract<AlertCondition, { Kind: 'Late' }>;

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** '2026-11-23' by the clocks of a zone. */
export const dayOf = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment);

function weekdayOf(moment: Date, timeZone: string): number {
  return WEEKDAYS.indexOf(new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short' }).format(moment)) + 1;
}

/** The next time at which a run has to have succeeded. */
export function nextDeadline(after: Date, { By, TimeZone, Days }: Pick<Late, 'By' | 'TimeZone' | 'Days'>): Date {
  let deadline = nextMinute(after, By, TimeZone);
  while (!Days.includes(weekdayOf(deadline, TimeZone))) deadline = nextMinute(deadline, By, TimeZone);
  return deadline;
}

/** When the day of a deadline began. */
export const dayBegin = (deadline: Date, timeZone: string): Date => startOfDay(dayOf(deadline, timeZone), timeZone);

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
