/** Fills cells of an input grid from neighboring cells: the fill handle, Ctrl+D and Ctrl+R. */
import type { FormCell } from '#shared/codecs/input-form.ts';
import { editText, readCellText, type CellKind } from '#shared/codecs/cell-text.ts';
import {
  mapCells,
  shownColumns,
  type CellBlock,
  type GridRows,
  type GridShape,
  type MappedCells,
} from './grid-rows.ts';
import { continueSeries, repeat } from './fill-series.ts';
import { screenRowOf, rowAt, rowsOfBlock, type GridLayout } from './grid-layout.ts';

export type FillDirection = 'down' | 'up' | 'right' | 'left';

export interface FillTarget {
  direction: FillDirection;
  /** Number of visible rows or columns. */
  count: number;
}

export interface Filled extends MappedCells {
  /** The filled cells together with their source. */
  block: CellBlock;
  cells: number;
}

/**
 * Continues the cells of `source` as the fill handle does. Rows hidden by a filter are skipped; with a filter, cells
 * are copied instead of counted, as in Excel.
 * @param invert true if Ctrl was held
 */
export function fillFrom(
  rows: GridRows,
  source: CellBlock,
  target: FillTarget,
  { shape, shown, invert }: { shape: GridShape; shown: GridLayout['shown']; invert: boolean },
): Filled {
  const fill = { rows, source, target, shape, shown, invert };
  return target.direction === 'down' || target.direction === 'up' ? fillRows(fill) : fillColumns(fill);
}

interface Fill {
  rows: GridRows;
  source: CellBlock;
  target: FillTarget;
  shape: GridShape;
  shown: GridLayout['shown'];
  invert: boolean;
}

function fillRows({ rows, source, target, shape, shown, invert }: Fill): Filled {
  const backward = target.direction === 'up';
  const from = rowsOfBlock(source, rows, shown);
  const first = backward ? screenRowOf(source.top, rows, shown) - 1 : screenRowOf(source.bottom, rows, shown) + 1;
  const end = shape.rowsVariable ? shape.maxRows : rows.length;
  const lines = Array.from({ length: target.count }, (_, at) => rowAt(first + (backward ? -at : at), rows, shown));
  const open = lines.filter((row) => row >= 0 && row < end);
  const order = backward ? from.toReversed() : from;
  const series = new Map(
    shownColumns(shape, source.left, source.right).map((col) => {
      const cells = order.map((row) => rows[row]![col] ?? null);
      const kind = shape.kind(order[0]!, col);
      const next = shown ? repeat(cells, open.length) : continueSeries(cells, open.length, { kind, backward, invert });
      return [
        col,
        next.map((cell, at) => asKind(cell, shape.kind(order[at % order.length]!, col), shape.kind(open[at]!, col))),
      ];
    }),
  );
  const ascending = open.toSorted((a, b) => a - b);
  const mapped = mapCells(
    rows,
    ascending,
    source,
    shape,
    (_, col, line) => series.get(col)![backward ? open.length - 1 - line : line],
  );
  const block = {
    ...source,
    top: Math.min(source.top, ascending[0] ?? source.top),
    bottom: Math.max(source.bottom, ascending.at(-1) ?? source.bottom),
  };
  return { ...mapped, block, cells: open.length * series.size };
}

function fillColumns({ rows, source, target, shape, shown, invert }: Fill): Filled {
  const backward = target.direction === 'left';
  const from = shownColumns(shape, source.left, source.right);
  const order = backward ? from.toReversed() : from;
  const beyond = backward
    ? shownColumns(shape, 0, source.left - 1).toReversed()
    : shownColumns(shape, source.right + 1, shape.width - 1);
  const open = beyond.slice(0, target.count);
  const lines = rowsOfBlock(source, rows, shown);
  const [left, right] = [Math.min(...open), Math.max(...open)];
  if (open.length === 0) return { rows, refused: 0, block: source, cells: 0 };
  const series = lines.map((row) => {
    const cells = order.map((col) => rows[row]![col] ?? null);
    const next = continueSeries(cells, open.length, { kind: shape.kind(row, order[0]!), backward, invert });
    return next.map((cell, at) => asKind(cell, shape.kind(row, order[at % order.length]!), shape.kind(row, open[at]!)));
  });
  const positions = new Map(open.map((col, at) => [col, at]));
  const mapped = mapCells(rows, lines, { left, right }, shape, (_, col, line) => series[line]![positions.get(col)!]);
  const block = { ...source, left: Math.min(source.left, left), right: Math.max(source.right, right) };
  return { ...mapped, block, cells: open.length * lines.length };
}

/** Copies the first row of the block to the rows below it. A single row is filled from the row above it. */
export function fillDown(
  rows: GridRows,
  block: CellBlock,
  shape: GridShape,
  shown: GridLayout['shown'],
): Filled | null {
  const lines = rowsOfBlock(block, rows, shown);
  const above = rowAt(screenRowOf(block.top, rows, shown) - 1, rows, shown);
  const [source, targets] = lines.length > 1 ? [lines[0]!, lines.slice(1)] : [above, lines];
  if (source < 0 || targets.length === 0) return null;
  const mapped = mapCells(rows, targets, block, shape, (row, col) =>
    asKind(rows[source]![col] ?? null, shape.kind(source, col), shape.kind(row, col)),
  );
  return { ...mapped, block, cells: targets.length * shownColumns(shape, block.left, block.right).length };
}

/**
 * Copies the first column of the block to the columns on its right. A single column is filled from the column on its
 * left.
 */
export function fillRight(
  rows: GridRows,
  block: CellBlock,
  shape: GridShape,
  shown: GridLayout['shown'],
): Filled | null {
  const columns = shownColumns(shape, block.left, block.right);
  const before = shownColumns(shape, 0, block.left - 1).at(-1);
  const [source, targets] = columns.length > 1 ? [columns[0], columns.slice(1)] : [before, columns];
  if (source === undefined || targets.length === 0) return null;
  const lines = rowsOfBlock(block, rows, shown);
  const range = { left: targets[0]!, right: targets.at(-1)! };
  const mapped = mapCells(rows, lines, range, shape, (row, col) =>
    asKind(rows[row]![source] ?? null, shape.kind(row, source), shape.kind(row, col)),
  );
  return { ...mapped, block, cells: targets.length * lines.length };
}

/**
 * Converts a cell to another kind: numbers and dates convert to each other, as in Excel. Other texts are read as if
 * pasted, without a length limit.
 */
function asKind(cell: FormCell, from: CellKind, to: CellKind): FormCell {
  const isSerial = typeof cell === 'number' && (to.usage === 'Number' || to.usage === 'Date');
  if (isSerial || from.usage === to.usage) return cell;
  return readCellText(editText(cell, from), { ...to, maxSize: null }).cell;
}
