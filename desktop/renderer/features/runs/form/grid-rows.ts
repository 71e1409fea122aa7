/** Editing the cells of an input grid. Rows are never changed in place; rows that stay the same stay the same objects. */

export type GridRows = readonly (readonly string[])[];

/** What may happen to the rows of a grid. */
export interface GridShape {
  width: number;
  /** Rows may come and go; the last row is then an empty one to type into. */
  rowsVariable: boolean;
  /** Columns that nobody may change. */
  readOnly: readonly boolean[];
}

export interface CellBlock {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

const isEmptyRow = (row: readonly string[]): boolean => row.every((text) => text === '');
const emptyRow = (width: number): string[] => Array.from({ length: width }, () => '');

/** The rows with an empty last one to type into, where rows may come; otherwise as they are. */
export function withRowToTypeIn(rows: GridRows, shape: GridShape): GridRows {
  if (!shape.rowsVariable) return rows;
  const last = rows.at(-1);
  return last && isEmptyRow(last) ? rows : [...rows, emptyRow(shape.width)];
}

/** Typing in the last row of a grid with variable rows appends an empty one. */
export function setCell(rows: GridRows, row: number, col: number, text: string, shape: GridShape): GridRows {
  if (shape.readOnly[col] || rows[row]?.[col] === text || row >= rows.length) return rows;
  const next = rows.slice();
  next[row] = rows[row]!.with(col, text);
  return withRowToTypeIn(next, shape);
}

/** Every row but the last can be removed, and only where rows may come and go. */
export const canRemoveRow = (rows: GridRows, row: number, shape: GridShape): boolean =>
  shape.rowsVariable && row >= 0 && row < rows.length - 1;

export function removeRow(rows: GridRows, row: number, shape: GridShape): GridRows {
  return canRemoveRow(rows, row, shape) ? rows.toSpliced(row, 1) : rows;
}

export function clearBlock(rows: GridRows, block: CellBlock, shape: GridShape): GridRows {
  return mapBlock(rows, block, shape, () => '');
}

/**
 * A block from the clipboard with its first cell at the block's. One copied cell fills a larger block, as in Excel. Columns
 * beyond the grid are dropped and counted in `dropped`; rows beyond it too, unless rows may come.
 */
export function pasteBlock(
  rows: GridRows,
  block: CellBlock,
  copied: readonly (readonly string[])[],
  shape: GridShape,
  maxRows: number,
): { rows: GridRows; pasted: CellBlock; dropped: number } {
  const single = copied.length === 1 && copied[0]!.length === 1;
  if (single) return { rows: mapBlock(rows, block, shape, () => copied[0]![0]!), pasted: block, dropped: 0 };
  const bottomMost = shape.rowsVariable ? maxRows - 1 : rows.length - 1;
  const widest = copied.reduce((width, line) => Math.max(width, line.length), 0);
  const pasted = {
    top: block.top,
    left: block.left,
    bottom: Math.min(block.top + copied.length - 1, bottomMost),
    right: Math.min(block.left + widest - 1, shape.width - 1),
  };
  const grown = rows.slice();
  while (grown.length <= pasted.bottom) grown.push(emptyRow(shape.width));
  const next = mapBlock(grown, pasted, shape, (row, col) => copied[row - block.top]![col - block.left] ?? '');
  const kept = (pasted.bottom - pasted.top + 1) * (pasted.right - pasted.left + 1);
  return { rows: withRowToTypeIn(next, shape), pasted, dropped: copied.length * widest - kept };
}

function mapBlock(
  rows: GridRows,
  block: CellBlock,
  shape: GridShape,
  text: (row: number, col: number) => string,
): GridRows {
  const next = rows.slice();
  for (let row = block.top; row <= Math.min(block.bottom, rows.length - 1); row += 1) {
    next[row] = rows[row]!.map((old, col) =>
      col < block.left || col > block.right || shape.readOnly[col] ? old : text(row, col),
    );
  }
  return withRowToTypeIn(next, shape);
}

/** The texts of a block, to copy. */
export const readBlock = (rows: GridRows, block: CellBlock): string[][] =>
  rows.slice(block.top, block.bottom + 1).map((row) => row.slice(block.left, block.right + 1));
