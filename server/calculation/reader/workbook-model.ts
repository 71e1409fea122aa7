/**
 * A workbook as the reader hands it over: what calculation, definitions and write-back need of an .xlsx, and no more.
 * It belongs to no engine. Rows and columns count from 0; a model is never changed after it has been read.
 */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';

export interface WorkbookModel {
  /** True where serial 0 is 1904-01-01. */
  date1904: boolean;
  iteration: { enabled: boolean; count: number; delta: number };
  /** In tab order. */
  sheets: SheetModel[];
  names: DefinedName[];
  tables: TableModel[];
  pivotTables?: PivotTable[];
  /** All texts of cells; SheetCells point into it. */
  strings: string[];
  /** Number format code by style index ('General' where none is set). */
  numberFormats: string[];
  /** Targets of external links by the number formulas use ([1], [2], …): named in reports, never followed. */
  externalLinks: string[];
  /** The same links, with what the file keeps of the books. */
  externalBooks?: ExternalBook[];
  hasMacros: boolean;
  /** The `cm` of cells that marks a dynamic array; absent where the file has none. */
  dynamicArrayMetadata?: number;
  /** What the file says of where its values come from. */
  origin?: WorkbookOrigin;
  /** What people say of its region; absent where the file alone decides. Not part of the file. */
  regionWish?: RegionWish;
}

export interface RegionWish {
  /** BCP 47 tag of the region that counts whatever the file tells. */
  chosen?: string;
  /** Of the version before: counts where the file tells no region, or the same one as then. */
  before?: WorkbookRegion;
}

/** The region that a workbook is calculated with. */
export interface WorkbookRegion {
  /** BCP 47 tag: 'de-DE'. */
  id: string;
  /**
   * What decides it: the file by its language and formats of money, the file by the values saved for its formulas, its author, the version
   * before, or nothing, so that it is that of the United States.
   */
  source: 'Formats' | 'Values' | 'Chosen' | 'Kept' | 'None';
  /** What the file tells, whatever decides; null where it tells nothing. */
  told: string | null;
}

export interface WorkbookOrigin {
  /** The program that saved the file ('Microsoft Excel', 'LibreOffice/7.3…'); null where nothing in it tells. */
  program: string | null;
  /** The part that tells it, docProps/app.xml by default. */
  programPart?: string;
  /** The values saved are to be calculated anew at opening (calcPr fullCalcOnLoad). */
  calculatesOnLoad: boolean;
  /** The values were saved before their calculation was done (calcPr calcCompleted). */
  isIncomplete: boolean;
  /** Values were rounded to what their number format shows (calcPr fullPrecision). */
  roundsToDisplay: boolean;
  /** What Excel has written in the language and with the regional settings of its machine. */
  traces?: RegionTraces;
}

export interface RegionTraces {
  /** Kinds of sheets as docProps/app.xml lists them ('Worksheets', 'Arbeitsblätter'). */
  headings: string[];
  /** Built-in cell styles by their number, under the names they have in Excel's language. */
  styleNames: { id: number; name: string }[];
  /** Formats of money that Excel has numbers for and writes as the region has them. */
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
  /** Rows that are hidden, by filter or by hand, ascending (SUBTOTAL and AGGREGATE look at them). */
  hiddenRows: Uint32Array;
  /** Blocks, tables of the sheet apart, whose filter is in use: hidden rows in them count as filtered. */
  filters?: CellBlock[];
  /** The sheet is protected: only unlocked cells can be changed in Excel. */
  isProtected?: boolean;
  /** Style index of whole columns and rows, for cells that are not stored. */
  columnStyles: { first: number; last: number; style: number }[];
  rowStyles: Map<number, number>;
}

/** What `SheetCells.kinds` says of a cell's saved value. */
export const CellKind = { Blank: 0, Number: 1, Text: 2, Boolean: 3, Error: 4 } as const;

/**
 * The stored cells of a sheet, row by row, left to right, as parallel arrays of the same length:
 * a million cells must fit without a million objects.
 */
export interface SheetCells {
  count: number;
  rows: Uint32Array;
  cols: Uint16Array;
  /** A CellKind each. For a formula: the kind of the value Excel saved with it. */
  kinds: Uint8Array;
  /** The number; 0 or 1 of a Boolean; the index into WorkbookModel.strings; the index into ERROR_CODES. */
  values: Float64Array;
  /** Index into WorkbookModel.numberFormats. */
  styles: Uint32Array;
  /** Index into `formulaTable`, or -1 for a constant. */
  formulas: Int32Array;
  formulaTable: FormulaModel[];
}

/**
 * A formula as the file holds it, without the leading '='. `cell` is where `text` stands: the cells of a shared
 * formula point to one record, and read `text` shifted by their distance from `cell`. So do those of a 'filled' one,
 * which the file holds written out in each of its cells.
 */
export interface FormulaModel {
  kind: 'normal' | 'shared' | 'filled' | 'array' | 'dynamicArray' | 'dataTable';
  text: string;
  cell: CellPosition;
  /** Cells an array formula fills, or over which a shared one is used. */
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

/** A linked workbook: never opened, known by the values that were last read of it. */
export interface ExternalBook {
  target: string;
  /** In its tab order; `cells` is null where the file keeps no values of a sheet. */
  sheets: { name: string; cells: SheetCells | null }[];
  names: Omit<DefinedName, 'hidden'>[];
}

export interface TableModel {
  name: string;
  part: string;
  sheet: number;
  /** All of it: header, data, totals. */
  block: CellBlock;
  headerRows: number;
  totalsRows: number;
  /** A filter of the table is in use: its hidden rows count as filtered. */
  isFiltered?: boolean;
  columns: TableColumn[];
}

export interface TableColumn {
  name: string;
  calculatedFormula?: string;
  /** The calculated formula is an array formula, in each cell for itself. */
  isArray?: boolean;
  totalsFormula?: string;
}

/** A pivot table as it was saved; its values are the cells of its sheet. */
export interface PivotTable {
  name: string;
  sheet: number;
  /** What it covers, report filters apart. */
  block: CellBlock;
  /** What its report filters cover. */
  pageBlock: CellBlock | null;
  /** What it summarises in this workbook; none where its data come from elsewhere. */
  sources: PivotSource[];
  fields: PivotField[];
  /** Of each data field its name ('Sum of Sales') and that of its source ('Sales'). */
  data: (readonly [shown: string, source: string])[];
  /** What stands in its rows and columns of values. */
  rows: PivotLine[];
  cols: PivotLine[];
  /** Report filters; `item` is null where all are chosen, or several. */
  pages: { field: number; item: number | null }[];
}

/** As the file has it: cells of a sheet, or the name of cells or of a table. */
export interface PivotSource {
  sheet: string | null;
  ref: string | null;
  name: string | null;
}

export interface PivotField {
  name: string;
  /** In the order the table counts them. */
  items: PivotItem[];
  /** Groups of a period (months, quarters …) that are also known by their number. */
  isNumbered: boolean;
  /** Of each item its place in the cache. */
  order?: number[];
}

/** Dates are serials; null is what shows as '(blank)'. */
export type PivotItem = string | number | boolean | null;

export interface PivotLine {
  /** Row or column of the sheet. */
  at: number;
  /** 'data', 'default' (a subtotal), 'grand', 'blank', or the function of a subtotal. */
  kind: string;
  /** The data field it shows, or null where the other axis says it. */
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
  /** False where the alert is switched off: other values are then accepted. */
  showsError: boolean;
  formula1: string;
  formula2: string;
  promptTitle: string;
  prompt: string;
  /** Title and text of the alert; '' where Excel would use its own. */
  errorTitle: string;
  error: string;
}

export interface CellNote extends CellPosition {
  text: string;
}
