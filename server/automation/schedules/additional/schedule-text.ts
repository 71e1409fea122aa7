/** Describes in words when a schedule starts something. */
import cronstrue from 'cronstrue';
import type { RecurrencePlan } from '#shared/contract/additional-schedules.ts';
import type { OccurrenceRule } from './occurrences.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const WEEKS = ['first', 'second', 'third', 'fourth', 'last'];

export interface WordsRule extends Omit<OccurrenceRule, 'calendar'> {
  /** Null if no calendar is chosen. */
  calendarName: string | null;
}

/**
 * Returns a text such as 'Weekly on Monday and Friday at 06:30; on non-working days of Germany, on the business day
 * before (Europe/Berlin)'.
 */
export function describeSchedule({ plan, timeZone, calendarName, holidayRule }: WordsRule): string {
  return `${planWords(plan)}${holidayWords(calendarName, holidayRule)} (${timeZone})`;
}

function holidayWords(calendarName: string | null, rule: OccurrenceRule['holidayRule']): string {
  if (calendarName === null || rule === 'Keep') return '';
  if (rule === 'Skip') return `; except on non-working days of ${calendarName}`;
  return `; on non-working days of ${calendarName}, on the business day ${rule === 'Before' ? 'before' : 'after'}`;
}

function planWords(plan: RecurrencePlan): string {
  if (plan.Kind === 'Cron') return cronWords(plan.Cron);
  const at = `at ${clockText(plan.TimeOfDay)}`;
  switch (plan.Kind) {
    case 'Daily':
      return `Daily ${at}`;
    case 'Weekly':
      return `Weekly on ${listed([...new Set(plan.Weekdays)].toSorted((a, b) => a - b).map(weekdayName))} ${at}`;
    case 'MonthlyDay':
      return `Monthly on day ${plan.Day} ${at}`;
    case 'MonthlyLastDay':
      return `Monthly on the last day ${at}`;
    case 'MonthlyWeekday':
      return `Monthly on the ${WEEKS[plan.Week - 1]} ${weekdayName(plan.Weekday)} ${at}`;
    case 'MonthlyBusinessDay':
      return `Monthly on the ${businessDayWords(plan.BusinessDay, plan.FromEnd)} ${at}`;
  }
}

const weekdayName = (weekday: number): string => WEEKDAYS[weekday - 1]!;

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function businessDayWords(number: number, fromEnd: boolean): string {
  if (!fromEnd) return `${ordinal(number)} business day`;
  return number === 1 ? 'last business day' : `${ordinal(number)} last business day`;
}

function ordinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** Formats a time such as '06:30', with seconds if they are not zero. */
function clockText(fraction: number): string {
  const seconds = Math.round(fraction * 86_400) % 86_400;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (seconds % 60 !== 0) parts.push(seconds % 60);
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function cronWords(cron: string): string {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true });
  } catch {
    return `Cron ${cron}`;
  }
}
