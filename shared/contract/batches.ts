/** Batches: a sheet in which each row becomes a run of an activity. */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { closed, get, Id, IdParams, needsOn, nullable, post, RunId, Timestamp } from './endpoint.ts';
import { TextRegion } from './parameters.ts';

export const BATCH_ROWS_MAX = 5000;
/** Maximum number of cell problems returned per upload. */
export const BATCH_ISSUES_MAX = 200;

/** A cell whose value cannot be used. */
export const BatchIssue = closed({
  /** Cell address such as C7; '' for the sheet as a whole. */
  Cell: Type.String(),
  /** Name of the input; '' if there is none. */
  Input: Type.String(),
  Message: Type.String(),
});
export type BatchIssue = Static<typeof BatchIssue>;

/** The first text that users of another region would read as a different value. */
export const BatchReading = closed({
  /** Cell address such as C7. */
  Cell: Type.String(),
  Text: Type.String(),
  /**
   * Written in the notation of the workbook: Value is what the text was read as, Other is what it would mean elsewhere.
   */
  Value: Type.String(),
  Other: Type.String(),
  /** Number of further ambiguous texts. */
  More: Type.Integer(),
});
export type BatchReading = Static<typeof BatchReading>;

/** How ambiguous texts were read. */
export const BatchReadings = closed({
  /**
   * Null if the activity specifies no region: numbers are then read as in English, and ambiguous dates as day first.
   */
  Region: nullable(TextRegion),
  Numbers: nullable(BatchReading),
  Dates: nullable(BatchReading),
});
export type BatchReadings = Static<typeof BatchReadings>;

export const CheckedBatch = closed({
  Id,
  FileName: Type.String(),
  RowCount: Type.Integer(),
  /** Number of rows with a cell that cannot be used. */
  BadCount: Type.Integer(),
  Issues: Type.Array(BatchIssue),
  /** Number of all problems, including those beyond BATCH_ISSUES_MAX. */
  IssueCount: Type.Integer(),
  /**
   * How many of these concern the headers. Header problems come first in Issues; with any of them, no row can be used.
   */
  HeaderIssueCount: Type.Integer(),
  /** Null if no text is ambiguous. */
  Readings: nullable(BatchReadings),
});
export type CheckedBatch = Static<typeof CheckedBatch>;

export const Batch = closed({
  Id,
  FileName: Type.String(),
  Time: Timestamp,
  UserFullName: Type.String(),
  RunId,
  /** Number of rows started. */
  RowCount: Type.Integer(),
  /** Number of rows skipped because a cell could not be used. */
  BadCount: Type.Integer(),
  SuccessfulChildRuns: Type.Integer(),
  /** How many of the successful runs ended with warnings. */
  WarnedChildRuns: Type.Integer(),
  /** Number of runs that ended in any other way. */
  FailedChildRuns: Type.Integer(),
  /** How many of the failed runs were cancelled. */
  CancelledChildRuns: Type.Integer(),
  RunningChildRuns: Type.Integer(),
});
export type Batch = Static<typeof Batch>;

export const BatchPage = closed({
  ActivityName: Type.String(),
  CanRun: Type.Boolean(),
  /** Why rows cannot become runs of the activity; null if they can. */
  Obstacle: nullable(Type.String()),
  /** Names of the inputs that have columns. */
  Inputs: Type.Array(Type.String()),
  /** The newest batches that the user may see. */
  Batches: Type.Array(Batch),
});
export type BatchPage = Static<typeof BatchPage>;

/** StepKey under which the rows of a batch run are addressed in childruns calls and their retry. */
export const BATCH_STEP_KEY = '1';

export const listBatches = get('/api/activities/batches/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'List the newest batches of an activity that the user may see, with their progress',
  parts: { params: IdParams, result: BatchPage },
});

export const batchTemplate = get('/api/activities/batch/template/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Create the template of a batch, a workbook with one run per row; returns a file token',
  parts: { params: IdParams, result: FileToken },
});

export const uploadBatch = post('/api/activities/batch/upload/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Validate a filled-in batch template, without starting anything',
  transport: 'multipart',
  parts: { params: IdParams, result: CheckedBatch },
});

export const startBatch = post('/api/activities/batch/start', {
  access: needsOn('sk.RunActivity'),
  summary: 'Start the rows of a validated batch; if it was already started, returns its run',
  parts: {
    body: closed({
      Id,
      /** Idempotency key, unique among all starts of the user. */
      UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
      /** True to skip rows with cells that cannot be used. If false, any such row prevents the whole start. */
      OnlyGood: Type.Boolean(),
    }),
    result: closed({ RunId }),
  },
});

export const batchResults = get('/api/activities/batch/results/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Export a batch with the results of its rows so far; returns a file token',
  parts: { params: IdParams, result: FileToken },
});
