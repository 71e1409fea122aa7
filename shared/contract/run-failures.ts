/** Failed runs, grouped by reason, and retrying many of them. */
import { Type, type Static } from 'typebox';
import { closed, Id, needsOn, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { HistorySearch } from './run-history.ts';
import { RunStatus } from './run-status.ts';

/** Maximum number of failures that are grouped: the newest that a search finds. */
export const FAILURES_MAX = 5_000;
/** Maximum number of groups returned: the most frequent. */
export const FAILURE_GROUPS_MAX = 100;
/** Maximum number of activities named per group. */
export const GROUP_ACTIVITIES_MAX = 3;

/**
 * Failures of the same reason: same outcome, same status code and same first error in the log, apart from numbers, ids,
 * times and quoted values. Errors of the activity itself form a group per activity. Errors of the server, and of
 * the mail servers, folders and databases that steps use, are grouped across activities: one action fixes them all.
 */
export const FailureGroup = closed({
  /** Identifies the reason in searches. */
  Key: Type.String(),
  Status: RunStatus,
  /** First error of the newest failure; '' if its log has none. */
  Text: Type.String(),
  /** True if the errors of the group differ in numbers, ids or values. */
  IsVaried: Type.Boolean(),
  Count: Type.Integer(),
  /** Number of failures that have not been retried. */
  NotRetried: Type.Integer(),
  /** The first GROUP_ACTIVITIES_MAX activities, by name, and the number of all. */
  Activities: Type.Array(closed({ Id, Name: Type.String() })),
  ActivityCount: Type.Integer(),
  FirstTime: Timestamp,
  LastTime: Timestamp,
  LastRunId: RunId,
});
export type FailureGroup = Static<typeof FailureGroup>;

export const FailureGroups = closed({
  /** The most frequent first. */
  Groups: Type.Array(FailureGroup),
  /** Number of failures and of reasons that were found. */
  Failures: Type.Integer(),
  Reasons: Type.Integer(),
  /** True if there are more failures than the newest FAILURES_MAX covered here. */
  IsPartial: Type.Boolean(),
});
export type FailureGroups = Static<typeof FailureGroups>;

export const groupFailures = post('/api/activities/runhistory/reasons', {
  access: signedIn,
  summary: 'List the failed runs that match a search, grouped by reason, at most the newest 5,000',
  offline: 'answer',
  parts: { body: HistorySearch, result: FailureGroups },
});

/** Maximum number of runs that one plan retries. */
export const RETRIED_MAX = 200;
/** Maximum number of runs per call that retries. */
export const RETRY_CALL_MAX = 20;

/** What a step does outside the run. Procedure: calls a stored procedure. */
export const RetryEffect = Type.Enum(['Write', 'Export', 'Mail', 'Start', 'Procedure'] as const);
export type RetryEffect = Static<typeof RetryEffect>;

/** What retrying the runs would do, before anything is started. Each run found is counted exactly once. */
export const RetryPlan = closed({
  /** The runs that can be retried, oldest first, RETRIED_MAX at most. */
  Runs: Type.Array(closed({ Id: RunId, Name: Type.String(), QueueTime: Timestamp })),
  /** Number of further runs that can be retried. */
  MoreCount: Type.Integer(),
  /** Numbers of runs that are skipped: because they have been retried, … */
  Retried: Type.Integer(),
  /** … are steps of a workflow, or were started by another run, which retries them itself, … */
  Steps: Type.Integer(),
  /** … belong to activities that the caller may not run or that are inactive, … */
  NotAllowed: Type.Integer(),
  /** … or have not failed. */
  NotFailed: Type.Integer(),
  /** Activities of Runs that change something outside the portal's runs. */
  Effects: Type.Array(closed({ ActivityId: Id, Name: Type.String(), Kinds: Type.Array(RetryEffect) })),
});
export type RetryPlan = Static<typeof RetryPlan>;

export const planRetries = post('/api/activities/retryplan', {
  access: signedIn,
  summary: 'Preview retrying runs: the failures of a reason, or runs by number, without starting anything',
  parts: {
    body: closed({
      /** With a Reason, the failures of this reason that the search finds. */
      Search: Type.Optional(HistorySearch),
      /** Runs chosen one by one. */
      Ids: Type.Optional(Type.Array(RunId, { minItems: 1, maxItems: RETRIED_MAX })),
    }),
    result: RetryPlan,
  },
});

export const RetriedRun = closed({
  Id: RunId,
  /** AlreadyRetried: somebody has retried the run before; it is not started again. */
  Outcome: Type.Enum(['Started', 'AlreadyRetried', 'Refused'] as const),
  /** The run that retries it; null if it was refused, or if the caller may not see the earlier retry. */
  NewId: nullable(RunId),
  /** Why it was refused; '' otherwise. */
  Message: Type.String(),
});
export type RetriedRun = Static<typeof RetriedRun>;

export const retryRuns = post('/api/activities/retryruns', {
  access: needsOn('sk.RunActivity'),
  summary: 'Retry failed runs that nobody has retried yet; repeating the call starts nothing twice',
  parts: {
    body: closed({ Ids: Type.Array(RunId, { minItems: 1, maxItems: RETRY_CALL_MAX, uniqueItems: true }) }),
    result: Type.Array(RetriedRun),
  },
});
