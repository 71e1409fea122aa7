/** Runs that the Start steps of a run started: one for each row of a table. */
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
  /** The activity that it started. */
  ActivityId: Id,
  Name: Type.String(),
  SuccessfulChildRuns: Type.Integer(),
  FailedChildRuns: Type.Integer(),
  RunningChildRuns: Type.Integer(),
  /** Whether the person may run those again that did not succeed, and there are any. */
  CanRetry: Type.Boolean(),
  /** Names of the tables that the rows give together, once all have ended; none where the person may not see their runs. */
  Tables: Type.Array(Type.String()),
});
export type ChildRunStep = Static<typeof ChildRunStep>;

/** Of a row that was retried the newest attempt. */
export const ChildRun = closed({
  Id: RunId,
  RowKey: Type.String(),
  Status: RunStatus,
  EndTime: nullable(Timestamp),
  Attempt: Type.Integer(),
  /** Why it was not run, or what went wrong; '' where there is nothing to say. */
  Message: Type.String(),
  /** Whether the person may see the run. */
  CanView: Type.Boolean(),
});
export type ChildRun = Static<typeof ChildRun>;

export const ChildRunsQuery = closed({
  RunId,
  StepKey,
  /** As the page before answered it; null or absent for the first. */
  After: Type.Optional(nullable(RowsCursor)),
});
export type ChildRunsQuery = Static<typeof ChildRunsQuery>;

export const ChildRunsPage = closed({
  /** Those that did not succeed first, then those with warnings, those that run, those that wait, and those that succeeded. */
  Rows: Type.Array(ChildRun),
  /** Null on the last page. */
  Next: nullable(RowsCursor),
});
export type ChildRunsPage = Static<typeof ChildRunsPage>;

export const ChildRunsDownload = closed({
  RunId,
  StepKey,
  /** 'Rows', or the name of a table that each row gives. */
  Table: Type.String({ minLength: 1, maxLength: 255 }),
  Format: Type.Enum(ROWS_FORMATS),
});
export type ChildRunsDownload = Static<typeof ChildRunsDownload>;

export const childRunSteps = get('/api/activities/childruns/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'The steps of a run that started others, with where these stand',
  parts: { params: RunParams, result: closed({ Items: Type.Array(ChildRunStep) }) },
});

export const childRuns = post('/api/activities/childruns', {
  access: needsOn('sk.RunActivity'),
  summary: 'Runs that a step of a run started, a page at a time, those that did not succeed first',
  parts: { body: ChildRunsQuery, result: ChildRunsPage },
});

export const downloadChildRuns = post('/api/activities/childruns/download', {
  access: needsOn('sk.RunActivity'),
  summary: 'A file token for what all runs that a step started gave, as one table',
  parts: { body: ChildRunsDownload, result: FileToken },
});

export const retryChildRuns = post('/api/activities/childruns/retry/:runId', {
  access: needsOn('sk.RunActivity'),
  summary: 'Run those again that did not succeed, with their versions and inputs; the others stay as they are',
  parts: { params: RunParams, body: closed({ StepKey }), result: closed({ Count: Type.Integer() }) },
});
