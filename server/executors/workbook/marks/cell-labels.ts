/** Finds labels beside cells, which identify the cells in another file. */
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellView } from '../definitions/cell-view.ts';

export interface Label extends CellPosition {
  /** Normalized by `labelText`. */
  text: string;
}

/** How many columns to the left, and rows above, are searched for a label. */
const MAX_LEFT = 6;
const MAX_ABOVE = 2;

/** Returns the text to the left of the first cell of a block, otherwise the text above it; null if there is none. */
export function labelOf(view: CellView, sheet: number, { top, left }: CellBlock): Label | null {
  for (let col = left - 1; col >= Math.max(0, left - MAX_LEFT); col--) {
    const found = textAt(view, sheet, top, col);
    if (found !== null) return found === '' ? null : { text: found, row: top, col };
  }
  for (let row = top - 1; row >= Math.max(0, top - MAX_ABOVE); row--) {
    const found = textAt(view, sheet, row, left);
    if (found !== null) return found === '' ? null : { text: found, row, col: left };
  }
  return null;
}

/** Returns null if the cell is blank, '' if it contains something other than a label. */
function textAt(view: CellView, sheet: number, row: number, col: number): string | null {
  const { value, formula } = view.cell(sheet, row, col);
  if (value === null || value === '') return formula === null ? null : '';
  return typeof value === 'string' && formula === null ? labelText(value) : '';
}

/** Ignores what authors change in passing: case, blanks, a colon or an asterisk at the end. */
const labelText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s:*]+$/, '')
    .toLowerCase();

export type LabelIndex = ReadonlyMap<string, { sheet: number; row: number; col: number }[]>;

/** Maximum number of indexed cells per text: a text shared by more cells identifies nothing. */
const MAX_SAME = 100;
const MAX_LABEL = 200;

/** Indexes all texts of a workbook that could be labels. */
export function indexLabels({ sheets, strings }: WorkbookModel): LabelIndex {
  const index = new Map<string, { sheet: number; row: number; col: number }[]>();
  for (const [sheet, { cells, visibility }] of sheets.entries()) {
    if (visibility === 'veryHidden') continue;
    for (let at = 0; at < cells.count; at++) {
      if (cells.kinds[at] !== CellKind.Text || cells.formulas[at]! >= 0) continue;
      const text = strings[cells.values[at]!]!;
      const key = text.length > MAX_LABEL ? '' : labelText(text);
      if (key === '') continue;
      const known = index.get(key);
      const cell = { sheet, row: cells.rows[at]!, col: cells.cols[at]! };
      if (!known) index.set(key, [cell]);
      else if (known.length < MAX_SAME) known.push(cell);
    }
  }
  return index;
}

export const findLabels = (index: LabelIndex, text: string): readonly { sheet: number; row: number; col: number }[] =>
  index.get(text) ?? [];

const AROUND_ROWS = 2;
const AROUND_COLS = 3;

/** Returns the texts around a block as one text, for comparison. */
export function surroundingTextOf(view: CellView, sheet: number, { top, left, right }: CellBlock): string {
  const texts: (string | null)[] = [];
  for (let row = Math.max(0, top - AROUND_ROWS); row <= top + AROUND_ROWS; row++)
    for (let col = Math.max(0, left - AROUND_COLS); col <= Math.min(right, left) + AROUND_COLS; col++)
      texts.push(textAt(view, sheet, row, col));
  return JSON.stringify(texts);
}
