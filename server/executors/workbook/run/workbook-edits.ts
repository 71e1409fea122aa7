/** What a run changed, for the workbook it hands back. */
import type { CellEdit } from '#server/calculation/engine.ts';
import { dataTable } from '#server/calculation/graph/data-tables.ts';
import type { SheetCells } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Notice } from '../charts/write-charts.ts';
import { formatArea, intersects } from '../definitions/blocks.ts';
import type { SpillEdit, WorkbookEdits } from '../write-back.ts';
import type { Calculation } from './calculation.ts';

/** `notice` is told which results stay as they were saved. */
export function workbookEdits(calculation: Calculation, notice: Notice = () => undefined): WorkbookEdits {
  const results: CellEdit[] = [];
  const spills: SpillEdit[] = [];
  for (const { table, block } of calculation.resized()) readBlock(calculation, table.sheet, block, results);
  for (const sheet of calculation.model.sheets.keys()) readFormulas(calculation, sheet, { results, spills, notice });
  const constants = calculation.constants();
  return { constants, results, spills, tables: tableResizes(calculation) };
}

function tableResizes(calculation: Calculation): NonNullable<WorkbookEdits['tables']> {
  return calculation.resized().map(({ table, block }) => ({
    table: table.name,
    dataRows: block.bottom - block.top + 1 - table.headerRows - table.totalsRows,
  }));
}

function readBlock(calculation: Calculation, sheet: number, block: CellBlock, results: CellEdit[]): void {
  for (const [y, row] of calculation.read(sheet, block).entries()) {
    for (const [x, value] of row.entries()) results.push({ sheet, row: block.top + y, col: block.left + x, value });
  }
}

/** Formulas outside of resized tables stand where the file has them. */
function readFormulas(
  calculation: Calculation,
  sheet: number,
  { results, spills, notice }: { results: CellEdit[]; spills: SpillEdit[]; notice: Notice },
): void {
  const { cells } = calculation.model.sheets[sheet]!;
  const moved = calculation
    .resized()
    .filter(({ table }) => table.sheet === sheet)
    .map(({ table, block }) => ({ ...block, bottom: Math.max(block.bottom, table.block.bottom) }));
  const overwritten = new Set(
    calculation.constants().flatMap((edit) => (edit.sheet === sheet ? [`${edit.row},${edit.col}`] : [])),
  );
  const unsettled = calculation.unsettled();
  for (let at = 0; at < cells.count; at++) {
    if (cells.formulas[at]! < 0) continue;
    const row = cells.rows[at]!;
    const col = cells.cols[at]!;
    const cell = { top: row, bottom: row, left: col, right: col };
    if (overwritten.has(`${row},${col}`) || moved.some((block) => intersects(block, cell))) continue;
    // what depends on itself stays as saved as well
    if (unsettled?.touch(sheet, cell)) continue;
    const record = cells.formulaTable[cells.formulas[at]!]!;
    const isKept = record.kind === 'dataTable' && !dataTable(sheet, record);
    if (isKept) notice(keptTable(calculation.model.sheets[sheet]!.name, record.block ?? cell));
    else readBlock(calculation, sheet, filledBlock(calculation, sheet, cells, at, spills) ?? cell, results);
  }
}

const keptTable = (sheet: string, block: CellBlock): string =>
  `The what-if table ${formatArea(sheet, block)} keeps its saved results in the workbook: it can't be calculated here.`;

/** What the array formula or what-if table at a stored cell fills now; null for an ordinary formula. */
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
