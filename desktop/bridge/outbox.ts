/** The outbox as pages see it: starts that wait on this computer for their server. */
import { Type, type Static, type TSchema } from 'typebox';

const closed = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

export const EntryId = Type.String({ pattern: '^[a-f0-9]{16}$' });

/**
 * - waiting: sent as soon as the server is reachable.
 * - sending: in transit; it is unknown whether the server received it.
 * - started: the server returned the run.
 * - needsYou: waits for a decision by the user; Why says what about.
 * - expired: has waited longer than a day, and is sent only if the user starts it.
 */
export const OutboxState = Type.Enum(['waiting', 'sending', 'started', 'needsYou', 'expired']);
export type OutboxState = Static<typeof OutboxState>;

export const OutboxEntry = closed({
  Id: EntryId,
  ActivityId: Type.Integer(),
  ActivityName: Type.String(),
  ActivityVersion: Type.Integer(),
  /** ISO 8601, from the clock of this computer. */
  QueueTime: Type.String(),
  State: OutboxState,
  /** A text for the user; '' for none. */
  Why: Type.String(),
  /** The run that was started; null before that. */
  RunId: Type.Union([Type.Integer(), Type.Null()]),
  /** The newer version that prevented the start; null for none. */
  NewestVersion: Type.Union([Type.Integer(), Type.Null()]),
  FileNames: Type.Array(Type.String()),
  /** True if it was sent without receiving a response: the server may have started a run. */
  MayHaveStarted: Type.Boolean(),
});
export type OutboxEntry = Static<typeof OutboxEntry>;

const MAX_START_LENGTH = 32 * 1024 * 1024;

/** A start as submitted by a form. */
export const QueuedStart = closed({
  ActivityName: Type.String({ minLength: 1, maxLength: 500 }),
  /** Body of the start call, as JSON. */
  Start: Type.String({ maxLength: MAX_START_LENGTH }),
  /** True if it was already sent without receiving a response: the server may have started a run. */
  WasSent: Type.Boolean(),
  /** Data from which the form can be filled in again, in the form's own format. */
  Form: Type.String({ maxLength: MAX_START_LENGTH }),
});
export type QueuedStart = Static<typeof QueuedStart>;

/** Why it was not queued, as a text for the user; '' if it was. */
export const Queued = closed({ Problem: Type.String() });
export type Queued = Static<typeof Queued>;
