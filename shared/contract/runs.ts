/** Runs: start, watch, stop, look back, download. Source: specification of activities, sections 2 to 4 and 7. */
import { Type, type Static } from 'typebox';
import { ActivityLink, ActivityType, FileToken } from './activities.ts';
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
import { InputInfo, Output, OutputInfo, RunInput, RunInputValue } from './parameters.ts';
import { LogEntry, RunStatus } from './run-status.ts';

export const StartBody = closed({
  ActivityId: Id,
  ActivityVersion: Type.Integer({ minimum: 1 }),
  /** Names the form the start comes from: the same UniqueId started twice is one run. */
  UniqueId: nullable(Type.String({ minLength: 1, maxLength: 64 })),
  Inputs: Type.Array(RunInputValue, { maxItems: 10_000 }),
});
export type StartBody = Static<typeof StartBody>;

export const StartResult = closed({
  Id: RunId,
  Status: RunStatus,
  EndTime: nullable(Timestamp),
  LogEntries: Type.Array(LogEntry),
});
export type StartResult = Static<typeof StartResult>;

/** What a running run is at, in words, with a share of 1 where it is known. */
export const RunProgress = closed({ Phase: Type.String(), Share: nullable(Type.Number({ minimum: 0, maximum: 1 })) });

export const StoredFile = closed({
  FileName: Type.String(),
  ContentLength: Type.Integer(),
  ActivityParameterId: nullable(Id),
  ArrayIndex: Type.Integer(),
  /** For a link to it: findDocument. */
  DocumentId: Type.String(),
});

export const ActivityRun = closed({
  Id: RunId,
  ActivityId: Id,
  ActivityVersion: Type.Integer(),
  Name: Type.String(),
  Description: Type.String(),
  Type: ActivityType,
  Status: RunStatus,
  QueueTime: Timestamp,
  PickupTime: nullable(Timestamp),
  StartTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
  UserFullName: Type.String(),
  CanPurge: Type.Boolean(),
  CanCancel: Type.Boolean(),
  CanRun: Type.Boolean(),
  CanEdit: Type.Boolean(),
  RetryOf: nullable(RunId),
  /** The run whose outputs it took, where it was started by a link. */
  SourceRunId: nullable(RunId),
  Progress: nullable(RunProgress),
  /** Names of the files the run made, the calculated workbook first. */
  StoredFileNames: Type.Array(Type.String()),
  StoredFiles: Type.Array(StoredFile),
  Inputs: Type.Array(RunInput),
  Outputs: Type.Array(Output),
  LogEntries: Type.Array(LogEntry),
  /** To activities that the person may run with its outputs. */
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
});
export type PendingRun = Static<typeof PendingRun>;

/** One value in a history row. Value is JSON text of a single cell; for tables it is null and Rows says how many they have. */
export const HistoryValue = closed({
  ActivityParameterId: Id,
  Value: nullable(Type.String()),
  Rows: nullable(Type.Integer()),
  FileName: nullable(Type.String()),
});
export type HistoryValue = Static<typeof HistoryValue>;

export const HistoryRun = closed({
  Id: RunId,
  ActivityId: Id,
  Name: Type.String(),
  QueueTime: Timestamp,
  StartTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
  Status: RunStatus,
  UserFullName: Type.String(),
  ActivityVersion: Type.Integer(),
  IsWorkflow: Type.Boolean(),
  Inputs: Type.Array(HistoryValue),
  Outputs: Type.Array(HistoryValue),
});
export type HistoryRun = Static<typeof HistoryRun>;

/**
 * How a value is compared: texts by all of them or a part, whatever their letter case; numbers and serial days by size, 'between' with
 * both ends. '<>' and 'empty' hold also where a run has no such value, but not where its values are no longer kept.
 */
export const VALUE_OPERATORS = [
  '=',
  '<>',
  'begins',
  'contains',
  '<',
  '<=',
  '>',
  '>=',
  'between',
  'empty',
  'filled',
] as const;
export type ValueOperator = (typeof VALUE_OPERATORS)[number];

/** A single value of an input or output, or the name of its file. Of what is longer than 200 characters, the first 200. */
export const ValueCondition = closed({
  Direction: Type.Enum(['input', 'output'] as const),
  ActivityParameterId: Id,
  Operator: Type.Enum(VALUE_OPERATORS),
  /** None for 'empty' and 'filled'. */
  Value: Type.Optional(Type.Union([Type.Number(), Type.Boolean(), Type.String({ minLength: 1, maxLength: 100 })])),
  /** The upper end, of 'between' alone. */
  To: Type.Optional(Type.Number()),
  /** The numbers are whole days: whatever the time of the day of a value, its day counts. */
  Days: Type.Optional(Type.Boolean()),
});
export type ValueCondition = Static<typeof ValueCondition>;

const historySearch = {
  /** Null: runs of all activities. */
  ActivityId: nullable(Id),
  /** Of the activity's runs, only those that this link started. */
  LinkId: Type.Optional(nullable(Id)),
  Statuses: Type.Optional(Type.Array(RunStatus, { maxItems: 20 })),
  UserIds: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 200 })),
  /** Part of the name of whoever started the run. */
  RunBy: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Queued at this time or later. */
  QueuedFrom: Type.Optional(Timestamp),
  /** Queued earlier than this. */
  QueuedBefore: Type.Optional(Timestamp),
  /** All of them hold; only in the history of one activity. */
  Values: Type.Optional(Type.Array(ValueCondition, { maxItems: 10 })),
};

export const HistorySearch = closed(historySearch);
export type HistorySearch = Static<typeof HistorySearch>;

export const HistoryQuery = closed({
  ...historySearch,
  ApproxRows: Type.Integer({ minimum: 1, maximum: 200 }),
  /** The Id of the last row shown; null for the first page. */
  PrevRunId: nullable(RunId),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

const HistoryColumn = <T extends typeof InputInfo | typeof OutputInfo>(Info: T) =>
  closed({ Id, Name: Type.String(), Info });

export const History = closed({
  Runs: Type.Array(HistoryRun),
  HasMore: Type.Boolean(),
  /** Of the link that was asked for; null where none was. */
  LinkName: nullable(Type.String()),
  /** Null where the history is of all activities. */
  Activity: nullable(
    closed({
      Id,
      Name: Type.String(),
      Type: ActivityType,
      CanEdit: Type.Boolean(),
      CanRun: Type.Boolean(),
      LastRunId: nullable(RunId),
      Inputs: Type.Array(HistoryColumn(InputInfo)),
      Outputs: Type.Array(HistoryColumn(OutputInfo)),
    }),
  ),
});
export type History = Static<typeof History>;

export const startRun = post('/api/activities/start', {
  access: needsOn('sk.RunActivity'),
  summary: 'Start a run; it is stored before this answers',
  parts: { body: StartBody, result: StartResult },
});

export const runDetails = get('/api/activities/status/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'A run, whole',
  parts: { params: RunIdParams, query: closed({ activity: Type.Optional(Type.Boolean()) }), result: ActivityRun },
});

export const runState = post('/api/activities/status/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'What changes while a run runs; the body lists the child runs watched',
  parts: { params: RunIdParams, body: Type.Array(RunId, { maxItems: 1000 }), result: RunState },
});

const Message = closed({ Message: Type.String() });

export const cancelRun = post('/api/activities/cancel/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Cancel a pending run; the worker really stops',
  parts: { params: RunParams, result: Message },
});

export const ProvideInputBody = closed({
  ActivityRunId: RunId,
  Key: Type.String({ minLength: 1, maxLength: 36 }),
  /** No longer than a cell's text. */
  Value: Type.String({ maxLength: 32_767 }),
});
export type ProvideInputBody = Static<typeof ProvideInputBody>;

export const provideInput = post('/api/activities/provideinput', {
  access: needsOn('sk.RunActivity'),
  summary: 'Answer the prompt of a run; only whoever started the run may',
  parts: { body: ProvideInputBody, result: Type.Null() },
});

export const cancelAllRuns = post('/api/activities/cancel/all', {
  access: signedIn,
  summary: 'Cancel all pending runs the person may cancel',
  parts: { result: Message },
});

export const wakeup = post('/api/activities/wakeup', {
  access: signedIn,
  summary: 'Make the dispatchers look for queued runs at once',
  parts: { result: Type.Null() },
});

export const retryRun = post('/api/activities/retry/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Run again with the same version and inputs',
  parts: { params: RunParams, result: closed({ Id: RunId }) },
});

export const pendingRuns = get('/api/activities/pendingruns', {
  access: signedIn,
  summary: 'Runs that wait or run',
  parts: { result: closed({ Items: Type.Array(PendingRun) }) },
});

export const runHistory = post('/api/activities/runhistory', {
  access: signedIn,
  summary: 'Runs, newest first, a page at a time',
  parts: { body: HistoryQuery, result: History },
});

/** Most runs that one exported file holds. */
export const HISTORY_EXPORT_MAX = 100_000;

export const exportHistory = post('/api/activities/runhistory/export', {
  access: signedIn,
  summary: 'The runs a search finds, newest first, as .xlsx; no more than 100,000',
  parts: {
    body: HistorySearch,
    result: closed({
      Token: FileToken,
      Rows: Type.Integer(),
      /** Whether there are more runs than the file holds. */
      HasMore: Type.Boolean(),
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
    summary: `A file token for a file of an ${kind}`,
    parts: { params: index ? ParameterFileIndexParams : ParameterFileParams, result: FileToken },
  });

export const downloadInputFile = parameterFile('input', false);
export const downloadInputFileAt = parameterFile('input', true);
export const downloadOutputFile = parameterFile('output', false);
export const downloadOutputFileAt = parameterFile('output', true);

const parameterData = (kind: 'input' | 'output') =>
  post(`/api/activities/${kind}data/download/:runId/:parameterId`, {
    access: needsOn('sk.RunActivity'),
    summary: `A file token for an ${kind}'s table as .xlsx; null rows means all`,
    parts: { params: ParameterFileParams, body: FilteredRows, result: FileToken },
  });

export const downloadInputData = parameterData('input');
export const downloadOutputData = parameterData('output');

export const downloadRunFiles = get('/api/activities/downloadFiles/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: "A file token for all files of a run; the prefix '<PARTIAL>' says that some are missing",
  parts: { params: RunParams, result: FileToken },
});

export const errorReport = get('/api/activities/download/errorreport/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'A file token for the log of a run as .xlsx',
  parts: { params: RunIdParams, result: FileToken },
});
