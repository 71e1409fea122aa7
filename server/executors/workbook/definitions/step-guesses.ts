/** Reports inferred types of cells that steps fill, at upload, in the same way as those of inputs. */
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { resolveArea } from './areas.ts';
import { tableBody } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import { fieldsOf } from './fields.ts';
import type { Field } from './field.ts';
import { kindOf } from './guessed-kinds.ts';
import type { Kind } from './guessed-kinds.ts';
import { validationAt } from './list-items.ts';
import { findTable } from './table-references.ts';

/** Returns a field per table column, with the type inferred from its cells and from the formulas that read them. */
export function tableFields(model: WorkbookModel, view: CellView, table: TableModel): Field[] {
  return fieldsOf(model, view, table.sheet, {
    rangeType: 'RangeWithColumnHeaders',
    data: tableBody(table),
    headerRows: table.headerRows,
    headerCols: 0,
    columnHeaders: table.columns.map(({ name }) => name),
    rowHeaders: [],
  });
}

/** Returns the type of a cell that receives an answer. */
export function answerKind(model: WorkbookModel, view: CellView, sheet: number, { row, col }: CellPosition): Kind {
  const block = { top: row, left: col, bottom: row, right: col };
  const validation = validationAt(model, sheet, { row, col });
  return kindOf(model, view, {
    sheet,
    block,
    cells: [view.cell(sheet, row, col)],
    positions: [{ row, col }],
    validation,
    list: null,
  });
}

/**
 * Records which columns of Import and Query steps and which cells of prompts have an inferred type, why, and how to
 * state it explicitly.
 */
export function reportStepGuesses(
  model: WorkbookModel,
  view: CellView,
  steps: readonly StepDefinition[],
  findings: ProblemList,
): void {
  const reported = new Set<TableModel>();
  for (const { Step, Action, options } of steps) {
    const table = FILLING.has(Action) ? findTable(model, options['Table'] ?? '') : undefined;
    if (table && !reported.has(table)) {
      reported.add(table);
      reportTable(model, view, table, Step, findings);
    }
    if (Action === 'Prompt') reportPrompt(model, view, options['Cell'] ?? '', Step, findings);
  }
}

const FILLING: ReadonlySet<string> = new Set(['Import', 'Query']);
const HOW_TO_FIX = 'To choose it yourself, give its cells a number format.';

function reportTable(
  model: WorkbookModel,
  view: CellView,
  table: TableModel,
  step: string,
  findings: ProblemList,
): void {
  for (const [index, { guess, usage, first, formulas }] of tableFields(model, view, table).entries()) {
    const { name, calculatedFormula } = table.columns[index]!;
    if (guess === null || formulas === 'all' || calculatedFormula !== undefined) continue;
    const message = `The column ${table.name}[${name}], which the step '${step}' fills, is treated as a ${usage}, because ${guess}.`;
    findings.add(locationIn(model, table.sheet, first), problem(message, HOW_TO_FIX));
  }
}

function reportPrompt(model: WorkbookModel, view: CellView, cell: string, step: string, findings: ProblemList): void {
  const found = resolveArea(model, cell, null);
  if (!('area' in found)) return;
  const { sheet, block } = found.area;
  const first = { row: block.top, col: block.left };
  const { usage, guess } = answerKind(model, view, sheet, first);
  if (guess === null) return;
  const message = `The answer of the step '${step}' is treated as a ${usage}, because ${guess}.`;
  findings.add(locationIn(model, sheet, first), problem(message, HOW_TO_FIX));
}

const locationIn = (model: WorkbookModel, sheet: number, { row, col }: CellPosition) => ({
  sheet: model.sheets[sheet]!.name,
  cell: formatCell(row, col),
});
