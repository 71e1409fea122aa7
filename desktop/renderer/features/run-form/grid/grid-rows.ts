/** Edits the cells of an input grid. Rows are immutable; unchanged rows stay the same objects. */
import { blankCell, type FormCell } from '#shared/codecs/input-form.ts';
import { copyText, type CellKind } from '#shared/codecs/cell-text.ts';

export type GridRow = readonly FormCell[];
export type GridRows = readonly GridRow[];

/** Which changes the rows of a grid allow. */
export interface GridShape {
  width: number;
  /** True if rows can be added and removed. The last row is then an empty row for typing. */
  rowsVariable: boolean;
  /** Maximum number of rows, if rows can be added. */
  maxRows: number;
  kind: (row: number, col: number) => CellKind;
  /** True for read-only cells. */
  isReadOnly: (row: number, col: number) => boolean;
  /** True if a blank row counts as a value. Otherwise blank rows of a paste are skipped. */
  countsBlankRows: boolean;
  /** True for hidden columns; copying and pasting skip them. */
  isHidden: (col: number) => boolean;
}

export interface CellBlock {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** Nobody edits more rows by hand; larger tables are uploaded as files. */
export const MAX_ROWS = 50_000;

/** True if the row has no content. */
export const isUntouched = (row: GridRow): boolean =>
  row.every((cell) => cell === null || cell === '' || cell === false);

function blankRow(row: number, shape: GridShape): FormCell[] {
  const cells: FormCell[] = [];
  for (let col = 0; col < shape.width; col += 1) cells.push(blankCell(shape.kind(row, col).usage));
  return cells;
}

/** Appends an empty row for typing if rows can be added; otherwise returns the rows unchanged. */
export function withRowToTypeIn(rows: GridRows, shape: GridShape): GridRows {
  if (!shape.rowsVariable || rows.length >= shape.maxRows) return rows;
  const last = rows.at(-1);
  return last && isUntouched(last) ? rows : [...rows, blankRow(rows.length, shape)];
}

/** Sets a cell. Typing into the last row of a grid with variable rows appends an empty row. */
export function setCell(rows: GridRows, row: number, col: number, cell: FormCell, shape: GridShape): GridRows {
  if (row >= rows.length || shape.isReadOnly(row, col) || rows[row]![col] === cell) return rows;
  const next = rows.slice();
  next[row] = rows[row]!.with(col, cell);
  return withRowToTypeIn(next, shape);
}

/** True if the row can be removed: rows must be variable, and the row must not be the empty row for typing. */
export const canRemoveRow = (rows: GridRows, row: number, shape: GridShape): boolean =>
  shape.rowsVariable && row >= 0 && (row < rows.length - 1 || (row === rows.length - 1 && !isUntouched(rows[row]!)));

/** Removes the given rows (ascending), except those that cannot be removed. */
export function removeRows(rows: GridRows, removed: readonly number[], shape: GridShape): GridRows {
  const gone = new Set(removed.filter((row) => canRemoveRow(rows, row, shape)));
  if (gone.size === 0) return rows;
  return withRowToTypeIn(
    rows.filter((_, row) => !gone.has(row)),
    shape,
  );
}

/** Returns how many rows can still be added. */
export function countAddableRows(rows: GridRows, shape: GridShape): number {
  if (!shape.rowsVariable) return 0;
  const last = rows.at(-1);
  return Math.max(0, shape.maxRows - rows.length + (last && isUntouched(last) ? 1 : 0));
}

/** Inserts `count` blank rows before `at`. The caller must check that there is room. */
export function insertRows(rows: GridRows, at: number, count: number, shape: GridShape): GridRows {
  const blanks = Array.from({ length: count }, (_, index) => blankRow(at + index, shape));
  const next = rows.toSpliced(at, 0, ...blanks);
  return next.length > shape.maxRows ? next.slice(0, shape.maxRows) : withRowToTypeIn(next, shape);
}

/** Clears the cells of `lines` between the columns of `block`, except read-only cells. */
export function clearCells(rows: GridRows, lines: readonly number[], block: CellBlock, shape: GridShape): GridRows {
  return mapCells(rows, lines, block, shape, (row, col) => blankCell(shape.kind(row, col).usage)).rows;
}

export interface MappedCells {
  rows: GridRows;
  /** Number of values that would have changed a read-only cell. */
  refused: number;
}

/**
 * Sets cells of the given rows between the columns of `block`. `cellAt` receives the index of the row within `lines`;
 * undefined leaves the cell unchanged. Hidden columns are skipped.
 */
export function mapCells(
  rows: GridRows,
  lines: readonly number[],
  { left, right }: Pick<CellBlock, 'left' | 'right'>,
  shape: GridShape,
  cellAt: (row: number, col: number, line: number) => FormCell | undefined,
): MappedCells {
  const next = rows.slice();
  for (let row = next.length; row <= (lines.at(-1) ?? -1); row += 1) next.push(blankRow(row, shape));
  const columns = shownColumns(shape, left, Math.min(right, shape.width - 1));
  let refused = 0;
  for (const [line, row] of lines.entries()) {
    // Rows added above are not shared, so they need no copy.
    const cells = row < rows.length ? next[row]!.slice() : (next[row] as FormCell[]);
    for (const col of columns) {
      const cell = cellAt(row, col, line);
      if (cell === undefined) continue;
      if (!shape.isReadOnly(row, col)) cells[col] = cell;
      else if (!isBlank(cell) && cell !== cells[col]) refused += 1;
    }
    next[row] = cells;
  }
  return { rows: withRowToTypeIn(next, shape), refused };
}

const isBlank = (cell: FormCell): boolean => cell === null || cell === '' || cell === false;

/** Returns the visible columns of a range. */
export const shownColumns = (shape: GridShape, first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index).filter(
    (col) => !shape.isHidden(col),
  );

/** Returns the cells of a block as texts for copying. */
export function readCells(rows: GridRows, lines: readonly number[], block: CellBlock, shape: GridShape): string[][] {
  const columns = shownColumns(shape, block.left, block.right);
  return lines.map((row) => columns.map((col) => copyText(rows[row]![col] ?? null, shape.kind(row, col))));
}
