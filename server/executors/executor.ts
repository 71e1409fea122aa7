/**
 * What the jobs know of an executor: it inspects a file at upload, and carries out runs. It knows neither HTTP, nor the
 * database, nor the queue; files come and go through the functions it is given.
 */
import type { FidelityReport, WorkbookFault } from '#shared/contract/activities.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';

/** Where the cells of an input or output lie. `block` is the data alone; `header` the column headers above it, if any. */
export interface ParameterLocation {
  sheet: number;
  block: CellBlock;
  /** The Excel table that holds it, where there is one. */
  table?: string;
}

export interface InputDefinition {
  Name: string;
  Description: string;
  Info: InputInfo;
  /** The right a person needs to change it; '' where everybody may. */
  HasAccessRight: string;
  location: ParameterLocation;
  /** Per column: the items of a List picker as they were in the file. */
  pickerItems: (string[] | null)[];
}

export interface OutputDefinition {
  Name: string;
  Description: string;
  Info: OutputInfo;
  location: ParameterLocation;
}

export const STEP_ACTIONS = ['Import', 'Check', 'Log'] as const;
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
  /** Aborting really ends the work: the thread is killed. `run` then rejects with the signal's reason. */
  signal: AbortSignal;
  onLog(line: RunLogLine): void;
  onProgress(phase: string, share: number | null): void;
}

export interface Executor {
  /** Never rejects because of the file: what is wrong with it comes back as faults. */
  inspect(
    file: { fileName: string; bytes: Uint8Array; acceptUnsupported: string[] },
    signal: AbortSignal,
  ): Promise<Inspection>;
  /** Rejects with the abort reason, or with an unexpected error (a run then ends InternalError). */
  run(request: RunRequest): Promise<RunOutcome>;
  close(): Promise<void>;
}
