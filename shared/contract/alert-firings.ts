/**
 * Alert firings, for the users that the alert notified. Separate from alerts.ts because the notification list on every
 * page needs only this.
 */
import { Type, type Static } from 'typebox';
import { closed, get, Id, nullable, post, RunId, RunIdParams, signedIn, Timestamp } from './endpoint.ts';
import { DEFAULT_SCOPES, RULE_SCOPES } from './alert-rule-scopes.ts';
import { RunStatus } from './run-status.ts';

export const AlertFiringDetails = closed({
  Id: RunId,
  Time: Timestamp,
  /** AlertName is the name of the alert; Name is the name of the activity or checklist. */
  AlertName: Type.String(),
  Name: Type.String(),
  Message: Type.String(),
  Category: Type.Integer(),
  IsTest: Type.Boolean(),
  ActivityId: nullable(Id),
  ChecklistId: nullable(Id),
  ActivityRunId: nullable(RunId),
  ChecklistRunId: nullable(RunId),
  Status: nullable(RunStatus),
  /** What the rule covers; null for an alert of one activity or checklist. */
  Scope: nullable(Type.Enum([...RULE_SCOPES, ...DEFAULT_SCOPES])),
  /** What the person may know of the run; null if the alert is not about a run, or if the run was purged. */
  Facts: nullable(
    closed({
      Error: nullable(Type.String()),
      Step: nullable(Type.String()),
      Starter: Type.String(),
      Started: Timestamp,
      Ended: nullable(Timestamp),
    }),
  ),
  SeenTime: nullable(Timestamp),
  SeenByFullName: nullable(Type.String()),
});
export type AlertFiringDetails = Static<typeof AlertFiringDetails>;

export const alertFiring = get('/api/alerts/firings/:id', {
  access: signedIn,
  summary: 'Get a firing of an alert; for its recipients and users who may edit what it watches',
  parts: { params: RunIdParams, result: AlertFiringDetails },
});

export const seeAlertFiring = post('/api/alerts/firings/:id/seen', {
  access: signedIn,
  summary: 'Acknowledge a firing, so that nobody else is notified of it',
  parts: { params: RunIdParams, result: Type.Null() },
});

export const dismissAlertNotice = post('/api/alerts/notices/dismiss/:id', {
  access: signedIn,
  summary: 'Remove the user’s notification of an alert',
  parts: { params: RunIdParams, result: Type.Null() },
});
