/**
 * What the jobs know of an executor: it inspects a file at upload, and carries out runs. It knows neither HTTP, nor the
 * database, nor the queue; files come and go through the functions it is given.
 */
import type { RegionWish, WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import type { FidelityReport, WorkbookFault } from '#shared/contract/fidelity.ts';
import type { CarriedMark, CellLook, DesignSheet, Mark, ProposedMark } from '#shared/contract/designs.ts';
import type { CellUsage, InputInfo, OutputInfo, ValueRule } from '#shared/contract/parameters.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { ProcedureDefinition } from './procedure-definition.ts';
import type { PromptType, StepFacilities, StepServices } from './step-services.ts';

/** Where the cells of an input or output lie. `block` is the data alone; `header` the column headers above it, if any. */
export interface ParameterLocation {
  sheet: number;
  block: CellBlock;
  /** Where its values are if cells of the block are merged; absent where each cell holds one. */
  anchors?: CellAnchors;
  /** The Excel table that holds it, where there is one. */
  table?: string;
}

/** The rows and columns that hold values where all others are hidden by merged cells, counted from the top left of a block; null where all do. */
export interface CellAnchors {
  rows: number[] | null;
  cols: number[] | null;
}

/** Where inputs and outputs of stored procedures lie. */
export const NO_CELLS: ParameterLocation = { sheet: 0, block: { top: 0, left: 0, bottom: 0, right: 0 } };

export interface InputDefinition {
  Name: string;
  Description: string;
  Info: InputInfo;
  /** The right a person needs to change it; '' where everybody may. */
  HasAccessRight: string;
  location: ParameterLocation;
  /** Of a table of a workbook: where the names of its columns come from. */
  headers?: HeaderSource;
  /** Per column: the items of a List picker as they were in the file. */
  pickerItems: (string[] | null)[];
  /** Per column: the cells of a List whose items formulas or other inputs decide. Absent where there is none. */
  pickerAreas?: (ListArea | null)[];
  /** Per column: the query of a Database picker. Absent where there is none. */
  pickerQueries?: (PickerQueryDefinition | null)[];
  /** Per column: values that the table of a Condition holds, by the name of its column. Absent where there is none. */
  conditionValues?: (Record<string, string[]> | null)[];
  /** Beside Info.Rules, for each of them: what decides it; null where its bounds say all. Absent where no formula decides any. */
  ruleFormulas?: (RuleFormulas | null)[];
  /** What its sample file is made of; absent where none can be made. */
  sample?: SampleLayout;
}

/** A formula of a data validation, and the cell that its relative references are written for. */
export interface PlacedText {
  text: string;
  sheet: number;
  base: CellPosition;
}

/** What decides a rule: its bounds, a custom formula, or the source of a list. */
export interface RuleFormulas {
  formulas: PlacedText[];
  /** As Excel's 'Ignore blank': a blank cell that a formula names lets every value through. */
  ignoresBlank: boolean;
}

/** A query on a named connection, as written, and the cell it stands in. */
export interface PickerQueryDefinition {
  Connection: string;
  Query: string;
  Sheet: string;
  Cell: string;
  /** How findings name the field, where neither cells nor formulas tell its kind: the query then does, when the workbook is published. */
  unknownField?: string;
}

/** Cells that hold the items of a list. `spills`: whatever the dynamic array in the first one fills. */
export interface ListArea {
  sheet: number;
  block: CellBlock;
  spills: boolean;
  /** What comes to the cells, calculated for the first one of `block`; they are then whatever it says. */
  formula?: PlacedText;
  /** The formula is calculated for each row of `block`, which offers a list of its own. */
  isPerRow?: boolean;
}

/** The columns people are to fill in, and how the step that reads the file expects it. */
export interface SampleLayout {
  columns: { name: string; usage: CellUsage; format: string }[];
  /** Rows of the workbook as an example, as JSON values. */
  rows: (string | number | boolean | null)[][];
  sheetName: string;
  /** Counted from 1. */
  headerRow: number;
  delimiter: string;
  /** How the step reads dates and numbers of a .csv: 'yyyy-mm-dd' and '.' where it finds that out itself. */
  dateFormat: string;
  decimalSeparator: string;
}

export interface OutputDefinition {
  Name: string;
  Description: string;
  Info: OutputInfo;
  location: ParameterLocation;
  /** Of a table of a workbook: where the names of its columns come from. */
  headers?: HeaderSource;
}

export const STEP_ACTIONS = ['Import', 'Query', 'Write', 'Export', 'Check', 'Log', 'Prompt', 'Mail', 'Start'] as const;
export type StepAction = (typeof STEP_ACTIONS)[number];

/** A row of PortalSteps: its name, what it does, and the columns that action needs, as written. */
export interface StepDefinition {
  Step: string;
  Action: StepAction;
  options: Record<string, string>;
}

/** What a workbook says of itself as an activity. Stored as JSON with each version. */
export interface ActivityDefinition {
  inputs: InputDefinition[];
  outputs: OutputDefinition[];
  steps: StepDefinition[];
  display: { RunActivityTitle: string; StartDisplayName: string; Classifications: string[] };
  /** The calculation engine that agreed best with the file's saved values, by its name. */
  engine?: string;
  /** Of the workbook; absent in older versions, and where the engine knows no other than that of the United States. */
  region?: WorkbookRegion;
  /** Of a stored procedure, which has no workbook. */
  procedure?: ProcedureDefinition;
  /** What the workbook proposes for fields of the activity that its editor left empty. */
  proposals?: { Description?: string; Group?: string; Function?: string };
}

export interface Inspection {
  /** Null where there are faults. */
  definition: ActivityDefinition | null;
  faults: WorkbookFault[];
  fidelity: FidelityReport | null;
}

/** A value for an input: JSON text as in the contract, or files; `value` null with no files leaves the workbook's own value. */
export interface InputValue {
  Name: string;
  value: string | null;
  /** The bytes that `read` returns become the executor's: it moves them into a thread, and nobody else may use them. */
  files: { FileName: string; read(): Promise<Uint8Array> }[];
}

export interface RunLogLine {
  Message: string;
  StatusCode: number;
  Category: number;
  /** Where the line asks the person for something: what an answer names, and until when it is taken. */
  prompt?: { key: string; expiry: string; type: PromptType };
}

export interface OutputFile {
  /** The output it belongs to, or null for the calculated workbook. */
  Name: string | null;
  FileName: string;
  bytes: Uint8Array;
}

export interface RunOutcome {
  status: 'Succeeded' | 'SucceededWarn' | 'Failed' | 'LogicError';
  /** By output name: JSON text as in the contract, and the number of rows of tables and lists (null for a single cell). */
  outputs: { Name: string; Value: string | null; Rows: number | null }[];
  files: OutputFile[];
}

/** Milliseconds that a short run takes at most, from the beginning of its work. */
export const SHORT_RUN_MS = 2_000;

export interface RunRequest {
  /** Names the version: warm models are kept under it. */
  versionKey: string;
  definition: ActivityDefinition;
  fileName: string;
  /** Called where the version is not warm. As with `read` of a file, the bytes become the executor's. */
  readWorkbook(): Promise<Uint8Array>;
  inputs: InputValue[];
  /** Milliseconds the calculation may take in all. */
  timeLimit: number;
  /** What its steps may ask for; they are told of `signal` too. Absent: nothing. */
  services?: StepServices | undefined;
  /** Aborting really ends the work: the thread is killed. `run` then rejects with the signal's reason. */
  signal: AbortSignal;
  /** Whether it is not known to be short. Such runs leave one thread to short ones. */
  mayBeLong?: boolean;
  /** Called once, when the work begins: a run may first have to wait for a thread. */
  onBegin?(): void;
  onLog(line: RunLogLine): void;
  onProgress(phase: string, share: number | null): void;
}

/** A form that is being filled in: its model stays warm under `formKey`, and is made again where it is gone. */
export interface FormRequest {
  versionKey: string;
  formKey: string;
  definition: ActivityDefinition;
  readWorkbook: () => Promise<Uint8Array>;
  /** Every input; `value` null leaves the workbook's own, so that its formulas calculate. */
  inputs: FormInputValue[];
  /** Milliseconds the calculation may take. */
  timeLimit: number;
}

export interface FormInputValue {
  Name: string;
  value: string | null;
  fileNames: string[];
}

/** What the workbook makes of a form. JSON texts as in the contract. */
export interface FormUpdate {
  /** What formulas give in inputs: `column` is the column (or row) of a table, whose value is a list; null is the whole. */
  values: { Name: string; column: number | null; value: string }[];
  /** `rows`: those of a table that the list is offered in, from 0; absent for all. */
  lists: { Name: string; column: number; items: string[]; rows?: number[] }[];
  /** Those that are calculated immediately. */
  outputs: { Name: string; Value: string | null }[];
  /** What rules that cells or formulas decide say of the values; inputs without such rules are left out. */
  rules: InputRules[];
}

export interface InputRules {
  Name: string;
  /** What is allowed in a single cell, in words; '' where that cannot be said. */
  allowed: string;
  issues: BrokenRule[];
}

/** A cell (from 0, as the value is nested) whose value breaks a rule. */
export interface BrokenRule {
  row: number;
  col: number;
  Alert: ValueRule['Alert'];
  Title: string;
  Message: string;
}

export interface InspectedFile {
  fileName: string;
  bytes: Uint8Array;
  acceptUnsupported: string[];
  /** What people say of the region of the workbook; where absent the file alone decides. */
  region?: RegionWish;
  /** Who uploads it: people take turns. */
  owner?: string;
  /** How its page calls the upload, to ask `uploadsAhead`. */
  uploadId?: string;
  /** What steps may use; nothing where absent. */
  facilities?: StepFacilities;
}

export interface DesignedFile {
  fileName: string;
  bytes: Uint8Array;
  /** Whose it is: people take turns. */
  owner: string;
  /** How its page calls the upload, to ask `uploadsAhead`. */
  uploadId?: string;
}

export interface OpenedDesign {
  sheets: DesignSheet[];
  looks: CellLook[];
  date1904: boolean;
  proposals: ProposedMark[];
  /** Those that the file declares, or else those that were carried over. */
  marks: Mark[];
  carried: CarriedMark[] | null;
  /** Null where the workbook cannot be calculated. */
  region: WorkbookRegion | null;
  /** By sheet: each part as compressed JSON (DesignPart). */
  parts: Uint8Array[][];
}

/** What a design takes over from the version in use. */
export interface VersionBefore {
  /** Whose marks are carried over to a file without marks; null where there is none. */
  file: Uint8Array | null;
  region: RegionWish;
}

export interface WorkbookDesigner {
  /** Answers why the file cannot be read, if so. */
  open(
    file: DesignedFile,
    before: VersionBefore,
    signal: AbortSignal,
  ): Promise<OpenedDesign | { refusal: WorkbookFault }>;
  /** What the marks make of the file, without a comparison of its saved values. */
  check(
    file: DesignedFile,
    marks: readonly Mark[],
    options: { facilities: StepFacilities; region: WorkbookRegion | null },
    signal: AbortSignal,
  ): Promise<Inspection>;
  /** The file with the marks in it. */
  write(file: DesignedFile, marks: readonly Mark[], signal: AbortSignal): Promise<Uint8Array>;
}

export interface Executor {
  /** Marks inputs and outputs of workbooks. */
  readonly designer: WorkbookDesigner;
  /** What a form shows beside what people typed. `refusal` says why the workbook cannot be calculated with it. */
  updateForm(request: FormRequest): Promise<FormUpdate | { refusal: string }>;
  /** Never rejects because of the file: what is wrong with it comes back as faults. */
  inspect(file: InspectedFile, signal: AbortSignal): Promise<Inspection>;
  /**
   * How many uploads are inspected before one of the owner begins, as far as can be told now; 0 while it is inspected; null where no such inspection
   * is waiting or under way here.
   */
  uploadsAhead(owner: string, uploadId: string): number | null;
  /** Rejects with the abort reason, or with an unexpected error (a run then ends InternalError). */
  run(request: RunRequest): Promise<RunOutcome>;
  close(): Promise<void>;
}
