/**
 * Checks of the activity editor, applied in the form and on the server. Source: specification of activities, sections 5
 * and 9.
 */

import { isNothing, numberOf } from '../codecs/number-text.ts';

export const ACTIVITY_NAME_MAX = 30;
export const GROUP_MAX = 30;
export const FUNCTION_MAX = 30;
export const DESCRIPTION_MAX = 200;
/** Maximum magnitude; negative values are allowed. */
export const ORDER_MAX = 2 ** 31 - 2;

/** Returns the error shown beside the name field; null if the name is valid. */
export function activityNameIssue(name: string): string | null {
  if (name.trim() === '') return 'Name must be provided';
  if (/[\\/:*?"<>|]/.test(name)) return 'Name must not contain special characters';
  return name.length > ACTIVITY_NAME_MAX ? `Name must not exceed ${ACTIVITY_NAME_MAX} characters` : null;
}

/** Parses an Order as typed or sent: null if empty, a rounded number, or undefined if invalid. */
export function parseOrder(sent: unknown): number | null | undefined {
  if (isNothing(sent)) return null;
  const value = numberOf(sent);
  return value !== null && Math.abs(value) <= ORDER_MAX ? Math.round(value) : undefined;
}

/** Parses a memory cost as typed or sent; a value that is not a number becomes 0. */
export const parseMemoryCost = (sent: unknown): number => Math.max(0, numberOf(sent) ?? 0);

export interface ActivitySubmission {
  Id: number;
  Name: string;
  /** As returned by parseOrder. */
  Order: number | null | undefined;
  Type: 'Workbook' | 'StoredProcedure';
  ProcedureName: string | null;
  HasFile: boolean;
  ChangeDescription: string;
}

/**
 * Returns the first problem that prevents submitting an activity, in the specification's order; null if there is none.
 */
export function activitySubmitIssue(activity: ActivitySubmission): string | null {
  if (activityNameIssue(activity.Name)) return 'Please correct the errors shown above';
  if (activity.Order === undefined) return 'Order must be a number';
  if (activity.Type === 'StoredProcedure') return activity.ProcedureName ? null : 'Select stored procedure';
  if (activity.Id === 0) return activity.HasFile ? null : 'File must be uploaded';
  return activity.HasFile && activity.ChangeDescription.trim() === '' ? 'ChangeDescription must be provided' : null;
}
