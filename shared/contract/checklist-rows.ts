/** The rows of a step that runs an activity once for each row of a table. */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { closed, needsOn, nullable, post, RunId, RunParams, signedIn, Timestamp } from './endpoint.ts';
import { RunStatus } from './run-status.ts';

/** Rows in one answer. */
export const ROWS_PAGE = 100;

const StepKey = Type.String({ minLength: 1, maxLength: 40 });

/** A row of a step; of one that was carried out several times the newest attempt. */
export const ChecklistRow = closed({
  /** Of the run of the activity. */
  Id: RunId,
  RowKey: Type.String(),
  Status: RunStatus,
  /** Null while it waits. */
  QueueTime: nullable(Timestamp),
  StartTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
  Attempt: Type.Integer(),
  /** Whether it was carried out in an earlier run that this one goes on with. */
  IsKept: Type.Boolean(),
  /** Why it was not run, or what went wrong; '' where there is nothing to say. */
  Message: Type.String(),
  /** Whether the person may see the run of the activity. */
  CanView: Type.Boolean(),
});
export type ChecklistRow = Static<typeof ChecklistRow>;

/** Where the next page begins. */
export const RowsCursor = closed({ Group: Type.Integer({ minimum: 0, maximum: 4 }), Id: RunId });
export type RowsCursor = Static<typeof RowsCursor>;

export const ChecklistRowsQuery = closed({
  RunId,
  StepKey,
  /** As the page before answered it; null or absent for the first. */
  After: Type.Optional(nullable(RowsCursor)),
});
export type ChecklistRowsQuery = Static<typeof ChecklistRowsQuery>;

export const ChecklistRows = closed({
  /** Those that did not succeed first, then those with warnings, those that run, those that wait, and those that succeeded. */
  Rows: Type.Array(ChecklistRow),
  /** Null on the last page. */
  Next: nullable(RowsCursor),
  /** Names of the tables that the rows give together, once all have ended. */
  Tables: Type.Array(Type.String()),
});
export type ChecklistRows = Static<typeof ChecklistRows>;

export const ROWS_FORMATS = ['xlsx', 'csv'] as const;

export const ChecklistRowsDownload = closed({
  RunId,
  StepKey,
  /** 'Rows', or the name of a table that each row gives. */
  Table: Type.String({ minLength: 1, maxLength: 255 }),
  Format: Type.Enum(ROWS_FORMATS),
});
export type ChecklistRowsDownload = Static<typeof ChecklistRowsDownload>;

export const checklistRows = post('/api/checklists/rows', {
  access: signedIn,
  summary: 'Rows of a step, a page at a time, those that did not succeed first',
  parts: { body: ChecklistRowsQuery, result: ChecklistRows },
});

export const downloadChecklistRows = post('/api/checklists/downloadRows', {
  access: signedIn,
  summary: 'A file token for what all rows of a step gave, as one table',
  parts: { body: ChecklistRowsDownload, result: FileToken },
});

export const retryChecklistStep = post('/api/checklists/retry/:runId', {
  access: needsOn('sk.RunActivity'),
  summary:
    'Run one step of a run again, of its rows those that did not succeed; a new run keeps everything else as it ended',
  parts: {
    params: RunParams,
    body: closed({
      StepKey,
      /** Whether what comes after the step and did not succeed follows; else the step is run alone. */
      GoOn: Type.Boolean(),
      /** Of a step with rows the one that is run again; absent: all that did not succeed. */
      RowKey: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
    }),
    result: closed({ Id: RunId }),
  },
});
