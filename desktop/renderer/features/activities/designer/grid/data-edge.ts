/** Finds the target of Ctrl+arrow: the end of a block of filled cells, or the next filled cell. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { nextShown } from './axis.ts';
import { valueAt, type SheetCells } from './sheet-cells.ts';
import type { SheetLayout } from './sheet-layout.ts';

/** Number of rows to fetch beyond the cached rows: one or two parts. */
const ROWS_AHEAD = 500;

export async function dataEdge(
  from: CellPosition,
  [rowStep, colStep]: readonly [1 | -1 | 0, 1 | -1 | 0],
  { layout, cells, sheet }: { layout: SheetLayout; cells: SheetCells; sheet: number },
): Promise<CellPosition> {
  const axis = rowStep === 0 ? layout.cols : layout.rows;
  const step = rowStep === 0 ? colStep : rowStep;
  if (step === 0) return from;
  const used = rowStep === 0 ? layout.usedCols : layout.usedRows;
  const at = (index: number): CellPosition => (rowStep === 0 ? { ...from, col: index } : { ...from, row: index });
  const isFilled = async (index: number): Promise<boolean> => {
    const { row, col } = at(index);
    if (cells.row(sheet, row) === undefined)
      await cells.need(sheet, Math.max(0, row - (step < 0 ? ROWS_AHEAD : 0)), row + (step > 0 ? ROWS_AHEAD : 0));
    const value = valueAt(cells, sheet, row, col);
    return value !== null && value !== undefined && value !== '';
  };
  let index = rowStep === 0 ? from.col : from.row;
  let next = nextShown(axis, index, step);
  const isInBlock = (await isFilled(index)) && (await isFilled(next));
  while (next !== index) {
    index = next;
    // No cell is filled beyond the used range.
    if (step > 0 && index >= used) return at(Math.max(used - 1, rowStep === 0 ? from.col : from.row));
    next = nextShown(axis, index, step);
    if (isInBlock ? !(await isFilled(next)) : await isFilled(index)) break;
  }
  return at(index);
}
