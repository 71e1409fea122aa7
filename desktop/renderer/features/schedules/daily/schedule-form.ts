/** Converts between the form of a schedule and its plan. */
import type { SchedulePlan } from '#shared/contract/schedules.ts';
import {
  RETRY_COUNT_MAX,
  RETRY_INTERVAL_MAX,
  scheduleIssues,
  type ScheduleDraft,
  type ScheduleField,
  type ScheduleIssue,
} from '#shared/rules/schedule-rules.ts';
import { said, t } from '#renderer/language/translate.ts';
import { neutralNumber } from '#renderer/language/typed-numbers.ts';

export interface ScheduleFields {
  ScheduleType: string;
  /** '02:30', or '' */
  time: string;
  RetryCount: string;
  RetryInterval: string;
}

const MINUTES_OF_DAY = 1440;

/** Converts '02:30' to a fraction of the day, including seconds; null if the text is no time. */
export function timeToFraction(time: string): number | null {
  const [, hours, minutes, seconds = '0'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(time.trim()) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60) / MINUTES_OF_DAY;
}

/** Formats a fraction of the day as '02:30', with seconds if there are any. */
export function fractionToTime(fraction: number): string {
  const seconds = Math.round(fraction * MINUTES_OF_DAY * 60) % (MINUTES_OF_DAY * 60);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (seconds % 60 !== 0) parts.push(seconds % 60);
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

const NO_SCHEDULE: ScheduleFields = { ScheduleType: '', time: '', RetryCount: '0', RetryInterval: '0' };

/** @param json the Schedule field of the contract */
export function fieldsOfSchedule(json: string | null): ScheduleFields {
  if (json === null) return NO_SCHEDULE;
  const plan = JSON.parse(json) as SchedulePlan;
  return {
    ScheduleType: plan.ScheduleType,
    time: fractionToTime(plan.TimeOfDay),
    RetryCount: String(plan.RetryCount),
    RetryInterval: String(plan.RetryInterval),
  };
}

export const draftOf = ({ time, ...fields }: ScheduleFields): ScheduleDraft => ({
  ...fields,
  RetryCount: neutralNumber(fields.RetryCount),
  RetryInterval: neutralNumber(fields.RetryInterval),
  TimeOfDay: timeToFraction(time),
});

/**
 * Returns the issues that prevent sending the form. Fractions and invalid times are reported, never replaced by another
 * value.
 */
export function scheduleFormIssues(fields: ScheduleFields): ScheduleIssue[] {
  const draft = draftOf(fields);
  const issues = scheduleIssues(draft);
  const replace = (field: ScheduleField, message: string): void => {
    const at = issues.findIndex((issue) => issue.field === field);
    if (at === -1) issues.push({ field, message });
    else issues[at] = { field, message };
  };
  if (fields.time.trim() !== '' && draft.TimeOfDay === null)
    replace('TimeOfDay', t('Enter a time of day, such as 19:30'));
  const wholeText = (least: number, most: number): string =>
    t('Enter a whole number from {least} to {most}', { least, most });
  const isNumber = NUMBER_LIKE.test(fields.RetryCount.trim());
  if (isNumber && !isWholeWithin(fields.RetryCount, 0, RETRY_COUNT_MAX))
    replace('RetryCount', wholeText(0, RETRY_COUNT_MAX));
  const hasRetries = isNumber && Number(fields.RetryCount) !== 0;
  const isIntervalReported = !NUMBER_LIKE.test(fields.RetryInterval.trim()) || Number(fields.RetryInterval) === 0;
  if (hasRetries && !isIntervalReported && !isWholeWithin(fields.RetryInterval, 1, RETRY_INTERVAL_MAX))
    replace('RetryInterval', wholeText(1, RETRY_INTERVAL_MAX));
  return issues;
}

/** Matches a number in some language, whole or not. */
const NUMBER_LIKE = /^[+-]?\d[\d.,' ]*$/;

/** Accepts only digits: '1.000' is a thousand in some regions and one in others. */
const isWholeWithin = (typed: string, min: number, max: number): boolean =>
  /^\d+$/.test(typed.trim()) && Number(typed) >= min && Number(typed) <= max;

/** 'Daily at 02:30 (Europe/Berlin)' */
export function scheduleText(json: string, timeZone: string): string {
  const plan = JSON.parse(json) as SchedulePlan;
  const text = t('{scheduleType} at {fractionToTime} ({timeZone})', {
    scheduleType: said(plan.ScheduleType),
    fractionToTime: fractionToTime(plan.TimeOfDay),
    timeZone,
  });
  if (plan.RetryCount === 0) return text;
  const times = plan.RetryCount === 1 ? t('once') : t('{retryCount} times', { retryCount: plan.RetryCount });
  return t('{text}, retried {times} after {retryInterval} min', { text, times, retryInterval: plan.RetryInterval });
}
