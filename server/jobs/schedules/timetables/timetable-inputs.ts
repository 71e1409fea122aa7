/** The input values that a schedule supplies for an occurrence, with relative dates resolved to days. */
import { toSerial } from '#shared/codecs/serial-date.ts';
import type { TimetableInput } from '#shared/contract/timetables.ts';
import { MONDAY_TO_FRIDAY, partsOf } from '#shared/rules/timetables/days.ts';
import { parseRelativeDate, resolveRelativeDate } from '#shared/rules/timetables/relative-dates.ts';
import type { GivenInput, Refusal } from '../scheduled-runs.ts';
import { DAY_MS, localTime } from '../zone-time.ts';
import type { SlotRule } from './timetable-slots.ts';

/** Returns the day that a relative date denotes at a point in time, as a serial date; null if there is none. */
export function relativeDateAt(
  text: string,
  moment: Date,
  { timeZone, calendar }: Pick<SlotRule, 'timeZone' | 'calendar'>,
): number | null {
  const date = parseRelativeDate(text);
  if (!date) return null;
  const today = Math.floor(localTime(moment.getTime(), timeZone) / DAY_MS);
  const day = resolveRelativeDate(date, today, calendar ?? MONDAY_TO_FRIDAY);
  if (day === null) return null;
  const { year, month, date: dayOfMonth } = partsOf(day);
  return toSerial({ year, month: month + 1, day: dayOfMonth });
}

export function givenAt(
  inputs: readonly TimetableInput[],
  moment: Date,
  rule: Pick<SlotRule, 'timeZone' | 'calendar'>,
): Refusal | { refused: null; given: GivenInput[] } {
  const given: GivenInput[] = [];
  for (const { Name, Value, RelativeDate } of inputs) {
    if (RelativeDate === null) {
      if (Value !== null) given.push({ Name, Value });
      continue;
    }
    const serial = relativeDateAt(RelativeDate, moment, rule);
    if (serial === null) return { refused: `${Name}: '${RelativeDate}' is no day` };
    given.push({ Name, Value: String(serial) });
  }
  return { refused: null, given };
}
