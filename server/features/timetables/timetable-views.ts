/** Converts schedules to the shape of the contract, with their future occurrences. */
import { fullName } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { relativeDateAt } from '#server/jobs/schedules/timetables/timetable-inputs.ts';
import { inputsOf, readCalendar, ruleOf } from '#server/jobs/schedules/timetables/timetable-rows.ts';
import { slotsOf, type SlotRule } from '#server/jobs/schedules/timetables/timetable-slots.ts';
import { timetableText } from '#server/jobs/schedules/timetables/timetable-text.ts';
import { NEVER } from '#server/jobs/schedules/schedule-slots.ts';
import { localTime } from '#server/jobs/schedules/zone-time.ts';
import { formatSerialDate, MONTH_NAMES } from '#shared/codecs/serial-date.ts';
import {
  PREVIEW_MOMENTS,
  type Timetable,
  type TimetableInput,
  type TimetablePreview,
  type TimetablePreviewBody,
} from '#shared/contract/timetables.ts';
import type { OwnerColumn, SlotRow, StoredTimetable } from './timetables-repository.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export function textOf(row: StoredTimetable): string {
  return timetableText({ ...ruleOf(row, null), calendarName: row.CalendarName });
}

interface TimetableFacts {
  slots: readonly SlotRow[];
  /** Id of the run that it waits for. */
  waitsFor: number | null;
}

export function timetableView(
  row: StoredTimetable,
  column: OwnerColumn,
  { slots, waitsFor }: TimetableFacts,
): Timetable {
  const { Id, Name, TimeZone, CalendarId, CalendarName, HolidayRule, UserId, PausedTime, PausedReason } = row;
  const { RetryCount, RetryInterval, Overlap, Missed, MissedMax, NextTime } = row;
  const rests = PausedTime !== null || NextTime.getTime() >= NEVER.getTime();
  return {
    Id,
    OwnerId: row[column]!,
    Name,
    Plan: ruleOf(row, null).plan,
    TimeZone,
    CalendarId,
    CalendarName,
    HolidayRule,
    Inputs: inputsOf(row),
    RetryCount,
    RetryInterval,
    Overlap,
    Missed,
    MissedMax,
    Text: textOf(row),
    UserId,
    UserFullName: fullName(row),
    NextTime: rests ? null : NextTime.toISOString(),
    PausedTime: PausedTime?.toISOString() ?? null,
    PausedReason,
    WaitsFor: waitsFor,
    Slots: slots.map(({ SlotTime, Outcome, Message, RunId }) => ({
      SlotTime: SlotTime.toISOString(),
      Outcome,
      Message,
      RunId,
    })),
  };
}

export async function previewOf(db: Db, body: TimetablePreviewBody, now: Date): Promise<TimetablePreview> {
  const { Plan, TimeZone, CalendarId, HolidayRule, Inputs } = body;
  const calendar = await readCalendar(db, CalendarId);
  const rule: SlotRule = { plan: Plan, timeZone: TimeZone, calendar, holidayRule: HolidayRule };
  const slots = slotsOf(rule);
  const Moments: TimetablePreview['Moments'] = [];
  for (let next = slots.next(now); next && Moments.length < PREVIEW_MOMENTS; next = slots.next(next)) {
    Moments.push({ Time: next.toISOString(), Local: localText(next, TimeZone), Dates: datesAt(Inputs, next, rule) });
  }
  return { Text: timetableText({ ...rule, calendarName: calendar?.name ?? null }), Moments };
}

function datesAt(inputs: readonly TimetableInput[], moment: Date, rule: SlotRule): { Name: string; Text: string }[] {
  return inputs.flatMap(({ Name, RelativeDate }) => {
    if (RelativeDate === null) return [];
    const serial = relativeDateAt(RelativeDate, moment, rule);
    return [{ Name, Text: serial === null ? 'no day' : formatSerialDate(serial) }];
  });
}

/** Formats a time like 'Mon 2/Mar/2026 06:30'. */
function localText(moment: Date, timeZone: string): string {
  const local = new Date(localTime(moment.getTime(), timeZone));
  const day = `${local.getUTCDate()}/${MONTH_NAMES[local.getUTCMonth()]}/${local.getUTCFullYear()}`;
  return `${WEEKDAYS[local.getUTCDay()]} ${day} ${local.toISOString().slice(11, 16)}`;
}
