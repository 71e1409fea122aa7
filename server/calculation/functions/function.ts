/** Defines what a worksheet function is, and what it can request from the calculation that calls it. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ColumnIndexes } from '../kernels/column-indexes.ts';
import type { RangeTotals } from '../kernels/range-totals.ts';
import type { Areas, CellSource, FormulaValue, Lambda, Range } from '../values/matrix.ts';
import type { PivotTable } from '../reader/workbook-model.ts';
import type { CellError } from '../values/cell-value.ts';

/**
 * How an argument reaches a function (Excel's parameter classes):
 * - value: a single value. In a formula without dynamic arrays, a range is intersected with the cell's row or column.
 *   Where arrays are calculated, the function is called once per element and the results form an array.
 * - array: a single value, an ArrayMatrix or a Range; the argument's formula is calculated over arrays (SUMPRODUCT).
 * - range: like `array`, but the argument's formula is calculated in the same way as the rest of the formula (SUM).
 * - reference: a Range or Areas; anything else is #VALUE! before the function is called.
 * - function: a Lambda, or the name of a function (BYROW(A1:B9, SUM)).
 */
export type ParameterKind = 'value' | 'array' | 'range' | 'reference' | 'function';

export interface CallContext {
  /** The cell whose formula is being calculated. */
  readonly sheet: number;
  readonly row: number;
  readonly col: number;
  /** The cells filled by the legacy array formula being calculated; null in all other formulas. */
  readonly filled: CellBlock | null;
  readonly date1904: boolean;
  /** True if Excel for Mac saved the workbook. */
  readonly isMac: boolean;
  readonly cells: CellSource;
  /** Serial day and time (1900 system) at which this recalculation started. */
  readonly now: number;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  range(sheet: number, block: CellBlock): Range;
  /**
   * Resolves a text for INDIRECT: an A1 or R1C1 reference, a name or a table reference; #REF! for any other text.
   */
  resolve(text: string, a1: boolean): Range | Areas | CellError;
  sheetNames(): readonly string[];
  /** Returns the formula text with its '='; null if the cell has no formula. */
  formulaText(sheet: number, row: number, col: number): string | null;
  /**
   * Calculates the formula of a cell as if it were filled down `down` rows; undefined if the cell has no formula.
   * Database functions test criteria that are formulas in this way for each record.
   */
  formulaBelow(sheet: number, row: number, col: number, down: number): FormulaValue;
  /** True if the cell's formula is a SUBTOTAL or AGGREGATE; other SUBTOTAL and AGGREGATE formulas ignore such cells. */
  isSubtotal(sheet: number, row: number, col: number): boolean;
  isRowHidden(sheet: number, row: number): boolean;
  /** True if any of the rows is hidden, manually or by a filter. */
  hasHiddenRows(sheet: number, top: number, bottom: number): boolean;
  /** True if a filter hides the row. */
  isRowFiltered(sheet: number, row: number): boolean;
  numberFormat(sheet: number, row: number, col: number): string;
  pivotTables(): readonly PivotTable[];
  /**
   * Returns something built once for a range (a hash index, a sorted copy). It stays cached until a cell of the range
   * changes; `key` distinguishes several things cached for one range.
   */
  cached<T>(range: Range, key: string, build: () => T): T;
  /** Sums and counts of large ranges, without reading each range again. */
  readonly totals: RangeTotals;
  /** Indexes of columns for ranges that grow, shrink or move. */
  readonly columns: ColumnIndexes;
  /**
   * Charges work to the formula's budget. Call it in loops over more than a few thousand elements. Throws
   * CalculationError.
   */
  spend(steps: number): void;
}

export interface FunctionDefinition {
  /** Upper case, without the prefixes used in files ('XLOOKUP', 'STDEV.S'). */
  readonly name: string;
  readonly parameters: readonly ParameterKind[];
  /** Number of required arguments. */
  readonly required: number;
  /** How many of the last parameters repeat as a group: 1 for SUM, 2 for SUMIFS; 0 if none repeat. */
  readonly repeat: number;
  /**
   * True if the result can differ at each calculation without any change (NOW, RAND), or if only the argument text
   * names the references (INDIRECT, OFFSET).
   */
  readonly volatile: boolean;
  /** True: errors in `value` arguments reach the function (IFERROR, ISNA). Otherwise the first one is the result. */
  readonly takesErrors: boolean;
  /** True: functions in `value` arguments reach the function (ISERROR). Otherwise they are #VALUE! before it is called. */
  readonly takesFunctions: boolean;
  /** True if array arguments produce an array of references (INDIRECT, OFFSET). */
  readonly givesReferences: boolean;
  /**
   * `args` has as many elements as the call has arguments; an omitted argument is undefined. `value` arguments are
   * single values. Errors are returned, never thrown.
   */
  readonly call: (args: FormulaValue[], context: CallContext) => FormulaValue;
}

export type { FormulaValue, Lambda };

interface Options {
  required?: number;
  repeat?: number;
  volatile?: boolean;
  takesErrors?: boolean;
  takesFunctions?: boolean;
  givesReferences?: boolean;
}

/**
 * Creates a definition. `parameters` has one letter per parameter: v value, a array, r range, R reference, f function.
 * All parameters are required unless the options say otherwise.
 */
export function defineFunction(
  name: string,
  parameters: string,
  call: FunctionDefinition['call'],
  options: Options = {},
): FunctionDefinition {
  const kinds = Array.from(parameters, (letter) => KINDS[letter]!);
  const {
    required = kinds.length,
    repeat = 0,
    volatile = false,
    takesErrors = false,
    takesFunctions = false,
    givesReferences = false,
  } = options;
  return { name, parameters: kinds, required, repeat, volatile, takesErrors, takesFunctions, givesReferences, call };
}

const KINDS: Record<string, ParameterKind> = { v: 'value', a: 'array', r: 'range', R: 'reference', f: 'function' };
