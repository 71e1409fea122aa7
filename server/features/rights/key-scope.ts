import { isRightName, type RightName } from '#shared/contract/rights.ts';
import type { Person } from '#server/base/person.ts';

/** What a key for running activities may be used for, as far as its user may: to come in, run, watch and cancel. */
const TO_RUN: readonly RightName[] = [
  'sk.InternetAccess',
  'sk.RunActivity',
  'sk.ViewRuns',
  'sk.CancelAnyRun',
  'sk.UseConnection',
];

/** Whether a right counts for a call with an API key of that scope. Rights made here are for the inputs of workbooks. */
export function isInKeyScope(scope: Person['keyScope'], right: string): boolean {
  return scope === undefined || !isRightName(right) || TO_RUN.includes(right);
}
