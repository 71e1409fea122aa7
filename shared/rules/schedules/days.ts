/** Calendar days as numbers: days since 1970-01-01, without a time zone. */

const DAY_MS = 86_400_000;

/** @param iso such as '2026-11-21' */
export const dayOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / DAY_MS;

export const isoOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

export interface DayParts {
  year: number;
  /** 0 to 11. */
  month: number;
  /** 1 to 31. */
  date: number;
}

export function partsOf(day: number): DayParts {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() };
}

/** Months below 0 or above 11 refer to other years. */
export const firstOfMonth = (year: number, month: number): number => Date.UTC(year, month, 1) / DAY_MS;

export const monthLength = (year: number, month: number): number =>
  firstOfMonth(year, month + 1) - firstOfMonth(year, month);

/** Returns the same date in another month, or the month's last day if it is shorter. */
export function addMonths(day: number, months: number): number {
  const { year, month, date } = partsOf(day);
  return firstOfMonth(year, month + months) + Math.min(date, monthLength(year, month + months)) - 1;
}

/** Defines which days are business days. */
export interface WorkingDays {
  /** Non-working weekdays. */
  weekend: ReadonlySet<number>;
  /** Day numbers. */
  holidays: ReadonlySet<number>;
}

export const MONDAY_TO_FRIDAY: WorkingDays = { weekend: new Set([6, 7]), holidays: new Set() };

export const isBusinessDay = (day: number, { weekend, holidays }: WorkingDays): boolean =>
  !holidays.has(day) && !weekend.has(weekdayOf(day));

/** Maximum number of consecutive non-working days to skip when searching for a business day. */
export const MAX_NON_WORKING_DAYS = 31;

/**
 * Returns the business day that lies the given number of business days after (or before) a day. A count of 0 returns
 * the day itself, or the next business day. Null if no business day is found within MAX_NON_WORKING_DAYS days.
 */
export function addBusinessDays(day: number, count: number, working: WorkingDays): number | null {
  const step = count < 0 ? -1 : 1;
  let left = Math.abs(count);
  let current = day;
  let rested = 0;
  if (left === 0 && isBusinessDay(day, working)) return day;
  if (left === 0) left = 1;
  while (left > 0) {
    current += step;
    if (isBusinessDay(current, working)) [left, rested] = [left - 1, 0];
    else if (++rested > MAX_NON_WORKING_DAYS) return null;
  }
  return current;
}
