/** Finds cells that cannot be an input, and explains why. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { Area } from './areas.ts';
import { formatArea, heightOf, intersects, widthOf } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import type { Field } from './field.ts';
import type { Draft } from './parameters.ts';
import { readMerges, withoutMerge } from './merged-cells.ts';
import { tablePartProblem } from './table-parts.ts';

const MAX_CELLS = 1_000_000;

/** Reports the problems of an input's cells. Returns false if its definition is not worth reading further. */
export function checkInputArea(
  model: WorkbookModel,
  view: CellView,
  { area, name, location }: Draft,
  problems: ProblemList,
): boolean {
  const count = problems.problems.length;
  const { spills, block, sheet } = area;
  const part = tablePartProblem(area);
  if (part) problems.add(location, problem(`The input '${name}' ${part.message}.`, part.howToFix));
  if (heightOf(block) * widthOf(block) > MAX_CELLS) {
    const message = `The input '${name}' covers more than ${MAX_CELLS} cells.`;
    problems.add(location, problem(message, 'Make it smaller, or use an Excel table that grows with its rows.'));
  }
  const { mismatch } = readMerges(model, view, sheet, withoutMerge(model, sheet, block));
  if (mismatch) {
    const { cells, problem: own } = mismatch;
    problems.add(
      { sheet: location.sheet, cell: formatCell(cells.top, cells.left) },
      problem(`The input '${name}' ${own.message}.`, own.howToFix),
    );
  }
  const filled = blockFormula(model, area);
  if (spills || filled) {
    problems.add(
      location,
      problem(
        `The input '${name}' lies in cells that the formula in ${filled ?? location.cell} fills.`,
        'Change it to point to cells that hold values.',
      ),
    );
  }
  return problems.problems.length === count;
}

const isOneCell = (block: Area['block']): boolean => heightOf(block) * widthOf(block) === 1;

/**
 * Returns the first cell of a multi-cell array formula or a data table that fills cells of the area. A single-cell
 * array formula counts as an ordinary formula.
 */
function blockFormula(model: WorkbookModel, { sheet, block }: Area): string | null {
  const found = model.sheets[sheet]!.cells.formulaTable.find(({ kind, cell, block: own }) => {
    const filled = own ?? { top: cell.row, bottom: cell.row, left: cell.col, right: cell.col };
    const isArray = kind === 'array' || kind === 'dynamicArray';
    return (kind === 'dataTable' || (isArray && !isOneCell(filled))) && intersects(filled, block);
  });
  return found ? formatCell(found.cell.row, found.cell.col) : null;
}

/** Reports fields in which only some cells contain formulas: writing values would overwrite those formulas. */
export function checkFormulas(
  draft: Draft,
  fields: readonly Field[],
  columns: readonly string[],
  problems: ProblemList,
): void {
  for (const [index, field] of fields.entries()) {
    if (field.formulas !== 'some') continue;
    const title = columns[index] === undefined ? '' : ` (column ${columns[index]})`;
    const cell = field.firstFormula!;
    problems.add(
      { sheet: draft.location.sheet, cell: formatCell(cell.row, cell.col) },
      problem(
        `The input '${draft.name}'${title} covers a formula, which its values would overwrite.`,
        'Move the formula out of the input, or give all cells of the column a formula if it only suggests a value.',
      ),
    );
  }
}

/** Reports inputs that share a cell, because they would overwrite each other. */
export function checkOverlaps(model: WorkbookModel, drafts: readonly Draft[], problems: ProblemList): void {
  // Two names for parts of the same merged cells refer to the same cell.
  const blocks = drafts.map(({ area: { sheet, block } }) => withoutMerge(model, sheet, block));
  for (const [index, draft] of drafts.entries()) {
    for (let next = index + 1; next < drafts.length; next++) {
      const other = drafts[next]!;
      if (draft.area.sheet !== other.area.sheet || !intersects(blocks[index]!, blocks[next]!)) continue;
      const where = formatArea(model.sheets[other.area.sheet]!.name, other.area.block);
      problems.add(
        draft.location,
        problem(
          `The inputs '${draft.name}' and '${other.name}' (${where}) share cells.`,
          'Give each input its own cells.',
        ),
      );
    }
  }
}
