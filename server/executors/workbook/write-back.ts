/**
 * Writes the changes of a run into the workbook it came from. Only parts that contain a change are rewritten, and
 * within them only the elements concerned; everything else is copied from the archive as it is. Styles, charts,
 * pictures, pivot tables, validations and macros are therefore preserved, whether this program knows them or not.
 *
 * The workbook is not marked for full calculation on load: people who open the output see the numbers that the run
 * reported, and Excel does not ask them to save a file they did not change. Excel still recalculates volatile
 * functions. It recalculates everything once if the calculation chain was dropped or the file comes from an older
 * version.
 */
import { Buffer } from 'node:buffer';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CellEdit } from '#server/calculation/engine.ts';
import { cellsIn } from '#server/calculation/reader/cell-index.ts';
import { workbookPath } from '#server/calculation/reader/read-workbook.ts';
import { requirePart } from '#server/calculation/reader/relationships.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { dropCalcChain } from './calc-chain.ts';
import { ChangeSet, emptyStyle } from './change-set.ts';
import { writeCharts } from './charts/write-charts.ts';
import type { Notice } from './charts/write-charts.ts';
import { followFormulas } from './follow-formulas.ts';
import { followName } from './print-areas.ts';
import type { ResizedTable } from './grown-references.ts';
import { addRows } from './new-rows.ts';
import type { WorkbookPackage } from './package.ts';
import { withNewNames } from './part-edits.ts';
import { writePivotSources } from './pivot-sources.ts';
import { sheetFollower } from './sheet-ranges.ts';
import { rewriteSheet } from './sheet-writer.ts';
import { planResizes, resizeCells, rewriteTablePart } from './table-resize.ts';
import type { TableResize } from './table-resize.ts';
import { writePackage } from './zip-writer.ts';

/** All addresses apply after the table resizes; rows and columns are 0-based. */
export interface WorkbookEdits {
  /** Inputs: the value replaces the content of the cell, even a formula. The style stays. */
  constants?: readonly CellEdit[];
  /** New results: a formula stays and gets the value; a cell without a formula (spilled into) just gets the value. */
  results?: readonly CellEdit[];
  tables?: readonly TableResize[];
  /** New extents of array formulas. Cells no longer covered are cleared; newly covered cells come as `results`. */
  spills?: readonly SpillEdit[];
}

export interface SpillEdit {
  sheet: number;
  row: number;
  col: number;
  block: CellBlock;
}

/**
 * Returns the workbook file with the edits applied. `model` must be the result of `readWorkbook` for `source`. `notice`
 * receives the charts and pivot tables that could not be updated, with the reason. Throws WorkbookFileError
 * 'tableBlocked' if cells are below a growing table, and 'textTooLong' for texts that no cell can hold.
 */
export async function writeBack(
  source: WorkbookPackage,
  model: WorkbookModel,
  edits: WorkbookEdits,
  notice: Notice = () => undefined,
): Promise<Uint8Array> {
  const resized = planResizes(model, edits.tables ?? []);
  const changes = collectChanges(model, edits, resized);
  const changed = new Map<string, Uint8Array | null>();
  for (const table of resized) {
    const { part } = table.table;
    changed.set(part.toLowerCase(), rewriteTablePart(requirePart(source, part, 'a table'), table));
  }
  const sheets = new Set([...changes.sheets.keys(), ...sheetsWithRanges(source, model, resized)]);
  for (const sheet of sheets) writeSheet(source, changes, sheet, resized, changed);
  const main = workbookPath(source);
  if (resized.length > 0) rewriteNames(source, main, model, resized, changed);
  writeCharts(source, changes, resized, changed, notice);
  writePivotSources(source, main, changes, resized, changed, notice);
  if (changes.changesFormulas()) dropCalcChain(source, main, changed);
  return writePackage(source, changed);
}

function collectChanges(model: WorkbookModel, edits: WorkbookEdits, resized: readonly ResizedTable[]): ChangeSet {
  const changes = new ChangeSet(model);
  for (const table of resized) resizeCells(changes, table);
  if (resized.length > 0) followFormulas(changes, resized);
  for (const table of resized) addRows(changes, table, resized);
  for (const spill of edits.spills ?? []) resizeSpill(changes, spill);
  for (const { sheet, row, col, value } of edits.results ?? []) changes.setResult(sheet, row, col, value);
  for (const edit of edits.constants ?? []) setConstant(changes, edit);
  changes.releaseShared();
  return changes;
}

/** Writes the extent of an array formula, and clears the cells it no longer covers. */
function resizeSpill(changes: ChangeSet, { sheet, row, col, block }: SpillEdit): void {
  const record = changes.formula(sheet, row, col);
  if (!record?.block) return;
  const old = record.block;
  if (old.bottom === block.bottom && old.right === block.right) return;
  changes.at(sheet, row, col).arrayBlock = block;
  clearSpill(changes, sheet, old, (r, c) => r > block.bottom || c > block.right);
}

function setConstant(changes: ChangeSet, { sheet, row, col, value }: CellEdit): void {
  const record = changes.formula(sheet, row, col);
  if (!record && !changes.has(sheet, row, col)) {
    changes.setResult(sheet, row, col, value);
    return;
  }
  Object.assign(changes.at(sheet, row, col), { value, formula: null, arrayBlock: undefined, metadata: undefined });
  if (record?.block && (record.kind === 'array' || record.kind === 'dynamicArray')) {
    clearSpill(changes, sheet, record.block, (r, c) => r !== row || c !== col);
  }
}

function clearSpill(
  changes: ChangeSet,
  sheet: number,
  block: CellBlock,
  isGone: (row: number, col: number) => boolean,
): void {
  const { cells } = changes.model.sheets[sheet]!;
  for (const at of cellsIn(cells, block)) {
    const row = cells.rows[at]!;
    const col = cells.cols[at]!;
    if (cells.formulas[at]! < 0 && isGone(row, col) && !changes.has(sheet, row, col)) {
      changes.at(sheet, row, col).value = null;
    }
  }
}

/**
 * Returns the sheets of resized tables, and all sheets whose validations, conditional formats or sparklines may refer
 * to them.
 */
function sheetsWithRanges(
  source: WorkbookPackage,
  model: WorkbookModel,
  resized: readonly ResizedTable[],
): Iterable<number> {
  if (resized.length === 0) return [];
  const own = new Set(resized.map(({ table }) => table.sheet));
  return model.sheets.keys().filter((sheet) => {
    if (own.has(sheet)) return true;
    const part = source.part(model.sheets[sheet]!.part);
    return part !== undefined && hasFormulasBehindCells(part);
  });
}

function hasFormulasBehindCells(part: Uint8Array): boolean {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  const end = bytes.lastIndexOf('sheetData');
  const names = ['<formula', ':formula', ':f>', 'type="formula"'];
  return end >= 0 && names.some((name) => bytes.includes(name, end));
}

function writeSheet(
  source: WorkbookPackage,
  changes: ChangeSet,
  sheet: number,
  resized: readonly ResizedTable[],
  changed: Map<string, Uint8Array | null>,
): void {
  const model = changes.model.sheets[sheet]!;
  const bytes = requirePart(source, model.part, `sheet '${model.name}'`);
  const rewritten = rewriteSheet(bytes, model.part, {
    rows: changes.sheets.get(sheet) ?? new Map(),
    styleOf: (row, col) => emptyStyle(model, row, col),
    follower: sheetFollower(changes.model, sheet, resized),
  });
  changed.set(model.part.toLowerCase(), rewritten);
}

/** Updates names that refer to a table's columns, as Excel does when a table grows. */
function rewriteNames(
  source: WorkbookPackage,
  path: string,
  model: WorkbookModel,
  resized: readonly ResizedTable[],
  changed: Map<string, Uint8Array | null>,
): void {
  const bytes = requirePart(source, path, 'the list of sheets');
  const followed = withNewNames(bytes, path, model, (name) => followName(name, model, resized) || null);
  if (followed) changed.set(path.toLowerCase(), followed);
}
