import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HolidayRule, RecurrencePlan } from '#shared/contract/additional-schedules.ts';
import { dayOf, type WorkingDays } from '#shared/rules/schedules/days.ts';
import { rounds } from '#test/support/test-set.ts';
import { readCron } from './cron-times.ts';
import { occurrencesOf, type OccurrenceRule } from './occurrences.ts';
import { describeSchedule } from './schedule-text.ts';

const at = (hours: number, minutes = 0): number => (hours * 60 + minutes) / 1440;
const rule = (plan: RecurrencePlan, more: Partial<OccurrenceRule> = {}): OccurrenceRule => ({
  plan,
  timeZone: 'Europe/Berlin',
  calendar: null,
  holidayRule: 'Keep',
  ...more,
});
const closedOn = (...days: string[]): WorkingDays => ({
  weekend: new Set([6, 7]),
  holidays: new Set(days.map(dayOf)),
});

function firstOf(of: OccurrenceRule, after: string, count: number): string[] {
  const occurrences = occurrencesOf(of);
  const found: string[] = [];
  for (let last = new Date(after); found.length < count;) {
    const next = occurrences.next(last);
    if (!next) break;
    found.push(next.toISOString().replace(':00.000Z', 'Z'));
    last = next;
  }
  return found;
}

describe('the moments of a schedule', () => {
  test('by weeks', () => {
    const plan: RecurrencePlan = { Kind: 'Weekly', Weekdays: [5, 1], TimeOfDay: at(6, 30) };
    expect(firstOf(rule(plan), '2026-11-20T05:30:00Z', 3)).toEqual([
      '2026-11-23T05:30Z',
      '2026-11-27T05:30Z',
      '2026-11-30T05:30Z',
    ]);
  });

  test('by the day of the month, the last one where the month is shorter, in leap years too', () => {
    const plan: RecurrencePlan = { Kind: 'MonthlyDay', Day: 30, TimeOfDay: at(12) };
    expect(firstOf(rule(plan, { timeZone: 'UTC' }), '2028-01-31T00:00:00Z', 3)).toEqual([
      '2028-02-29T12:00Z',
      '2028-03-30T12:00Z',
      '2028-04-30T12:00Z',
    ]);
  });

  test('by weekdays of the month, the last one included', () => {
    const of = (Week: number) => rule({ Kind: 'MonthlyWeekday', Week, Weekday: 5, TimeOfDay: 0 }, { timeZone: 'UTC' });
    expect(firstOf(of(2), '2026-05-01T00:00:00Z', 2)).toEqual(['2026-05-08T00:00Z', '2026-06-12T00:00Z']);
    expect(firstOf(of(5), '2026-05-01T00:00:00Z', 2)).toEqual(['2026-05-29T00:00Z', '2026-06-26T00:00Z']);
    expect(firstOf(of(5), '2026-12-01T00:00:00Z', 1)).toEqual(['2026-12-25T00:00Z']);
  });

  test('by business days from either end, around holidays', () => {
    const calendar = closedOn('2026-12-31', '2027-01-01');
    const of = (BusinessDay: number, FromEnd: boolean) =>
      rule({ Kind: 'MonthlyBusinessDay', BusinessDay, FromEnd, TimeOfDay: at(9) }, { timeZone: 'UTC', calendar });
    expect(firstOf(of(1, true), '2026-12-01T00:00:00Z', 2)).toEqual(['2026-12-30T09:00Z', '2027-01-29T09:00Z']);
    expect(firstOf(of(2, false), '2027-01-01T00:00:00Z', 1)).toEqual(['2027-01-05T09:00Z']);
  });

  test('are skipped, or moved to the day before or after, on non-working days; occurrences that coincide start once', () => {
    const calendar = closedOn('2026-12-25', '2026-12-28');
    const plan: RecurrencePlan = { Kind: 'Daily', TimeOfDay: at(9) };
    const of = (holidayRule: HolidayRule) => rule(plan, { timeZone: 'UTC', calendar, holidayRule });
    const from = '2026-12-23T10:00:00Z';
    expect(firstOf(of('Skip'), from, 2)).toEqual(['2026-12-24T09:00Z', '2026-12-29T09:00Z']);
    const monthEnd = (holidayRule: HolidayRule, Day: number) =>
      rule({ Kind: 'MonthlyDay', Day, TimeOfDay: at(9) }, { timeZone: 'UTC', calendar, holidayRule });
    expect(firstOf(monthEnd('Before', 27), from, 1)).toEqual(['2026-12-24T09:00Z']);
    expect(firstOf(monthEnd('After', 25), from, 1)).toEqual(['2026-12-29T09:00Z']);
    expect(firstOf(of('After'), from, 3)).toEqual(['2026-12-24T09:00Z', '2026-12-29T09:00Z', '2026-12-30T09:00Z']);
  });

  test('of a calendar without working days do not exist, and the search for them ends', () => {
    const calendar = { weekend: new Set([1, 2, 3, 4, 5, 6, 7]), holidays: new Set<number>() };
    expect(
      occurrencesOf(rule({ Kind: 'Daily', TimeOfDay: 0 }, { calendar, holidayRule: 'After' })).next(new Date()),
    ).toBeNull();
  });

  test('are as cron has them: either day where both are given, a leap day once in years', () => {
    const of = (Cron: string) => rule({ Kind: 'Cron', Cron }, { timeZone: 'UTC' });
    expect(firstOf(of('15 4 1 * mon'), '2026-11-24T00:00:00Z', 3)).toEqual([
      '2026-11-30T04:15Z',
      '2026-12-01T04:15Z',
      '2026-12-07T04:15Z',
    ]);
    expect(firstOf(of('0 0 29 2 *'), '2096-03-01T00:00:00Z', 1)).toEqual(['2104-02-29T00:00Z']);
  });

  test('over both changes of the clocks: a time once a day, each half hour by the clock', () => {
    const daily = rule({ Kind: 'Weekly', Weekdays: [7], TimeOfDay: at(2, 30) });
    expect(firstOf(daily, '2026-03-28T00:00:00Z', 1)).toEqual(['2026-03-29T01:30Z']);
    expect(firstOf(daily, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30Z', '2026-11-01T01:30Z']);
    const halves = rule({ Kind: 'Cron', Cron: '*/30 * * * *' });
    const minutes = (of: OccurrenceRule, from: string, count: number) =>
      firstOf(of, from, count).map((text) => text.slice(11, 16));
    const each = ['00:00', '00:30', '01:00', '01:30', '02:00'];
    expect(minutes(halves, '2026-03-28T23:59:00Z', 5)).toEqual(each);
    expect(minutes(halves, '2026-10-24T23:59:00Z', 5)).toEqual(each);
    const fixed = rule({ Kind: 'Cron', Cron: '30 2,3 * * *' });
    expect(firstOf(fixed, '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:30Z', '2026-03-30T00:30Z']);
  });
});

test.each([
  '* * * *',
  '60 * * * *',
  '* * * * * *',
  '* * L * *',
  '* * * * 1#2',
  'H * * * *',
  '5-1 * * * *',
  '@daily',
  '* * * foo *',
  '*/0 * * * *',
  '0 0 30 2 *',
])('%s is no cron text', (text) => expect(readCron(text)).toBeNull());

test('a schedule is described in words', () => {
  const words = (plan: RecurrencePlan, more: object = {}) =>
    describeSchedule({ plan, timeZone: 'Europe/Berlin', calendarName: null, holidayRule: 'Keep', ...more });
  const TimeOfDay = at(6, 30);
  expect(words({ Kind: 'Weekly', Weekdays: [5, 1, 3], TimeOfDay })).toBe(
    'Weekly on Monday, Wednesday and Friday at 06:30 (Europe/Berlin)',
  );
  expect(words({ Kind: 'MonthlyWeekday', Week: 5, Weekday: 5, TimeOfDay })).toContain('on the last Friday at');
  expect(words({ Kind: 'MonthlyBusinessDay', BusinessDay: 2, FromEnd: true, TimeOfDay })).toContain(
    '2nd last business',
  );
  expect(words({ Kind: 'Cron', Cron: '0 6 * * 1-5' })).toBe('At 06:00, Monday through Friday (Europe/Berlin)');
  expect(words({ Kind: 'Daily', TimeOfDay }, { calendarName: 'Germany', holidayRule: 'Before' })).toBe(
    'Daily at 06:30; on non-working days of Germany, on the business day before (Europe/Berlin)',
  );
});

// Compares with a different algorithm that goes minute by minute through the times that clocks show and compares days
// as texts. Each window of a time zone contains a clock change or the end of a month.
const WINDOWS = [
  ['Europe/Berlin', '2026-03-05'],
  ['Europe/Berlin', '2026-10-02'],
  ['America/New_York', '2026-02-10'],
  ['Australia/Lord_Howe', '2026-09-10'],
  ['Africa/Casablanca', '2027-02-18'],
  ['Asia/Kolkata', '2028-02-05'],
  ['UTC', '2026-12-12'],
] as const;

const plans: fc.Arbitrary<RecurrencePlan> = fc
  .oneof(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 115, max: 185 }))
  .chain((minute) => {
    const TimeOfDay = minute / 1440;
    return fc.oneof(
      fc.constant<RecurrencePlan>({ Kind: 'Daily', TimeOfDay }),
      fc
        .uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
        .map((Weekdays): RecurrencePlan => ({ Kind: 'Weekly', TimeOfDay, Weekdays })),
      fc.integer({ min: 1, max: 31 }).map((Day): RecurrencePlan => ({ Kind: 'MonthlyDay', TimeOfDay, Day })),
      fc
        .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 7 }))
        .map(([Week, Weekday]): RecurrencePlan => ({ Kind: 'MonthlyWeekday', TimeOfDay, Week, Weekday })),
      fc.tuple(fc.integer({ min: 1, max: 15 }), fc.boolean()).map(([BusinessDay, FromEnd]): RecurrencePlan => ({
        Kind: 'MonthlyBusinessDay',
        TimeOfDay,
        BusinessDay,
        FromEnd,
      })),
    );
  });

const EVERY_DAY_OF = (start: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(start) + index * 86_400_000).toISOString().slice(0, 10),
  );

/** Returns the days of a list that the plan selects, by filtering whole months. */
function namedDays(plan: RecurrencePlan, days: readonly string[], works: (day: string) => boolean): Set<string> {
  const weekday = (day: string): number => new Date(day).getUTCDay() || 7;
  const named = (day: string): boolean => {
    const month = EVERY_DAY_OF(`${day.slice(0, 7)}-01`, 31).filter((other) => other.slice(0, 7) === day.slice(0, 7));
    switch (plan.Kind) {
      case 'Daily':
        return true;
      case 'Weekly':
        return plan.Weekdays.includes(weekday(day));
      case 'MonthlyDay':
        return day === (month[plan.Day - 1] ?? month.at(-1));
      case 'MonthlyWeekday':
        return (
          day === month.filter((other) => weekday(other) === plan.Weekday).at(plan.Week === 5 ? -1 : plan.Week - 1)
        );
      case 'MonthlyBusinessDay':
        return day === month.filter(works).at(plan.FromEnd ? -plan.BusinessDay : plan.BusinessDay - 1);
      default:
        return false;
    }
  };
  return new Set(days.filter(named));
}

test('are those that somebody finds who looks at the clock each minute', () => {
  const holidays = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 12 });
  const rules = fc.constantFrom<HolidayRule>('Keep', 'Skip', 'Before', 'After');
  fc.assert(
    fc.property(plans, fc.constantFrom(...WINDOWS), holidays, rules, (plan, [timeZone, start], rests, holidayRule) => {
      const days = EVERY_DAY_OF(start, 60);
      const off = new Set(rests.map((index) => days[index + 10]!));
      const works = (day: string): boolean => ![0, 6].includes(new Date(day).getUTCDay()) && !off.has(day);
      const moved = (day: string): string | undefined => {
        if (holidayRule === 'Keep' || works(day)) return day;
        if (holidayRule === 'Skip') return undefined;
        const index = days.indexOf(day);
        return holidayRule === 'After' ? days.slice(index).find(works) : days.slice(0, index).findLast(works);
      };
      const targets = new Set([...namedDays(plan, days, works)].map(moved));
      const expected = walk(timeZone, days.slice(20, 35), targets, 'TimeOfDay' in plan ? plan.TimeOfDay : 0);
      const calendar = { weekend: new Set([6, 7]), holidays: new Set([...off].map(dayOf)) };
      const occurrences = occurrencesOf({ plan, timeZone, calendar, holidayRule });
      const [from, to] = [new Date(`${days[21]}T12:00:00Z`), new Date(`${days[33]}T12:00:00Z`)];
      const wanted = expected.filter((instant) => instant > from.getTime() && instant <= to.getTime());
      expect(occurrences.newest(from, to, 100).map(Number)).toEqual(wanted);
      const found: number[] = [];
      for (let next = occurrences.next(from); next && next <= to; next = occurrences.next(next))
        found.push(next.getTime());
      expect(found).toEqual(wanted);
    }),
    { numRuns: rounds(20, 60) },
  );
}, 60_000);

/**
 * Goes through each minute of the days. Finds the first one per day whose clock shows the time, or has been moved past
 * it.
 */
function walk(
  timeZone: string,
  days: readonly string[],
  targets: ReadonlySet<string | undefined>,
  time: number,
): number[] {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const wanted = Math.round(time * 1440);
  const found = new Map<string, number>();
  let before = { day: '', minute: 0 };
  const [first, last] = [Date.parse(days[0]!), Date.parse(days.at(-1)!) + 86_400_000];
  for (let instant = first; instant < last; instant += 60_000) {
    const [day = '', text = ''] = clock.format(instant).split(' ');
    const minute = Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
    if (targets.has(day) && !found.has(day)) {
      if (minute === wanted) found.set(day, instant);
      // The clock has skipped the time: the occurrence is later by as much as the clock skipped.
      else if (before.day === day && before.minute < wanted && minute > wanted)
        found.set(day, instant + (wanted - before.minute - 1) * 60_000);
    }
    before = { day, minute };
  }
  return [...found.values()].toSorted((a, b) => a - b);
}
