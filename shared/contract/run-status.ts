/** The statuses of a run and their texts. Source: specification of activities, sections 4 and 8. */
import { Type, type Static } from 'typebox';

export const RUN_STATUSES = [
  'Queued',
  'QueuedInSeq',
  'PickedUp',
  'Started',
  'Succeeded',
  'SucceededWarn',
  'Failed',
  'Cancelled',
  'LogicError',
  'InternalError',
  'Abandoned',
  'NotLicensed',
  'NotRunToday',
] as const;

export const RunStatus = Type.Enum(RUN_STATUSES);
export type RunStatus = (typeof RUN_STATUSES)[number];

export const PENDING_STATUSES = ['Queued', 'PickedUp', 'Started', 'QueuedInSeq'] as const satisfies RunStatus[];
export const FAILED_STATUSES = [
  'Abandoned',
  'Failed',
  'Cancelled',
  'LogicError',
  'InternalError',
] as const satisfies RunStatus[];

/** Outcomes that somebody must look into. A cancelled run is none: a person decided so. */
export const PROBLEM_STATUSES = [
  'Failed',
  'LogicError',
  'InternalError',
  'Abandoned',
  'NotLicensed',
] as const satisfies RunStatus[];

export const isPending = (status: RunStatus): boolean => (PENDING_STATUSES as readonly string[]).includes(status);
export const isFailed = (status: RunStatus): boolean => (FAILED_STATUSES as readonly string[]).includes(status);
export const hasSucceeded = (status: RunStatus): boolean => status === 'Succeeded' || status === 'SucceededWarn';

/** Shown to link users and public users while a pending run of the activity prevents another start. */
export const ALREADY_RUNNING = 'The activity is already running and cannot be run now.';

/** The text beside a status icon. The specification has no text for NotRunToday. */
export const STATUS_TEXT: Record<RunStatus, string> = {
  Queued: 'Queued for execution',
  QueuedInSeq: 'Waiting',
  PickedUp: 'Gathering inputs',
  Started: 'Running',
  Succeeded: 'Succeeded',
  SucceededWarn: 'Succeeded with warnings',
  Failed: 'Failed',
  Cancelled: 'Cancelled',
  LogicError: 'Error in activity setup',
  InternalError: 'System error',
  Abandoned: 'Service interrupted',
  NotLicensed: 'Invalid or expired license',
  NotRunToday: '',
};

/** The sentence shown after a run has ended. Statuses without one are not final. */
export const OUTCOME_TEXT: Partial<Record<RunStatus, string>> = {
  Succeeded: 'The run was successful',
  SucceededWarn: 'The run succeeded with warnings',
  Failed: 'The run failed',
  Cancelled: 'The run was cancelled',
  LogicError: 'The run could not complete because of an error in the setup of the activity',
  InternalError: 'The run could not complete because of a system error',
  Abandoned: 'The run could not complete because of an interruption on the server',
  NotLicensed: 'The run was disallowed because of an invalid or expired license',
};

/** Categories of log entries: 1 and below is information, 2 a warning, 3 and above an error. */
export const LogCategory = { Information: 1, Warning: 2, Error: 3 } as const;

/**
 * StatusCodes below this are root causes that a user can act on; this and higher codes are consequences and system
 * details.
 */
export const FIRST_SYSTEM_STATUS_CODE = 10_000;

/** A question of a run to a user, valid until the expiry. It is answered through provideinput with the key. */
export const LogPrompt = Type.Object(
  {
    key: Type.String(),
    expiry: Type.String({ format: 'date-time' }),
    type: Type.Enum(['Text', 'Masked'] as const),
  },
  { additionalProperties: false },
);
export type LogPrompt = Static<typeof LogPrompt>;

export const LogEntry = Type.Object(
  {
    Id: Type.Integer(),
    ActivityRunId: Type.Integer(),
    Message: Type.String(),
    StatusCode: Type.Integer(),
    Category: Type.Integer(),
    displayMessage: Type.String(),
    Time: Type.String({ format: 'date-time' }),
    /** Present only while the user who sees the entry may answer it. */
    prompt: Type.Optional(LogPrompt),
  },
  { additionalProperties: false },
);
export type LogEntry = Static<typeof LogEntry>;
