/** Commands of an input grid. They work on its current rows, layout and selection. */
import { editText, readCellText } from '#shared/codecs/cell-text.ts';
import { readingNote } from '#renderer/ui/reading-note.ts';
import { t } from '#renderer/language/translate.ts';
import {
  canRemoveRow,
  clearCells,
  insertRows,
  removeRows,
  countAddableRows,
  setCell,
  type CellBlock,
  type GridRows,
  type GridShape,
} from './grid-rows.ts';
import { selectCell, selectedBlock, type GridPosition, type GridSelection } from './grid-selection.ts';
import { fillDown, fillFrom, fillRight, type Filled, type FillTarget } from './fill-cells.ts';
import type { GridState } from './grid-history.ts';
import {
  isRowToTypeIn,
  screenRowOf,
  rowAt,
  rowsOfBlock,
  shownAfter,
  shownAfterInsert,
  shownAfterRemoval,
  shownCount,
  withFilters,
  type GridLayout,
  type SuggestionAt,
} from './grid-layout.ts';
import { refusedText, rowsText } from './grid-texts.ts';
import { sortRows } from './sort-rows.ts';

/** The cell in edit; `text` null edits its content, any other text replaces it. */
export interface EditedCell extends GridPosition {
  text: string | null;
}

export interface GridContext {
  rows: GridRows;
  shape: GridShape;
  layout: GridLayout;
  selection: GridSelection;
  edited: EditedCell | null;
  suggestionAt: SuggestionAt;
  select: (selection: GridSelection) => void;
  setEdited: (cell: EditedCell | null) => void;
  announce: (text: string) => void;
  warn: (text: string) => void;
  /** Commits a change that can be undone. */
  commit: (change: Partial<GridState>) => void;
}

export interface CellMove {
  /** True if the text was picked from a list, so it is not ambiguous. */
  isPicked?: boolean;
  rows: number;
  cols: number;
}

/** Commits rows. Rows added at the end are visible regardless of the filter. */
export const commitRows = ({ rows, layout, commit }: GridContext, next: GridRows): void => {
  if (next !== rows)
    commit({ rows: next, layout: withShown(layout, shownAfter(layout.shown, rows.length, next.length)) });
};

const withShown = (layout: GridLayout, shown: GridLayout['shown']): GridLayout =>
  shown === layout.shown ? layout : { ...layout, shown };

export function startEdit(
  { shape, setEdited, select }: GridContext,
  { row, col }: GridPosition,
  text: string | null,
): void {
  select(selectCell(row, col));
  if (!shape.isReadOnly(row, col) && shape.kind(row, col).usage !== 'Boolean') setEdited({ row, col, text });
}

export function finishEdit(context: GridContext, text: string | null, move: CellMove): void {
  const { rows, shape, edited } = context;
  if (!edited) return;
  context.setEdited(null);
  const { row, col } = edited;
  const kind = shape.kind(row, col);
  // An unedited cell keeps details that its text does not show.
  const isSame = edited.text === null && text === editText(rows[row]?.[col] ?? null, kind);
  const read =
    text === null || isSame
      ? null
      : readCellText(text, {
          ...kind,
          isTyped: true,
          canAsk: kind.canAsk === true && move.isPicked !== true,
          held: rows[row]?.[col] ?? null,
        });
  const next = read === null ? rows : setCell(rows, row, col, read.cell, shape);
  commitRows(context, next);
  if (read)
    context.announce(
      read.note === null ? '' : t('{text} was {note}.', { text: text!.trim(), note: readingNote(read.note) }),
    );
  const shown = shownAfter(context.layout.shown, rows.length, next.length);
  const screenRow = Math.max(0, Math.min(screenRowOf(row, next, shown) + move.rows, shownCount(next, shown) - 1));
  context.select(selectCell(rowAt(screenRow, next, shown), Math.max(0, Math.min(col + move.cols, shape.width - 1))));
}

export function toggleCell(context: GridContext, { row, col }: GridPosition): void {
  const { rows, shape } = context;
  if (shape.kind(row, col).usage === 'Boolean')
    commitRows(context, setCell(rows, row, col, rows[row]![col] !== true, shape));
}

const linesOf = ({ rows, layout }: GridContext, block: CellBlock): number[] => rowsOfBlock(block, rows, layout.shown);

export function clearSelected(context: GridContext): void {
  const { rows, shape } = context;
  const block = selectedBlock(context.selection);
  commitRows(context, clearCells(rows, linesOf(context, block), block, shape));
}

/** Removes the visible rows of a range. */
export function removeShownRows(context: GridContext, top: number, bottom: number): void {
  const { rows, layout } = context;
  const count = removeLines(context, rowsOfBlock({ top, bottom }, rows, layout.shown));
  if (count === 0) return;
  context.announce(
    t(
      '{linesCount, plural, one {Removed 1 row. Ctrl+Z brings it back.} other {Removed # rows. Ctrl+Z brings them back.}}',
      { linesCount: count },
    ),
  );
}

/** Removes all rows from a position on, including rows hidden by a filter. */
export function removeRowsFrom(context: GridContext, first: number): void {
  const { rows } = context;
  removeLines(
    context,
    Array.from({ length: Math.max(0, rows.length - first) }, (_, at) => first + at),
  );
  context.announce('');
}

/** Returns how many of the rows were removed. */
function removeLines(context: GridContext, wanted: readonly number[]): number {
  const { rows, shape, layout, selection } = context;
  const lines = wanted.filter((row) => canRemoveRow(rows, row, shape));
  const next = removeRows(rows, lines, shape);
  if (next === rows) return 0;
  const shown = shownAfter(shownAfterRemoval(layout.shown, lines), rows.length - lines.length, next.length);
  context.commit({ rows: next, layout: withShown(layout, shown) });
  const screenRow = Math.min(screenRowOf(lines[0]!, rows, layout.shown), shownCount(next, shown) - 1);
  context.select(selectCell(rowAt(Math.max(0, screenRow), next, shown), selection.active.col));
  return lines.length;
}

/** Inserts as many blank rows as are selected, above the selection. */
export function insertAtSelection(context: GridContext): void {
  const { rows, shape, layout, selection } = context;
  if (!shape.rowsVariable) return;
  const block = selectedBlock(selection);
  const count = linesOf(context, block).length;
  const addable = countAddableRows(rows, shape);
  if (count > addable) {
    context.warn(
      addable === 0
        ? t('There is no room for another row.')
        : t('There is room for {rows} only.', { rows: rowsText(addable) }),
    );
    return;
  }
  const next = insertRows(rows, block.top, count, shape);
  const shown = shownAfter(shownAfterInsert(layout.shown, block.top, count), rows.length + count, next.length);
  context.commit({ rows: next, layout: withShown(layout, shown) });
  context.announce(t('Inserted {rows}.', { rows: rowsText(count) }));
}

/** Continues the selected cells as the fill handle does. */
export function fillSelection(context: GridContext, target: FillTarget, invert: boolean): void {
  const { rows, shape, layout, selection } = context;
  if (target.count < 1) return;
  commitFilled(context, fillFrom(rows, selectedBlock(selection), target, { shape, shown: layout.shown, invert }));
}

/** Fills down as far as the neighboring column has values. This is the double-click on the fill handle. */
export function fillToNeighbour(context: GridContext): void {
  const { rows, shape, layout, selection } = context;
  const block = selectedBlock(selection);
  const bottom = screenRowOf(block.bottom, rows, layout.shown);
  const isFilled = (screenRow: number, col: number): boolean => {
    const cell = rows[rowAt(screenRow, rows, layout.shown)]?.[col];
    return cell !== undefined && cell !== null && cell !== '';
  };
  for (const col of [block.left - 1, block.right + 1]) {
    if (col < 0 || col >= shape.width || shape.isHidden(col)) continue;
    let last = bottom;
    while (last + 1 < shownCount(rows, layout.shown) && isFilled(last + 1, col)) last += 1;
    const isOpenRow = isRowToTypeIn(rows, rowAt(last, rows, layout.shown), shape);
    const count = last - bottom - (isOpenRow ? 1 : 0);
    if (count > 0) {
      fillSelection(context, { direction: 'down', count }, false);
      return;
    }
  }
}

export function fillSelectionDown(context: GridContext): void {
  const { rows, shape, layout, selection } = context;
  commitFilled(context, fillDown(rows, selectedBlock(selection), shape, layout.shown));
}

export function fillSelectionRight(context: GridContext): void {
  const { rows, shape, layout, selection } = context;
  commitFilled(context, fillRight(rows, selectedBlock(selection), shape, layout.shown));
}

function commitFilled(context: GridContext, filled: Filled | null): void {
  if (!filled) return;
  const { block, refused, cells } = filled;
  commitRows(context, filled.rows);
  context.select({ active: { row: block.top, col: block.left }, anchor: { row: block.bottom, col: block.right } });
  context.warn(refusedText(refused));
  context.announce(t('Filled {count, plural, one {# cell} other {# cells}}.', { count: Math.max(0, cells - refused) }));
}

export function sortByColumn(context: GridContext, col: number, descending: boolean): void {
  const { rows, shape, layout } = context;
  const next = sortRows(rows, col, descending, { shape, shown: layout.shown });
  context.commit({ rows: next });
  const note = layout.shown ? ` ${t('Rows hidden by the filter kept their positions.')}` : '';
  context.announce(next === rows ? t('The rows are already in this order.') : `${t('Sorted.')}${note}`);
}

/** Filters by a column; `texts` null removes the column's filter. */
export function filterByColumn(context: GridContext, col: number, texts: ReadonlySet<string> | null): void {
  const { layout } = context;
  const filters = new Map(layout.filters);
  if (texts) filters.set(col, texts);
  else filters.delete(col);
  applyFilters(context, filters);
}

export const clearFilters = (context: GridContext): void => applyFilters(context, new Map());

function applyFilters(context: GridContext, filters: GridLayout['filters']): void {
  const { rows, layout, selection, shape } = context;
  const next = withFilters(layout, filters, rows, context);
  context.commit({ layout: next });
  const screenRow = Math.min(screenRowOf(selection.active.row, rows, next.shown), shownCount(rows, next.shown) - 1);
  if (screenRow >= 0) context.select(selectCell(rowAt(screenRow, rows, next.shown), selection.active.col));
  const total = rows.length - (isRowToTypeIn(rows, rows.length - 1, shape) ? 1 : 0);
  context.announce(
    next.shown
      ? t('{shown} of {rows} shown.', { shown: shownRowCount(context, next), rows: rowsText(total) })
      : t('All rows are shown.'),
  );
}

/** Returns the number of visible rows, without the empty row for typing. */
export function shownRowCount({ rows, shape }: Pick<GridContext, 'rows' | 'shape'>, { shown }: GridLayout): number {
  return shownCount(rows, shown) - (rows.length > 0 && isRowToTypeIn(rows, rows.length - 1, shape) ? 1 : 0);
}

/** Sets a width in pixels; null restores the automatic width. */
export function setColumnWidth({ layout, commit }: GridContext, col: number, width: number | null): void {
  const widths = new Map(layout.widths);
  if (width === null) widths.delete(col);
  else widths.set(col, width);
  if (width !== null || layout.widths.has(col)) commit({ layout: { ...layout, widths } });
}

export function freezeColumns({ layout, commit }: GridContext, frozen: number): void {
  if (frozen !== layout.frozen) commit({ layout: { ...layout, frozen } });
}

/** Selects a cell. If a filter hides its row, all filters are removed. */
export function reveal(context: GridContext, { row, col }: GridPosition): void {
  const { layout, commit, rows, select } = context;
  const isHidden = layout.shown !== null && rowAt(screenRowOf(row, rows, layout.shown), rows, layout.shown) !== row;
  if (isHidden) commit({ layout: { ...layout, filters: new Map(), shown: null } });
  select(selectCell(row, col));
}
