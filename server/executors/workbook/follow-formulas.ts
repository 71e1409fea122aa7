/** Updates references to resized tables in the formulas of all sheets. */
import type { FormulaModel } from '#server/calculation/reader/workbook-model.ts';
import type { ChangeSet } from './change-set.ts';
import { followTables, refersToCells } from './grown-references.ts';
import type { ResizedTable } from './grown-references.ts';

/**
 * Records the new formula texts. Formulas that the resize itself added or moved come first, so that no text is updated
 * twice.
 */
export function followFormulas(changes: ChangeSet, resized: readonly ResizedTable[]): void {
  for (const [sheet, rows] of changes.sheets) {
    for (const [row, cells] of rows) {
      for (const [col, change] of cells) {
        if (typeof change.formula !== 'string') continue;
        change.formula = followTables(change.formula, { row, col }, sheet, changes.model, resized) ?? change.formula;
      }
    }
  }
  for (const sheet of changes.model.sheets.keys()) followSheet(changes, sheet, resized);
}

function followSheet(changes: ChangeSet, sheet: number, resized: readonly ResizedTable[]): void {
  const { cells } = changes.model.sheets[sheet]!;
  const candidates = new Map<FormulaModel, boolean>();
  for (let at = 0; at < cells.count; at++) {
    const record = cells.formulaTable[cells.formulas[at]!];
    if (!record || record.kind === 'dataTable' || !isCandidate(record, candidates)) continue;
    const row = cells.rows[at]!;
    const col = cells.cols[at]!;
    if (changes.has(sheet, row, col) && changes.at(sheet, row, col).formula !== undefined) continue;
    const formula = changes.formulaText(sheet, row, col);
    const followed = formula === null ? null : followTables(formula, { row, col }, sheet, changes.model, resized);
    if (followed !== null) changes.at(sheet, row, col).formula = followed;
  }
}

/** Each cell of a shared or filled formula must be checked individually, unless the formula references no cells. */
function isCandidate(record: FormulaModel, candidates: Map<FormulaModel, boolean>): boolean {
  if (record.kind !== 'shared' && record.kind !== 'filled') return true;
  const known = candidates.get(record);
  if (known !== undefined) return known;
  const result = refersToCells(record.text, record.cell);
  candidates.set(record, result);
  return result;
}
