/**
 * Checks of an activity's schedule, applied in the form and on the server. Source: specification of activities, section
 * 5.
 */
import { isFixed, mayUseDefault } from '../codecs/input-form.ts';
import { numberOf } from '../codecs/number-text.ts';
import type { Input } from '../contract/parameters.ts';
import type { SchedulePlan } from '../contract/schedules.ts';

export const RETRY_COUNT_MAX = 100;
/** In minutes: one day, after which the next run is due anyway. */
export const RETRY_INTERVAL_MAX = 1440;

const SECONDS_OF_DAY = 86_400;

/** A schedule as typed or sent: numbers, or their texts; '' and null for missing values. */
export interface ScheduleDraft {
  ScheduleType: string;
  /** Fraction of the day; of larger numbers, only the fraction is used. */
  TimeOfDay: number | null;
  RetryCount: number | string;
  RetryInterval: number | string;
}

export type ScheduleField = keyof ScheduleDraft;
export interface ScheduleIssue {
  field: ScheduleField;
  message: string;
}

/** Returns the problems that prevent saving the schedule, in the order of the fields; empty if there are none. */
export function scheduleIssues(draft: ScheduleDraft): ScheduleIssue[] {
  const issues: ScheduleIssue[] = [];
  const add = (field: ScheduleField, message: string): void => void issues.push({ field, message });
  if (draft.ScheduleType !== 'Daily') add('ScheduleType', 'Select Schedule Type');
  if (draft.TimeOfDay === null || !Number.isFinite(draft.TimeOfDay)) add('TimeOfDay', 'Select Schedule Time');
  const count = numberOf(draft.RetryCount);
  if (count === null || Math.round(count) < 0) add('RetryCount', 'Retry Attempts must be a number');
  else if (Math.round(count) > RETRY_COUNT_MAX)
    add('RetryCount', `Retry Attempts must not be more than ${RETRY_COUNT_MAX}`);
  else if (Math.round(count) > 0) {
    const interval = Math.round(numberOf(draft.RetryInterval) ?? 0);
    if (interval <= 0 || interval > RETRY_INTERVAL_MAX) add('RetryInterval', 'Enter a valid Retry Interval');
  }
  return issues;
}

/**
 * Returns the schedule in the form in which it is stored: numbers are rounded, and the time is reduced to a time of day
 * in whole seconds. Requires a draft without issues.
 */
export function cleanSchedule(draft: ScheduleDraft): SchedulePlan {
  const RetryCount = Math.round(numberOf(draft.RetryCount) ?? 0);
  const RetryInterval = RetryCount === 0 ? 0 : Math.round(numberOf(draft.RetryInterval) ?? 0);
  const time = draft.TimeOfDay ?? 0;
  const seconds = Math.round((time - Math.floor(time)) * SECONDS_OF_DAY) % SECONDS_OF_DAY;
  return { ScheduleType: 'Daily', TimeOfDay: seconds / SECONDS_OF_DAY, RetryInterval, RetryCount };
}

/**
 * Returns whether an activity can run without user input: each input has a preset value or a value of the workbook's
 * own.
 */
export function canBeScheduled(inputs: readonly Pick<Input, 'Info' | 'HasAccess' | 'PresetValue'>[]): boolean {
  return inputs.every((input) => isFixed(input) || mayUseDefault(input.Info));
}
