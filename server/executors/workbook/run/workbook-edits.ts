/** Collects the changes of a run for the workbook it returns. */
import type { CellEdit, UnsupportedFunction } from '#server/calculation/engine.ts';
import { dataTable } from '#server/calculation/graph/data-tables.ts';
import type { SheetCells } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Notice } from '../charts/write-charts.ts';
import { formatArea, intersects } from '../definitions/blocks.ts';
import type { SpillEdit, WorkbookEdits } from '../write-back.ts';
import type { Calculation } from './calculation.ts';
import { createSavedResults } from './saved-results.ts';
import type { SavedResults } from './saved-results.ts';

/** `notice` receives which results stay as they were saved; `missing` lists the functions that the engine lacks. */
export function workbookEdits(
  calculation: Calculation,
  notice: Notice = () => undefined,
  missing: readonly UnsupportedFunction[] = [],
): WorkbookEdits {
  const results: CellEdit[] = [];
  const spills: SpillEdit[] = [];
  const { model } = calculation.layout;
  const savedResults = createSavedResults(model, missing);
  for (const { table, block } of calculation.resized()) {
    const lastRow = Math.min(table.block.bottom, block.bottom) - table.totalsRows;
    for (const edit of readBlock(calculation, table.sheet, block)) {
      const { sheet, row, col, value } = edit;
      // Rows after the last one contain other formulas than in the file.
      if (row > lastRow || !savedResults.retains(sheet, row, col, value)) results.push(edit);
    }
  }
  for (const sheet of model.sheets.keys()) readFormulas(calculation, sheet, { results, spills, savedResults, notice });
  const message = savedResults.message();
  if (message !== null) notice(message);
  const constants = calculation.constants();
  return { constants, results, spills, tables: tableResizes(calculation) };
}

function tableResizes(calculation: Calculation): NonNullable<WorkbookEdits['tables']> {
  return calculation.resized().map(({ table, block }) => ({
    table: table.name,
    dataRows: block.bottom - block.top + 1 - table.headerRows - table.totalsRows,
  }));
}

function readBlock(calculation: Calculation, sheet: number, block: CellBlock): CellEdit[] {
  return calculation
    .read(sheet, block)
    .flatMap((row, y) => row.map((value, x) => ({ sheet, row: block.top + y, col: block.left + x, value })));
}

/** Formulas outside resized tables are at the same positions as in the file. */
function readFormulas(
  calculation: Calculation,
  sheet: number,
  {
    results,
    spills,
    savedResults,
    notice,
  }: { results: CellEdit[]; spills: SpillEdit[]; savedResults: SavedResults; notice: Notice },
): void {
  const { cells, name } = calculation.layout.model.sheets[sheet]!;
  const moved = calculation
    .resized()
    .filter(({ table }) => table.sheet === sheet)
    .map(({ table, block }) => ({ ...block, bottom: Math.max(block.bottom, table.block.bottom) }));
  const overwritten = new Set(
    calculation.constants().flatMap((edit) => (edit.sheet === sheet ? [`${edit.row},${edit.col}`] : [])),
  );
  const nonConverged = calculation.nonConverged();
  for (let at = 0; at < cells.count; at++) {
    if (cells.formulas[at]! < 0) continue;
    const row = cells.rows[at]!;
    const col = cells.cols[at]!;
    const cell = { top: row, bottom: row, left: col, right: col };
    if (overwritten.has(`${row},${col}`) || moved.some((block) => intersects(block, cell))) continue;
    // Cells that depend on themselves also keep their saved values.
    if (nonConverged?.touch(sheet, cell)) continue;
    const record = cells.formulaTable[cells.formulas[at]!]!;
    if (record.kind === 'dataTable' && !dataTable(sheet, record)) {
      notice(savedTableMessage(name, record.block ?? cell));
      continue;
    }
    const [own] = readBlock(calculation, sheet, cell);
    if (!own || savedResults.retains(sheet, row, col, own.value)) continue;
    const block = filledBlock(calculation, sheet, cells, at, spills);
    if (!block) results.push(own);
    else for (const edit of readBlock(calculation, sheet, block)) results.push(edit);
  }
}

const savedTableMessage = (sheet: string, block: CellBlock): string =>
  `The what-if table ${formatArea(sheet, block)} keeps its saved results in the workbook: it can't be calculated here.`;

/**
 * Returns the range that the array formula or what-if table in a stored cell fills now; null for an ordinary formula.
 */
function filledBlock(
  calculation: Calculation,
  sheet: number,
  cells: SheetCells,
  at: number,
  spills: SpillEdit[],
): CellBlock | null {
  const record = cells.formulaTable[cells.formulas[at]!]!;
  const row = cells.rows[at]!;
  const col = cells.cols[at]!;
  if (record.kind === 'array' || record.kind === 'dataTable') return record.block ?? null;
  if (record.kind !== 'dynamicArray') return null;
  const one = { top: row, bottom: row, left: col, right: col };
  const block = calculation.spill(sheet, row, col) ?? one;
  spills.push({ sheet, row, col, block });
  return block;
}
