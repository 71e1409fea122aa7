/**
 * The executor interface that the jobs use. An executor inspects a file at upload and executes runs. It has no access
 * to HTTP, the database or the queue: files come in and go out only through the functions passed to it.
 */
import type { RegionWish, WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import type { FidelityReport, WorkbookProblem } from '#shared/contract/fidelity.ts';
import type { EvaluateError } from '#shared/contract/evaluate.ts';
import type { CarriedMark, CellLook, DesignSheet, Mark, ProposedMark } from '#shared/contract/designs.ts';
import type { CellUsage, InputInfo, OutputInfo, ValueRule } from '#shared/contract/parameters.ts';
import type { ExpressionResult, ExpressionTask } from '#shared/rules/workflows/expression-task.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { ProcedureDefinition } from './procedure-definition.ts';
import type { PromptType, StepCapabilities, StepServices } from './step-services.ts';

/** Location of the cells of an input or output. `block` is the data, without headers. */
export interface ParameterLocation {
  sheet: number;
  block: CellBlock;
  /** Positions of the values if cells of the block are merged; absent if every cell holds a value. */
  anchors?: CellAnchors;
  /** Name of the Excel table that contains it, if any. */
  table?: string;
}

/**
 * The rows and columns that hold values; merged cells hide all others. Offsets count from the top left of the block.
 * Null if all rows (or columns) hold values.
 */
export interface CellAnchors {
  rows: number[] | null;
  cols: number[] | null;
}

/** Placeholder location for inputs and outputs of stored procedures, which have no cells. */
export const NO_CELLS: ParameterLocation = { sheet: 0, block: { top: 0, left: 0, bottom: 0, right: 0 } };

export interface InputDefinition {
  Name: string;
  Description: string;
  Info: InputInfo;
  /** The right required to change this input; '' if everyone may change it. */
  HasAccessRight: string;
  location: ParameterLocation;
  /** Source of the column names. Only for a table of a workbook. */
  headers?: HeaderSource;
  /** Per column: the items of a List picker, as they were in the file. */
  pickerItems: (string[] | null)[];
  /**
   * Per column: the cells of a List picker whose items depend on formulas or other inputs. Absent if no column has one.
   */
  pickerAreas?: (ListArea | null)[];
  /** Per column: the query of a Database picker. Absent if no column has one. */
  pickerQueries?: (PickerQueryDefinition | null)[];
  /**
   * Per column: the values found in the table that a Condition picker filters, by column name of that table. Absent if
   * no column has any.
   */
  conditionValues?: (Record<string, string[]> | null)[];
  /**
   * Parallel to Info.Rules: the formulas that decide each rule; null if constant bounds decide it. Absent if no rule
   * depends on a formula.
   */
  ruleFormulas?: (RuleFormulas | null)[];
  /** Content of the sample file that people can download; absent if no sample can be made. */
  sample?: SampleLayout;
}

/** A formula of a data validation, with the cell that its relative references are based on. */
export interface PlacedText {
  text: string;
  sheet: number;
  base: CellPosition;
}

/** The formulas that decide a rule: its bounds, a custom formula, or the source of a list. */
export interface RuleFormulas {
  formulas: PlacedText[];
  /** Excel's 'Ignore blank': true if a blank cell that a formula references makes every value valid. */
  ignoresBlank: boolean;
}

/** A query on a named connection, as written, and the sheet and cell that contain it. */
export interface PickerQueryDefinition {
  Connection: string;
  Query: string;
  Sheet: string;
  Cell: string;
  /**
   * Name of the field in findings. Set if neither cells nor formulas reveal the field's type; the query then decides it
   * when the workbook is published.
   */
  unknownField?: string;
}

/**
 * Cells that hold the items of a list. `spills` is true if the list is whatever range the dynamic array in the first
 * cell fills.
 */
export interface ListArea {
  sheet: number;
  block: CellBlock;
  spills: boolean;
  /**
   * Formula that yields the items, evaluated at the first cell of `block`. If present, the contents of the cells are
   * not used.
   */
  formula?: PlacedText;
  /** True if the formula is evaluated once per row of `block`, so that each row offers its own list. */
  isPerRow?: boolean;
}

/** The columns that people fill in, and the file layout that the reading step expects. */
export interface SampleLayout {
  columns: { name: string; usage: CellUsage; format: string }[];
  /** Example rows from the workbook, as JSON values. */
  rows: (string | number | boolean | null)[][];
  sheetName: string;
  /** 1-based. */
  headerRow: number;
  delimiter: string;
  /**
   * Date format that the step expects in a .csv file; 'yyyy-mm-dd' if the step detects the format. The decimal
   * separator is likewise '.' if detected.
   */
  dateFormat: string;
  decimalSeparator: string;
}

export interface OutputDefinition {
  Name: string;
  Description: string;
  Info: OutputInfo;
  location: ParameterLocation;
  /** Source of the column names. Only for a table of a workbook. */
  headers?: HeaderSource;
}

export const STEP_ACTIONS = ['Import', 'Query', 'Write', 'Export', 'Check', 'Log', 'Prompt', 'Mail', 'Start'] as const;
export type StepAction = (typeof STEP_ACTIONS)[number];

/** A row of PortalSteps: the step's name, its action, and the option columns of that action, as written. */
export interface StepDefinition {
  Step: string;
  Action: StepAction;
  options: Record<string, string>;
}

/** The inputs, outputs and steps that a workbook declares as an activity. Stored as JSON with each version. */
export interface ActivityDefinition {
  inputs: InputDefinition[];
  outputs: OutputDefinition[];
  steps: StepDefinition[];
  display: { RunActivityTitle: string; StartDisplayName: string; Classifications: string[] };
  /** Name of the calculation engine whose results matched the file's saved values best. */
  engine?: string;
  /** Region of the workbook. Absent in older versions, and if the engine supports only the United States. */
  region?: WorkbookRegion;
  /** Only for a stored procedure; an activity has either a workbook or a procedure. */
  procedure?: ProcedureDefinition;
  /** Values the workbook proposes for activity fields that the editor left empty. */
  proposals?: { Description?: string; Group?: string; Function?: string };
}

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
