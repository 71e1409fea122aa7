/** Handles inputs and outputs that are some cells of an Excel table. They never change the length of the table. */
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Area } from './areas.ts';
import { intersects, tableBody } from './blocks.ts';
import type { ProblemList, Problem } from './problems.ts';
import { problem } from './problems.ts';
import type { Draft } from './parameters.ts';
import { findTable } from './table-references.ts';

const isWithin = (inner: CellBlock, outer: CellBlock): boolean =>
  inner.top >= outer.top && inner.left >= outer.left && inner.bottom <= outer.bottom && inner.right <= outer.right;

/** Returns the column names if an area is a part of a table's data; otherwise null. */
export function partOfTable({ cuts, block }: Pick<Area, 'cuts' | 'block'>): string[] | null {
  if (!cuts || !isWithin(block, tableBody(cuts))) return null;
  const first = block.left - cuts.block.left;
  return cuts.columns.slice(first, first + block.right - block.left + 1).map(({ name }) => name);
}

/** Returns the problem that prevents an area which touches a table from being an input; null if there is none. */
export function tablePartProblem({ cuts, block }: Pick<Area, 'cuts' | 'block'>): Problem | null {
  if (!cuts || partOfTable({ cuts, block })) return null;
  if (!isWithin(block, cuts.block))
    return problem(
      `covers only a part of the Excel table ${cuts.name}, and cells outside of it`,
      `Change it to point to the whole table (=${cuts.name}), to cells of its data, or to cells outside it.`,
    );
  const { name } = cuts;
  const howToFix = `Change it to point to cells of the table's data, or to the whole table (=${name}).`;
  return touchesHeadings(cuts, block)
    ? problem(`covers headings of the Excel table ${name}`, howToFix)
    : problem(`covers totals of the Excel table ${name}`, howToFix);
}

function touchesHeadings(table: TableModel, block: CellBlock): boolean {
  const { top } = table.block;
  return table.headerRows > 0 && intersects(block, { ...table.block, bottom: top + table.headerRows - 1 });
}

/**
 * Refuses inputs within a table that a step fills: the step changes the rows, so the entered values would be
 * overwritten or end up in another row.
 */
export function refuseFilledParts(
  model: WorkbookModel,
  inputs: readonly Draft[],
  steps: readonly StepDefinition[],
  problems: ProblemList,
): void {
  for (const { name, area, location } of inputs) {
    const { cuts } = area;
    if (!cuts || !partOfTable(area)) continue;
    const step = steps.find(
      ({ Action, options }) => FILLING.has(Action) && findTable(model, options['Table'] ?? '') === cuts,
    );
    if (!step) continue;
    const message = `The input '${name}' is a part of the Excel table ${cuts.name}, which the step '${step.Step}' fills.`;
    problems.add(location, problem(message, 'Change it to point to cells outside the table.'));
  }
}

const FILLING: ReadonlySet<string> = new Set(['Import', 'Query']);
