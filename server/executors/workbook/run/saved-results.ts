/**
 * Handles results of formulas whose functions cannot be calculated here, for example VBA functions. The returned file
 * retains their saved results.
 */
import type { UnsupportedFunction } from '#server/calculation/engine.ts';
import { cellAt, sameValue, savedValue } from '#server/calculation/reader/cell-index.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { formatArea } from '../definitions/blocks.ts';

/** Maximum number of cells that the message names. */
const MAX_NAMED = 10;

export interface SavedResults {
  /** Returns true if the cell retains its saved result. Records the cells whose calculated value differs from it. */
  retains(sheet: number, row: number, col: number, value: CellValue): boolean;
  /** Returns the message about these cells; null if there are none. */
  message(): string | null;
}

export function createSavedResults(model: WorkbookModel, missing: readonly UnsupportedFunction[]): SavedResults {
  const names = new Map<string, string>();
  for (const { name, sheet, row, col } of missing) {
    const key = `${sheet},${row},${col}`;
    const known = names.get(key);
    names.set(key, known === undefined ? name : `${known}, ${name}`);
  }
  const noted: string[] = [];
  return {
    retains(sheet, row, col, value) {
      // Fast path for nearly all workbooks.
      if (names.size === 0) return false;
      const name = names.get(`${sheet},${row},${col}`);
      if (name === undefined) return false;
      const { cells, name: title } = model.sheets[sheet]!;
      const at = cellAt(cells, row, col);
      const saved = at < 0 ? null : savedValue(cells, at, model.strings);
      const cell = formatArea(title, { top: row, bottom: row, left: col, right: col });
      if (!sameValue(saved, value)) noted.push(`${cell} (${name})`);
      return true;
    },
    message() {
      if (noted.length === 0) return null;
      const cells = noted.slice(0, MAX_NAMED).join(', ') + (noted.length > MAX_NAMED ? ', …' : '');
      return noted.length === 1
        ? `The cell ${cells} keeps its saved value in the workbook, because it calls a function that can't be calculated here. Cells that depend on it may show an error until Excel calculates them.`
        : `${noted.length} cells keep their saved values in the workbook, because they call functions that can't be calculated here: ${cells}. Cells that depend on them may show an error until Excel calculates them.`;
    },
  };
}
