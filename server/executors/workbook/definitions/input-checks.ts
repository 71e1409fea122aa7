/** Cells that cannot be an input, and why. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { Area } from './areas.ts';
import { formatArea, heightOf, intersects, widthOf } from './blocks.ts';
import type { FaultList } from './faults.ts';
import { problem } from './faults.ts';
import type { Field } from './field.ts';
import type { Draft } from './parameters.ts';
import { withoutMerge } from './shapes.ts';

const MOST_CELLS = 1_000_000;

/** Tells the faults of an input's cells; false where its definition makes no sense to read on. */
export function checkInputArea(model: WorkbookModel, { area, name, place }: Draft, faults: FaultList): boolean {
  const count = faults.faults.length;
  const { cuts, spills, block, sheet } = area;
  if (cuts) {
    faults.add(
      place,
      problem(
        `The input '${name}' covers only a part of the Excel table ${cuts.name}.`,
        `Let it point to the whole table (=${cuts.name}), or to cells outside of it.`,
      ),
    );
  }
  if (heightOf(block) * widthOf(block) > MOST_CELLS) {
    const message = `The input '${name}' covers more than ${MOST_CELLS} cells.`;
    faults.add(place, problem(message, 'Make it smaller, or an Excel table that grows with its rows.'));
  }
  const named = withoutMerge(model, sheet, block);
  const merge = isOneCell(named) ? null : model.sheets[sheet]!.merges.find((merged) => intersects(merged, named));
  if (merge) {
    faults.add(
      { sheet: place.sheet, cell: formatCell(merge.top, merge.left) },
      problem(`The input '${name}' contains merged cells.`, 'Unmerge them (Home, Merge & Center).'),
    );
  }
  const filled = blockFormula(model, area);
  if (spills || filled) {
    faults.add(
      place,
      problem(
        `The input '${name}' lies in cells that the formula in ${filled ?? place.cell} fills.`,
        'Let it point to cells that hold values.',
      ),
    );
  }
  return faults.faults.length === count;
}

const isOneCell = (block: Area['block']): boolean => heightOf(block) * widthOf(block) === 1;

/** Where an array formula of several cells or a data table starts that fills cells of the area. One of one cell is a formula like others. */
function blockFormula(model: WorkbookModel, { sheet, block }: Area): string | null {
  const found = model.sheets[sheet]!.cells.formulaTable.find(({ kind, cell, block: own }) => {
    const filled = own ?? { top: cell.row, bottom: cell.row, left: cell.col, right: cell.col };
    const isArray = kind === 'array' || kind === 'dynamicArray';
    return (kind === 'dataTable' || (isArray && !isOneCell(filled))) && intersects(filled, block);
  });
  return found ? formatCell(found.cell.row, found.cell.col) : null;
}

/** Fields in which some cells hold formulas and others do not: writing would silence those formulas. */
export function checkFormulas(
  draft: Draft,
  fields: readonly Field[],
  columns: readonly string[],
  faults: FaultList,
): void {
  for (const [index, field] of fields.entries()) {
    if (field.formulas !== 'some') continue;
    const title = columns[index] === undefined ? '' : ` (column ${columns[index]})`;
    const cell = field.firstFormula!;
    faults.add(
      { sheet: draft.place.sheet, cell: formatCell(cell.row, cell.col) },
      problem(
        `The input '${draft.name}'${title} covers a formula, which its values would overwrite.`,
        'Move the formula out of the input, or give all cells of the column a formula if it only suggests a value.',
      ),
    );
  }
}

/** Two inputs in one cell would overwrite each other. */
export function checkOverlaps(model: WorkbookModel, drafts: readonly Draft[], faults: FaultList): void {
  for (const [index, draft] of drafts.entries()) {
    for (const other of drafts.slice(index + 1)) {
      if (draft.area.sheet !== other.area.sheet || !intersects(draft.area.block, other.area.block)) continue;
      const where = formatArea(model.sheets[other.area.sheet]!.name, other.area.block);
      faults.add(
        draft.place,
        problem(
          `The inputs '${draft.name}' and '${other.name}' (${where}) share cells.`,
          'Let each input have cells of its own.',
        ),
      );
    }
  }
}
