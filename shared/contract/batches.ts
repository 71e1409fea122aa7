/** Batches: a sheet whose rows are runs of an activity. */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { closed, get, Id, IdParams, needsOn, nullable, post, RunId, Timestamp } from './endpoint.ts';
import { TextRegion } from './parameters.ts';

export const BATCH_ROWS_MAX = 5000;
/** Cells that are told of one upload. */
export const BATCH_ISSUES_MAX = 200;

/** A cell that cannot be taken. */
export const BatchIssue = closed({
  /** C7; '' for the sheet as a whole. */
  Cell: Type.String(),
  /** Name of the input; '' where there is none. */
  Input: Type.String(),
  Message: Type.String(),
});
export type BatchIssue = Static<typeof BatchIssue>;

/** The first of the texts that people of another region would read as another value. */
export const BatchReading = closed({
  /** C7 */
  Cell: Type.String(),
  Text: Type.String(),
  /** As the workbook writes them: what it was read as, and what it could be elsewhere. */
  Value: Type.String(),
  Other: Type.String(),
  /** How many further texts have two readings. */
  More: Type.Integer(),
});
export type BatchReading = Static<typeof BatchReading>;

/** How texts were read that could be read otherwise. */
export const BatchReadings = closed({
  /** Null where the activity does not tell: numbers are read as in English then, and dates day first where both can be. */
  Region: nullable(TextRegion),
  Numbers: nullable(BatchReading),
  Dates: nullable(BatchReading),
});
export type BatchReadings = Static<typeof BatchReadings>;

export const CheckedBatch = closed({
  Id,
  FileName: Type.String(),
  RowCount: Type.Integer(),
  /** Rows of which a cell cannot be taken. */
  BadCount: Type.Integer(),
  Issues: Type.Array(BatchIssue),
  /** All of them, also those that are not told. */
  IssueCount: Type.Integer(),
  /** Of these, faults of the headers, which come first: no row can be taken then. */
  HeaderIssueCount: Type.Integer(),
  /** Null where each text has one reading. */
  Readings: nullable(BatchReadings),
});
export type CheckedBatch = Static<typeof CheckedBatch>;

export const Batch = closed({
  Id,
  FileName: Type.String(),
  Time: Timestamp,
  UserFullName: Type.String(),
  RunId,
  /** Rows that were started. */
  RowCount: Type.Integer(),
  /** Rows that were left out, as a cell could not be taken. */
  BadCount: Type.Integer(),
  SuccessfulChildRuns: Type.Integer(),
  /** Of the successful ones, those with warnings. */
  WarnedChildRuns: Type.Integer(),
  /** All that ended otherwise. */
  FailedChildRuns: Type.Integer(),
  /** Of the failed ones, those that were cancelled. */
  CancelledChildRuns: Type.Integer(),
  RunningChildRuns: Type.Integer(),
});
export type Batch = Static<typeof Batch>;

export const BatchPage = closed({
  ActivityName: Type.String(),
  CanRun: Type.Boolean(),
  /** Why rows cannot be runs of the activity; null where they can. */
  Obstacle: nullable(Type.String()),
  /** Names of the inputs that columns fill. */
  Inputs: Type.Array(Type.String()),
  /** The newest that the person may see. */
  Batches: Type.Array(Batch),
});
export type BatchPage = Static<typeof BatchPage>;

/** The key of the rows among what the run of a batch started: for childruns and their retry. */
export const BATCH_STEP_KEY = '1';

export const listBatches = get('/api/activities/batches/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'The newest batches of an activity that the person may see, with where they stand',
  parts: { params: IdParams, result: BatchPage },
});

export const batchTemplate = get('/api/activities/batch/template/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'A file token for a workbook into which runs are entered, one in each row',
  parts: { params: IdParams, result: FileToken },
});

export const uploadBatch = post('/api/activities/batch/upload/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Check a filled-in template; nothing is started',
  transport: 'multipart',
  parts: { params: IdParams, result: CheckedBatch },
});

export const startBatch = post('/api/activities/batch/start', {
  access: needsOn('sk.RunActivity'),
  summary: 'Start the rows of a batch that was checked, once: a batch that was started already answers its run',
  parts: {
    body: closed({
      Id,
      /** Names the start among all of the person. */
      UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
      /** Whether rows with cells that cannot be taken are left out; else nothing is started where there are any. */
      OnlyGood: Type.Boolean(),
    }),
    result: closed({ RunId }),
  },
});

export const batchResults = get('/api/activities/batch/results/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'A file token for the sheet of a batch with what its rows gave so far',
  parts: { params: IdParams, result: FileToken },
});
