/** Refuses results that depend on themselves. Excel calculates none of them, so no run could read one. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import { formatArea } from './definitions/blocks.ts';
import type { ReadCells } from './definitions/watched-cells.ts';
import type { NonConvergedCells } from './run/non-converged-cells.ts';

/** Maximum number of cells of a circular reference that a message names. */
const MAX_NAMED = 10;

export function circularProblems(
  model: WorkbookModel,
  read: readonly ReadCells[],
  nonConverged: NonConvergedCells | null,
): WorkbookProblem[] {
  return read.flatMap(({ title, sheet, block }) => {
    const circle = nonConverged?.circle(sheet, block) ?? [];
    const [first] = circle;
    if (!first) return [];
    const names = circle.slice(0, MAX_NAMED).map(({ sheet: own, row, col }) => {
      return formatArea(model.sheets[own]!.name, { top: row, left: col, bottom: row, right: col });
    });
    const cells = circle.length > MAX_NAMED ? [...names, '…'].join(', ') : names.join(', ');
    return {
      Sheet: model.sheets[first.sheet]!.name,
      Cell: formatCell(first.row, first.col),
      Message: `${title} depends on formulas that depend on themselves: ${cells}. It has no value, and every run would fail.`,
      Remedy:
        'Change one of these formulas so that it no longer reads its own result, or switch on iterative calculation in Excel (File, Options, Formulas).',
    };
  });
}
