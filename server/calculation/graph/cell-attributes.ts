/**
 * Provides what functions may request from a workbook besides values: formulas as texts, number formats, hidden rows.
 */
import { cellAt } from '../reader/cell-index.ts';
import type { WorkbookModel } from '../reader/workbook-model.ts';
import type { Store } from '../kernels/store.ts';
import { withBookNames } from '../syntax/book-names.ts';
import { printFormula } from '../syntax/printer.ts';
import { withoutFilePrefixes } from '../syntax/shown-formula.ts';
import { withSpacesOf } from '../syntax/spaced-formula.ts';
import { localFormula } from '../values/region/local-text.ts';
import { currentRegion } from '../values/region/region.ts';
import type { Book } from './book.ts';

/**
 * Returns the formula as Excel shows it in the cell: without file prefixes, and with braces for legacy array formulas.
 */
export function formulaTextOf(book: Book, store: Store, sheet: number, row: number, col: number): string | null {
  const formula = store.formula(sheet, row, col);
  if (formula <= 0) return null;
  const { record, top, left } = book.groups[formula - 1]!;
  if (!record.tree) return null;
  const isArray = record.kind === 'array';
  const at = isArray ? { row: top, col: left } : { row, col };
  const printed = withoutFilePrefixes(printFormula(record.tree, at));
  const typed = typedText(book.model, sheet, at.row, at.col);
  const isFunction = (name: string): boolean => book.findFunction(name) !== undefined;
  const text = `=${typed === null ? printed : withSpacesOf(withoutFilePrefixes(typed), printed, isFunction)}`;
  const shown = localFormula(withBookNames(text, book.model.externalLinks), currentRegion());
  return isArray ? `{${shown}}` : shown;
}

/** Returns the file's text of the cell's formula, or of the formula it was filled from. */
function typedText({ sheets }: WorkbookModel, sheet: number, row: number, col: number): string | null {
  const { cells } = sheets[sheet]!;
  const at = cellAt(cells, row, col);
  const formula = at < 0 ? undefined : cells.formulaTable[cells.formulas[at]!];
  return formula?.text ?? null;
}

export function formatOf(model: WorkbookModel, sheet: number, row: number, col: number): string {
  const { cells, rowStyles, columnStyles } = model.sheets[sheet]!;
  const at = cellAt(cells, row, col);
  const style =
    at >= 0
      ? cells.styles[at]!
      : (rowStyles.get(row) ?? columnStyles.find(({ first, last }) => col >= first && col <= last)?.style ?? 0);
  return model.numberFormats[style] ?? 'General';
}

/** `hidden` is ascending. */
export const isHidden = (hidden: Uint32Array, row: number): boolean => hidden[firstFrom(hidden, row)] === row;

export const hasHidden = (hidden: Uint32Array, top: number, bottom: number): boolean =>
  (hidden[firstFrom(hidden, top)] ?? Infinity) <= bottom;

function firstFrom(hidden: Uint32Array, row: number): number {
  let low = 0;
  let high = hidden.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hidden[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns true if the row is hidden on a sheet with an active filter of a list or a table. Excel then treats all hidden
 * rows of the sheet as filtered, even outside the filter (observed in values that Excel saved).
 */
export function isFiltered({ sheets, tables }: WorkbookModel, sheet: number, row: number): boolean {
  const { hiddenRows, filters = [] } = sheets[sheet]!;
  if (hiddenRows.length === 0 || !isHidden(hiddenRows, row)) return false;
  return filters.length > 0 || tables.some((table) => table.isFiltered && table.sheet === sheet);
}
