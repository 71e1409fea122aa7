/**
 * The services that steps of a run request from the server. An executor has no access to mail servers, databases or
 * users: it sends a request and continues with the answer. All of these types cross a thread boundary, so they contain
 * plain data only.
 */
import type { FolderFiles, WantedFile } from './folder-files.ts';
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import type { SqlParameter } from '#shared/codecs/query-text.ts';

/**
 * The capabilities available to steps. They are known at upload, so that missing ones are reported as problems then.
 */
export interface StepCapabilities {
  /** True if the server can send mail. */
  mail: boolean;
  /** True if the server can create PDF files. */
  pdf: boolean;
  /** Named connections that the uploader may use, by name. */
  connections: readonly { name: string; kind: 'pg' | 'mssql'; allowWrites: boolean }[];
}

/** For workbooks whose steps need no service. */
export const NO_CAPABILITIES: StepCapabilities = { mail: false, pdf: false, connections: [] };

/** A step that cannot be executed, with a message for users. The run ends with `status`. */
export class StepRefused extends Error {
  readonly status: 'Failed' | 'LogicError';
  constructor(status: 'Failed' | 'LogicError', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StepRefused';
    this.status = status;
  }
}

export interface StepMail {
  step: string;
  /** Addresses as people write them, several in one text with separators. */
  to: string;
  cc: string;
  subject: string;
  text: string;
  attachments: { FileName: string; bytes: Uint8Array }[];
}

export const PROMPT_TYPES = ['Text', 'Masked'] as const;
export type PromptType = (typeof PROMPT_TYPES)[number];

export interface StepPrompt {
  message: string;
  type: PromptType;
  /** Time to answer, in seconds. */
  seconds: number;
}

/** A query as its author wrote it, with parameter values by parameter name as written. */
export interface StepQuery {
  connection: string;
  sql: string;
  values: Record<string, SqlParameter | QueryCondition>;
  maxRows?: number;
  /** Milliseconds. */
  timeLimit?: number;
}

/** A condition as people write it, and the columns it may reference. */
export interface QueryCondition {
  condition: string;
  columns: ConditionColumn[];
}

export interface StepRows {
  columns: readonly { name: string; kind: 'Text' | 'Number' | 'Boolean' | 'Date' }[];
  rows: readonly (readonly (string | number | boolean | null)[])[];
}

export const WRITE_MODES = ['Append', 'Replace', 'Upsert'] as const;
export type WriteMode = (typeof WRITE_MODES)[number];

export interface StepWrite {
  connection: string;
  target: string;
  mode: WriteMode;
  columns: string[];
  /** Key columns that identify a row, for Upsert. */
  keys: string[];
  /** Per column: true if its cells format their numbers as dates. */
  dates: boolean[];
  /** Dates are serial numbers of the 1900 date system. */
  rows: (string | number | boolean | null)[][];
  /** Milliseconds. */
  timeLimit?: number;
}

export interface WrittenRows {
  inserted: number;
  updated: number;
  deleted: number;
}

/** Starts runs of another activity, one per row. */
export interface StepStart {
  step: string;
  activity: string;
  /** Columns of the rows, named after the inputs they fill. */
  columns: string[];
  /** The column that names the rows. It may also fill an input. Null if row numbers name the rows. */
  keyColumn: string | null;
  /** Maximum number of rows that run concurrently. */
  concurrency: number;
  /** Null if there is no limit. */
  stopAfterFailures: number | null;
  /** Dates are serial numbers of the 1900 date system. */
  rows: (string | number | boolean | null)[][];
}

/**
 * All methods throw StepRefused for errors that the step's author or the user can understand. Any other error is a bug
 * in the server.
 */
export interface StepServices extends FolderFiles {
  /** Sends the mail once, without retries. Returns the number of recipients. */
  sendMail(mail: StepMail): Promise<{ recipients: number }>;
  /** Returns the answer of the user who started the run; null if no answer came in time. */
  prompt(prompt: StepPrompt): Promise<{ value: string } | null>;
  /** Converts a workbook to a PDF file. */
  toPdf(workbook: Uint8Array): Promise<Uint8Array>;
  /** Yields at least one batch. Leaving the loop ends the query. */
  query(query: StepQuery): AsyncGenerator<StepRows, void, void>;
  /** Writes all rows in one transaction. */
  write(write: StepWrite): Promise<WrittenRows>;
  /** Checks that the runs can be started. They start only after the run that requested them has succeeded. */
  start(start: StepStart): Promise<void>;
}

const refuse = (): never => {
  throw new StepRefused('LogicError', 'This server cannot execute such a step');
};

/** For servers without services: every call is refused. */
export const NO_SERVICES: StepServices = {
  sendMail: () => Promise.resolve().then(refuse),
  prompt: () => Promise.resolve().then(refuse),
  toPdf: () => Promise.resolve().then(refuse),
  query: refuse,
  write: () => Promise.resolve().then(refuse),
  start: () => Promise.resolve().then(refuse),
  newestFile: () => Promise.resolve().then(refuse),
};

/** A call of StepServices as a message. `rows` requests the next batch of an open query. */
export type StepAsk =
  | { kind: 'sendMail'; mail: StepMail }
  | { kind: 'prompt'; prompt: StepPrompt }
  | { kind: 'toPdf'; workbook: Uint8Array }
  | { kind: 'openQuery'; query: StepQuery }
  | { kind: 'rows'; query: number }
  | { kind: 'closeQuery'; query: number }
  | { kind: 'write'; write: StepWrite }
  | { kind: 'start'; start: StepStart }
  | { kind: 'newestFile'; wanted: WantedFile };
