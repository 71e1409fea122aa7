/** Caches the numbers of a range for all formulas that read them at matching cells. */
import type { Growth } from '#server/calculation/kernels/column-indexes.ts';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { eachValue, type Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { usedExtent } from './criteria-index.ts';

/** For fewer cells, a plain scan is as fast. */
const FEW_CELLS = 24;

/** The contents of a range: its numbers, where they are, and where errors are. */
export interface NumberColumn {
  numbers: Float64Array;
  /** 1 is a number, 2 an error, 0 anything else. */
  kinds: Uint8Array;
  errors: Map<number, CellError>;
}

export function addNumber({ numbers, kinds, errors }: NumberColumn, at: number, value: CellValue): void {
  if (typeof value === 'number') {
    numbers[at] = value;
    kinds[at] = 1;
  } else if (value instanceof CellError) {
    kinds[at] = 2;
    errors.set(at, value);
  }
}

export const emptyColumn = (size: number): NumberColumn => ({
  numbers: new Float64Array(size),
  kinds: new Uint8Array(size),
  errors: new Map(),
});

/** Enlarges a column with blank cells. */
function enlarge(column: NumberColumn, size: number): void {
  const { numbers, kinds } = column;
  column.numbers = new Float64Array(size);
  column.numbers.set(numbers);
  column.kinds = new Uint8Array(size);
  column.kinds.set(kinds);
}

interface GrowingColumn {
  column: NumberColumn;
  rows: number;
}

const NUMBERS: Growth<GrowingColumn> = {
  key: 'growing numbers',
  create: () => ({ column: emptyColumn(64), rows: 0 }),
  extend(grown, added) {
    const { column, rows: from } = grown;
    const to = from + added.rows;
    grown.rows = to;
    if (to > column.numbers.length) enlarge(column, Math.max(to, column.numbers.length * 2));
    eachValue(added, (value, row) => addNumber(column, from + row, value));
  },
};

/**
 * The numbers of a range. If they are cached for the whole column, they start at `shift`, and the column can contain
 * more rows than the range.
 */
export interface ShiftedColumn {
  column: NumberColumn;
  shift: number;
}

/** Returns at least as many cells as `usedExtent`. */
export function numberColumn(range: Range, context: CallContext): ShiftedColumn {
  const grown = range.rows <= FEW_CELLS ? null : context.columns.get(range, NUMBERS);
  if (grown) return { column: grown.thing.column, shift: grown.shift };
  const { rows, cols } = usedExtent([range]);
  const column = context.cached(range, 'numbers', () => {
    context.spend(rows * cols);
    const column = emptyColumn(rows * cols);
    eachValue(range, (value, row, col) => addNumber(column, row * cols + col, value));
    return column;
  });
  // The cached column is not rebuilt when other columns of the sheet get more rows.
  if (column.kinds.length < rows * cols) enlarge(column, rows * cols);
  return { column, shift: 0 };
}
