/** Editing the cells of an input grid. Rows are never changed in place; rows that stay the same stay the same objects. */
import { blankCell, type FormCell } from '#shared/codecs/input-form.ts';
import { orderOfPasted, type PastedOrder } from '#shared/codecs/read-date.ts';
import { editText, readCellText, type CellKind } from './cell-text.ts';

export type GridRow = readonly FormCell[];
export type GridRows = readonly GridRow[];

/** What may happen to the rows of a grid. */
export interface GridShape {
  width: number;
  /** Rows may come and go; the last row is then an empty one to type into. */
  rowsVariable: boolean;
  /** Where rows may come: how many there can be at most. */
  maxRows: number;
  kind: (row: number, col: number) => CellKind;
  /** Cells that nobody may change. */
  isReadOnly: (row: number, col: number) => boolean;
  /** Columns that are not shown; what is pasted or copied passes them by. */
  isHidden: (col: number) => boolean;
}

export interface CellBlock {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** More rows than a person would edit by hand; larger tables come as files. */
export const MAX_ROWS = 50_000;

const isUntouched = (row: GridRow): boolean => row.every((cell) => cell === null || cell === '' || cell === false);

const blankRow = (row: number, shape: GridShape): FormCell[] =>
  Array.from({ length: shape.width }, (_, col) => blankCell(shape.kind(row, col).usage));

/** The rows with an empty last one to type into, where rows may come; otherwise as they are. */
export function withRowToTypeIn(rows: GridRows, shape: GridShape): GridRows {
  if (!shape.rowsVariable || rows.length >= shape.maxRows) return rows;
  const last = rows.at(-1);
  return last && isUntouched(last) ? rows : [...rows, blankRow(rows.length, shape)];
}

/** Typing in the last row of a grid with variable rows appends an empty one. */
export function setCell(rows: GridRows, row: number, col: number, cell: FormCell, shape: GridShape): GridRows {
  if (row >= rows.length || shape.isReadOnly(row, col) || rows[row]![col] === cell) return rows;
  const next = rows.slice();
  next[row] = rows[row]!.with(col, cell);
  return withRowToTypeIn(next, shape);
}

/** Every row but the empty one to type into can be removed, and only where rows may come and go. */
export const canRemoveRow = (rows: GridRows, row: number, shape: GridShape): boolean =>
  shape.rowsVariable && row >= 0 && (row < rows.length - 1 || (row === rows.length - 1 && !isUntouched(rows[row]!)));

export function removeRow(rows: GridRows, row: number, shape: GridShape): GridRows {
  return canRemoveRow(rows, row, shape) ? withRowToTypeIn(rows.toSpliced(row, 1), shape) : rows;
}

export function clearBlock(rows: GridRows, block: CellBlock, shape: GridShape): GridRows {
  return mapBlock(rows, block, shape, (row, col) => blankCell(shape.kind(row, col).usage));
}

export interface Pasted {
  rows: GridRows;
  block: CellBlock;
  /** Of the clipboard, what the grid had no place for. */
  droppedRows: number;
  droppedColumns: number;
  /** Texts that could be read otherwise, and how they were read. */
  notes: string[];
}

/**
 * A block from the clipboard with its first cell at the block's. One copied cell fills a larger block, as in Excel. What
 * lies beyond the grid is dropped, except rows where rows may come.
 */
export function pasteBlock(rows: GridRows, block: CellBlock, copied: string[][], shape: GridShape): Pasted {
  const notes: string[] = [];
  const orders = new Map<number, PastedOrder | undefined>();
  const parse = (text: string, row: number, col: number): FormCell => {
    const kind = shape.kind(row, col);
    const pastedOrder = orders.get(col);
    const { cell, note } = readCellText(text, pastedOrder ? { ...kind, pastedOrder } : kind);
    if (note !== null) notes.push(`${text.trim()} was ${note}`);
    return cell;
  };
  if (copied.length === 1 && copied[0]!.length === 1) {
    const text = copied[0]![0]!;
    return {
      rows: mapBlock(rows, block, shape, (row, col) => parse(text, row, col)),
      block,
      droppedRows: 0,
      droppedColumns: 0,
      notes,
    };
  }
  const bottomMost = shape.rowsVariable ? shape.maxRows - 1 : rows.length - 1;
  const widest = copied.reduce((width, line) => Math.max(width, line.length), 0);
  const columns = shownColumns(shape, block.left, shape.width - 1).slice(0, widest);
  const target = {
    top: block.top,
    left: block.left,
    bottom: Math.min(block.top + copied.length - 1, bottomMost),
    right: columns.at(-1) ?? block.left,
  };
  // A column of dates is written in one order: '1/31/2026' tells how '2/3/2026' below it is meant.
  for (const [at, col] of columns.entries()) {
    if (shape.kind(target.top, col).usage === 'Date')
      orders.set(col, orderOfPasted(copied.map((line) => line[at] ?? '')));
  }
  const grown = rows.slice();
  while (grown.length <= target.bottom) grown.push(blankRow(grown.length, shape));
  const next = mapBlock(grown, target, shape, (row, col) =>
    parse(copied[row - block.top]![columns.indexOf(col)] ?? '', row, col),
  );
  const droppedRows = copied.length - (target.bottom - target.top + 1);
  return { rows: next, block: target, droppedRows, droppedColumns: widest - columns.length, notes };
}

const shownColumns = (shape: GridShape, first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((col) => !shape.isHidden(col));

function mapBlock(
  rows: GridRows,
  block: CellBlock,
  shape: GridShape,
  cellAt: (row: number, col: number) => FormCell,
): GridRows {
  const next = rows.slice();
  for (let row = block.top; row <= Math.min(block.bottom, rows.length - 1); row += 1) {
    next[row] = rows[row]!.map((old, col) =>
      col < block.left || col > block.right || shape.isHidden(col) || shape.isReadOnly(row, col)
        ? old
        : cellAt(row, col),
    );
  }
  return withRowToTypeIn(next, shape);
}

/** The cells of a block as texts, to copy. */
export function readBlock(rows: GridRows, block: CellBlock, shape: GridShape): string[][] {
  const columns = shownColumns(shape, block.left, block.right);
  return rows
    .slice(block.top, block.bottom + 1)
    .map((cells, at) => columns.map((col) => editText(cells[col] ?? null, shape.kind(block.top + at, col))));
}
