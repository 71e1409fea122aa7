/**
 * A workbook as the reader returns it: exactly what calculation, definitions and write-back need of an .xlsx. It is
 * independent of the engines. Rows and columns are 0-based. A model never changes after it was read.
 */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';

export interface WorkbookModel {
  /** True if serial number 0 is 1904-01-01. */
  date1904: boolean;
  iteration: { enabled: boolean; count: number; delta: number };
  /** In tab order. */
  sheets: SheetModel[];
  names: DefinedName[];
  tables: TableModel[];
  pivotTables?: PivotTable[];
  /** All texts of cells; SheetCells contain indexes into it. */
  strings: string[];
  /** Number format code by style index ('General' if none is set). */
  numberFormats: string[];
  /**
   * Targets of external links by the number that formulas use ([1], [2], …). They are named in reports, but never
   * opened.
   */
  externalLinks: string[];
  /** The same links, with the values that the file caches of the books. */
  externalBooks?: ExternalBook[];
  hasMacros: boolean;
  /** The `cm` of cells that marks a dynamic array; absent if the file has none. */
  dynamicArrayMetadata?: number;
  /** Origin of the saved values, as far as the file reveals it. */
  origin?: WorkbookOrigin;
  /** The user's choice of its region; absent if the file alone decides. Not part of the file. */
  regionWish?: RegionWish;
}

export interface RegionWish {
  /** BCP 47 tag of the region, which takes precedence over the file. */
  chosen?: string;
  /** Region of the previous version. It applies if the file reveals no region, or the same one as then. */
  before?: WorkbookRegion;
}

/** The region that a workbook is calculated with. */
export interface WorkbookRegion {
  /** BCP 47 tag: 'de-DE'. */
  id: string;
  /**
   * What decided the region: the file's language and currency formats ('Formats'), the values saved for its formulas
   * ('Values'), its author ('Chosen'), the previous version ('Kept'), or nothing ('None'), in which case the region is
   * the United States.
   */
  source: 'Formats' | 'Values' | 'Chosen' | 'Kept' | 'None';
  /** The region that the file itself reveals, whatever decided; null if it reveals none. */
  told: string | null;
}

export interface WorkbookOrigin {
  /** The program that saved the file ('Microsoft Excel', 'LibreOffice/7.3…'); null if the file does not reveal it. */
  program: string | null;
  /** The part that reveals it; docProps/app.xml by default. */
  programPart?: string;
  /** True if the saved values must be recalculated when the file is opened (calcPr fullCalcOnLoad). */
  calculatesOnLoad: boolean;
  /** True if the values were saved before their calculation was complete (calcPr calcCompleted). */
  isIncomplete: boolean;
  /** True if values were rounded to what their number format shows (calcPr fullPrecision). */
  roundsToDisplay: boolean;
  /** What Excel has written in the language and with the regional settings of its machine. */
  traces?: RegionTraces;
}

export interface RegionTraces {
  /** Types of sheets as docProps/app.xml lists them ('Worksheets', 'Arbeitsblätter'). */
  headings: string[];
  /** Built-in cell styles by number, with their names in Excel's language. */
  styleNames: { id: number; name: string }[];
  /** Currency formats for which Excel has numbers, written as in the region. */
  moneyFormats: { id: number; code: string }[];
}

export interface SheetModel {
  name: string;
  /** Path of its part in the package, 'xl/worksheets/sheet1.xml'. */
  part: string;
  visibility: 'visible' | 'hidden' | 'veryHidden';
  cells: SheetCells;
  merges: CellBlock[];
  validations: DataValidation[];
  notes: CellNote[];
  /** Rows hidden by a filter or manually, ascending (used by SUBTOTAL and AGGREGATE). */
  hiddenRows: Uint32Array;
  /** Hidden columns as ranges. Charts that plot only visible cells skip them; functions do not. */
  hiddenColumns: { first: number; last: number }[];
  /** Blocks outside tables with an active filter: hidden rows in them count as filtered. */
  filters?: CellBlock[];
  /** True if the sheet is protected: Excel then allows changes of unlocked cells only. */
  isProtected?: boolean;
  /** Style index of whole columns and rows, for cells that are not stored. */
  columnStyles: { first: number; last: number; style: number }[];
  rowStyles: Map<number, number>;
}

/** Type of a cell's saved value in `SheetCells.kinds`. */
export const CellKind = { Blank: 0, Number: 1, Text: 2, Boolean: 3, Error: 4 } as const;

/**
 * The stored cells of a sheet, row by row, left to right, as parallel arrays of the same length, because a million
 * cells must not need a million objects.
 */
export interface SheetCells {
  count: number;
  rows: Uint32Array;
  cols: Uint16Array;
  /** A CellKind per cell. For a formula: the type of the value that Excel saved with it. */
  kinds: Uint8Array;
  /** The number; 0 or 1 for a Boolean; the index into WorkbookModel.strings; the index into ERROR_CODES. */
  values: Float64Array;
  /** Index into WorkbookModel.numberFormats. */
  styles: Uint32Array;
  /** Index into `formulaTable`, or -1 for a constant. */
  formulas: Int32Array;
  formulaTable: FormulaModel[];
}

/**
 * A formula as the file contains it, without the leading '='. `text` is based on `cell`. The cells of a shared formula
 * use one record, and read `text` shifted by their distance from `cell`. The same applies to a 'filled' formula, which
 * the file spells out in each of its cells.
 */
export interface FormulaModel {
  kind: 'normal' | 'shared' | 'filled' | 'array' | 'dynamicArray' | 'dataTable';
  text: string;
  cell: CellPosition;
  /** The cells that an array formula fills, or in which a shared formula is used. */
  block?: CellBlock;
}

export interface DefinedName {
  name: string;
  /** Index of the sheet it belongs to, or null for the whole workbook. */
  sheet: number | null;
  /** As written: "Sheet1!$A$1:$B$4", a constant, a formula. */
  text: string;
  hidden: boolean;
}

/** A linked workbook. It is never opened; only the values cached at its last refresh are known. */
export interface ExternalBook {
  target: string;
  /** In its tab order; `cells` is null if the file caches no values of a sheet. */
  sheets: { name: string; cells: SheetCells | null }[];
  names: Omit<DefinedName, 'hidden'>[];
}

export interface TableModel {
  name: string;
  part: string;
  sheet: number;
  /** The whole table: header, data, totals. */
  block: CellBlock;
  headerRows: number;
  totalsRows: number;
  /** True if a filter of the table is active: its hidden rows count as filtered. */
  isFiltered?: boolean;
  columns: TableColumn[];
}

export interface TableColumn {
  name: string;
  calculatedFormula?: string;
  /** True if the calculated formula is a separate array formula in each cell. */
  isArray?: boolean;
  totalsFormula?: string;
}

/** A pivot table as it was saved; its values are cells of its sheet. */
export interface PivotTable {
  name: string;
  sheet: number;
  /** The range it covers, without report filters. */
  block: CellBlock;
  /** The range that its report filters cover. */
  pageBlock: CellBlock | null;
  /** What it summarizes in this workbook; empty if its data comes from elsewhere. */
  sources: PivotSource[];
  fields: PivotField[];
  /** Per data field: its name ('Sum of Sales') and the name of its source ('Sales'). */
  data: (readonly [shown: string, source: string])[];
  /** What its rows and columns of values show. */
  rows: PivotLine[];
  cols: PivotLine[];
  /** Report filters; `item` is null if all or several are selected. */
  pages: { field: number; item: number | null }[];
}

/** As in the file: cells of a sheet, or the name of cells or of a table. */
export interface PivotSource {
  sheet: string | null;
  ref: string | null;
  name: string | null;
}

export interface PivotField {
  name: string;
  /** In the order of the table. */
  items: PivotItem[];
  /** True for groups of a period (months, quarters …) that can also be referred to by number. */
  isNumbered: boolean;
  /** Per item: its index in the cache. */
  order?: number[];
}

/** Dates are serial numbers; null is displayed as '(blank)'. */
export type PivotItem = string | number | boolean | null;

export interface PivotLine {
  /** Row or column of the sheet. */
  at: number;
  /** 'data', 'default' (a subtotal), 'grand', 'blank', or the function of a subtotal. */
  kind: string;
  /** The data field it shows, or null if the other axis determines it. */
  dataField: number | null;
  items: { field: number; item: number }[];
}

export interface DataValidation {
  blocks: CellBlock[];
  type: 'none' | 'whole' | 'decimal' | 'list' | 'date' | 'time' | 'textLength' | 'custom';
  operator:
    | 'between'
    | 'notBetween'
    | 'equal'
    | 'notEqual'
    | 'lessThan'
    | 'lessThanOrEqual'
    | 'greaterThan'
    | 'greaterThanOrEqual';
  alert: 'stop' | 'warning' | 'information';
  allowBlank: boolean;
  /** False if the alert is switched off: other values are then accepted. */
  showsError: boolean;
  formula1: string;
  formula2: string;
  promptTitle: string;
  prompt: string;
  /** Title and text of the alert; '' if Excel uses its own. */
  errorTitle: string;
  error: string;
}

export interface CellNote extends CellPosition {
  text: string;
}
