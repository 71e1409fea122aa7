/** A workbook as its tables have pushed down what stands below them: made when a run needs more rows than there is room for. */
import type { CalculationModel, UnsupportedFunction } from '#server/calculation/engine.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { insertedBlock, isWholeRows } from '#server/calculation/tables/insert-cells.ts';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import { findTable } from '../definitions/table-references.ts';
import type { WorkbookPackage } from '../package.ts';
import { obstacleBelow } from '../table-room.ts';
import type { TableResize } from '../table-resize.ts';
import { insertCells } from './insert-cells.ts';
import { planRoom } from './plan-room.ts';
import type { ParameterBlock } from './plan-room.ts';

/** A workbook file, what was read of it, and its calculation. Tables have as many rows as the version that was published. */
export interface Layout {
  source: WorkbookPackage;
  model: WorkbookModel;
  /** Never written to: runs work on copies. */
  base: CalculationModel;
  /** The functions that its engine lacks, found when they are first asked for. */
  missing: () => readonly UnsupportedFunction[];
  /** What makes it of the version, in this order; none for the version itself. */
  insertions: readonly CellInsertion[];
}

/**
 * The layout in which these tables have room, the version itself where it has. Tables are given room in the order of the list.
 * Throws WorkbookFileError 'tableBlocked' where what stands below a table cannot be moved.
 */
export type MakeRoom = (wanted: readonly TableResize[]) => Layout;

/** How a layout begins to calculate. */
export type Load = (model: WorkbookModel) => Pick<Layout, 'base' | 'missing'>;

/** Layouts that a version keeps, those used last: a form that is being filled in asks for the same ones again. */
const MAX_LAYOUTS = 2;

export function createLayouts(
  version: Layout,
  parameters: readonly ParameterBlock[],
  load: Load,
): { makeRoom: MakeRoom; count(): number; dispose(): void } {
  const cache = new Map<string, Layout>();
  return {
    count: () => cache.size,
    makeRoom(wanted) {
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
    const plan = planRoom(source, model, table, parametersIn(parameters, insertions));
    if ('reason' in plan) throw blocked(table, obstacle.what, plan.reason);
    if (count > plan.most) throw blocked(table, obstacle.what, 'it would be pushed off the sheet');
    const insertion = { ...plan.insertion, count };
    source = insertCells(source, model, insertion);
    model = readWorkbook(source);
    insertions.push(insertion);
  }
  return insertions.length === 0 ? version : { source, model, insertions, ...load(model) };
}

/** Whole rows that another table beside it has already got right below it. */
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

/** Where a block of the version lies in a layout, its tables as long as in the file. */
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
