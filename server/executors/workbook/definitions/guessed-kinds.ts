/** Infers the value type of similar cells, with a reason if the cells do not reveal it themselves. */
import type { Evidence } from '#server/calculation/kinds/formula-types.ts';
import type { ValueKind } from '#server/calculation/kinds/value-kind.ts';
import type { DataValidation, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { CellView, SavedCell } from './cell-view.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import type { Field } from './field.ts';
import type { ListItems } from './list-items.ts';
import type { Draft } from './parameters.ts';
import type { Shape } from './shapes.ts';
import { saidUsage } from './usages.ts';

/** The reason for the type Text if nothing else reveals the type. */
export const UNKNOWN = 'neither its cells nor any formula say what it is';

interface AlikeCells {
  sheet: number;
  block: CellBlock;
  /** The cells of the block that are examined, row by row. */
  cells: readonly SavedCell[];
  /** Positions of these cells. */
  positions: readonly CellPosition[];
  validation: DataValidation | null;
  list: ListItems | null;
}

export interface Kind {
  usage: CellUsage;
  /** The end of a sentence that begins with 'because'; null if the cells reveal the type themselves. */
  guess: string | null;
}

export function kindOf(model: WorkbookModel, view: CellView, alike: AlikeCells): Kind {
  const { cells, validation, list } = alike;
  const said = saidUsage(cells, validation, list);
  const byFormula = validation && said ? null : ofFormula(view, alike, said);
  if (byFormula) return byFormula;
  if (said) return { usage: said, guess: null };
  const evidence = view.formulaTypes?.evidence(alike.sheet, alike.block) ?? null;
  if (evidence) return { usage: evidence.kind, guess: useInWords(model, evidence) };
  return { usage: 'Text', guess: view.formulaTypes ? UNKNOWN : null };
}

/** Returns the result type of the cells' first formula, if the file has no value or a blank one for it. */
function ofFormula(view: CellView, { sheet, cells, positions }: AlikeCells, said: ValueKind | null): Kind | null {
  const at = cells.findIndex(({ formula }) => formula !== null);
  const first = cells[at];
  if (!first || !view.formulaTypes || (said && !first.isCalculated)) return null;
  const { row, col } = positions[at]!;
  const isPlainNumber = said === 'Number' && first.format === 'General';
  const result = said && !isPlainNumber ? null : view.formulaTypes.result(sheet, row, col);
  if (said && result !== 'Date')
    return { usage: said, guess: `its formula results in ${WORDS[said]}; the file has no saved value` };
  return result && { usage: result, guess: `its formula results in ${WORDS[result]}` };
}

const WORDS: Record<ValueKind, string> = {
  Number: 'a number',
  Date: 'a date',
  Boolean: 'TRUE or FALSE',
  Text: 'a text',
};

/** Describes the evidence. Functions appear by name, operators as in formulas. */
function useInWords(model: WorkbookModel, { kind, by, sheet, row, col }: Evidence): string {
  const address = `${model.sheets[sheet]!.name}!${formatCell(row, col)}`;
  if (by === 'format') return `${address}, which hands it on, shows ${WORDS[kind]}`;
  if (by === 'validation') return `the data validation of ${address} uses it as ${WORDS[kind]}`;
  return `the formula in ${address} uses it as ${WORDS[kind]} (${by})`;
}

/** Returns the name of a column in findings, or of the whole input or output if it has only one field. */
export function fieldTitle(draft: Draft, shape: Shape, fields: readonly Field[], index: number): string {
  const title = shape.columnHeaders[index] ?? shape.rowHeaders[index];
  const column = fields.length > 1 && title !== undefined ? ` (${title})` : '';
  return `${draft.kind} '${draft.name}'${column}`;
}

/**
 * Records which columns of an input or output have an inferred type, why, and how to state the type explicitly. Blank
 * cells of an output do not count as inferred.
 */
export function reportGuesses(draft: Draft, shape: Shape, fields: readonly Field[], findings: ProblemList): void {
  const table = draft.kind === 'input' ? 'PortalInputs' : 'PortalOutputs';
  const howToFix = `To choose it yourself, give its cells a number format, or enter CellUsages in ${table}.`;
  for (const [index, { guess, usage, first }] of fields.entries()) {
    if (guess === null || (guess === UNKNOWN && draft.kind === 'output')) continue;
    const message = `The ${fieldTitle(draft, shape, fields, index)} is treated as a ${usage}, because ${guess}.`;
    findings.add({ sheet: draft.location.sheet, cell: formatCell(first.row, first.col) }, problem(message, howToFix));
  }
}
