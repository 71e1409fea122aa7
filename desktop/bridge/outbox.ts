/** Starts that wait on this computer for their server, as pages see them. */
import { Type, type Static, type TSchema } from 'typebox';

const closed = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

export const EntryId = Type.String({ pattern: '^[a-f0-9]{16}$' });

/**
 * - waiting: sent as soon as the server is reached.
 * - sending: on its way; whether the server has it is not known.
 * - started: the server has answered with the run.
 * - needsYou: nothing happens before the person decides; Why says what about.
 * - expired: it has waited longer than a day, and is sent only where the person starts it.
 */
export const OutboxState = Type.Enum(['waiting', 'sending', 'started', 'needsYou', 'expired']);
export type OutboxState = Static<typeof OutboxState>;

export const OutboxEntry = closed({
  Id: EntryId,
  ActivityId: Type.Integer(),
  ActivityName: Type.String(),
  ActivityVersion: Type.Integer(),
  /** ISO 8601, by the clock of this computer. */
  QueueTime: Type.String(),
  State: OutboxState,
  /** A text for the person; '' for nothing. */
  Why: Type.String(),
  /** The run that was started; null before. */
  RunId: Type.Union([Type.Integer(), Type.Null()]),
  /** The version that kept it from being started; null for none. */
  NewestVersion: Type.Union([Type.Integer(), Type.Null()]),
  FileNames: Type.Array(Type.String()),
  /** It was sent once without an answer: the server may have begun a run. */
  MayHaveStarted: Type.Boolean(),
});
export type OutboxEntry = Static<typeof OutboxEntry>;

const LONGEST = 32 * 1024 * 1024;

/** A start as a form makes it. */
export const QueuedStart = closed({
  ActivityName: Type.String({ minLength: 1, maxLength: 500 }),
  /** The body of the call that starts it, as JSON. */
  Start: Type.String({ maxLength: LONGEST }),
  /** It was sent already, and no answer came: the server may have begun a run. */
  WasSent: Type.Boolean(),
  /** What the form needs to be filled in again, in words of its own. */
  Form: Type.String({ maxLength: LONGEST }),
});
export type QueuedStart = Static<typeof QueuedStart>;

/** Why it was not queued, for the person; '' where it was. */
export const Queued = closed({ Problem: Type.String() });
export type Queued = Static<typeof Queued>;
