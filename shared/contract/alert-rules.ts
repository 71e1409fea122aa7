/** Alert rules, which cover many activities and workflows, and the list of all alerts that concern a person. */
import { Type, type Static } from 'typebox';
import {
  closed,
  EditedRevision,
  get,
  Id,
  IdParams,
  nullable,
  post,
  Revision,
  signedIn,
  Timestamp,
} from './endpoint.ts';
import { RULE_SCOPES } from './alert-rule-scopes.ts';
import {
  ALERT_NAME_MAX,
  AlertCondition,
  AlertFiring,
  AlertReceivers,
  LongCondition,
  OutcomeCondition,
  ShownWebhooks,
  WebhookDrafts,
} from './alerts.ts';
import { Approver } from './workflows.ts';

export const ALERT_RULES_MAX = 50;
export const ALERT_PAGE_SIZE = 50;
export const SCOPE_VALUE_MAX = 100;
/** Number of names that show what a rule covers. */
export const RULE_EXAMPLES = 5;
export const MUTE_MINUTES_MAX = 43_200;

const RuleCondition = Type.Union([OutcomeCondition, LongCondition]);
export type RuleCondition = Static<typeof RuleCondition>;

const Covered = {
  Scope: Type.Enum(RULE_SCOPES),
  /** The schema, the group, or the pattern: * stands for any text, ? for one character. '' for other scopes. */
  ScopeValue: Type.String({ maxLength: SCOPE_VALUE_MAX }),
};

const Fields = {
  ...Covered,
  Name: Type.String({ minLength: 1, maxLength: ALERT_NAME_MAX, pattern: '\\S' }),
  IsActive: Type.Boolean(),
  Condition: RuleCondition,
  Receivers: AlertReceivers,
};

export const AlertRuleDraft = closed({
  /** Null creates a new rule. */
  Id: nullable(Id),
  ...Fields,
  Webhooks: WebhookDrafts,
  Revision: EditedRevision,
});
export type AlertRuleDraft = Static<typeof AlertRuleDraft>;

export const RuleFiring = closed({
  ...AlertFiring.properties,
  /** Name of the activity, checklist or workflow that it fired for; '' for a test. */
  Name: Type.String(),
});
export type RuleFiring = Static<typeof RuleFiring>;

export const AlertRule = closed({
  Id,
  ...Fields,
  Webhooks: ShownWebhooks,
  Revision,
  /** The latest firings, newest first. */
  Firings: Type.Array(RuleFiring),
});
export type AlertRule = Static<typeof AlertRule>;

/** An alert of an activity or a checklist, or a rule. */
export const AlertEntry = closed({
  Id,
  Name: Type.String(),
  IsActive: Type.Boolean(),
  Condition: AlertCondition,
  OwnerKind: Type.Enum(['Activity', 'Checklist', 'Rule'] as const),
  /** The activity or checklist; null for a rule. */
  OwnerId: nullable(Id),
  OwnerName: Type.String(),
  /** Null for an alert of one activity or checklist. */
  Scope: nullable(Type.Enum(RULE_SCOPES)),
  ScopeValue: Type.String(),
  /** Who owns the rule, or saved the alert last. */
  UserFullName: Type.String(),
  /** Null if it has not fired yet. */
  LastTime: nullable(Timestamp),
  CanEdit: Type.Boolean(),
  CanDelete: Type.Boolean(),
  IsMuted: Type.Boolean(),
  /** Null if it is not muted, or until the person unmutes it. */
  MutedUntil: nullable(Timestamp),
});
export type AlertEntry = Static<typeof AlertEntry>;

export const allAlerts = get('/api/alerts', {
  access: signedIn,
  summary: 'List the alerts that the user owns, may edit, or was notified by, newest first, paged',
  parts: {
    query: closed({
      /** Part of the name of the alert, or of the activity or checklist. */
      Name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      /** Id of the last alert of the previous page. */
      Before: Type.Optional(Id),
    }),
    result: closed({ Items: Type.Array(AlertEntry), HasMore: Type.Boolean() }),
  },
});

export const ruleChoices = get('/api/alerts/rules/choices', {
  access: signedIn,
  summary: 'Get the options for an alert rule',
  parts: {
    result: closed({
      Self: Approver,
      Schemas: Type.Array(closed({ Name: Type.String(), DisplayName: Type.String() })),
      Groups: Type.Array(Type.String()),
      /** True if there is something for which the person may notify others. */
      MayNotifyOthers: Type.Boolean(),
      CanMail: Type.Boolean(),
    }),
  },
});

export const alertRule = get('/api/alerts/rules/:id', {
  access: signedIn,
  summary: 'Get one of the user’s alert rules with its firings',
  parts: {
    params: IdParams,
    result: closed({
      Rule: AlertRule,
      /** Users that the rule refers to. */
      Users: Type.Array(Approver),
    }),
  },
});

export const saveAlertRule = post('/api/alerts/rules/save', {
  access: signedIn,
  summary: 'Create or update one of the user’s alert rules',
  parts: { body: AlertRuleDraft, result: closed({ Id }) },
});

export const ruleMatches = post('/api/alerts/rules/matches', {
  access: signedIn,
  summary: 'Preview what an alert rule would cover now, as far as the user may see it',
  parts: {
    body: closed(Covered),
    result: closed({
      Activities: Type.Integer(),
      Workflows: Type.Integer(),
      /** The first names. */
      Examples: Type.Array(Type.String()),
    }),
  },
});

export const rulePeople = post('/api/alerts/rules/people', {
  access: signedIn,
  summary: 'List the roles and people that an alert rule may notify; for users who may edit something',
  parts: {
    body: closed({ Search: Type.String({ maxLength: 200 }) }),
    result: closed({ Roles: Type.Array(Type.String()), Users: Type.Array(Approver), HasMore: Type.Boolean() }),
  },
});

export const muteAlert = post('/api/alerts/mute/:id', {
  access: signedIn,
  summary: 'Mute an alert for the user, for a time or until it is unmuted',
  parts: {
    params: IdParams,
    body: closed({ Minutes: nullable(Type.Integer({ minimum: 1, maximum: MUTE_MINUTES_MAX })) }),
    result: Type.Null(),
  },
});

export const unmuteAlert = post('/api/alerts/unmute/:id', {
  access: signedIn,
  summary: 'Unmute an alert for the user',
  parts: { params: IdParams, result: Type.Null() },
});
