/**
 * Approvals that workflow runs ask users for, and their decisions. API keys limited to running activities may not make
 * these calls.
 */
import { Type, type Static } from 'typebox';
import { closed, get, INTEGER_MAX, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { OutputInfo } from './parameters.ts';

export const APPROVAL_PAGE_SIZE = 20;
/** Counting stops here. */
export const APPROVAL_COUNT_MAX = 100;
export const APPROVAL_COMMENT_MAX = 1000;

/**
 * Outcomes of an approval:
 * - Open: waiting for decisions
 * - Approved, Rejected: decided by users
 * - Expired: its time ran out
 * - NoApprovers: failed because too few users remained who could approve
 * - Cancelled: its run was cancelled, or no step that depends on it could run any more
 */
export const ApprovalOutcome = Type.Enum([
  'Open',
  'Approved',
  'Rejected',
  'Expired',
  'NoApprovers',
  'Cancelled',
] as const);
export type ApprovalOutcome = Static<typeof ApprovalOutcome>;

export const ApprovalDecision = closed({
  UserFullName: Type.String(),
  Approved: Type.Boolean(),
  Comment: Type.String(),
  Time: Timestamp,
});
export type ApprovalDecision = Static<typeof ApprovalDecision>;

const header = {
  Id: RunId,
  /** Name of the step. */
  Name: Type.String(),
  /** Name of the workflow. */
  ChecklistName: Type.String(),
  ChecklistRunId: RunId,
  /** Full name of the user who started the run. */
  StarterFullName: Type.String(),
  Outcome: ApprovalOutcome,
  /** Number of approvals required, and number given so far. */
  Needed: Type.Integer(),
  Given: Type.Integer(),
  StartTime: Timestamp,
  /** Null if the approval does not expire. */
  ExpiryTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
};

export const ApprovalItem = closed({
  ...header,
  /** The caller's own decision; null if the caller has not decided. */
  Own: nullable(ApprovalDecision),
});
export type ApprovalItem = Static<typeof ApprovalItem>;

export const ApprovalValue = closed({
  Name: Type.String(),
  Info: OutputInfo,
  /** In the format of an output's value. Null if there is no value, or if the value is files. */
  Value: nullable(Type.String()),
  Files: Type.Array(closed({ FileName: Type.String(), ContentLength: Type.Integer() })),
});
export type ApprovalValue = Static<typeof ApprovalValue>;

export const Approval = closed({
  ...header,
  /** Plain text. */
  Text: Type.String(),
  /** The outcome on expiry. */
  OnExpiry: Type.Enum(['Fail', 'Approve'] as const),
  /** The values at the time when the approvers were asked. Null for users who can neither decide nor have decided. */
  Values: nullable(Type.Array(ApprovalValue)),
  /** Names of the roles and users whose decision is pending. */
  WaitsFor: Type.Array(Type.String()),
  Decisions: Type.Array(ApprovalDecision),
  /** True if the caller may decide now. */
  MayDecide: Type.Boolean(),
  /** True if the caller may see the run. */
  CanViewRun: Type.Boolean(),
  IsWorkflow: Type.Boolean(),
});
export type Approval = Static<typeof Approval>;

/** Progress of an approval, without the values to approve. */
export const ApprovalState = closed({
  Outcome: ApprovalOutcome,
  Given: Type.Integer(),
  /** True if the caller may decide now. */
  MayDecide: Type.Boolean(),
});
export type ApprovalState = Static<typeof ApprovalState>;

/** An approval as shown on its step. */
export const StepApproval = closed({
  Id: RunId,
  Outcome: ApprovalOutcome,
  Needed: Type.Integer(),
  ExpiryTime: nullable(Timestamp),
  MayDecide: Type.Boolean(),
  WaitsFor: Type.Array(Type.String()),
  Decisions: Type.Array(ApprovalDecision),
  /** The earlier run of the workflow in which it was decided; null if it was decided in this run. */
  KeptOf: nullable(RunId),
});
export type StepApproval = Static<typeof StepApproval>;

export const approvalCount = get('/api/approvals/count', {
  access: signedIn,
  summary: 'Count the approvals that wait for the user; also returns whether there ever were any',
  offline: 'answer',
  parts: {
    result: closed({
      /** Capped at APPROVAL_COUNT_MAX. */
      Waiting: Type.Integer(),
      /**
       * True if the caller ever had anything to decide: approvals they may decide, have decided, or could have decided.
       */
      HasAny: Type.Boolean(),
    }),
  },
});

export const approvals = get('/api/approvals', {
  access: signedIn,
  summary: 'List the approvals that wait for the user, or that the user has decided, newest first, paged',
  offline: 'answer',
  parts: {
    query: closed({
      /** If absent: waiting. */
      Show: Type.Optional(Type.Enum(['waiting', 'decided'] as const)),
      /** Id of the last approval shown. */
      Before: Type.Optional(RunId),
    }),
    result: closed({ Items: Type.Array(ApprovalItem), HasMore: Type.Boolean() }),
  },
});

const ApprovalParams = closed({ id: RunId });

export const approvalDetails = get('/api/approvals/details/:id', {
  access: signedIn,
  summary: 'Get an approval; for users who may decide it or see its run',
  offline: 'answer',
  parts: { params: ApprovalParams, result: Approval },
});

export const approvalState = get('/api/approvals/state/:id', {
  access: signedIn,
  summary: 'Get the progress of an approval for polling, without its values, which do not change',
  parts: { params: ApprovalParams, result: ApprovalState },
});

export const decideApproval = post('/api/approvals/decide/:id', {
  access: signedIn,
  summary:
    'Approve or reject; returns 409 if the approval has ended or the user has already decided, 403 if the user may not decide',
  parts: {
    params: ApprovalParams,
    body: closed({
      Approved: Type.Boolean(),
      /** Required for a rejection. */
      Comment: Type.Optional(nullable(Type.String({ maxLength: APPROVAL_COMMENT_MAX }))),
    }),
    result: closed({ Outcome: ApprovalOutcome }),
  },
});

export const downloadApprovalFile = get('/api/approvals/download/:id/:value/:file', {
  access: signedIn,
  summary: 'Download a file that an approval shows; both indexes start at 0; returns a file token',
  parts: {
    params: closed({
      id: RunId,
      value: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }),
      file: Type.Integer({ minimum: 0, maximum: INTEGER_MAX }),
    }),
    result: Type.String(),
  },
});

export const dismissApproval = post('/api/approvals/dismiss/:id', {
  access: signedIn,
  summary: 'Remove the notification about the end of an approval in one of the user’s runs',
  parts: { params: ApprovalParams, result: Type.Null() },
});
