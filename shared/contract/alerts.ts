/** Who is told when a run of an activity or a checklist ends badly, late, slowly or with a value that matters. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, needsOn, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
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

/** Outcomes that an alert can be about. */
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

export const AlertCondition = Type.Union([
  closed({
    Kind: Type.Literal('Outcome'),
    Statuses: Type.Array(Type.Enum(ALERT_STATUSES), {
      minItems: 1,
      maxItems: ALERT_STATUSES.length,
      uniqueItems: true,
    }),
  }),
  /** No run has succeeded since the day began. */
  closed({
    Kind: Type.Literal('Late'),
    /** Minutes of the day, by the clocks of TimeZone. */
    By: Minutes,
    TimeZone,
    /** 1 for Monday to 7 for Sunday. */
    Days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
    /** Of a holiday calendar, on whose days without work nothing has to have run. */
    CalendarId: nullable(Id),
  }),
  /** It takes more than so many times what 95 of 100 of the last runs took at most. */
  closed({ Kind: Type.Literal('Long'), Factor: Type.Number({ minimum: 1, maximum: ALERT_FACTOR_MAX }) }),
  /** A condition on the outputs that are single values, as 'Total > 1000'. Of activities alone. */
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
  /** Who is told next, where nobody has looked after EscalateMinutes. */
  NextReceivers: AlertReceivers,
  EscalateMinutes: nullable(Type.Integer({ minimum: 1, maximum: ESCALATE_MINUTES_MAX })),
};

const Draft = {
  /** Null for a new one. */
  Id: nullable(Id),
  ...Fields,
  Webhooks: Type.Array(
    closed({
      Kind: Type.Enum(ALERT_WEBHOOK_KINDS),
      /** Null keeps the address of the one at that place before, which nobody is shown. */
      Url: nullable(Type.String({ minLength: 1, maxLength: 2000 })),
    }),
    { maxItems: ALERT_WEBHOOKS_MAX },
  ),
};

const AlertFiring = closed({
  Id: RunId,
  Time: Timestamp,
  Message: Type.String(),
  Category: Type.Integer(),
  IsTest: Type.Boolean(),
  ActivityRunId: nullable(RunId),
  ChecklistRunId: nullable(RunId),
  SeenTime: nullable(Timestamp),
  SeenByFullName: nullable(Type.String()),
  /** How many people were told; deliveries by mail and webhook that arrived, and that were given up. */
  Told: Type.Integer(),
  Delivered: Type.Integer(),
  GivenUp: Type.Integer(),
});
export type AlertFiring = Static<typeof AlertFiring>;

export const Alert = closed({
  ...Fields,
  Id,
  /** The addresses stay secret: of each only the host. */
  Webhooks: Type.Array(closed({ Kind: Type.Enum(ALERT_WEBHOOK_KINDS), Host: Type.String() })),
  /** The last ones, newest first. */
  Firings: Type.Array(AlertFiring),
});
export type Alert = Static<typeof Alert>;

export const AlertList = closed({
  /** Of the activity or checklist. */
  Name: Type.String(),
  Items: Type.Array(Alert),
  /** People whom the alerts name. */
  Users: Type.Array(Approver),
  /** Outputs that a condition may name. */
  Outputs: Type.Array(closed({ Name: Type.String(), Kind: Type.String() })),
  /** Of the server. */
  TimeZone: Type.String(),
  CanMail: Type.Boolean(),
});
export type AlertList = Static<typeof AlertList>;

export const activityAlerts = get('/api/activities/alerts/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'The alerts of an activity and when they fired',
  parts: { params: IdParams, result: AlertList },
});

export const checklistAlerts = get('/api/checklists/alerts/:id', {
  access: needsOn('sk.EditChecklist'),
  summary: 'The alerts of a checklist or workflow and when they fired',
  parts: { params: IdParams, result: AlertList },
});

export const AlertDraft = closed(Draft);
export type AlertDraft = Static<typeof AlertDraft>;

export const saveActivityAlert = post('/api/activities/alerts/save', {
  access: needsOn('sk.EditActivity'),
  summary: 'Add or change an alert of an activity',
  parts: { body: closed({ ActivityId: Id, ...Draft }), result: closed({ Id }) },
});

export const saveChecklistAlert = post('/api/checklists/alerts/save', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Add or change an alert of a checklist or workflow',
  parts: { body: closed({ ChecklistId: Id, ...Draft }), result: closed({ Id }) },
});

export const deleteAlert = post('/api/alerts/delete/:id', {
  access: signedIn,
  summary: 'Remove an alert, for those who may edit what it is of',
  parts: { params: IdParams, result: Type.Null() },
});

export const testAlert = post('/api/alerts/test/:id', {
  access: signedIn,
  summary: 'Have an alert fire as a trial, for those who may edit what it is of',
  parts: { params: IdParams, result: Type.Null() },
});

const Owner = closed({ ActivityId: Type.Optional(Id), ChecklistId: Type.Optional(Id) });

export const alertPeople = post('/api/alerts/people', {
  access: signedIn,
  summary: 'Roles and people that an alert may name, for those who may edit what it is of',
  parts: {
    body: closed({ ...Owner.properties, Search: Type.String({ maxLength: 200 }) }),
    result: closed({ Roles: Type.Array(Type.String()), Users: Type.Array(Approver), HasMore: Type.Boolean() }),
  },
});

const settings = {
  /** Minutes of the day between which nothing is told; null for no quiet. */
  QuietFrom: nullable(Minutes),
  QuietUntil: nullable(Minutes),
  /** Minutes of the day at which the summary is sent; null for none. */
  SummaryAt: nullable(Minutes),
  TimeZone,
};

export const NotificationSettings = closed(settings);
export type NotificationSettings = Static<typeof NotificationSettings>;

export const notificationSettings = get('/api/notificationSettings', {
  access: signedIn,
  summary: 'When the person wants to be told of things',
  parts: { result: closed({ ...settings, CanMail: Type.Boolean(), HasEmail: Type.Boolean() }) },
});

export const saveNotificationSettings = post('/api/notificationSettings', {
  access: signedIn,
  summary: 'Set when the person wants to be told of things',
  parts: { body: NotificationSettings, result: Type.Null() },
});
