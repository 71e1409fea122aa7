import { isRightName, RIGHTS, type RightName } from '#shared/contract/rights.ts';
import type { Holder, Person } from '#server/base/person.ts';
import type { Grant } from './grants.ts';

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

/** What a key for some activities leaves of a right that its user holds; null where the right is not about activities, or the key is for all of them. */
export function keyGrants({ keyActivities }: Pick<Holder, 'keyActivities'>, right: string): readonly Grant[] | null {
  const isAboutActivities = isRightName(right) && (RIGHTS[right].KeyColumns as readonly string[]).includes('Id');
  if (keyActivities === undefined || !isAboutActivities) return null;
  return keyActivities.map((id) => ({
    RightName: right,
    KeyColumnName: 'Id',
    KeyColumnValue: String(id),
    Access: 1,
    RoleName: null,
  }));
}

/** What running an activity takes, from finding it to its files. What other calls answer is not told apart by activities. */
const CALLS_TO_RUN: ReadonlySet<string> = new Set([
  'GET /api/activities',
  'GET /api/activities/details/:id',
  'GET /api/activities/downloadFiles/:runId',
  'GET /api/activities/status/:id',
  'POST /api/activities/cancel/:runId',
  'POST /api/activities/picker/:activityId/:inputId/:index',
  'POST /api/activities/provideinput',
  'POST /api/activities/retry/:runId',
  'POST /api/activities/start',
  'POST /api/activities/status/:id',
  'POST /api/activities/updateui',
  'POST /api/files/upload',
  'POST /api/users/profile',
]);

/** @param call method and declared path */
export function isCallOfKey({ keyActivities }: Pick<Person, 'keyActivities'>, call: string): boolean {
  return keyActivities === undefined || CALLS_TO_RUN.has(call);
}
