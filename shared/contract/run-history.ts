/** What ran: the history of runs, searched, paged and exported. Source: specification of activities, sections 2, 3 and 7. */
import { Type, type Static } from 'typebox';
import { ActivityType, FileToken } from './activities.ts';
import { closed, closedBut, Id, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { InputInfo, OutputInfo } from './parameters.ts';
import { RunStatus } from './run-status.ts';

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

/** What runs are sorted by, beside the values of an input or output; 'Id' is their number, and the order in which they were queued. */
export const HISTORY_SORTS = ['Id', 'Duration', 'Status', 'ActivityVersion', 'UserFullName', 'Name', 'Value'] as const;

/** Runs that have none of what they are sorted by are left out: those that have not ended, and those that ended before they began, have no duration. Runs that are alike are in the order of their numbers. */
export const HistorySort = closed({
  By: Type.Enum(HISTORY_SORTS),
  Descending: Type.Boolean(),
  /** Of 'Value' alone: a single value, or a file by its name. */
  Direction: Type.Optional(Type.Enum(['input', 'output'] as const)),
  ActivityParameterId: Type.Optional(Id),
});
export type HistorySort = Static<typeof HistorySort>;

/** So many runs are sorted by anything; more of them only by what the database has in order. */
export const HISTORY_SORTED_MAX = 10_000;

/** The Id of the last row shown; null, 0 or absent for the first page. */
export const PrevRunId = Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })));

const historySearch = {
  /** Null or absent: runs of all activities. */
  ActivityId: Type.Optional(nullable(Id)),
  /** Of the activity's runs, only those that this link started. */
  LinkId: Type.Optional(nullable(Id)),
  /** Null or empty, as of UserIds and Values: all. */
  Statuses: Type.Optional(nullable(Type.Array(RunStatus, { maxItems: 20 }))),
  UserIds: Type.Optional(nullable(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 200 }))),
  /** Part of the name of whoever started the run. */
  RunBy: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Queued at this time or later. */
  QueuedFrom: Type.Optional(Timestamp),
  /** Queued earlier than this. */
  QueuedBefore: Type.Optional(Timestamp),
  /** All of them hold; only in the history of one activity. */
  Values: Type.Optional(nullable(Type.Array(ValueCondition, { maxItems: 10 }))),
  /** Absent: the newest first. */
  Sort: Type.Optional(HistorySort),
};

export const HistorySearch = closed(historySearch);
export type HistorySearch = Static<typeof HistorySearch>;

/** A checklist is asked for at /api/checklists/runhistory: its fields are taken here and not looked at. */
export const HistoryQuery = closedBut(['ChecklistId', 'FetchWorkflowRuns'], {
  ...historySearch,
  ApproxRows: Type.Integer({ minimum: 1, maximum: 200 }),
  PrevRunId,
});
export type HistoryQuery = Static<typeof HistoryQuery>;

/** What is downloaded, and how much of what was found it holds. */
export const ExportedHistory = closed({
  Token: FileToken,
  Rows: Type.Integer(),
  /** Whether there are more runs than the file holds. */
  HasMore: Type.Boolean(),
});
export type ExportedHistory = Static<typeof ExportedHistory>;

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
  summary: 'Runs, newest first, a page at a time',
  offline: 'answer',
  parts: { body: HistoryQuery, result: History },
});

/** How the runs went that were queued in one period: how many ended how, and milliseconds that they took. */
const HistoryPeriod = closed({
  /** Where the period begins. */
  Time: Timestamp,
  Succeeded: Type.Integer(),
  Warned: Type.Integer(),
  Failed: Type.Integer(),
  Cancelled: Type.Integer(),
  /** Of those that began: half of them took so long or less; of 20, 19 did. Null where none began. */
  P50: nullable(Type.Integer()),
  P95: nullable(Type.Integer()),
});
export type HistoryPeriod = Static<typeof HistoryPeriod>;

/** Runs that a summary counts at most: the newest that a search finds. */
export const SUMMARY_RUNS_MAX = 50_000;

export const HistorySummary = closed({
  /** Runs that have ended. */
  Runs: Type.Integer(),
  /** Whether there are more: these are the newest SUMMARY_RUNS_MAX. */
  IsPartial: Type.Boolean(),
  /** Seconds that each period is long. */
  PeriodSeconds: Type.Integer(),
  /** Of all of them that began; null where there are none. */
  P50: nullable(Type.Integer()),
  P95: nullable(Type.Integer()),
  Longest: nullable(closed({ Id: RunId, Duration: Type.Integer() })),
  /** In the order of time; those without runs are left out. */
  Periods: Type.Array(HistoryPeriod),
});
export type HistorySummary = Static<typeof HistorySummary>;

export const summarizeHistory = post('/api/activities/runhistory/summary', {
  access: signedIn,
  summary: 'How the runs went that a search finds: durations and outcomes over time, of the newest 50,000',
  parts: { body: HistorySearch, result: HistorySummary },
});

/** Most runs that one exported file holds. */
export const HISTORY_EXPORT_MAX = 100_000;

export const exportHistory = post('/api/activities/runhistory/export', {
  access: signedIn,
  summary: 'The runs a search finds, newest first, as .xlsx; no more than 100,000',
  parts: {
    body: HistorySearch,
    result: ExportedHistory,
  },
});
