/** Editing the cells of an input grid. Rows are never changed in place; rows that stay the same stay the same objects. */
import { blankCell, type FormCell } from '#shared/codecs/input-form.ts';
import { copyText, type CellKind } from '#shared/codecs/cell-text.ts';

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
  /** Whether a blank row is a value. If it is not, blank rows of a paste are skipped. */
  keepsBlankRows: boolean;
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

/** Whether nobody has put anything into the row. */
export const isUntouched = (row: GridRow): boolean =>
  row.every((cell) => cell === null || cell === '' || cell === false);

function blankRow(row: number, shape: GridShape): FormCell[] {
  const cells: FormCell[] = [];
  for (let col = 0; col < shape.width; col += 1) cells.push(blankCell(shape.kind(row, col).usage));
  return cells;
}

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

/** Without the given rows (ascending); those that cannot be removed stay. */
export function removeRows(rows: GridRows, removed: readonly number[], shape: GridShape): GridRows {
  const gone = new Set(removed.filter((row) => canRemoveRow(rows, row, shape)));
  if (gone.size === 0) return rows;
  return withRowToTypeIn(
    rows.filter((_, row) => !gone.has(row)),
    shape,
  );
}

/** How many rows can still come. */
export function roomForRows(rows: GridRows, shape: GridShape): number {
  if (!shape.rowsVariable) return 0;
  const last = rows.at(-1);
  return Math.max(0, shape.maxRows - rows.length + (last && isUntouched(last) ? 1 : 0));
}

/** With `count` blank rows before `at`: fewer than there is room for are the caller's to refuse. */
export function insertRows(rows: GridRows, at: number, count: number, shape: GridShape): GridRows {
  const blanks = Array.from({ length: count }, (_, index) => blankRow(at + index, shape));
  const next = rows.toSpliced(at, 0, ...blanks);
  return next.length > shape.maxRows ? next.slice(0, shape.maxRows) : withRowToTypeIn(next, shape);
}

/** Blanks the cells of `columns` in `lines`, but for those that nobody may change. */
export function clearCells(rows: GridRows, lines: readonly number[], block: CellBlock, shape: GridShape): GridRows {
  return mapCells(rows, lines, block, shape, (row, col) => blankCell(shape.kind(row, col).usage)).rows;
}

export interface MappedCells {
  rows: GridRows;
  /** Values that would have changed a cell that nobody may change. */
  refused: number;
}

/**
 * Sets cells of the given rows between the columns of `block`; `cellAt` gets the place of the row among `lines`. Undefined leaves a cell as
 * it is. What is not shown is passed by.
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
    // Rows that were made above are nobody else's yet.
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

/** The columns from one to another that are shown. */
export const shownColumns = (shape: GridShape, first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index).filter(
    (col) => !shape.isHidden(col),
  );

/** The cells of a block as texts, to copy. */
export function readCells(rows: GridRows, lines: readonly number[], block: CellBlock, shape: GridShape): string[][] {
  const columns = shownColumns(shape, block.left, block.right);
  return lines.map((row) => columns.map((col) => copyText(rows[row]![col] ?? null, shape.kind(row, col))));
}
