/** Converts schedules to the shape of the contract, with their future occurrences. */
import { fullName } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { relativeDateAt } from '#server/automation/schedules/additional/schedule-inputs.ts';
import { inputsOf, readCalendar, ruleOf } from '#server/automation/schedules/additional/schedule-rows.ts';
import { occurrencesOf, type OccurrenceRule } from '#server/automation/schedules/additional/occurrences.ts';
import { describeSchedule } from '#server/automation/schedules/additional/schedule-text.ts';
import { NEVER } from '#server/automation/schedules/schedule-occurrences.ts';
import { localTime } from '#server/base/zone-time.ts';
import { formatSerialDate, MONTH_NAMES } from '#shared/codecs/serial-date.ts';
import {
  PREVIEW_OCCURRENCES,
  type AdditionalSchedule,
  type ScheduleInput,
  type SchedulePreview,
  type SchedulePreviewBody,
} from '#shared/contract/additional-schedules.ts';
import type { OwnerColumn, OccurrenceRow, StoredSchedule } from './additional-schedules-repository.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function textOf(row: StoredSchedule): string {
  return describeSchedule({ ...ruleOf(row, null), calendarName: row.CalendarName });
}

interface TimetableFacts {
  occurrences: readonly OccurrenceRow[];
  /** Id of the run that it waits for. */
  blockingRunId: number | null;
  Revision: number;
}

export function additionalScheduleView(
  row: StoredSchedule,
  column: OwnerColumn,
  { occurrences, blockingRunId, Revision }: TimetableFacts,
): AdditionalSchedule {
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
    Revision,
    Text: textOf(row),
    UserId,
    UserFullName: fullName(row),
    NextTime: rests ? null : NextTime.toISOString(),
    PausedTime: PausedTime?.toISOString() ?? null,
    PausedReason,
    WaitsFor: blockingRunId,
    Slots: occurrences.map(({ SlotTime, Outcome, Message, RunId }) => ({
      SlotTime: SlotTime.toISOString(),
      Outcome,
      Message,
      RunId,
    })),
  };
}

export async function previewOf(db: Db, body: SchedulePreviewBody, now: Date): Promise<SchedulePreview> {
  const { Plan, TimeZone, CalendarId, HolidayRule, Inputs } = body;
  const calendar = await readCalendar(db, CalendarId);
  const rule: OccurrenceRule = { plan: Plan, timeZone: TimeZone, calendar, holidayRule: HolidayRule };
  const occurrences = occurrencesOf(rule);
  const Moments: SchedulePreview['Moments'] = [];
  for (let next = occurrences.next(now); next && Moments.length < PREVIEW_OCCURRENCES; next = occurrences.next(next)) {
    Moments.push({ Time: next.toISOString(), Local: localText(next, TimeZone), Dates: datesAt(Inputs, next, rule) });
  }
  return { Text: describeSchedule({ ...rule, calendarName: calendar?.name ?? null }), Moments };
}

function datesAt(
  inputs: readonly ScheduleInput[],
  instant: Date,
  rule: OccurrenceRule,
): { Name: string; Text: string }[] {
  return inputs.flatMap(({ Name, RelativeDate }) => {
    if (RelativeDate === null) return [];
    const serial = relativeDateAt(RelativeDate, instant, rule);
    return [{ Name, Text: serial === null ? 'no day' : formatSerialDate(serial) }];
  });
}

/** Formats a time like 'Mon 2/Mar/2026 06:30'. */
function localText(instant: Date, timeZone: string): string {
  const local = new Date(localTime(instant.getTime(), timeZone));
  const day = `${local.getUTCDate()}/${MONTH_NAMES[local.getUTCMonth()]}/${local.getUTCFullYear()}`;
  return `${WEEKDAYS[local.getUTCDay()]} ${day} ${local.toISOString().slice(11, 16)}`;
}
