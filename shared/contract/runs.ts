/** Runs: start, status, cancel, download. Source: specification of activities, sections 2 to 4 and 7. */
import { Type, type Static } from 'typebox';
import { ActivityLink, ActivityType, FileToken } from './activities.ts';
import { Language, RegionId } from './auth.ts';
import {
  closed,
  get,
  Id,
  needsOn,
  nullable,
  post,
  RunId,
  RunIdParams,
  RunParams,
  signedIn,
  Timestamp,
} from './endpoint.ts';
import { FidelitySummary } from './fidelity-summary.ts';
import { Output, RunInput, RunInputValue } from './parameters.ts';
import { LogEntry, RunStatus } from './run-status.ts';

/** True to run a version that is no longer the newest; otherwise such a start fails with a StartConflict. */
export const AcceptOutdatedVersion = Type.Optional(nullable(Type.Boolean()));

export const StartBody = closed({
  ActivityId: Id,
  ActivityVersion: Type.Integer({ minimum: 1 }),
  AcceptOutdatedVersion,
  /** Idempotency key of the form that sends the start: two starts with the same UniqueId produce one run. */
  UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  Inputs: Type.Array(RunInputValue, { maxItems: 10_000 }),
});
export type StartBody = Static<typeof StartBody>;

/** Why a run cannot be started now. */
export const StartConflict = closed({
  message: Type.String(),
  /** Set if the start names an older version than the newest and does not accept that. */
  code: Type.Optional(Type.Literal('activityVersionOutdated')),
  /** The newest version; sent with that code. */
  ActivityVersion: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type StartConflict = Static<typeof StartConflict>;

export const StartResult = closed({
  Id: RunId,
  Status: RunStatus,
  EndTime: nullable(Timestamp),
  LogEntries: Type.Array(LogEntry),
  /** Outputs of the ended run, if the call waited for its end (header Prefer). */
  Outputs: Type.Optional(Type.Array(Output)),
});
export type StartResult = Static<typeof StartResult>;

/** Current phase of a running run as text, and its progress from 0 to 1; null if unknown. */
export const RunProgress = closed({ Phase: Type.String(), Share: nullable(Type.Number({ minimum: 0, maximum: 1 })) });

export const StoredFile = closed({
  FileName: Type.String(),
  ContentLength: Type.Integer(),
  ActivityParameterId: nullable(Id),
  ArrayIndex: Type.Integer(),
  /** Id for a link to the file: see findDocument. */
  DocumentId: Type.String(),
});

export const ActivityRun = closed({
  Id: RunId,
  ActivityId: Id,
  ActivityVersion: Type.Integer(),
  /**
   * How the version agrees with the values that Excel saved. Null if nothing was compared; absent in results of an
   * earlier server version, which a desktop client may have stored.
   */
  Fidelity: Type.Optional(nullable(FidelitySummary)),
  Name: Type.String(),
  Description: Type.String(),
  Type: ActivityType,
  Status: RunStatus,
  QueueTime: Timestamp,
  PickupTime: nullable(Timestamp),
  StartTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
  UserFullName: Type.String(),
  /**
   * Name of the assistant that started the run for the user; null if the user did. Absent in results of an earlier server
   * version, which a desktop client may have stored.
   */
  ClientName: Type.Optional(nullable(Type.String())),
  /** The checklist or workflow run that it belongs to; null if it was started individually. */
  ChecklistRunId: nullable(RunId),
  ChecklistName: nullable(Type.String()),
  /** The step in that run, and the row for a step that runs once per row; RowKey is '' otherwise. */
  StepKey: nullable(Type.String()),
  RowKey: Type.String(),
  /** Id and name of the run whose Start step started it; null if there is none. */
  ParentRunId: nullable(RunId),
  ParentName: nullable(Type.String()),
  /**
   * File name of the batch that the run represents as a whole: such a run calculates nothing. Null for all other runs.
   */
  BatchFileName: nullable(Type.String()),
  CanPurge: Type.Boolean(),
  CanCancel: Type.Boolean(),
  CanRun: Type.Boolean(),
  CanEdit: Type.Boolean(),
  RetryOf: nullable(RunId),
  /** For a run started by a link: the run whose outputs it received. */
  SourceRunId: nullable(RunId),
  Progress: nullable(RunProgress),
  /** Names of the files that the run created, the calculated workbook first. */
  StoredFileNames: Type.Array(Type.String()),
  StoredFiles: Type.Array(StoredFile),
  Inputs: Type.Array(RunInput),
  Outputs: Type.Array(Output),
  LogEntries: Type.Array(LogEntry),
  /** Links to activities that the user may run with its outputs. */
  ActivityLinks: Type.Array(ActivityLink),
  SuccessfulChildRuns: Type.Integer(),
  FailedChildRuns: Type.Integer(),
  RunningChildRuns: Type.Integer(),
  MaxChildRunEndTime: nullable(Timestamp),
});
export type ActivityRun = Static<typeof ActivityRun>;

export const RunState = closed({
  Status: RunStatus,
  PickupTime: nullable(Timestamp),
  StartTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
  MaxChildRunEndTime: nullable(Timestamp),
  SuccessfulChildRuns: Type.Integer(),
  FailedChildRuns: Type.Integer(),
  RunningChildRuns: Type.Integer(),
  Progress: nullable(RunProgress),
  LogEntries: Type.Array(LogEntry),
  /** Empty while the run is pending. */
  Outputs: Type.Array(Output),
  ChildStatuses: Type.Record(Type.String(), RunStatus),
});
export type RunState = Static<typeof RunState>;

export const PendingRun = closed({
  Id: RunId,
  ActivityId: Id,
  Schema: Type.String(),
  Name: Type.String(),
  Status: RunStatus,
  QueueTime: Timestamp,
  UserFullName: Type.String(),
  ChecklistName: nullable(Type.String()),
  CanCancel: Type.Boolean(),
  /** Until when the run waits for an answer of the user who started it; null if it asks nothing. */
  AnswerUntil: Type.Optional(nullable(Timestamp)),
});
export type PendingRun = Static<typeof PendingRun>;

/** An approval that a workflow run waits for. */
export const PendingApproval = closed({
  /** Run id of the workflow. */
  ChecklistRunId: RunId,
  Schema: Type.String(),
  /** Name of the step. */
  Name: Type.String(),
  Status: Type.Literal('QueuedInSeq'),
  /** Queue time of the workflow run. */
  QueueTime: Timestamp,
  UserFullName: Type.String(),
  ChecklistName: Type.String(),
  /** Names of the roles and users who decide. */
  WaitsFor: Type.Array(Type.String()),
  /** True if the user may cancel the workflow run. */
  CanCancel: Type.Boolean(),
  /** When the approval expires, and what happens then; null if it does not expire. */
  ExpiryTime: Type.Optional(nullable(Timestamp)),
  OnExpiry: Type.Optional(Type.Enum(['Fail', 'Approve'] as const)),
});
export type PendingApproval = Static<typeof PendingApproval>;

/** A failed run that its schedule will try again. */
export const PendingRetry = closed({
  Kind: Type.Enum(['Activity', 'Checklist'] as const),
  /** The run that failed. */
  RunId,
  Schema: Type.String(),
  Name: Type.String(),
  UserFullName: Type.String(),
  Time: Timestamp,
  /** Number of the next attempt, and how many the schedule makes. */
  Attempt: Type.Integer(),
  RetryCount: Type.Integer(),
});
export type PendingRetry = Static<typeof PendingRetry>;

export const startRun = post('/api/activities/start', {
  access: needsOn('sk.RunActivity'),
  summary:
    'Start a run; the run is stored before the response. With the header "Prefer: wait=30", the response comes with the outputs when the run has ended, or with 202 after that many seconds',
  parts: { body: StartBody, result: StartResult, accepted: StartResult, conflict: StartConflict },
});

export const runDetails = get('/api/activities/status/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Get a run with its inputs, outputs and log',
  offline: 'answer',
  parts: { params: RunIdParams, query: closed({ activity: Type.Optional(Type.Boolean()) }), result: ActivityRun },
});

export const runState = post('/api/activities/status/:id', {
  access: needsOn('sk.RunActivity'),
  summary:
    'Get what changes while a run is in progress; the body lists the child runs to watch. With the header "Prefer: wait=30", the response comes when the run has ended, or after that many seconds',
  offline: 'answer',
  parts: { params: RunIdParams, body: Type.Array(RunId, { maxItems: 1000 }), result: RunState },
});

const Message = closed({ Message: Type.String() });

export const cancelRun = post('/api/activities/cancel/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Cancel a pending run; its worker stops calculating',
  parts: { params: RunParams, result: Message },
});

export const ProvideInputBody = closed({
  ActivityRunId: RunId,
  Key: Type.String({ minLength: 1, maxLength: 36 }),
  /** Limited to the length of a cell's text in Excel. */
  Value: Type.String({ maxLength: 32_767 }),
});
export type ProvideInputBody = Static<typeof ProvideInputBody>;

export const provideInput = post('/api/activities/provideinput', {
  access: needsOn('sk.RunActivity'),
  summary: 'Answer the prompt of a run; only for the user who started the run',
  parts: { body: ProvideInputBody, result: Type.Null() },
});

export const cancelAllRuns = post('/api/activities/cancel/all', {
  access: signedIn,
  summary: 'Cancel all pending runs that the user may cancel',
  parts: { result: Message },
});

export const wakeup = post('/api/activities/wakeup', {
  access: signedIn,
  summary: 'Let the workers poll for queued runs now',
  parts: { result: Type.Null() },
});

export const retryRun = post('/api/activities/retry/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Retry a run with the same version and inputs',
  parts: { params: RunParams, result: closed({ Id: RunId }) },
});

export const pendingRuns = get('/api/activities/pendingruns', {
  access: signedIn,
  summary:
    'List pending runs: those in progress and the newest waiting ones, at most 500, and at most 500 approvals that workflows wait for',
  offline: 'answer',
  parts: {
    result: closed({
      Items: Type.Array(PendingRun),
      /**
       * Separate from the runs because an approval has no run id that calls for runs would accept. Absent in results of
       * an earlier server version, which a desktop client may have stored.
       */
      Approvals: Type.Optional(Type.Array(PendingApproval)),
      /** The next ones first, 500 at most of activities and of checklists. Absent like Approvals. */
      Retries: Type.Optional(Type.Array(PendingRetry)),
      /** Number of further runs that the user may see; counted up to 10,000. */
      MoreCount: Type.Integer({ minimum: 0, maximum: 10_000 }),
    }),
  },
});

const ParameterFileParams = closed({ runId: RunId, parameterId: Id });
const ParameterFileIndexParams = closed({ runId: RunId, parameterId: Id, index: Type.Integer({ minimum: 0 }) });
const FilteredRows = closed({
  FilteredRowIndices: nullable(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 1_048_576 })),
});

const parameterFile = (kind: 'input' | 'output', index: boolean) =>
  get(`/api/activities/${kind}/download/:runId/:parameterId${index ? '/:index' : ''}`, {
    access: needsOn('sk.RunActivity'),
    summary: `Download a file of an ${kind}; returns a file token`,
    offline: 'file',
    parts: { params: index ? ParameterFileIndexParams : ParameterFileParams, result: FileToken },
  });

export const downloadInputFile = parameterFile('input', false);
export const downloadInputFileAt = parameterFile('input', true);
export const downloadOutputFile = parameterFile('output', false);
export const downloadOutputFileAt = parameterFile('output', true);

const parameterData = (kind: 'input' | 'output') =>
  post(`/api/activities/${kind}data/download/:runId/:parameterId`, {
    access: needsOn('sk.RunActivity'),
    summary: `Export the table of an ${kind} as .xlsx; null for all rows; returns a file token`,
    parts: { params: ParameterFileParams, body: FilteredRows, result: FileToken },
  });

export const downloadInputData = parameterData('input');
export const downloadOutputData = parameterData('output');

export const downloadRunFiles = get('/api/activities/downloadFiles/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: "Download all files of a run; returns a file token, with the prefix '<PARTIAL>' if some files are missing",
  offline: 'file',
  parts: { params: RunParams, result: FileToken },
});

const ReportQuery = closed({
  /** Language and region of the report. By default those that the person chose, else English and the United States. */
  Language: Type.Optional(Language),
  Region: Type.Optional(RegionId),
  /** Name in the IANA database, such as Europe/Berlin; by default that of the server. */
  TimeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  /** Ids of the outputs to plot, separated by commas; by default those that the author of the workbook chose. */
  Plots: Type.Optional(Type.String({ maxLength: 2_000, pattern: '^(\\d{1,10}(,\\d{1,10})*)?$' })),
});

export const downloadRunPdf = get('/api/activities/pdf/:runId', {
  access: needsOn('sk.RunActivity'),
  summary:
    'Export an ended run as a PDF file with its outputs, inputs and facts, at most 50,000 table cells; returns a file token',
  offline: 'file',
  parts: { params: RunParams, query: ReportQuery, result: FileToken },
});

export const errorReport = get('/api/activities/download/errorreport/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Export the log of a run as .xlsx; returns a file token',
  parts: { params: RunIdParams, result: FileToken },
});
