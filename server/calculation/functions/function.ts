/** What a worksheet function is, and what it may ask of the calculation it runs in. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ColumnIndexes } from '../kernels/column-indexes.ts';
import type { RangeTotals } from '../kernels/range-totals.ts';
import type { Areas, CellSource, FormulaValue, Lambda, Range } from '../values/matrix.ts';
import type { PivotTable } from '../reader/workbook-model.ts';
import type { CellError } from '../values/cell-value.ts';

/**
 * How an argument reaches a function (Excel's parameter classes):
 * - value: one value. A range is intersected with the cell's row or column in a formula of the old kind; where arrays are
 *   calculated, the function is called once for each element and the results form an array.
 * - array: a single value, an ArrayMatrix or a Range; the argument's own formula is calculated over arrays (SUMPRODUCT).
 * - range: as `array`, but the argument's own formula is calculated as the rest of the cell's formula is (SUM).
 * - reference: a Range or Areas; anything else is #VALUE! before the function is called.
 * - function: a Lambda, or the name of a function as one (BYROW(A1:B9, SUM)).
 */
export type ParameterKind = 'value' | 'array' | 'range' | 'reference' | 'function';

export interface CallContext {
  /** The cell whose formula is calculated. */
  readonly sheet: number;
  readonly row: number;
  readonly col: number;
  /** What the array formula of the old kind fills that is calculated; null in all others. */
  readonly filled: CellBlock | null;
  readonly date1904: boolean;
  /** Excel on a Mac saved the workbook. */
  readonly isMac: boolean;
  readonly cells: CellSource;
  /** Serial day and time (1900 system) at which this recalculation began. */
  readonly now: number;
  /** From 0 to below 1. */
  random(): number;
  range(sheet: number, block: CellBlock): Range;
  /** What INDIRECT means by a text: A1 or R1C1, a name, a table reference; #REF! where it is none. */
  resolve(text: string, a1: boolean): Range | Areas | CellError;
  sheetNames(): readonly string[];
  /** Formula text with its '=', or null where the cell holds none. */
  formulaText(sheet: number, row: number, col: number): string | null;
  /**
   * What the formula of a cell would come to `down` rows further down, as if it had been filled down; undefined where the cell
   * holds none. Criteria of database functions that are formulas are tested so for each record.
   */
  formulaBelow(sheet: number, row: number, col: number, down: number): FormulaValue;
  /** Whether the cell's formula is a SUBTOTAL or AGGREGATE, which others of their kind leave out. */
  isSubtotal(sheet: number, row: number, col: number): boolean;
  isRowHidden(sheet: number, row: number): boolean;
  /** Whether any of the rows is hidden, by hand or by a filter. */
  hasHiddenRows(sheet: number, top: number, bottom: number): boolean;
  /** Whether a filter hides the row. */
  isRowFiltered(sheet: number, row: number): boolean;
  numberFormat(sheet: number, row: number, col: number): string;
  pivotTables(): readonly PivotTable[];
  /**
   * Something built once for a range (a hash index, a sorted copy) and kept as long as no cell of it changes; `key` tells
   * different things of one range apart.
   */
  cached<T>(range: Range, key: string, build: () => T): T;
  /** Sums and counts of ranges of many cells, without reading each of them again. */
  readonly totals: RangeTotals;
  /** What is built of columns for ranges that grow, shrink or move. */
  readonly columns: ColumnIndexes;
  /** Counts work against the formula's budget; a loop over more than a few thousand elements calls it. Throws CalculationError. */
  spend(steps: number): void;
}

export interface FunctionDefinition {
  /** Upper case, without the prefixes files use ('XLOOKUP', 'STDEV.S'). */
  readonly name: string;
  readonly parameters: readonly ParameterKind[];
  /** How many arguments must be given. */
  readonly required: number;
  /** How many of the last parameters repeat, in groups: 1 for SUM, 2 for SUMIFS; 0 where none does. */
  readonly repeat: number;
  /** A different result each time although nothing changed (NOW, RAND), or references that only its text names (INDIRECT, OFFSET). */
  readonly volatile: boolean;
  /** True: errors in `value` arguments reach the function (IFERROR, ISNA). Otherwise the first one is the result. */
  readonly takesErrors: boolean;
  /** True: functions in `value` arguments reach the function (ISERROR). Otherwise they are #VALUE! before it is called. */
  readonly takesFunctions: boolean;
  /** Of arrays it makes an array of references (INDIRECT, OFFSET). */
  readonly givesReferences: boolean;
  /**
   * `args` are as many as were given; one left out is undefined. `value` arguments are single values. Errors are returned,
   * never thrown.
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

/** A definition; `parameters` is one kind a letter: v value, a array, r range, R reference, f function. All are required unless said. */
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
