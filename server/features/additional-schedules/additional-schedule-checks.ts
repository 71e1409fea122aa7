/** Checks of a schedule before it is stored. Each check throws an AppError 400 that names the field. */
import { AppError } from '#server/base/app-error.ts';
import { readCron } from '#server/automation/schedules/additional/cron-times.ts';
import { isTimeZone } from '#server/base/zone-time.ts';
import type { SchedulePreviewBody, AdditionalScheduleUpdate } from '#shared/contract/additional-schedules.ts';
import { parseRelativeDate } from '#shared/rules/schedules/relative-dates.ts';
import type { AskedInputs } from './schedule-owners-service.ts';

function refuse(field: string, message: string): never {
  throw new AppError('scheduleInvalid', 400, message, { modelState: { [field]: [message] } });
}

export function checkTimes({ Plan, TimeZone, CalendarId, HolidayRule }: SchedulePreviewBody): void {
  if (Plan.Kind === 'Cron') checkCron(Plan.Cron);
  if (!isTimeZone(TimeZone)) refuse('TimeZone', `There is no time zone ${TimeZone}`);
  if (HolidayRule !== 'Keep' && CalendarId === null) refuse('CalendarId', 'Select a holiday calendar');
}

function checkCron(text: string): void {
  if (readCron(text)) return;
  if (text.trim().split(/\s+/).length !== 5)
    refuse('Cron', 'Enter five fields: minute, hour, day of the month, month, day of the week');
  refuse('Cron', 'One of the fields is not valid or too large, or such a day never occurs');
}

export function checkInputs(
  { Inputs }: Pick<SchedulePreviewBody, 'Inputs'>,
  { Inputs: asked }: Pick<AskedInputs, 'Inputs'>,
): void {
  const names = new Set<string>();
  for (const { Name, Value, RelativeDate } of Inputs) {
    const input = asked.find((one) => one.Name === Name);
    if (!input) refuse(Name, `There is no input ${Name} that takes a single value`);
    if (names.has(Name)) refuse(Name, `${Name} is given twice`);
    names.add(Name);
    if ((Value === null) === (RelativeDate === null)) refuse(Name, `Give ${Name} a value or a relative date`);
    if (RelativeDate === null) continue;
    if (input.Kind !== 'Date') refuse(Name, `${Name} is not a date`);
    if (!parseRelativeDate(RelativeDate)) refuse(Name, `'${RelativeDate}' is not a relative date`);
  }
}

export function checkRetries({ RetryCount, RetryInterval }: AdditionalScheduleUpdate): void {
  if (RetryCount > 0 && RetryInterval === 0) refuse('RetryInterval', 'Enter a valid Retry Interval');
}
