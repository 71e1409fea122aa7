/** Parses and formats the JSON text of schedules, for activities and checklists. */
import { AppError, type ModelState } from '#server/base/app-error.ts';
import { numberOf } from '#shared/codecs/number-text.ts';
import { SchedulePlan } from '#shared/contract/schedules.ts';
import { cleanSchedule, scheduleIssues, type ScheduleDraft } from '#shared/rules/schedule-rules.ts';
import type { ScheduleRow } from './schedules-repository.ts';

type PlanRow = Pick<ScheduleRow, 'ScheduleType' | 'TimeOfDay' | 'RetryInterval' | 'RetryCount'>;

/** Returns the JSON text of the contract. */
export function planText({ ScheduleType, TimeOfDay, RetryInterval, RetryCount }: PlanRow): string {
  return JSON.stringify({ ScheduleType, TimeOfDay, RetryInterval, RetryCount } satisfies SchedulePlan);
}

export const NOT_SCHEDULED = { NextTime: null, PausedTime: null };

/** A paused schedule has no next time. */
export function timesOf({ NextTime, PausedTime }: Pick<ScheduleRow, 'NextTime' | 'PausedTime'>) {
  return {
    NextTime: PausedTime === null ? NextTime.toISOString() : null,
    PausedTime: PausedTime?.toISOString() ?? null,
  };
}

/** Parses a plan for storing. Throws an AppError 400 with the specification's messages. */
export function readPlan(text: string): SchedulePlan {
  const draft = readDraft(text);
  const issues = scheduleIssues(draft);
  if (issues.length > 0) {
    const modelState: ModelState = {};
    for (const { field, message } of issues) modelState[field] = [message];
    throw new AppError('scheduleInvalid', 400, issues[0]!.message, { modelState });
  }
  return cleanSchedule(draft);
}

const FIELDS = Object.keys(SchedulePlan.properties);

function readDraft(text: string): ScheduleDraft {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch (cause) {
    throw new AppError('scheduleInvalid', 400, 'The schedule is not valid JSON', { cause });
  }
  const fields = typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {};
  if (Object.keys(fields).some((name) => !FIELDS.includes(name))) {
    throw new AppError('scheduleInvalid', 400, `The schedule can contain only ${FIELDS.join(', ')}`);
  }
  const { ScheduleType, TimeOfDay, RetryCount, RetryInterval } = fields;
  const time = numberOf(TimeOfDay);
  return {
    ScheduleType: typeof ScheduleType === 'string' ? ScheduleType : '',
    TimeOfDay: time !== null && time >= 0 ? time : null,
    RetryCount: numberOf(RetryCount) ?? '',
    RetryInterval: numberOf(RetryInterval) ?? '',
  };
}
