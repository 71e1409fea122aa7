/** What an activity declares: its inputs, outputs and steps. Stored as JSON with each version. */
import type { WorkbookRegion } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellUsage, InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import type { ProcedureDefinition } from './procedure-definition.ts';

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
