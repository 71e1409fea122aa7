/**
 * What the steps of a run ask of the server around them. An executor knows neither mail servers, nor databases, nor people: it
 * asks, and goes on with the answer. Everything here crosses a thread's border: plain data only.
 */
import type { FolderFiles, WantedFile } from './folder-files.ts';
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import type { SqlParameter } from '#shared/codecs/query-text.ts';

/** What of this may be used: known when a workbook is uploaded, so that its faults are told then. */
export interface StepFacilities {
  /** Whether the server can send mails. */
  mail: boolean;
  /** Whether it can make PDF files. */
  pdf: boolean;
  /** Named connections that the person who uploads may use, by name. */
  connections: readonly { name: string; kind: 'pg' | 'mssql'; allowWrites: boolean }[];
}

/** Without steps that need anything of the server. */
export const NO_FACILITIES: StepFacilities = { mail: false, pdf: false, connections: [] };

/** A step that cannot be carried out, in words for people: the run ends with the status. */
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
  /** Texts with addresses, parted as people part them. */
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
  /** Seconds in which it may be answered. */
  seconds: number;
}

/** A query as its author wrote it, with the values of its parameters by their names as written. */
export interface StepQuery {
  connection: string;
  sql: string;
  values: Record<string, SqlParameter | QueryCondition>;
  maxRows?: number;
  /** Milliseconds. */
  timeLimit?: number;
}

/** A condition as people write it, and the columns it may name. */
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
  /** Columns that tell rows apart, for Upsert. */
  keys: string[];
  /** By column: whether its cells show their numbers as dates. */
  dates: boolean[];
  /** Dates are serial days of the 1900 system. */
  rows: (string | number | boolean | null)[][];
  /** Milliseconds. */
  timeLimit?: number;
}

export interface WrittenRows {
  inserted: number;
  updated: number;
  deleted: number;
}

/** Runs of another activity, one for each row. */
export interface StepStart {
  step: string;
  activity: string;
  /** The columns of the rows, by the names of the inputs that they fill. */
  columns: string[];
  /** The one among them, or beside them, that names the rows; null where their numbers do. */
  keyColumn: string | null;
  /** Rows that may run at the same time. */
  atOnce: number;
  /** Null: none. */
  stopAfterFailures: number | null;
  /** Dates are serial days of the 1900 system. */
  rows: (string | number | boolean | null)[][];
}

/** All throw StepRefused for what the step's author or the person can understand; anything else is a fault of ours. */
export interface StepServices extends FolderFiles {
  /** Sends once and never again; answers how many recipients the mail has. */
  sendMail(mail: StepMail): Promise<{ recipients: number }>;
  /** The answer of the person who started the run; null where none came in time. */
  prompt(prompt: StepPrompt): Promise<{ value: string } | null>;
  /** A workbook as a PDF file. */
  toPdf(workbook: Uint8Array): Promise<Uint8Array>;
  /** At least one batch. Leaving the loop ends the query. */
  query(query: StepQuery): AsyncGenerator<StepRows, void, void>;
  /** All in one transaction. */
  write(write: StepWrite): Promise<WrittenRows>;
  /** Makes sure that they can be started; they are, once the run that asks has succeeded. */
  start(start: StepStart): Promise<void>;
}

const refuse = (): never => {
  throw new StepRefused('LogicError', 'This server cannot carry out such a step');
};

/** Of a server that has none. */
export const NO_SERVICES: StepServices = {
  sendMail: () => Promise.resolve().then(refuse),
  prompt: () => Promise.resolve().then(refuse),
  toPdf: () => Promise.resolve().then(refuse),
  query: refuse,
  write: () => Promise.resolve().then(refuse),
  start: () => Promise.resolve().then(refuse),
  newestFile: () => Promise.resolve().then(refuse),
};

/** A call of StepServices as a message. `rows` asks for the next batch of a query that was opened. */
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
