import { isRightName, RIGHTS, type RightName } from '#shared/contract/rights.ts';
import type { Holder, Person } from '#server/base/person.ts';
import type { Grant } from './grants.ts';

/**
 * The rights that a key for running activities can use, if its user holds them: to sign in from the internet, run,
 * watch and cancel.
 */
const TO_RUN: readonly RightName[] = [
  'sk.InternetAccess',
  'sk.RunActivity',
  'sk.ViewRuns',
  'sk.CancelAnyRun',
  'sk.UseConnection',
];

/**
 * Returns whether a right counts for a call with an API key of this scope. Custom rights always count, because they
 * concern inputs of workbooks.
 */
export function isInKeyScope(scope: Person['keyScope'], right: string): boolean {
  return scope === undefined || !isRightName(right) || TO_RUN.includes(right);
}

/**
 * Returns the grants to which a key for some activities restricts a right of its user. Null if the right is not about
 * activities, or the key is for all activities.
 */
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

/**
 * Calls allowed with a key for some activities: everything needed to run them, from finding an activity to downloading
 * its files. Other calls do not filter their results by activity.
 */
const CALLS_OF_ACTIVITY_KEYS = [
  'GET /api/activities',
  'GET /api/activities/details/:id',
  'GET /api/activities/downloadFiles/:runId',
  'GET /api/activities/pdf/:runId',
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
];

/**
 * Calls allowed with a key for running any activity: also batches, linked activities, workflows, and the history with
 * its files.
 */
const CALLS_OF_RUN_KEYS = [
  ...CALLS_OF_ACTIVITY_KEYS,
  'GET /api/activities/batch/results/:id',
  'GET /api/activities/batch/template/:id',
  'GET /api/activities/batches/:id',
  'GET /api/activities/childruns/:runId',
  'GET /api/activities/download/errorreport/:id',
  'GET /api/activities/downloadsample/input/:id',
  'GET /api/activities/downloadsample/input/:id/:n',
  'GET /api/activities/input/download/:runId/:parameterId',
  'GET /api/activities/input/download/:runId/:parameterId/:index',
  'GET /api/activities/linkedActivityDetails/:linkId',
  'GET /api/activities/output/download/:runId/:parameterId',
  'GET /api/activities/output/download/:runId/:parameterId/:index',
  'GET /api/activities/pendingruns',
  'GET /api/activities/waiting/:id',
  'GET /api/checklists/details/:id',
  'GET /api/checklists/downloadFiles/:runId',
  'GET /api/checklists/status/:kind/:runId',
  'GET /api/documents/:uniqueId',
  'GET /api/events',
  'GET /api/workflows/details/:id',
  'GET /api/workflows/downloadFiles/:runId',
  'POST /api/activities/batch/start',
  'POST /api/activities/batch/upload/:id',
  'POST /api/activities/cancel/all',
  'POST /api/activities/childruns',
  'POST /api/activities/childruns/download',
  'POST /api/activities/childruns/retry/:runId',
  'POST /api/activities/dryrun',
  'POST /api/activities/inputdata/download/:runId/:parameterId',
  'POST /api/activities/outputdata/download/:runId/:parameterId',
  'POST /api/activities/runhistory',
  'POST /api/activities/runhistory/export',
  'POST /api/activities/runhistory/output',
  'POST /api/activities/runhistory/output/export',
  'POST /api/activities/runhistory/summary',
  'POST /api/activities/startlink',
  'POST /api/activities/wakeup',
  'POST /api/checklists/cancel/:runId',
  'POST /api/checklists/downloadRows',
  'POST /api/checklists/resume/:runId',
  'POST /api/checklists/resumeplan/:runId',
  'POST /api/checklists/rows',
  'POST /api/checklists/runhistory',
  'POST /api/checklists/runhistory/export',
  'POST /api/checklists/start',
];

const activityKeyCalls: ReadonlySet<string> = new Set(CALLS_OF_ACTIVITY_KEYS);
const runKeyCalls: ReadonlySet<string> = new Set(CALLS_OF_RUN_KEYS);

/**
 * Returns whether a person may make a call with their key at all. A key with a scope may only make the calls listed
 * here, so a new call is refused until it is added to the list.
 * @param call method and declared path
 */
export function isCallOfKey(
  { keyScope, keyActivities }: Pick<Person, 'keyScope' | 'keyActivities'>,
  call: string,
): boolean {
  if (keyActivities !== undefined) return activityKeyCalls.has(call);
  return keyScope === undefined || runKeyCalls.has(call);
}
