/** What functions may ask of a workbook besides values: formulas as texts, number formats, hidden rows. */
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

/** As Excel shows it in the cell: without the prefixes of files; array formulas of the old kind in braces. */
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

/** What the file has for the cell's formula, or for that it was filled from. */
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

/** `hidden` ascends. */
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

/** Hidden on a sheet where a filter is in use, of a list or a table: then Excel takes all hidden rows for filtered, outside of it too (values it saved). */
export function isFiltered({ sheets, tables }: WorkbookModel, sheet: number, row: number): boolean {
  const { hiddenRows, filters = [] } = sheets[sheet]!;
  if (hiddenRows.length === 0 || !isHidden(hiddenRows, row)) return false;
  return filters.length > 0 || tables.some((table) => table.isFiltered && table.sheet === sheet);
}
