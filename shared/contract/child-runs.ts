/** Runs started by the Start steps of a run: one per row of a table. */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { ROWS_FORMATS, RowsCursor } from './checklist-rows.ts';
import { closed, get, Id, needsOn, nullable, post, RunId, RunParams, Timestamp } from './endpoint.ts';
import { RunStatus } from './run-status.ts';

const StepKey = Type.String({ minLength: 1, maxLength: 40 });

/** A Start step of a run. */
export const ChildRunStep = closed({
  StepKey,
  StepName: Type.String(),
  /** Id of the activity that the step started. */
  ActivityId: Id,
  Name: Type.String(),
  SuccessfulChildRuns: Type.Integer(),
  FailedChildRuns: Type.Integer(),
  RunningChildRuns: Type.Integer(),
  /** True if some rows were unsuccessful and the user may run them again. */
  CanRetry: Type.Boolean(),
  /**
   * Names of the tables that combine the results of all rows, available after all rows have ended. Empty if the user
   * may not see the row runs.
   */
  Tables: Type.Array(Type.String()),
});
export type ChildRunStep = Static<typeof ChildRunStep>;

/** The run of a row; if the row was retried, its newest attempt. */
export const ChildRun = closed({
  Id: RunId,
  RowKey: Type.String(),
  Status: RunStatus,
  EndTime: nullable(Timestamp),
  Attempt: Type.Integer(),
  /** Why the row was not run, or what went wrong; '' if there is nothing to report. */
  Message: Type.String(),
  /** True if the user may see the run. */
  CanView: Type.Boolean(),
});
export type ChildRun = Static<typeof ChildRun>;

export const ChildRunsQuery = closed({
  RunId,
  StepKey,
  /** The Next of the previous page; null or absent for the first page. */
  After: Type.Optional(nullable(RowsCursor)),
});
export type ChildRunsQuery = Static<typeof ChildRunsQuery>;

export const ChildRunsPage = closed({
  /** Order: unsuccessful rows, rows with warnings, running rows, waiting rows, successful rows. */
  Rows: Type.Array(ChildRun),
  /** Null if this is the last page. */
  Next: nullable(RowsCursor),
});
export type ChildRunsPage = Static<typeof ChildRunsPage>;

export const ChildRunsDownload = closed({
  RunId,
  StepKey,
  /** 'Rows', or the name of a table that every row returns. */
  Table: Type.String({ minLength: 1, maxLength: 255 }),
  Format: Type.Enum(ROWS_FORMATS),
});
export type ChildRunsDownload = Static<typeof ChildRunsDownload>;

export const childRunSteps = get('/api/activities/childruns/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'List the steps of a run that started other runs, with the progress of these runs',
  parts: { params: RunParams, result: closed({ Items: Type.Array(ChildRunStep) }) },
});

export const childRuns = post('/api/activities/childruns', {
  access: needsOn('sk.RunActivity'),
  summary: 'List the runs that a step of a run started, unsuccessful ones first, paged',
  parts: { body: ChildRunsQuery, result: ChildRunsPage },
});

export const downloadChildRuns = post('/api/activities/childruns/download', {
  access: needsOn('sk.RunActivity'),
  summary: 'Export the results of all runs that a step started as one table; returns a file token',
  parts: { body: ChildRunsDownload, result: FileToken },
});

export const retryChildRuns = post('/api/activities/childruns/retry/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Retry the unsuccessful runs with the same versions and inputs; the others do not change',
  parts: { params: RunParams, body: closed({ StepKey }), result: closed({ Count: Type.Integer() }) },
});
