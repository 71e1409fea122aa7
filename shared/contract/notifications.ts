/** Notifications about a user's runs. Source: specification of activities, sections 3 and 7; of security, section 9. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';

/** Source: specification of security, section 9. */
export const NOTIFICATION_PAGE_SIZE = 20;
/** Counting stops here. */
export const NOTIFICATION_COUNT_MAX = 100;
/** Maximum number of notifications that one call marks as read or removes by id. */
export const NOTIFICATION_CHOICE_MAX = 200;

export const Notification = closed({
  ActivityRunId: RunId,
  /** Id of the log entry that the message comes from; 0 if the run logged no suitable entry. */
  LogEntryId: Type.Integer({ minimum: 0 }),
  ActivityName: Type.String(),
  Message: Type.String(),
  /** 1 or lower: information; 2: warning; above 2: error. */
  Category: Type.Integer(),
  Time: Timestamp,
  IsRead: Type.Boolean(),
});
export type Notification = Static<typeof Notification>;

/** An approval that waits for the user, or an ended approval of a run that they started. */
export const ApprovalNotification = closed({
  ApprovalId: RunId,
  /** Names of the workflow and the step. */
  Name: Type.String(),
  Message: Type.String(),
  /** As in Notification. */
  Category: Type.Integer(),
  Time: Timestamp,
  /** True if the user has to decide: it disappears after their decision. Others are removed by dismissApproval. */
  IsWaiting: Type.Boolean(),
});
export type ApprovalNotification = Static<typeof ApprovalNotification>;

/**
 * About a whole run of a checklist or workflow: a scheduled run that succeeded (only if the user wants to be notified
 * of all runs), a run that the schedule could not start, or a problem that no step notification reports.
 */
export const ChecklistNotification = closed({
  ChecklistRunId: RunId,
  /** Name of the checklist. */
  Name: Type.String(),
  IsWorkflow: Type.Boolean(),
  Message: Type.String(),
  /** As in Notification. */
  Category: Type.Integer(),
  Time: Timestamp,
});
export type ChecklistNotification = Static<typeof ChecklistNotification>;

/** About an alert that fired, for the users it notifies. */
export const AlertNotification = closed({
  /** Id for removing it. */
  NoticeId: RunId,
  AlertFiringId: RunId,
  /** True if the user is notified because they own what failed, and not because of an alert. */
  IsOfOwnActivity: Type.Boolean(),
  /** Name of the activity or checklist; that of the alert for the test of a rule. */
  Name: Type.String(),
  Message: Type.String(),
  /** As in Notification. */
  Category: Type.Integer(),
  Time: Timestamp,
});
export type AlertNotification = Static<typeof AlertNotification>;

/**
 * About access to activities.
 * Requested: somebody asks for access, and the user may grant it; it disappears when the request is decided.
 * Granted: the user's own request was granted.
 * Shared: somebody shared an activity with the user.
 */
export const AccessNotification = closed({
  Kind: Type.Enum(['Requested', 'Granted', 'Shared'] as const),
  /** Id of the request for Requested, otherwise of the notice, for removing it. */
  Id,
  ActivityId: Id,
  /** The run that was asked for. */
  ActivityRunId: nullable(RunId),
  /** Name of the activity. */
  Name: Type.String(),
  Message: Type.String(),
  /** What the person wrote; '' for nothing. */
  Note: Type.String(),
  /** As in Notification. */
  Category: Type.Integer(),
  Time: Timestamp,
});
export type AccessNotification = Static<typeof AccessNotification>;

/** Runs of an activity that the user started and that succeeded, as one notification. */
export const SucceededGroup = closed({
  ActivityId: Id,
  /** Name of the activity. */
  Name: Type.String(),
  Count: Type.Integer(),
  /** The newest of the runs. */
  ActivityRunId: RunId,
  /** When the newest run ended. */
  Time: Timestamp,
});
export type SucceededGroup = Static<typeof SucceededGroup>;

export const NotificationList = closed({
  Items: Type.Array(Notification),
  HasMore: Type.Boolean(),
  /** Only on the first page. */
  Approvals: Type.Array(ApprovalNotification),
  /** Only on the first page. */
  Checklists: Type.Array(ChecklistNotification),
  /** Only on the first page. */
  Alerts: Type.Array(AlertNotification),
  /** Only on the first page. */
  Access: Type.Array(AccessNotification),
  /** Only on the first page, and only if the user wants to be notified of all runs. */
  Succeeded: Type.Array(SucceededGroup),
  /**
   * Number of notifications that were not dismissed, including approvals, checklists, alerts, access and groups of
   * succeeded runs; capped at NOTIFICATION_COUNT_MAX.
   */
  Count: Type.Integer(),
  /** How many of these are unread. All but notifications of single runs count as unread until they are removed. */
  Unread: Type.Integer(),
});
export type NotificationList = Static<typeof NotificationList>;

export const notifications = get('/api/activities/notifications', {
  access: signedIn,
  summary: 'List the notifications about the user’s own runs, newest first, paged',
  offline: 'answer',
  parts: {
    /** The ActivityRunId of the last notification shown. */
    query: closed({ Before: Type.Optional(RunId) }),
    result: NotificationList,
  },
});

/**
 * A user's own run that succeeded without warnings, or a whole run of a checklist or workflow. Steps, rows and runs
 * started by others are not included.
 */
export const SucceededRun = closed({
  /** Id of an activity run, or of a checklist or workflow run. */
  RunId,
  Kind: Type.Enum(['Activity', 'Checklist', 'Workflow'] as const),
  /** Name of the activity, checklist or workflow. */
  Name: Type.String(),
  QueueTime: Timestamp,
  EndTime: Timestamp,
});
export type SucceededRun = Static<typeof SucceededRun>;

/** Maximum number of runs per result. */
export const SUCCEEDED_RUNS_MAX = 20;

export const SucceededRuns = closed({
  /** The runs that ended last, newest end first. */
  Items: Type.Array(SucceededRun),
  /** Time of the database. Pass it as Since in the next call to get the runs that end later. */
  Until: Timestamp,
});
export type SucceededRuns = Static<typeof SucceededRuns>;

export const succeededRuns = get('/api/activities/notifications/succeeded', {
  access: signedIn,
  summary: 'List the user’s own successful runs of the last day, at most 20, for programs that notify people',
  parts: {
    /** If absent, no runs are returned, because the start of the period is unknown. */
    query: closed({ Since: Type.Optional(Timestamp) }),
    result: SucceededRuns,
  },
});

const dismissal = {
  access: signedIn,
  summary: 'Remove a notification',
  parts: {
    params: closed({
      activityRunId: RunId,
      logEntryId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    result: Type.Null(),
  },
};

/** GET, as the specification requires. Other sites cannot exploit it: only the bearer header identifies the caller. */
export const dismissNotificationByGet = get(
  '/api/activities/notifications/dismiss/:activityRunId/:logEntryId',
  dismissal,
);

export const dismissNotification = post('/api/activities/notifications/dismiss/:activityRunId/:logEntryId', dismissal);

export const dismissSucceededGroup = post('/api/activities/notifications/succeeded/dismiss', {
  access: signedIn,
  summary: 'Remove the notification about successful runs of an activity, up to a run',
  parts: { body: closed({ ActivityId: Id, UpTo: RunId }), result: Type.Null() },
});

export const dismissChecklistNotification = post('/api/checklists/dismiss/:runId', {
  access: signedIn,
  summary: 'Remove the user’s notification about a run of a checklist',
  parts: { params: closed({ runId: RunId }), result: Type.Null() },
});

/** Selected runs, or all up to UpTo, which leaves out notifications that arrived after the user looked. */
export const NotificationChoice = Type.Union([
  closed({ ActivityRunIds: Type.Array(RunId, { minItems: 1, maxItems: NOTIFICATION_CHOICE_MAX }) }),
  closed({ UpTo: RunId }),
]);
export type NotificationChoice = Static<typeof NotificationChoice>;

export const readNotifications = post('/api/activities/notifications/read', {
  access: signedIn,
  summary: 'Mark notifications as read',
  parts: { body: NotificationChoice, result: Type.Null() },
});

export const clearNotifications = post('/api/activities/notifications/clear', {
  access: signedIn,
  summary: 'Remove notifications',
  parts: { body: NotificationChoice, result: Type.Null() },
});
