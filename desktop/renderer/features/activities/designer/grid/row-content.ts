/** Computes what the cells of one row show, and how far texts overflow into their neighbors. */
import type { DesignCell } from '#shared/contract/designs.ts';
import { indentOf, PADDING, shownText, textWidth, type ShownLook } from './cell-look.ts';
import type { GridView } from './grid-view.ts';
import type { RowCells } from './sheet-cells.ts';
import { spanValue } from './spans.ts';
import { alignOf, cellEnd, type TextAlign } from './text-align.ts';
import { fitNumber, runOver } from './text-fit.ts';

export interface ShownCell {
  col: number;
  text: string;
  look: ShownLook | null;
  /** The side of the screen at which the text stands. */
  align: TextAlign;
  /** Padding beside the text, in pixels. */
  indent: number;
  /** Pixels by which the text extends beyond its cell: towards column A, and away from it. */
  before: number;
  after: number;
}

export interface RowContent {
  cells: ShownCell[];
  /** Columns whose grid line at the end is covered by a text. */
  covered: ReadonlySet<number>;
}

/** Returns the cells of a range of columns, plus neighboring cells whose texts reach into it. */
export function rowContent(
  view: GridView,
  row: number,
  [first, last]: readonly [number, number],
  cells: RowCells,
): RowContent {
  const { layout } = view;
  const covered = new Set<number>();
  const isBlank = (col: number): boolean => (cells.get(col)?.[2] ?? null) === null && !layout.merges.at(row, col);
  const shown: ShownCell[] = [];
  const add = (cell: DesignCell, isWanted: (shown: ShownCell) => boolean = () => true): void => {
    if (layout.cols.size(cell[0]) === 0 || layout.merges.at(row, cell[0])) return;
    const one = shownCell(view, cell, isBlank, covered);
    if (isWanted(one)) shown.push(one);
  };
  const { RowLooks, ColumnLooks } = view.design.Sheets[view.sheet]!;
  const rowLook = spanValue(RowLooks, row);
  for (let col = first; col <= last; col += 1) {
    const cell = cells.get(col);
    const look = cell ? undefined : (rowLook ?? spanValue(ColumnLooks, col));
    if (cell) add(cell);
    else if (look !== undefined) add([col, look, null]);
  }
  const { before, after } = last < first ? ({} as Neighbours) : neighbours(cells, first, last);
  // Add a neighbor only if its text reaches into this range. Otherwise its cell would be in the DOM twice.
  if (before) add(before, (cell) => cell.after > 0);
  if (after) add(after, (cell) => cell.before > 0);
  return { cells: shown, covered };
}

interface Neighbours {
  before?: DesignCell;
  after?: DesignCell;
}

/** Returns the last cell with a value before the columns, and the first one after them. */
function neighbours(cells: RowCells, first: number, last: number): Neighbours {
  let [before, after]: [DesignCell | undefined, DesignCell | undefined] = [undefined, undefined];
  for (const cell of cells.values()) {
    if (cell[2] === null) continue;
    if (cell[0] < first && (!before || cell[0] > before[0])) before = cell;
    if (cell[0] > last && (!after || cell[0] < after[0])) after = cell;
  }
  return { ...(before ? { before } : {}), ...(after ? { after } : {}) };
}

function shownCell(
  view: GridView,
  [col, number, value]: DesignCell,
  isBlank: (col: number) => boolean,
  covered: Set<number>,
): ShownCell {
  const { cols, isRightToLeft } = view.layout;
  const look = view.looks[number] ?? null;
  const format = look?.look.Format ?? 'General';
  const text = shownText(value, format, view.design.Date1904);
  const align = alignOf(look?.look.Align ?? 'general', value);
  const indent = look ? indentOf(look.look) : PADDING;
  const plain: ShownCell = { col, text, look, align, indent, before: 0, after: 0 };
  if (text === '' || !look) return plain;
  const width = (at: number): number => cols.size(at);
  if (typeof value === 'number') {
    const fit = fitNumber({
      value,
      text,
      isGeneral: format === 'General',
      availableWidth: width(col) - 2 * PADDING + 1,
      measure: (one) => textWidth(look.font, one),
      format: (one) => shownText(one, format, false),
    });
    return { ...plain, text: fit };
  }
  if (typeof value !== 'string' || look.look.Wrap || look.look.Align === 'fill') return plain;
  const need = textWidth(look.font, text) + indent + PADDING;
  const { from, to } = runOver(col, need, cellEnd(align, isRightToLeft), { width, isBlank, count: cols.count });
  for (let at = from; at < to; at += 1) covered.add(at);
  return { ...plain, before: cols.offset(col) - cols.offset(from), after: cols.offset(to + 1) - cols.offset(col + 1) };
}
