/**
 * Checks of an activity's retention periods, applied in the form and on the server. Source: specification of
 * activities, section 5.
 */
import { isNothing, numberOf } from '../codecs/number-text.ts';

export const RETENTION_FIELDS = ['RunRetention', 'RunDataRetention', 'RunInputsRetention'] as const;
export type RetentionField = (typeof RETENTION_FIELDS)[number];

/** In days; null retains forever. */
export type RetentionPeriods = Record<RetentionField, number | null>;

export interface RetentionIssue {
  field: RetentionField;
  message: string;
}

export const RETENTION_LABELS: Record<RetentionField, string> = {
  RunRetention: 'Run Retention Period',
  RunDataRetention: 'Run Data Retention Period',
  RunInputsRetention: 'Run Inputs Retention Period',
};

const MAX_DAYS = 100_000;

/**
 * Parses a period as typed or sent: null if empty (retain forever), a number rounded to whole days, or undefined if
 * invalid.
 */
export function parsePeriod(sent: unknown): number | null | undefined {
  if (isNothing(sent)) return null;
  const value = numberOf(sent);
  if (value === null) return undefined;
  const days = Math.round(value);
  return days >= 0 && days <= MAX_DAYS ? days : undefined;
}

/** @param periods undefined for values that are not numbers */
export function retentionIssues(periods: Record<RetentionField, number | null | undefined>): RetentionIssue[] {
  const issues: RetentionIssue[] = [];
  for (const field of RETENTION_FIELDS) {
    if (periods[field] === undefined) issues.push({ field, message: `${RETENTION_LABELS[field]} must be a number` });
  }
  const { RunRetention } = periods;
  if (RunRetention === null || RunRetention === undefined) return issues;
  for (const field of ['RunDataRetention', 'RunInputsRetention'] as const) {
    const days = periods[field];
    if (days === null || days === undefined || days <= RunRetention) continue;
    const message = `${RETENTION_LABELS.RunRetention} should be greater than ${RETENTION_LABELS[field]}`;
    issues.push({ field: 'RunRetention', message });
  }
  return issues;
}
