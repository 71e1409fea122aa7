/**
 * One copy of a workbook that follows a form: it is given what people typed, cell by cell as it changes, so that only what
 * depends on it is calculated again.
 */
import type { ActivityDefinition, FormInputValue, InputDefinition } from '#server/executors/executor.ts';
import { isFileInput, ruleIndex } from '#shared/codecs/input-form.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { CellView } from '../definitions/cell-view.ts';
import type { Calculation } from './calculation.ts';
import { isBlankCell, valueRows, writeFileNames, writeRows } from './input-cells.ts';

export interface FormModel {
  readonly calculation: Calculation;
  /** By name: what was written into inputs. */
  readonly written: Map<string, Written>;
}

interface Written {
  /** What came, to see at once that nothing changed. */
  text: string;
  rows: FormCell[][];
  /** Whether a formula was written over. */
  hasOverrides: boolean;
}

/** A value as it is to be written; read once, however many models are asked about it. */
export interface WantedValue {
  text: string;
  fileNames: readonly string[];
  /** Throws InputValueError where the value is none of the input's. */
  rows(): FormCell[][];
}

/** What the inputs are to hold, by name; those that are the workbook's own are left out. */
export type Wanted = ReadonlyMap<string, WantedValue>;

export function wantedOf(definition: ActivityDefinition, given: readonly FormInputValue[]): Map<string, WantedValue> {
  const wanted = new Map<string, WantedValue>();
  for (const { Name, value, fileNames } of given) {
    const text = fileNames.length > 0 ? JSON.stringify(fileNames) : value;
    const input = definition.inputs.find((candidate) => candidate.Name === Name);
    if (!input || text === null) continue;
    let rows: FormCell[][] | null = null;
    wanted.set(Name, { text, fileNames, rows: () => (rows ??= isFileInput(input.Info) ? [] : valueRows(input, text)) });
  }
  return wanted;
}

/**
 * How many inputs a model must be given to hold what is wanted; null where it cannot, because a formula that was written
 * over would have to come back.
 */
export function distance(model: FormModel, definition: ActivityDefinition, wanted: Wanted): number | null {
  let count = 0;
  for (const input of definition.inputs) {
    const given = wanted.get(input.Name);
    const written = model.written.get(input.Name);
    if (given?.text === written?.text) continue;
    if (written && (!given || needsFormula(input, written, given))) return null;
    count += 1;
  }
  return count;
}

/** Whether a cell that was written over is blank again: in a calculated column, that asks for the formula. */
function needsFormula(input: InputDefinition, written: Written, given: WantedValue): boolean {
  if (!written.hasOverrides || input.Info.RangeType === 'SingleCell') return false;
  const rows = given.rows();
  return written.rows.some(
    (cells, row) =>
      row < rows.length &&
      cells.some(
        (cell, col) => isOverride(input, cell, row, col) && !isOverride(input, rows[row]![col] ?? null, row, col),
      ),
  );
}

/** Whether a value stands in a cell that a formula would calculate. */
function isOverride({ Info }: InputDefinition, cell: FormCell, row: number, col: number): boolean {
  const index = ruleIndex(Info, row, col);
  return Info.Calculated?.[index] === true && !isBlankCell(cell, Info.CellUsages[index] ?? 'Text');
}

/** Writes what changed. Throws InputValueError where a value is none of its input's. */
export function advance(model: FormModel, view: CellView, definition: ActivityDefinition, wanted: Wanted): void {
  const { calculation, written } = model;
  for (const input of definition.inputs) {
    const given = wanted.get(input.Name);
    if (!given || given.text === written.get(input.Name)?.text) continue;
    const rows = given.rows();
    if (isFileInput(input.Info)) writeFileNames(calculation, input, given.fileNames);
    else writeRows(calculation, view, input, rows, written.get(input.Name)?.rows ?? null);
    const hasOverrides =
      input.Info.Calculated !== undefined &&
      rows.some((cells, row) => cells.some((cell, col) => isOverride(input, cell, row, col)));
    written.set(input.Name, { text: given.text, rows, hasOverrides });
  }
}
