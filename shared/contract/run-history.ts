/** Run history: search, paging and export. Source: specification of activities, sections 2, 3 and 7. */
import { Type, type Static } from 'typebox';
import { ActivityType, FileToken } from './activities.ts';
import { closed, closedBut, Id, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { InputInfo, OutputInfo } from './parameters.ts';
import { RunStatus } from './run-status.ts';

/**
 * One value in a history row. Value is JSON text of a single cell. For tables it is null, and Rows is their number of
 * rows.
 */
export const HistoryValue = closed({
  ActivityParameterId: Id,
  Value: nullable(Type.String()),
  Rows: nullable(Type.Integer()),
  FileName: nullable(Type.String()),
});
export type HistoryValue = Static<typeof HistoryValue>;

/** Maximum length of the reason of a failure. */
export const REASON_TEXT_MAX = 400;

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
  /**
   * The first error or warning of its log, cut off after REASON_TEXT_MAX characters; null if there is none. Only in the
   * history of all activities, and absent in results of an earlier server version, which a desktop client may have
   * stored.
   */
  Reason: Type.Optional(nullable(Type.String())),
  Inputs: Type.Array(HistoryValue),
  Outputs: Type.Array(HistoryValue),
});
export type HistoryRun = Static<typeof HistoryRun>;

/**
 * How a value is compared. Texts are compared as a whole or in part, ignoring case. Numbers and serial days are
 * compared by size; 'between' includes both limits. '<>' and 'empty' also match runs without such a value, but not runs
 * whose values are no longer retained.
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

/**
 * A condition on a single value of an input or output, or on the name of its file. Only the first 200 characters are
 * compared.
 */
export const ValueCondition = closed({
  Direction: Type.Enum(['input', 'output'] as const),
  ActivityParameterId: Id,
  Operator: Type.Enum(VALUE_OPERATORS),
  /** Absent for 'empty' and 'filled'. */
  Value: Type.Optional(Type.Union([Type.Number(), Type.Boolean(), Type.String({ minLength: 1, maxLength: 100 })])),
  /** Upper limit; only for 'between'. */
  To: Type.Optional(Type.Number()),
  /** True to compare whole days: the time of day of a value is ignored. */
  Days: Type.Optional(Type.Boolean()),
});
export type ValueCondition = Static<typeof ValueCondition>;

/**
 * Sort keys in addition to the values of an input or output. 'Id' is the run id, which follows the order in which runs
 * are stored. Steps of a workflow are stored when it starts, even those that are queued later.
 */
export const HISTORY_SORTS = ['Id', 'Duration', 'Status', 'ActivityVersion', 'UserFullName', 'Name', 'Value'] as const;

/**
 * Runs without the sort key are omitted: runs that have not ended, or that ended before they started, have no duration.
 * Ties are sorted by run id.
 */
export const HistorySort = closed({
  By: Type.Enum(HISTORY_SORTS),
  Descending: Type.Boolean(),
  /** Only for 'Value': a single value, or a file, which is sorted by its name. */
  Direction: Type.Optional(Type.Enum(['input', 'output'] as const)),
  ActivityParameterId: Type.Optional(Id),
});
export type HistorySort = Static<typeof HistorySort>;

/**
 * Up to this many runs can be sorted by any key. More runs can be sorted only by keys for which the database has an
 * order.
 */
export const HISTORY_SORTED_MAX = 10_000;

/** The Id of the last row shown; null, 0 or absent for the first page. */
export const PrevRunId = Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })));

const historySearch = {
  /** Null or absent: runs of all activities. */
  ActivityId: Type.Optional(nullable(Id)),
  /** Limits the activity's runs to those started by this link. */
  LinkId: Type.Optional(nullable(Id)),
  /** Null or empty means all; the same applies to UserIds and Values. */
  Statuses: Type.Optional(nullable(Type.Array(RunStatus, { maxItems: 20 }))),
  UserIds: Type.Optional(nullable(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 200 }))),
  /** Part of the name of the user who started the run. */
  RunBy: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** True for the caller's own runs only, whatever UserIds says. */
  Mine: Type.Optional(Type.Boolean()),
  /** Only activities of this schema. */
  Schema: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  /** Part of the activity's name. */
  Name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Part of an error in the run's log. Runs that succeeded have none; without Statuses, only failed runs are searched. */
  Error: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** Key of a group of failures (see run-failures.ts): finds the newest FAILURES_MAX failures of this reason. */
  Reason: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$' })),
  /** Inclusive lower limit of the queue time. For a step of a workflow, this is when the step was queued. */
  QueuedFrom: Type.Optional(Timestamp),
  /** Exclusive upper limit of the queue time. */
  QueuedBefore: Type.Optional(Timestamp),
  /** All conditions must hold. Only for the history of a single activity. */
  Values: Type.Optional(nullable(Type.Array(ValueCondition, { maxItems: 10 }))),
  /** If absent, newest first. */
  Sort: Type.Optional(HistorySort),
};

export const HistorySearch = closed(historySearch);
export type HistorySearch = Static<typeof HistorySearch>;

/** Checklists have their own call, /api/checklists/runhistory; its additional fields are accepted here and ignored. */
export const HistoryQuery = closedBut(['ChecklistId', 'FetchWorkflowRuns'], {
  ...historySearch,
  ApproxRows: Type.Integer({ minimum: 1, maximum: 200 }),
  PrevRunId,
});
export type HistoryQuery = Static<typeof HistoryQuery>;

/** The exported file, and how many of the runs found it contains. */
export const ExportedHistory = closed({
  Token: FileToken,
  Rows: Type.Integer(),
  /** True if more runs were found than the file contains. */
  HasMore: Type.Boolean(),
});
export type ExportedHistory = Static<typeof ExportedHistory>;

const HistoryColumn = <T extends typeof InputInfo | typeof OutputInfo>(Info: T) =>
  closed({ Id, Name: Type.String(), Info });

export const History = closed({
  Runs: Type.Array(HistoryRun),
  HasMore: Type.Boolean(),
  /** Name of the link searched for; null if the search names no link. */
  LinkName: nullable(Type.String()),
  /** Null if the history covers all activities. */
  Activity: nullable(
    closed({
      Id,
      Name: Type.String(),
      Type: ActivityType,
      CanEdit: Type.Boolean(),
      CanRun: Type.Boolean(),
      CanPurge: Type.Boolean(),
      LastRunId: nullable(RunId),
      Inputs: Type.Array(HistoryColumn(InputInfo)),
      Outputs: Type.Array(HistoryColumn(OutputInfo)),
    }),
  ),
});
export type History = Static<typeof History>;

export const runHistory = post('/api/activities/runhistory', {
  access: signedIn,
  summary: 'List runs, newest first, paged',
  offline: 'answer',
  parts: { body: HistoryQuery, result: History },
});

/** Statistics of the runs that were queued in one period: numbers of outcomes, and durations in milliseconds. */
const HistoryPeriod = closed({
  /** Start of the period. */
  Time: Timestamp,
  Succeeded: Type.Integer(),
  Warned: Type.Integer(),
  Failed: Type.Integer(),
  Cancelled: Type.Integer(),
  /** Median and 95th percentile of the durations of runs that started; null if none started. */
  P50: nullable(Type.Integer()),
  P95: nullable(Type.Integer()),
});
export type HistoryPeriod = Static<typeof HistoryPeriod>;

/** Maximum number of runs that a summary covers: the newest that a search finds. */
export const SUMMARY_RUNS_MAX = 10_000;

/**
 * A search by a missing value ("is empty", "is not") covers at least this many of the runs that it finds. No index
 * contains what is missing, so covering more could require comparing all runs.
 */
export const SUMMARY_LACKING_RUNS_MIN = 2_000;

export const HistorySummary = closed({
  /** Number of ended runs. */
  Runs: Type.Integer(),
  /** True if there are more runs than the newest ones covered here. */
  IsPartial: Type.Boolean(),
  /** Length of each period in seconds. */
  PeriodSeconds: Type.Integer(),
  /** Over all runs that started; null if there are none. */
  P50: nullable(Type.Integer()),
  P95: nullable(Type.Integer()),
  Longest: nullable(closed({ Id: RunId, Duration: Type.Integer() })),
  /** In chronological order; periods without runs are omitted. */
  Periods: Type.Array(HistoryPeriod),
});
export type HistorySummary = Static<typeof HistorySummary>;

export const summarizeHistory = post('/api/activities/runhistory/summary', {
  access: signedIn,
  summary: 'Summarize the runs that match a search: durations and outcomes over time, of at most the newest 10,000',
  parts: { body: HistorySearch, result: HistorySummary },
});

/** Maximum number of runs in one exported file. */
export const HISTORY_EXPORT_MAX = 100_000;

export const exportHistory = post('/api/activities/runhistory/export', {
  access: signedIn,
  summary: 'Export the runs that match a search as .xlsx, newest first, at most 100,000; returns a file token',
  parts: {
    body: HistorySearch,
    result: ExportedHistory,
  },
});
