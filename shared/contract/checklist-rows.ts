/** The rows of a step that runs an activity once for each row of a table. */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { closed, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { RunStatus } from './run-status.ts';

/** Maximum number of rows per page. */
export const ROWS_PAGE = 100;

const StepKey = Type.String({ minLength: 1, maxLength: 40 });

/** A row of a step. If the row was executed several times, this is the newest attempt. */
export const ChecklistRow = closed({
  /** Id of the activity run. */
  Id: RunId,
  RowKey: Type.String(),
  Status: RunStatus,
  /** Null while the row waits. */
  QueueTime: nullable(Timestamp),
  StartTime: nullable(Timestamp),
  EndTime: nullable(Timestamp),
  Attempt: Type.Integer(),
  /** True if the row's result is reused from the earlier run that this run resumes. */
  IsKept: Type.Boolean(),
  /** Why the row was not run, or what went wrong; '' if there is nothing to report. */
  Message: Type.String(),
  /** True if the user may see the activity run. */
  CanView: Type.Boolean(),
});
export type ChecklistRow = Static<typeof ChecklistRow>;

/** Where the next page starts. */
export const RowsCursor = closed({ Group: Type.Integer({ minimum: 0, maximum: 4 }), Id: RunId });
export type RowsCursor = Static<typeof RowsCursor>;

export const ChecklistRowsQuery = closed({
  RunId,
  StepKey,
  /** The Next of the previous page; null or absent for the first page. */
  After: Type.Optional(nullable(RowsCursor)),
});
export type ChecklistRowsQuery = Static<typeof ChecklistRowsQuery>;

export const ChecklistRows = closed({
  /** Order: unsuccessful rows, rows with warnings, running rows, waiting rows, successful rows. */
  Rows: Type.Array(ChecklistRow),
  /** Null if this is the last page. */
  Next: nullable(RowsCursor),
  /** Names of the tables that combine the results of all rows; available after all rows have ended. */
  Tables: Type.Array(Type.String()),
});
export type ChecklistRows = Static<typeof ChecklistRows>;

export const ROWS_FORMATS = ['xlsx', 'csv'] as const;

export const ChecklistRowsDownload = closed({
  RunId,
  StepKey,
  /** 'Rows', or the name of a table that every row returns. */
  Table: Type.String({ minLength: 1, maxLength: 255 }),
  Format: Type.Enum(ROWS_FORMATS),
});
export type ChecklistRowsDownload = Static<typeof ChecklistRowsDownload>;

export const checklistRows = post('/api/checklists/rows', {
  access: signedIn,
  summary: 'List the rows of a step, unsuccessful ones first, paged',
  parts: { body: ChecklistRowsQuery, result: ChecklistRows },
});

export const downloadChecklistRows = post('/api/checklists/downloadRows', {
  access: signedIn,
  summary: 'Export the results of all rows of a step as one table; returns a file token',
  parts: { body: ChecklistRowsDownload, result: FileToken },
});
