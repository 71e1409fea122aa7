/**
 * Layouts of a workbook in which tables have pushed down the content below them. A layout is created when a run needs
 * more rows than there is room for.
 */
import type { CalculationModel, UnsupportedFunction } from '#server/calculation/engine.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { insertedBlock, isWholeRows } from '#server/calculation/tables/insert-cells.ts';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import { findTable } from '../definitions/table-references.ts';
import type { WorkbookPackage } from '../package.ts';
import { obstacleBelow } from '../table-space.ts';
import type { TableResize } from '../table-resize.ts';
import { insertCells } from './insert-cells.ts';
import { planSpace } from './plan-space.ts';
import type { ParameterBlock } from './plan-space.ts';

/** A workbook file, its model and its calculation. Tables have the same number of rows as in the published version. */
export interface Layout {
  source: WorkbookPackage;
  model: WorkbookModel;
  /** Never modified: runs work on copies. */
  base: CalculationModel;
  /** Returns the functions that the engine lacks, determined on first use. */
  missing: () => readonly UnsupportedFunction[];
  /** The insertions that create it from the version, in order; empty for the version itself. */
  insertions: readonly CellInsertion[];
}

/**
 * Returns the layout in which these tables have room, or the version itself if it has room. Makes room for the tables
 * in the order of the list. Throws WorkbookFileError 'tableBlocked' if content below a table cannot be moved.
 */
export type MakeSpace = (wanted: readonly TableResize[]) => Layout;

/** Starts the calculation of a layout. */
export type Load = (model: WorkbookModel) => Pick<Layout, 'base' | 'missing'>;

/**
 * Maximum number of cached layouts per version, most recently used: a form that is being filled in requests the same
 * ones again.
 */
const MAX_LAYOUTS = 2;

export function createLayouts(
  version: Layout,
  parameters: readonly ParameterBlock[],
  load: Load,
): { makeSpace: MakeSpace; count(): number; dispose(): void } {
  const cache = new Map<string, Layout>();
  return {
    count: () => cache.size,
    makeSpace(wanted) {
      const growing = wanted.filter(({ table, dataRows }) => grows(version.model, table, dataRows));
      if (growing.length === 0) return version;
      const key = JSON.stringify(growing);
      const layout = cache.get(key) ?? layoutFor(version, parameters, load, growing);
      if (layout === version) return version;
      cache.delete(key);
      cache.set(key, layout);
      for (const [oldest, old] of cache) {
        if (cache.size <= MAX_LAYOUTS) break;
        cache.delete(oldest);
        old.base.dispose();
      }
      return layout;
    },
    dispose() {
      for (const { base } of cache.values()) base.dispose();
      cache.clear();
    },
  };
}

const bottomOf = ({ block, headerRows, totalsRows }: TableModel, dataRows: number): number =>
  block.top + headerRows + dataRows + totalsRows - 1;

function grows(model: WorkbookModel, name: string, dataRows: number): boolean {
  const table = findTable(model, name);
  return table !== null && table !== undefined && bottomOf(table, dataRows) > table.block.bottom;
}

function layoutFor(
  version: Layout,
  parameters: readonly ParameterBlock[],
  load: Load,
  wanted: readonly TableResize[],
): Layout {
  let { source, model } = version;
  const insertions: CellInsertion[] = [];
  for (const { table: name, dataRows } of wanted) {
    const table = findTable(model, name)!;
    const bottom = bottomOf(table, dataRows);
    const obstacle = obstacleBelow(model, table, bottom);
    if (!obstacle) continue;
    const count = bottom - table.block.bottom - rowsBelow(table, insertions);
    const plan = planSpace(source, model, table, parametersIn(parameters, insertions));
    if ('reason' in plan) throw blocked(table, obstacle.what, plan.reason);
    if (count > plan.maxInsertedRows) throw blocked(table, obstacle.what, 'it would be pushed off the sheet');
    const insertion = { ...plan.insertion, count };
    source = insertCells(source, model, insertion);
    model = readWorkbook(source);
    insertions.push(insertion);
  }
  return insertions.length === 0 ? version : { source, model, insertions, ...load(model) };
}

/** Returns the number of whole rows directly below a table that were already inserted for another table beside it. */
function rowsBelow({ sheet, block }: TableModel, insertions: readonly CellInsertion[]): number {
  const below = insertions.filter((own) => own.sheet === sheet && isWholeRows(own) && own.row === block.bottom + 1);
  return below.reduce((sum, { count }) => sum + count, 0);
}

function blocked({ name }: TableModel, obstacle: string, reason: string): WorkbookFileError {
  return new WorkbookFileError(
    'tableBlocked',
    `Table '${name}' has no room to grow: ${obstacle} is in the way and cannot be moved down, because ${reason}. Move it to another place or sheet.`,
  );
}

function parametersIn(
  parameters: readonly ParameterBlock[],
  insertions: readonly CellInsertion[],
): readonly ParameterBlock[] {
  if (insertions.length === 0) return parameters;
  return parameters.map((parameter) => ({
    ...parameter,
    block: blockIn(parameter.sheet, parameter.block, insertions),
  }));
}

/** Returns the position of a block of the version in a layout, with its tables as long as in the file. */
export function blockIn(
  sheet: number,
  block: ParameterBlock['block'],
  insertions: readonly CellInsertion[],
): ParameterBlock['block'] {
  return insertions.reduce(
    (moved, insertion) => (insertion.sheet === sheet ? insertedBlock(moved, insertion) : moved),
    block,
  );
}
