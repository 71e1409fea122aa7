/** What a person should know of their runs. Source: specification of activities, sections 3 and 7; of security, section 9. */
import { Type, type Static } from 'typebox';
import { closed, get, post, RunId, signedIn, Timestamp } from './endpoint.ts';

/** Source: specification of security, section 9. */
export const NOTIFICATION_PAGE_SIZE = 20;
/** More than these are not counted. */
export const NOTIFICATION_COUNT_MAX = 100;
/** Most that are read or removed by name at once. */
export const NOTIFICATION_CHOICE_MAX = 200;

export const Notification = closed({
  ActivityRunId: RunId,
  /** The log entry the message is from; 0 where the run logged nothing worth telling. */
  LogEntryId: Type.Integer({ minimum: 0 }),
  ActivityName: Type.String(),
  Message: Type.String(),
  /** 1 or lower informs, 2 warns, above 2 is an error. */
  Category: Type.Integer(),
  Time: Timestamp,
  IsRead: Type.Boolean(),
});
export type Notification = Static<typeof Notification>;

/** Of an approval that waits for the person, or that has ended in a run that they started. */
export const ApprovalNotification = closed({
  ApprovalId: RunId,
  /** Of the workflow and the step. */
  Name: Type.String(),
  Message: Type.String(),
  /** As of a Notification. */
  Category: Type.Integer(),
  Time: Timestamp,
  /** Whether the person is to decide: it goes when they have. Others are removed by dismissApproval. */
  IsWaiting: Type.Boolean(),
});
export type ApprovalNotification = Static<typeof ApprovalNotification>;

/** Of a run of a checklist or workflow as a whole: that a schedule started and that succeeded, that it did not start, or of which no step tells what went wrong. */
export const ChecklistNotification = closed({
  ChecklistRunId: RunId,
  /** Of the checklist. */
  Name: Type.String(),
  IsWorkflow: Type.Boolean(),
  Message: Type.String(),
  /** As of a Notification. */
  Category: Type.Integer(),
  Time: Timestamp,
});
export type ChecklistNotification = Static<typeof ChecklistNotification>;

/** Of an alert that fired, for those it tells. */
export const AlertNotification = closed({
  /** By which it is removed. */
  NoticeId: RunId,
  AlertFiringId: RunId,
  /** Of the activity or checklist. */
  Name: Type.String(),
  Message: Type.String(),
  /** As of a Notification. */
  Category: Type.Integer(),
  Time: Timestamp,
});
export type AlertNotification = Static<typeof AlertNotification>;

export const NotificationList = closed({
  Items: Type.Array(Notification),
  HasMore: Type.Boolean(),
  /** With the first page alone. */
  Approvals: Type.Array(ApprovalNotification),
  /** With the first page alone. */
  Checklists: Type.Array(ChecklistNotification),
  /** With the first page alone. */
  Alerts: Type.Array(AlertNotification),
  /** Of all that are not dismissed, approvals, checklists and alerts among them, up to NOTIFICATION_COUNT_MAX. */
  Count: Type.Integer(),
  /** Of those, how many were not read; an approval, alert, or run of a checklist, counts as long as it is there. */
  Unread: Type.Integer(),
});
export type NotificationList = Static<typeof NotificationList>;

export const notifications = get('/api/activities/notifications', {
  access: signedIn,
  summary: 'What is to be told of one’s own runs, newest first, a page at a time',
  offline: 'answer',
  parts: {
    /** The ActivityRunId of the last one shown. */
    query: closed({ Before: Type.Optional(RunId) }),
    result: NotificationList,
  },
});

/** A run of one's own that succeeded without warnings, or a run of a checklist or workflow as a whole. Steps, rows and runs that others started are none. */
export const SucceededRun = closed({
  /** Of an activity, or of the checklist or workflow. */
  RunId,
  Kind: Type.Enum(['Activity', 'Checklist', 'Workflow'] as const),
  /** Of the activity, checklist or workflow. */
  Name: Type.String(),
  QueueTime: Timestamp,
  EndTime: Timestamp,
});
export type SucceededRun = Static<typeof SucceededRun>;

/** Most that one answer holds. */
export const SUCCEEDED_RUNS_MAX = 20;

export const SucceededRuns = closed({
  /** Those that ended last, newest end first. */
  Items: Type.Array(SucceededRun),
  /** By the database: what ends later is in the answer to a call with this as Since. */
  Until: Timestamp,
});
export type SucceededRuns = Static<typeof SucceededRuns>;

export const succeededRuns = get('/api/activities/notifications/succeeded', {
  access: signedIn,
  summary: 'One’s own runs that succeeded, for programs that notify people; the newest 20 of a day',
  parts: {
    /** Absent: none, as nobody knows since when. */
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

/** As the specification has it. A page elsewhere cannot make use of it: nothing but the bearer header says who calls. */
export const dismissNotificationByGet = get(
  '/api/activities/notifications/dismiss/:activityRunId/:logEntryId',
  dismissal,
);

export const dismissNotification = post('/api/activities/notifications/dismiss/:activityRunId/:logEntryId', dismissal);

export const dismissChecklistNotification = post('/api/checklists/dismiss/:runId', {
  access: signedIn,
  summary: 'Remove the notification of a run of a checklist, for oneself',
  parts: { params: closed({ runId: RunId }), result: Type.Null() },
});

/** Some by their runs, or all up to one: what came since the person looked is not among them. */
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
