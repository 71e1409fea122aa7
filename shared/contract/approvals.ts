/** What people are asked to approve in runs of workflows, and what they decide. API keys for running activities alone make none of these calls. */
import { Type, type Static } from 'typebox';
import { closed, get, INTEGER_MAX, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { OutputInfo } from './parameters.ts';

export const APPROVAL_PAGE_SIZE = 20;
/** More than these are not counted. */
export const APPROVAL_COUNT_MAX = 100;
export const APPROVAL_COMMENT_MAX = 1000;

/** Approved and Rejected by people, Expired by time, Cancelled with its run, or where nothing could follow of it any more. */
/** NoApprovers: it failed since too few people were left who could approve. */
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
  /** Of the step. */
  Name: Type.String(),
  /** Of the workflow. */
  ChecklistName: Type.String(),
  ChecklistRunId: RunId,
  /** Who started the run. */
  StarterFullName: Type.String(),
  Outcome: ApprovalOutcome,
  /** How many people have to approve, and have. */
  Needed: Type.Integer(),
  Given: Type.Integer(),
  StartTime: Timestamp,
  /** Null where it does not expire. */
  ExpiryTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
};

export const ApprovalItem = closed({
  ...header,
  /** What the person who asks has decided; null where they have not. */
  Own: nullable(ApprovalDecision),
});
export type ApprovalItem = Static<typeof ApprovalItem>;

export const ApprovalValue = closed({
  Name: Type.String(),
  Info: OutputInfo,
  /** As that of an output; null where there is none, or where it is files. */
  Value: nullable(Type.String()),
  Files: Type.Array(closed({ FileName: Type.String(), ContentLength: Type.Integer() })),
});
export type ApprovalValue = Static<typeof ApprovalValue>;

export const Approval = closed({
  ...header,
  /** Plain text. */
  Text: Type.String(),
  /** What it comes to where its time is over. */
  OnExpiry: Type.Enum(['Fail', 'Approve'] as const),
  /** As they were when people were asked. Null for those who can neither decide nor have decided. */
  Values: nullable(Type.Array(ApprovalValue)),
  /** Names of the roles and people that it waits for. */
  WaitsFor: Type.Array(Type.String()),
  Decisions: Type.Array(ApprovalDecision),
  /** Whether the person who asks may decide it now. */
  MayDecide: Type.Boolean(),
  /** Whether that person may see the run. */
  CanViewRun: Type.Boolean(),
  IsWorkflow: Type.Boolean(),
});
export type Approval = Static<typeof Approval>;

/** How far an approval is, without what is to be approved. */
export const ApprovalState = closed({
  Outcome: ApprovalOutcome,
  Given: Type.Integer(),
  /** Whether the person who asks may decide it now. */
  MayDecide: Type.Boolean(),
});
export type ApprovalState = Static<typeof ApprovalState>;

/** An approval as its step shows it. */
export const StepApproval = closed({
  Id: RunId,
  Outcome: ApprovalOutcome,
  Needed: Type.Integer(),
  ExpiryTime: nullable(Timestamp),
  MayDecide: Type.Boolean(),
  WaitsFor: Type.Array(Type.String()),
  Decisions: Type.Array(ApprovalDecision),
  /** The earlier run of the workflow in which it was decided; null where it was in this one. */
  KeptOf: nullable(RunId),
});
export type StepApproval = Static<typeof StepApproval>;

export const approvalCount = get('/api/approvals/count', {
  access: signedIn,
  summary: 'How many approvals wait for oneself, and whether there ever were any',
  offline: 'answer',
  parts: {
    result: closed({
      /** Up to APPROVAL_COUNT_MAX. */
      Waiting: Type.Integer(),
      /** Whether there are any that one may decide or has decided, or could have. */
      HasAny: Type.Boolean(),
    }),
  },
});

export const approvals = get('/api/approvals', {
  access: signedIn,
  summary: 'Approvals that wait for oneself, or that one has decided, newest first, a page at a time',
  offline: 'answer',
  parts: {
    query: closed({
      /** Absent: waiting. */
      Show: Type.Optional(Type.Enum(['waiting', 'decided'] as const)),
      /** The Id of the last one shown. */
      Before: Type.Optional(RunId),
    }),
    result: closed({ Items: Type.Array(ApprovalItem), HasMore: Type.Boolean() }),
  },
});

const ApprovalParams = closed({ id: RunId });

export const approvalDetails = get('/api/approvals/details/:id', {
  access: signedIn,
  summary: 'An approval, for those who may decide it or see its run',
  offline: 'answer',
  parts: { params: ApprovalParams, result: Approval },
});

export const approvalState = get('/api/approvals/state/:id', {
  access: signedIn,
  summary: 'How far an approval is, for pages that look again and again: without its values, which do not change',
  parts: { params: ApprovalParams, result: ApprovalState },
});

export const decideApproval = post('/api/approvals/decide/:id', {
  access: signedIn,
  summary: 'Approve or reject; refused (409) where it has been decided or is over, and (403) for who may not',
  parts: {
    params: ApprovalParams,
    body: closed({
      Approved: Type.Boolean(),
      /** Must be given for a rejection. */
      Comment: Type.Optional(nullable(Type.String({ maxLength: APPROVAL_COMMENT_MAX }))),
    }),
    result: closed({ Outcome: ApprovalOutcome }),
  },
});

export const downloadApprovalFile = get('/api/approvals/download/:id/:value/:file', {
  access: signedIn,
  summary: 'A file token for a file that an approval shows; both are counted from 0',
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
  summary: 'Remove the notification of the end of an approval in a run that one has started',
  parts: { params: ApprovalParams, result: Type.Null() },
});
