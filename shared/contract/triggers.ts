/** Triggers: start activities, checklists and workflows on events, in the name of the user who saved the trigger. */
import { Type, type Static, type TSchema } from 'typebox';
import {
  closed,
  EditedRevision,
  get,
  Id,
  IdParams,
  needsOn,
  nullable,
  post,
  publicAccess,
  Revision,
  RunId,
  signedIn,
  Timestamp,
} from './endpoint.ts';
import { RunStatus } from './run-status.ts';
import { ScheduledKind } from './schedule-overview.ts';
import {
  OverlapRule,
  ScheduleInput,
  AdditionalScheduleList,
  MAX_SCHEDULE_INPUTS,
  MAX_SCHEDULE_NAME_LENGTH,
} from './additional-schedules.ts';

/** Maximum number per activity or checklist. */
export const TRIGGERS_MAX = 50;
export const TRIGGER_PAGE_SIZE = 50;
export const TRIGGER_SQL_MAX = 10_000;
/** Maximum number of characters in the body of a call. */
export const INBOUND_BODY_MAX = 256 * 1024;
/** Maximum number of events of one trigger that wait at a time. */
export const WAITING_EVENTS_MAX = 1000;
/** Maximum length of a chain of triggers that set each other off. */
export const TRIGGER_DEPTH_MAX = 10;
/** Maximum difference in seconds between the time of a signed call and the server's time. */
export const INBOUND_SECONDS = 300;

export const FilePlan = closed({
  Kind: Type.Literal('File'),
  /** Name of a static folder. */
  Folder: Type.String({ minLength: 1, maxLength: 60 }),
  /** Wildcards: * matches any characters, ? matches one. */
  Pattern: Type.String({ minLength: 1, maxLength: 255 }),
  /** The input that receives the file; null if none does. */
  FileInput: nullable(Type.String({ minLength: 1, maxLength: 255 })),
});
export const EndedPlan = closed({
  Kind: Type.Literal('Ended'),
  Source: ScheduledKind,
  SourceId: Id,
  Outcomes: Type.Array(RunStatus, { minItems: 1, maxItems: 20, uniqueItems: true }),
});
/** Standard: signed according to Standard Webhooks. Hub: signed in the header X-Hub-Signature-256, as by GitHub. */
export const InboundScheme = Type.Enum(['Standard', 'Hub'] as const);
export const InboundPlan = closed({ Kind: Type.Literal('Webhook'), Scheme: InboundScheme });
export const QueryPlan = closed({
  Kind: Type.Literal('Query'),
  Connection: Type.String({ minLength: 1, maxLength: 60 }),
  Sql: Type.String({ minLength: 1, maxLength: TRIGGER_SQL_MAX, pattern: '\\S' }),
  Minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
  /**
   * BecomesTrue: the first value of the first row changes from false to true. NewKey: a row has a first value that no
   * row had before.
   */
  When: Type.Enum(['BecomesTrue', 'NewKey'] as const),
});
export const TriggerPlan = Type.Union([FilePlan, EndedPlan, InboundPlan, QueryPlan]);
export type TriggerPlan = Static<typeof TriggerPlan>;

/** Exactly one of: a value, a relative date, or the position of the value in the event. */
export const TriggerInput = closed({
  ...ScheduleInput.properties,
  /** For a call a JSON pointer into its body, for a query a column, for a file 'name'. */
  From: nullable(Type.String({ minLength: 1, maxLength: 255 })),
});
export type TriggerInput = Static<typeof TriggerInput>;

const settings = {
  Name: Type.String({ minLength: 1, maxLength: MAX_SCHEDULE_NAME_LENGTH, pattern: '\\S' }),
  Plan: TriggerPlan,
  Inputs: Type.Array(TriggerInput, { maxItems: MAX_SCHEDULE_INPUTS }),
  /** Time zone of relative dates. */
  TimeZone: Type.String({ minLength: 1, maxLength: 64 }),
  Overlap: OverlapRule,
};

/** An Id of 0 creates a new trigger. OwnerId is the activity or checklist that it starts. */
export const TriggerUpdate = closed({
  Id: Type.Integer({ minimum: 0 }),
  OwnerId: Id,
  ...settings,
  Revision: EditedRevision,
});
export type TriggerUpdate = Static<typeof TriggerUpdate>;

export const TriggerOutcome = Type.Enum(['Waiting', 'Started', 'LeftOut', 'Refused'] as const);
export type TriggerOutcome = Static<typeof TriggerOutcome>;

export const TriggerFiring = closed({
  Id: RunId,
  Time: Timestamp,
  Outcome: TriggerOutcome,
  /** What caused the firing, and why nothing was started. */
  Message: Type.String(),
  FileName: nullable(Type.String()),
  /** Run of the activity or checklist; null if nothing was started. */
  RunId: nullable(RunId),
});
export type TriggerFiring = Static<typeof TriggerFiring>;

export const Trigger = closed({
  ...TriggerUpdate.properties,
  Revision,
  /** Text that says what it waits for. */
  Text: Type.String(),
  UserId: Type.Integer(),
  UserFullName: Type.String(),
  /** Address for callers, relative to the root of the portal; null for other kinds of trigger. */
  Address: nullable(Type.String()),
  PausedTime: nullable(Timestamp),
  /** Why the portal paused it; null if the portal did not. */
  PausedReason: nullable(Type.String()),
  /** Why the trigger currently cannot check its source. */
  LookMessage: nullable(Type.String()),
  /** The run of this trigger that waiting events wait for; null if they wait for another reason. */
  WaitsFor: nullable(RunId),
  /** The newest firings. */
  Firings: Type.Array(TriggerFiring),
});
export type Trigger = Static<typeof Trigger>;

export const TriggerList = closed({
  OwnerName: Type.String(),
  TimeZone: Type.String(),
  Inputs: AdditionalScheduleList.properties.Inputs,
  /** Inputs that take a file. */
  FileInputs: Type.Array(Type.String()),
  Folders: Type.Array(Type.String()),
  /** Connections that the user may use. */
  Connections: Type.Array(Type.String()),
  /** Text of the current maintenance, during which all triggers wait; null if there is none. */
  Maintenance: nullable(Type.String()),
  Items: Type.Array(Trigger),
});
export type TriggerList = Static<typeof TriggerList>;

/** The secret is returned only when it is created. */
export const SavedTrigger = closed({ Trigger, Secret: nullable(Type.String()) });
export type SavedTrigger = Static<typeof SavedTrigger>;

export const TriggerTest = closed({
  /** True if it would start something now. */
  WouldStart: Type.Boolean(),
  Lines: Type.Array(Type.String()),
});
export type TriggerTest = Static<typeof TriggerTest>;

const TestBody = closed({
  Id,
  /** Body of a test call; null for other kinds of trigger. */
  Body: nullable(Type.String({ maxLength: INBOUND_BODY_MAX })),
});

function callsOf(root: string, right: 'sk.EditActivity' | 'sk.EditChecklist', owner: string) {
  const access = needsOn(right);
  const path = `/api/${root}/triggers`;
  const one = <R extends TSchema>(result: R) => ({ params: IdParams, result });
  return {
    list: get(`${path}/:id`, { access, summary: `List the triggers of ${owner}`, parts: one(TriggerList) }),
    save: post(path, {
      access,
      summary: `Create or update a trigger of ${owner}; it runs as the user who saves it`,
      parts: { body: TriggerUpdate, result: SavedTrigger },
    }),
    delete: post(`${path}/delete/:id`, { access, summary: `Delete a trigger of ${owner}`, parts: one(Type.Null()) }),
    pause: post(`${path}/pause/:id`, { access, summary: `Pause a trigger of ${owner}`, parts: one(Type.Null()) }),
    resume: post(`${path}/resume/:id`, {
      access,
      summary: `Resume a trigger of ${owner}; events during the pause are not caught up`,
      parts: one(Type.Null()),
    }),
    secret: post(`${path}/secret/:id`, {
      access,
      summary: `Create a new secret for the calls of a trigger of ${owner}; the previous one becomes invalid`,
      parts: one(SavedTrigger),
    }),
    test: post(`${path}/test`, {
      access,
      summary: `Test what a trigger of ${owner} would do now, without starting anything`,
      parts: { body: TestBody, result: TriggerTest },
    }),
  };
}

export const activityTriggers = callsOf('activities', 'sk.EditActivity', 'an activity');
export const checklistTriggers = callsOf('checklists', 'sk.EditChecklist', 'a checklist or workflow');

export const TriggerEntry = closed({
  Id,
  Name: Type.String(),
  Kind: Type.Enum(['File', 'Ended', 'Webhook', 'Query'] as const),
  OwnerKind: ScheduledKind,
  OwnerId: Id,
  OwnerName: Type.String(),
  UserFullName: Type.String(),
  PausedTime: nullable(Timestamp),
  PausedReason: nullable(Type.String()),
  LookMessage: nullable(Type.String()),
  /** The newest firing. */
  Firing: nullable(TriggerFiring),
  CanEdit: Type.Boolean(),
});
export type TriggerEntry = Static<typeof TriggerEntry>;

export const listTriggers = get('/api/triggers', {
  access: signedIn,
  summary: 'List the user’s own triggers and those of everything that the user may edit, newest first, paged',
  parts: {
    query: closed({
      /** Part of the name of what it starts. */
      Name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      /** Id of the last trigger of the previous page. */
      Before: Type.Optional(Id),
    }),
    result: closed({ Items: Type.Array(TriggerEntry), HasMore: Type.Boolean() }),
  },
});

export const inboundCall = post('/api/triggers/inbound/:key', {
  // Public because the signature authenticates the caller.
  access: publicAccess,
  summary: 'Start a trigger by a signed call of a program',
  parts: {
    params: closed({ key: Type.String({ minLength: 20, maxLength: 64 }) }),
    body: Type.Unsafe<string>({ description: 'JSON, as it was signed' }),
    accepted: closed({
      Outcome: TriggerOutcome,
      Message: Type.String(),
      /** Run of the activity or checklist; null if nothing has been started. */
      RunId: nullable(RunId),
      /** True if the same call was received before: nothing is started again. */
      IsRepeated: Type.Boolean(),
    }),
  },
});
