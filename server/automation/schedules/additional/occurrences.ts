/**
 * Computes the occurrences of a schedule. Starting, displaying and detecting missed occurrences all use the same
 * computation. Days are selected in the calendar of the schedule's time zone and only then converted to points in time.
 */
import type { HolidayRule, RecurrencePlan } from '#shared/contract/additional-schedules.ts';
import {
  isBusinessDay,
  MAX_NON_WORKING_DAYS,
  MONDAY_TO_FRIDAY,
  monthLength,
  partsOf,
  weekdayOf,
  type WorkingDays,
} from '#shared/rules/schedules/days.ts';
import { DAY_MS, localTime, instantOf, instantsOf, offsetAt } from '#server/base/zone-time.ts';
import { readCron } from './cron-times.ts';

export interface OccurrenceRule {
  plan: RecurrencePlan;
  timeZone: string;
  /** Null if no calendar is chosen: then no occurrence is moved, and business days are Monday to Friday. */
  calendar: WorkingDays | null;
  holidayRule: HolidayRule;
}

export interface Occurrences {
  /** Returns the first occurrence after a time; null if none follows. */
  next(after: Date): Date | null;
  /** Returns the newest occurrences after one time and up to another, oldest first. */
  newest(after: Date, upTo: Date, limit: number): Date[];
  /** Counts the occurrences, up to MAX_COUNT. */
  count(after: Date, upTo: Date): number;
}

/** Number of days searched. A plan for 29 February waits at most eight years, from 2096 to 2104. */
const MAX_SEARCHED_DAYS = 366 * 9;
const LAST_WEEK = 5;
const MAX_COUNT = 1000;

interface Times {
  isDay: (day: number) => boolean;
  times: readonly number[];
  byClock: boolean;
}

/** Throws if the plan is an invalid cron expression; such a plan is never stored. */
export function occurrencesOf(rule: OccurrenceRule): Occurrences {
  const times = timesOf(rule);
  const { timeZone } = rule;
  const instantsOn = (day: number): number[] => toInstants(day, landingOn(day, rule, times), timeZone, times.byClock);
  const dayAt = (instant: Date): number => Math.floor(localTime(instant.getTime(), timeZone) / DAY_MS);

  const newest = (after: Date, upTo: Date, limit: number): Date[] => {
    const found = new Set<number>();
    const first = dayAt(after) - 1;
    // Start one day later: a time that is shifted forward can fall into the next day.
    for (let day = dayAt(upTo) + 1, spare = 1; day >= first && spare >= 0; day -= 1) {
      if (found.size >= limit) spare -= 1;
      for (const instant of instantsOn(day)) {
        if (instant > after.getTime() && instant <= upTo.getTime()) found.add(instant);
      }
    }
    const inOrder = [...found].toSorted((a, b) => a - b);
    return inOrder.slice(-limit).map((instant) => new Date(instant));
  };

  return {
    next: (after) => {
      for (let day = dayAt(after) - 1, end = day + MAX_SEARCHED_DAYS; day <= end; day += 1) {
        const found = instantsOn(day).find((instant) => instant > after.getTime());
        if (found === undefined) continue;
        const sooner = instantsOn(day + 1).find((instant) => instant > after.getTime());
        return new Date(Math.min(found, sooner ?? found));
      }
      return null;
    },
    newest,
    count: (after, upTo) => newest(after, upTo, MAX_COUNT).length,
  };
}

function timesOf({ plan, calendar }: OccurrenceRule): Times {
  if (plan.Kind === 'Cron') {
    const cron = readCron(plan.Cron);
    if (!cron) throw new Error(`'${plan.Cron}' is no cron text`);
    return cron;
  }
  const seconds = Math.round(plan.TimeOfDay * 86_400) % 86_400;
  return { isDay: dayTest(plan, calendar ?? MONDAY_TO_FRIDAY), times: [seconds], byClock: false };
}

function dayTest(plan: Exclude<RecurrencePlan, { Kind: 'Cron' }>, working: WorkingDays): (day: number) => boolean {
  switch (plan.Kind) {
    case 'Daily':
      return () => true;
    case 'Weekly':
      return (day) => plan.Weekdays.includes(weekdayOf(day));
    case 'MonthlyDay':
      return (day) => isDate(day, (length) => Math.min(plan.Day, length));
    case 'MonthlyLastDay':
      return (day) => isDate(day, (length) => length);
    case 'MonthlyWeekday':
      return (day) => weekdayOf(day) === plan.Weekday && isWeek(day, plan.Week);
    case 'MonthlyBusinessDay':
      return (day) => isBusinessDay(day, working) && businessRank(day, plan.FromEnd, working) === plan.BusinessDay;
  }
}

function isDate(day: number, dateOf: (monthLength: number) => number): boolean {
  const { year, month, date } = partsOf(day);
  return date === dateOf(monthLength(year, month));
}

function isWeek(day: number, week: number): boolean {
  const { year, month, date } = partsOf(day);
  return week === LAST_WEEK ? date + 7 > monthLength(year, month) : Math.ceil(date / 7) === week;
}

/**
 * Returns the position of a business day in its month: 1 for the first business day, or for the last one if counted
 * from the end.
 */
function businessRank(day: number, fromEnd: boolean, working: WorkingDays): number {
  const { month } = partsOf(day);
  let rank = 0;
  for (let at = day; partsOf(at).month === month; at += fromEnd ? 1 : -1) if (isBusinessDay(at, working)) rank += 1;
  return rank;
}

/** Returns the times of the day, including times moved here from non-working days. */
function landingOn(day: number, { calendar, holidayRule }: OccurrenceRule, { isDay, times }: Times): readonly number[] {
  const isOwn = isDay(day);
  if (!calendar || holidayRule === 'Keep') return isOwn ? times : [];
  if (!isBusinessDay(day, calendar)) return [];
  if (isOwn || holidayRule === 'Skip') return isOwn ? times : [];
  const step = holidayRule === 'After' ? -1 : 1;
  for (let count = 1; count <= MAX_NON_WORKING_DAYS; count += 1) {
    const rest = day + step * count;
    if (isBusinessDay(rest, calendar)) break;
    if (isDay(rest)) return times;
  }
  return [];
}

function toInstants(day: number, times: readonly number[], timeZone: string, byClock: boolean): number[] {
  if (times.length === 0) return [];
  const midnight = day * DAY_MS;
  const offset = offsetAt(midnight - DAY_MS, timeZone);
  const locals = times.map((seconds) => midnight + seconds * 1000);
  if (offset === offsetAt(midnight + 2 * DAY_MS, timeZone)) return locals.map((local) => local - offset);
  return locals
    .flatMap((local) => (byClock ? instantsOf(local, timeZone) : instantOf(local, timeZone)))
    .toSorted((a, b) => a - b);
}
