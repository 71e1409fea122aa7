/** The input values that a schedule supplies for an occurrence, with relative dates resolved to days. */
import { toSerial } from '#shared/codecs/serial-date.ts';
import type { ScheduleInput } from '#shared/contract/additional-schedules.ts';
import { MONDAY_TO_FRIDAY, partsOf } from '#shared/rules/schedules/days.ts';
import { parseRelativeDate, resolveRelativeDate } from '#shared/rules/schedules/relative-dates.ts';
import type { SuppliedInput, Refusal } from '#server/automation/schedules/scheduled-runs.ts';
import { DAY_MS, localTime } from '#server/base/zone-time.ts';
import type { OccurrenceRule } from './occurrences.ts';

/** Returns the day that a relative date denotes at a point in time, as a serial date; null if there is none. */
export function relativeDateAt(
  text: string,
  instant: Date,
  { timeZone, calendar }: Pick<OccurrenceRule, 'timeZone' | 'calendar'>,
): number | null {
  const date = parseRelativeDate(text);
  if (!date) return null;
  const today = Math.floor(localTime(instant.getTime(), timeZone) / DAY_MS);
  const day = resolveRelativeDate(date, today, calendar ?? MONDAY_TO_FRIDAY);
  if (day === null) return null;
  const { year, month, date: dayOfMonth } = partsOf(day);
  return toSerial({ year, month: month + 1, day: dayOfMonth });
}

export function resolveSuppliedInputs(
  inputs: readonly ScheduleInput[],
  instant: Date,
  rule: Pick<OccurrenceRule, 'timeZone' | 'calendar'>,
): Refusal | { refused: null; supplied: SuppliedInput[] } {
  const supplied: SuppliedInput[] = [];
  for (const { Name, Value, RelativeDate } of inputs) {
    if (RelativeDate === null) {
      if (Value !== null) supplied.push({ Name, Value });
      continue;
    }
    const serial = relativeDateAt(RelativeDate, instant, rule);
    if (serial === null) return { refused: `${Name}: '${RelativeDate}' is not a valid day` };
    supplied.push({ Name, Value: String(serial) });
  }
  return { refused: null, supplied };
}
