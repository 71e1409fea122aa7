/** Splits the displayed cells of a sheet into parts that the page fetches when they scroll into view. */
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { DesignCell, DesignPart } from '#shared/contract/designs.ts';
import type { CellView } from '../definitions/cell-view.ts';
import type { LookNumbers } from './look-numbers.ts';

/** Cells per part. A part then has at most a few hundred kilobytes and renders without a noticeable pause. */
const PART_CELLS = 10_000;
/** Longer texts do not fit into a visible cell anyway. */
const MAX_TEXT = 500;

export interface ShownSheet {
  parts: { firstRow: number; part: DesignPart }[];
  rows: number;
  columns: number;
  skippedRows: number;
  /** Number of cells in the parts. */
  count: number;
}

/** Returns the displayed cells of a sheet, `maxCells` at most: whole rows from the top. */
export function shownCells(
  model: WorkbookModel,
  sheetIndex: number,
  { view, looks, maxCells }: { view: CellView; looks: LookNumbers; maxCells: number },
): ShownSheet {
  const sheet = model.sheets[sheetIndex]!;
  const { cells } = sheet;
  const shown: ShownSheet = { parts: [], rows: 0, columns: 0, skippedRows: 0, count: 0 };
  let part: DesignPart = { Rows: [] };
  let inPart = 0;
  for (let at = 0; at < cells.count; at++) {
    const row = cells.rows[at]!;
    const isNewRow = part.Rows.at(-1)?.[0] !== row;
    if (isNewRow && shown.count >= maxCells) {
      shown.skippedRows = cells.rows[cells.count - 1]! - row + 1;
      break;
    }
    const cell = shownCell(model, sheet, sheetIndex, at, view, looks);
    if (cell === null) continue;
    if (shown.parts.length === 0 || (isNewRow && inPart >= PART_CELLS)) {
      part = { Rows: [] };
      shown.parts.push({ firstRow: shown.parts.length === 0 ? 0 : row, part });
      inPart = 0;
    }
    const last = part.Rows.at(-1);
    if (last?.[0] === row) last[1].push(cell);
    else part.Rows.push([row, [cell]]);
    inPart += 1;
    shown.count += 1;
    shown.rows = row + 1;
    shown.columns = Math.max(shown.columns, cells.cols[at]! + 1);
  }
  return shown;
}

/** Returns null for a blank cell with the default look. */
function shownCell(
  model: WorkbookModel,
  { cells }: SheetModel,
  sheet: number,
  at: number,
  view: CellView,
  looks: LookNumbers,
): DesignCell | null {
  const row = cells.rows[at]!;
  const col = cells.cols[at]!;
  const isFormula = cells.formulas[at]! >= 0;
  const style = cells.styles[at]!;
  const kind = cells.kinds[at]!;
  if (kind === CellKind.Blank && !isFormula && !looks.isVisible(style)) return null;
  const value = valueOf(kind === CellKind.Text ? model.strings[cells.values[at]!]! : view.cell(sheet, row, col).value);
  return isFormula ? [col, looks.numberOf(style), value, 1] : [col, looks.numberOf(style), value];
}

function valueOf(value: CellValue): DesignCell[2] {
  if (value instanceof CellError) return { error: value.code };
  if (typeof value === 'string' && value.length > MAX_TEXT) return `${value.slice(0, MAX_TEXT)}…`;
  return value;
}
