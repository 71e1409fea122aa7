/**
 * The executor interface that the jobs use. An executor inspects a file at upload and executes runs. It has no access
 * to HTTP, the database or the queue: files come in and go out only through the functions passed to it.
 */
import type { RegionWish, WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import type { FidelityReport, WorkbookProblem } from '#shared/contract/fidelity.ts';
import type { EvaluateError } from '#shared/contract/evaluate.ts';
import type { CarriedMark, CellLook, DesignSheet, Mark, ProposedMark } from '#shared/contract/designs.ts';
import type { ValueRule } from '#shared/contract/parameters.ts';
import type { ActivityDefinition } from './activity-definition.ts';
import type { ExpressionResult, ExpressionTask } from '#shared/rules/workflows/expression-task.ts';
import type { PromptType, StepCapabilities, StepServices } from './step-services.ts';

export interface Inspection {
  /** Null if there are problems. */
  definition: ActivityDefinition | null;
  problems: WorkbookProblem[];
  fidelity: FidelityReport | null;
}

/**
 * A value for an input: JSON text as defined in the contract, or files. If `value` is null and there are no files, the
 * workbook keeps its own value.
 */
export interface InputValue {
  Name: string;
  value: string | null;
  /**
   * Ownership of the returned bytes passes to the executor: it transfers them to a thread, so nothing else may use
   * them.
   */
  files: { FileName: string; read(): Promise<Uint8Array> }[];
}

export interface RunLogLine {
  Message: string;
  StatusCode: number;
  Category: number;
  /**
   * Set if the line prompts the user: the key that an answer must quote, and the time until which answers are accepted.
   */
  prompt?: { key: string; expiry: string; type: PromptType };
}

export interface OutputFile {
  /** Name of the output it belongs to; null for the calculated workbook. */
  Name: string | null;
  FileName: string;
  bytes: Uint8Array;
}

export interface RunOutcome {
  status: 'Succeeded' | 'SucceededWarn' | 'Failed' | 'LogicError';
  /**
   * Results by output name: JSON text as defined in the contract, and the row count of tables and lists (null for a
   * single cell).
   */
  outputs: { Name: string; Value: string | null; Rows: number | null }[];
  files: OutputFile[];
}

/** Maximum duration of a short run in milliseconds, counted from the start of its work. */
export const SHORT_RUN_MS = 2_000;

export interface RunRequest {
  /** Identifies the version; warm models are cached under this key. */
  versionKey: string;
  definition: ActivityDefinition;
  fileName: string;
  /**
   * Called if no warm model of the version exists. Ownership of the bytes passes to the executor, as in
   * InputValue.files.
   */
  readWorkbook(): Promise<Uint8Array>;
  inputs: InputValue[];
  /** Total time limit of the calculation in milliseconds. */
  timeLimit: number;
  /** Services that the steps may call; `signal` aborts their work too. If absent, steps have no services. */
  services?: StepServices | undefined;
  /** Aborting stops the work by killing its thread. `run` then rejects with the signal's reason. */
  signal: AbortSignal;
  /** True if the run is not known to be short. Such runs always leave one thread free for short runs. */
  mayBeLong?: boolean;
  /** Called once, when the work starts. A run may have to wait for a free thread, or for a new one to load, before that. */
  onBegin?(): void;
  onLog(line: RunLogLine): void;
  onProgress(phase: string, share: number | null): void;
}

/**
 * Request to recalculate a form while a user fills it in. The model stays warm under `formKey` and is rebuilt if it was
 * evicted.
 */
export interface FormRequest {
  versionKey: string;
  formKey: string;
  definition: ActivityDefinition;
  readWorkbook: () => Promise<Uint8Array>;
  /** Every input. If `value` is null, the workbook's own content stays, so that its formulas calculate. */
  inputs: FormInputValue[];
  /** Time limit of the calculation in milliseconds. */
  timeLimit: number;
}

export interface FormInputValue {
  Name: string;
  value: string | null;
  fileNames: string[];
}

/** What the workbook calculates for a form. Values are JSON texts as defined in the contract. */
export interface FormUpdate {
  /**
   * Results of formulas in inputs. `column` is the column (or row) of a table, and the value is then a list; null
   * stands for the whole input.
   */
  values: { Name: string; column: number | null; value: string }[];
  /** `rows` are the table rows (0-based) that offer the list; absent if all rows offer it. */
  lists: { Name: string; column: number; items: string[]; rows?: number[] }[];
  /** Only the outputs that are calculated immediately. */
  outputs: { Name: string; Value: string | null }[];
  /** Results of the rules that depend on cells or formulas. Inputs without such rules are omitted. */
  rules: InputRules[];
}

export interface InputRules {
  Name: string;
  /** Description of the values allowed in a single cell; '' if the rule cannot be described. */
  allowed: string;
  issues: BrokenRule[];
}

/** A cell whose value breaks a rule. `row` and `col` are 0-based indexes into the nested value. */
export interface BrokenRule {
  row: number;
  col: number;
  Alert: ValueRule['Alert'];
  Title: string;
  Message: string;
}

/** A request to calculate rows of values with one version of a workbook. Nothing is kept of it. */
export interface EvaluateRequest {
  versionKey: string;
  definition: ActivityDefinition;
  readWorkbook: () => Promise<Uint8Array>;
  /** Identifies the caller, for fair queueing across users. */
  owner: string;
  /** One entry per input of the definition, in its order. */
  inputs: EvaluatedInput[];
  /** Names of the outputs to return, in the order of the answer. */
  outputs: string[];
  rows: number;
  /** Time limit of the calculation in milliseconds. */
  timeLimit: number;
  /** If it aborts, the request does not start, and is soon ended if it has started. */
  signal: AbortSignal;
}

/** An input of the rows, as the person who asks may set it. */
export interface EvaluatedInput {
  Name: string;
  HasAccess: boolean;
  PresetValue: string | null;
  PresetValueError: string | null;
  given: GivenRows;
}

/**
 * The values of an input: its default in all rows, one value for all rows, or one per row (undefined for the default).
 * Values are parsed JSON of the contract.
 */
export type GivenRows = { kind: 'default' } | { kind: 'all'; value: unknown } | { kind: 'rows'; values: unknown[] };

/** The results of the first rows of a request: as many as a time slice allows, so that other requests get their turn. */
export interface EvaluatedRows {
  /** Number of calculated rows; at least 1 unless the request has none. */
  rows: number;
  /** Per output: its values as JSON texts, joined by commas; null for rows that were refused. */
  outputs: string[];
  errors: EvaluateError[];
}

export interface InspectedFile {
  fileName: string;
  bytes: Uint8Array;
  acceptUnsupported: string[];
  /** The region the user chose for the workbook; if absent, the file alone determines it. */
  region?: RegionWish;
  /** Identifies the uploader, for fair queueing across users. */
  owner?: string;
  /** Key of the upload, chosen by the page, which passes it to `uploadsAhead`. */
  uploadId?: string;
  /** Capabilities that steps may use; none if absent. */
  capabilities?: StepCapabilities;
}

export interface DesignedFile {
  fileName: string;
  bytes: Uint8Array;
  /** Identifies the owner, for fair queueing across users. */
  owner: string;
  /** Key of the upload, chosen by the page, which passes it to `uploadsAhead`. */
  uploadId?: string;
}

export interface OpenedDesign {
  sheets: DesignSheet[];
  looks: CellLook[];
  date1904: boolean;
  proposals: ProposedMark[];
  /** The marks declared in the file; if it declares none, the marks carried over from the previous version. */
  marks: Mark[];
  carried: CarriedMark[] | null;
  /** Null if the workbook cannot be calculated. */
  region: WorkbookRegion | null;
  /** Per sheet: each part as compressed JSON (DesignPart). */
  parts: Uint8Array[][];
}

/** What a design inherits from the version in use. */
export interface VersionBefore {
  /** The file whose marks are carried over to a file without marks; null if there is none. */
  file: Uint8Array | null;
  region: RegionWish;
}

export interface WorkbookDesigner {
  /** Returns the reason if the file cannot be read. */
  open(
    file: DesignedFile,
    before: VersionBefore,
    signal: AbortSignal,
  ): Promise<OpenedDesign | { refusal: WorkbookProblem }>;
  /** Inspects the file with the given marks, without comparing results with its saved values. */
  check(
    file: DesignedFile,
    marks: readonly Mark[],
    options: { capabilities: StepCapabilities; region: WorkbookRegion | null },
    signal: AbortSignal,
  ): Promise<Inspection>;
  /** Returns the file with the marks written into it. */
  write(file: DesignedFile, marks: readonly Mark[], signal: AbortSignal): Promise<Uint8Array>;
}

export interface Executor {
  /** Marks cells of workbooks as inputs and outputs. */
  readonly designer: WorkbookDesigner;
  /**
   * Calculates what a form shows in addition to the values that the user entered. `refusal` says why the workbook
   * cannot be calculated with those values.
   */
  updateForm(request: FormRequest): Promise<FormUpdate | { refusal: string }>;
  /**
   * Calculates rows until its time slice is over; call it again for the rest. `refused` are the messages by input about
   * values that apply to all rows; `refusal` says why the workbook cannot be calculated.
   */
  evaluate(
    request: EvaluateRequest,
  ): Promise<EvaluatedRows | { refused: Record<string, string[]> } | { refusal: string }>;
  /** Calculates expressions of workflows: one result each. `refusal` says why none could be calculated. */
  calculate(task: ExpressionTask): Promise<ExpressionResult[] | { refusal: string }>;
  /** Never rejects because of the file's contents: problems are returned in `problems`. */
  inspect(file: InspectedFile, signal: AbortSignal): Promise<Inspection>;
  /**
   * Number of uploads that will be inspected before this one, as an estimate; 0 while it is being inspected; null if
   * this process neither queues nor runs such an inspection.
   */
  uploadsAhead(owner: string, uploadId: string): number | null;
  /** Rejects with the abort reason, or with an unexpected error (the run then ends as InternalError). */
  run(request: RunRequest): Promise<RunOutcome>;
  close(): Promise<void>;
}
