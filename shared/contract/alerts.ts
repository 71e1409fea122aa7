/**
 * Alerts: who is notified if a run of an activity or a checklist fails, is late, takes too long or returns a value that
 * matters.
 */
import { Type, type Static } from 'typebox';
import {
  closed,
  EditedRevision,
  get,
  Id,
  IdParams,
  needsOn,
  nullable,
  post,
  Revision,
  RunId,
  signedIn,
  Timestamp,
} from './endpoint.ts';
import { Approver } from './workflows.ts';

export const ALERTS_MAX = 20;
export const ALERT_NAME_MAX = 100;
export const ALERT_RECEIVERS_MAX = 100;
export const ALERT_WEBHOOKS_MAX = 5;
export const ALERT_CONDITION_MAX = 1000;
export const ESCALATE_MINUTES_MAX = 10_080;
export const ALERT_FACTOR_MAX = 1000;
export const MINUTES_OF_DAY = 1440;
export const FIRINGS_SHOWN = 20;

/** Run statuses that an alert can react to. */
export const ALERT_STATUSES = [
  'Failed',
  'Cancelled',
  'LogicError',
  'InternalError',
  'Abandoned',
  'NotLicensed',
  'SucceededWarn',
  'Succeeded',
] as const;

const Minutes = Type.Integer({ minimum: 0, maximum: MINUTES_OF_DAY - 1 });
const TimeZone = Type.String({ minLength: 1, maxLength: 64 });

export const OutcomeCondition = closed({
  Kind: Type.Literal('Outcome'),
  Statuses: Type.Array(Type.Enum(ALERT_STATUSES), {
    minItems: 1,
    maxItems: ALERT_STATUSES.length,
    uniqueItems: true,
  }),
});

/** Fires if a run takes more than Factor times the 95th percentile of the last runs. */
export const LongCondition = closed({
  Kind: Type.Literal('Long'),
  Factor: Type.Number({ minimum: 1, maximum: ALERT_FACTOR_MAX }),
});

export const AlertCondition = Type.Union([
  OutcomeCondition,
  /** Fires if no run has succeeded since the start of the day. */
  closed({
    Kind: Type.Literal('Late'),
    /** Minutes since midnight, in TimeZone. */
    By: Minutes,
    TimeZone,
    /** 1 for Monday to 7 for Sunday. */
    Days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
    /** Id of a holiday calendar: the alert does not fire on its non-working days. */
    CalendarId: nullable(Id),
  }),
  LongCondition,
  /** Fires if a condition on single-value outputs holds, such as 'Total > 1000'. Only for activities. */
  closed({
    Kind: Type.Literal('Value'),
    Condition: Type.String({ minLength: 1, maxLength: ALERT_CONDITION_MAX, pattern: '\\S' }),
  }),
]);
export type AlertCondition = Static<typeof AlertCondition>;
export type AlertKind = AlertCondition['Kind'];

export const AlertReceivers = closed({
  Roles: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: ALERT_RECEIVERS_MAX, uniqueItems: true }),
  UserIds: Type.Array(Id, { maxItems: ALERT_RECEIVERS_MAX, uniqueItems: true }),
  ByBell: Type.Boolean(),
  ByMail: Type.Boolean(),
});
export type AlertReceivers = Static<typeof AlertReceivers>;

export const ALERT_WEBHOOK_KINDS = ['Teams', 'Slack'] as const;
export type AlertWebhookKind = (typeof ALERT_WEBHOOK_KINDS)[number];

const Fields = {
  Name: Type.String({ minLength: 1, maxLength: ALERT_NAME_MAX, pattern: '\\S' }),
  IsActive: Type.Boolean(),
  Condition: AlertCondition,
  Receivers: AlertReceivers,
  /** Who is notified next if nobody has seen the alert within EscalateMinutes. */
  NextReceivers: AlertReceivers,
  EscalateMinutes: nullable(Type.Integer({ minimum: 1, maximum: ESCALATE_MINUTES_MAX })),
};

export const WebhookDrafts = Type.Array(
  closed({
    Kind: Type.Enum(ALERT_WEBHOOK_KINDS),
    /** Null keeps the address previously stored at the same index: addresses are never returned to clients. */
    Url: nullable(Type.String({ minLength: 1, maxLength: 2000 })),
  }),
  { maxItems: ALERT_WEBHOOKS_MAX },
);

const Draft = {
  /** Null creates a new alert. */
  Id: nullable(Id),
  ...Fields,
  Webhooks: WebhookDrafts,
  Revision: EditedRevision,
};

export const AlertFiring = closed({
  Id: RunId,
  Time: Timestamp,
  Message: Type.String(),
  Category: Type.Integer(),
  IsTest: Type.Boolean(),
  ActivityRunId: nullable(RunId),
  ChecklistRunId: nullable(RunId),
  SeenTime: nullable(Timestamp),
  SeenByFullName: nullable(Type.String()),
  /**
   * Told is the number of users notified. Delivered and GivenUp count mails and webhook calls that arrived, and those
   * that were given up.
   */
  Told: Type.Integer(),
  Delivered: Type.Integer(),
  GivenUp: Type.Integer(),
});
export type AlertFiring = Static<typeof AlertFiring>;

/** Addresses stay secret: only the host of each is returned. */
export const ShownWebhooks = Type.Array(closed({ Kind: Type.Enum(ALERT_WEBHOOK_KINDS), Host: Type.String() }));

export const Alert = closed({
  ...Fields,
  Id,
  Webhooks: ShownWebhooks,
  Revision,
  /** The latest firings, newest first. */
  Firings: Type.Array(AlertFiring),
});
export type Alert = Static<typeof Alert>;

export const AlertList = closed({
  /** Name of the activity or checklist. */
  Name: Type.String(),
  Items: Type.Array(Alert),
  /** Users that the alerts refer to. */
  Users: Type.Array(Approver),
  /** Outputs that a condition may refer to. */
  Outputs: Type.Array(closed({ Name: Type.String(), Kind: Type.String() })),
  /** Time zone of the server. */
  TimeZone: Type.String(),
  CanMail: Type.Boolean(),
});
export type AlertList = Static<typeof AlertList>;

export const activityAlerts = get('/api/activities/alerts/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'List the alerts of an activity with their firings',
  parts: { params: IdParams, result: AlertList },
});

export const checklistAlerts = get('/api/checklists/alerts/:id', {
  access: needsOn('sk.EditChecklist'),
  summary: 'List the alerts of a checklist or workflow with their firings',
  parts: { params: IdParams, result: AlertList },
});

export const AlertDraft = closed(Draft);
export type AlertDraft = Static<typeof AlertDraft>;

export const saveActivityAlert = post('/api/activities/alerts/save', {
  access: needsOn('sk.EditActivity'),
  summary: 'Create or update an alert of an activity',
  parts: { body: closed({ ActivityId: Id, ...Draft }), result: closed({ Id }) },
});

export const saveChecklistAlert = post('/api/checklists/alerts/save', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Create or update an alert of a checklist or workflow',
  parts: { body: closed({ ChecklistId: Id, ...Draft }), result: closed({ Id }) },
});

export const deleteAlert = post('/api/alerts/delete/:id', {
  access: signedIn,
  summary: 'Delete an alert; for users who may edit what it watches',
  parts: { params: IdParams, result: Type.Null() },
});

export const testAlert = post('/api/alerts/test/:id', {
  access: signedIn,
  summary: 'Send a test of an alert; for users who may edit what it watches',
  parts: { params: IdParams, result: Type.Null() },
});

const Owner = closed({ ActivityId: Type.Optional(Id), ChecklistId: Type.Optional(Id) });

export const alertPeople = post('/api/alerts/people', {
  access: signedIn,
  summary: 'List the roles and people that an alert may notify; for users who may edit what it watches',
  parts: {
    body: closed({ ...Owner.properties, Search: Type.String({ maxLength: 200 }) }),
    result: closed({ Roles: Type.Array(Type.String()), Users: Type.Array(Approver), HasMore: Type.Boolean() }),
  },
});

const settings = {
  /** Start and end of the quiet hours in minutes since midnight; null if there are none. */
  QuietFrom: nullable(Minutes),
  QuietUntil: nullable(Minutes),
  /** When the daily summary is sent, in minutes since midnight; null for no summary. */
  SummaryAt: nullable(Minutes),
  TimeZone,
};

export const NotificationSettings = closed(settings);
export type NotificationSettings = Static<typeof NotificationSettings>;

export const notificationSettings = get('/api/notificationSettings', {
  access: signedIn,
  summary: 'Get when the user wants to be notified',
  parts: { result: closed({ ...settings, CanMail: Type.Boolean(), HasEmail: Type.Boolean() }) },
});

export const saveNotificationSettings = post('/api/notificationSettings', {
  access: signedIn,
  summary: 'Set when the user wants to be notified',
  parts: { body: NotificationSettings, result: Type.Null() },
});
