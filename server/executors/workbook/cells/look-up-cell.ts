/** Looks up a cell of a workbook for display: its formula, its saved value, and the cells its formula reads. */
import { formulasOfFile } from '#server/calculation/graph/formula-at.ts';
import { cellAt, savedValue } from '#server/calculation/reader/cell-index.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { formatBlock, parseCell } from '#shared/codecs/cell-address.ts';
import type { CellLocation, ShownCell } from '#shared/contract/run-cells.ts';

const MAX_READS = 20;
/** Longer formulas and texts are truncated. */
const MAX_TEXT_LENGTH = 2000;

/**
 * Returns null if the workbook has no such sheet. @param hasResults true if the saved values are the results of the run
 */
export function lookUpCell(model: WorkbookModel, { Sheet, Cell }: CellLocation, hasResults: boolean): ShownCell | null {
  const sheet = model.sheets.findIndex(({ name }) => name.toLowerCase() === Sheet.toLowerCase());
  const at = parseCell(Cell);
  if (sheet < 0 || !at) return null;
  const valueOf = (of: number, row: number, col: number): string | null =>
    hasResults ? savedText(model, of, row, col) : null;
  const formula = formulasOfFile(model)(sheet, at.row, at.col);
  return {
    Formula: formula ? formula.text.slice(0, MAX_TEXT_LENGTH) : null,
    Value: valueOf(sheet, at.row, at.col),
    Reads: (formula?.reads ?? []).slice(0, MAX_READS).map(({ sheet: of, block }) => {
      const isOne = block.top === block.bottom && block.left === block.right;
      return {
        Sheet: model.sheets[of]!.name,
        Cells: formatBlock(block),
        Value: isOne ? valueOf(of, block.top, block.left) : null,
      };
    }),
  };
}

function savedText({ sheets, strings }: WorkbookModel, sheet: number, row: number, col: number): string {
  const { cells } = sheets[sheet]!;
  const at = cellAt(cells, row, col);
  const value = at < 0 ? null : savedValue(cells, at, strings);
  if (value === null) return '';
  if (value instanceof CellError) return value.code;
  return (typeof value === 'boolean' ? String(value).toUpperCase() : String(value)).slice(0, MAX_TEXT_LENGTH);
}
