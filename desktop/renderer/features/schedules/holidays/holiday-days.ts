import type { Holiday } from '#shared/contract/holiday-calendars.ts';

/** Returns the days in order, with the added ones. Days that already exist take the new name. */
export function withDays(days: readonly Holiday[], added: readonly Holiday[]): Holiday[] {
  const known = new Map([...days, ...added].map((holiday) => [holiday.Day, holiday]));
  return [...known.values()].toSorted((a, b) => (a.Day < b.Day ? -1 : 1));
}
