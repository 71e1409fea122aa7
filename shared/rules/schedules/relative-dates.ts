/** Dates relative to the day on which they are evaluated: 'today - 1 business day', 'last month end'. */
import { addBusinessDays, addMonths, firstOfMonth, partsOf, weekdayOf, type WorkingDays } from './days.ts';

type Unit = 'day' | 'business day' | 'week' | 'month' | 'year';

interface Step {
  count: number;
  unit: Unit;
}

export interface RelativeDate {
  anchor: 'today' | { which: -1 | 0 | 1; period: 'week' | 'month' | 'quarter' | 'year'; edge: 'start' | 'end' };
  steps: readonly Step[];
}

/** Examples to choose from. */
export const RELATIVE_DATE_EXAMPLES = [
  'today',
  'today - 1 day',
  'today - 1 business day',
  'last month start',
  'last month end',
  'this month start',
  'this month end',
  'next month start - 1 business day',
  'last quarter end',
  'last year end',
];

const ANCHOR = /^(?:(today)|(this|last|next) (week|month|quarter|year) (start|end))/;
const STEP = /^ ?([+-]) ?(\d{1,3}) (business day|day|week|month|year)s?(?= |\+|-|$)/;
const MAX_STEPS = 5;
const WHICH = { last: -1, this: 0, next: 1 } as const;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** Returns null if the text is not a relative date. */
export function parseRelativeDate(text: string): RelativeDate | null {
  const plain = text.trim().toLowerCase().replaceAll(/\s+/g, ' ').replaceAll('\u2212', '-');
  const found = ANCHOR.exec(plain);
  if (!found) return null;
  const [whole, today, which, period, edge] = found;
  const steps: Step[] = [];
  let rest = plain.slice(whole.length);
  while (rest !== '' && steps.length < MAX_STEPS) {
    const step = STEP.exec(rest);
    if (!step) return null;
    steps.push({ count: (step[1] === '-' ? -1 : 1) * Number(step[2]), unit: step[3] as Unit });
    rest = rest.slice(step[0].length);
  }
  if (rest !== '') return null;
  if (today) return { anchor: 'today', steps };
  const anchor = {
    which: WHICH[which as keyof typeof WHICH],
    period: period as 'week' | 'month' | 'quarter' | 'year',
    edge: edge as 'start' | 'end',
  };
  return { anchor, steps };
}

/** Evaluates a relative date for a day; null if the calendar has no business day near enough. */
export function resolveRelativeDate(
  { anchor, steps }: RelativeDate,
  today: number,
  working: WorkingDays,
): number | null {
  let day: number | null = anchor === 'today' ? today : edgeOf(anchor, today);
  for (const { count, unit } of steps) {
    if (day === null) return null;
    day = moved(day, count, unit, working);
  }
  return day;
}

function edgeOf({ which, period, edge }: Exclude<RelativeDate['anchor'], 'today'>, today: number): number {
  if (period === 'week') return today - weekdayOf(today) + 1 + which * 7 + (edge === 'end' ? 6 : 0);
  const { year, month } = partsOf(today);
  const months = MONTHS[period];
  const first = month - (month % months) + which * months;
  return edge === 'start' ? firstOfMonth(year, first) : firstOfMonth(year, first + months) - 1;
}

function moved(day: number, count: number, unit: Unit, working: WorkingDays): number | null {
  if (unit === 'business day') return addBusinessDays(day, count, working);
  if (unit === 'day') return day + count;
  if (unit === 'week') return day + count * 7;
  return addMonths(day, unit === 'year' ? count * 12 : count);
}
