/**
 * Moves problems in the Portal sheet rows of marks to the cells of the marks, because the author of a design may not
 * see a Portal sheet.
 */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import type { Mark, MarkRole } from '#shared/contract/designs.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import { intersects } from '../definitions/blocks.ts';
import { createCellView } from '../definitions/cell-view.ts';

const ROLES: ReadonlyMap<string, MarkRole> = new Map([
  ['portalinputs', 'Input'],
  ['portaloutputs', 'Output'],
]);

/** @param model the workbook after the marks were written into it; its tables name the marks in their first column */
export function problemsAtMarks(
  model: WorkbookModel,
  marks: readonly Mark[],
  problems: readonly WorkbookProblem[],
): WorkbookProblem[] {
  const tables = model.tables.filter(({ name }) => ROLES.has(name.toLowerCase()));
  if (tables.length === 0) return [...problems];
  const view = createCellView(model);
  const markOf = ({ Sheet, Cell }: WorkbookProblem): Mark | undefined => {
    const at = Cell === '' ? null : parseBlock(Cell);
    if (!at) return undefined;
    // A table of steps may be beside it, in the same rows.
    const table = tables.find(
      ({ sheet, block }) => model.sheets[sheet]!.name === Sheet && intersects(at, block) && at.top > block.top,
    );
    if (!table) return undefined;
    const name = String(view.cell(table.sheet, at.top, table.block.left).value ?? '');
    return marks.find((mark) => mark.Role === ROLES.get(table.name.toLowerCase()) && mark.Name === name);
  };
  return problems.map((problem) => {
    const mark = markOf(problem);
    return mark ? { ...problem, Sheet: mark.Sheet, Cell: mark.Range } : problem;
  });
}
