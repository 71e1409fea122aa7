/**
 * A copy of a workbook that follows a form. It receives only the cells that users change, so that only what depends on
 * them is recalculated.
 */
import type { ActivityDefinition, InputDefinition } from '#server/executors/activity-definition.ts';
import type { FormInputValue } from '#server/executors/executor.ts';
import { isFileInput, ruleIndex } from '#shared/codecs/input-form.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { CellView } from '../definitions/cell-view.ts';
import type { Calculation } from './calculation.ts';
import { isBlankCell, valueRows, writeFileNames, writeRows } from './input-cells.ts';

export interface FormModel {
  readonly calculation: Calculation;
  /** The values written into inputs, by name. */
  readonly written: Map<string, Written>;
}

interface Written {
  /** The received text, to detect quickly that nothing changed. */
  text: string;
  rows: FormCell[][];
  /** True if a formula was overwritten. */
  hasOverrides: boolean;
}

/** A value to be written. It is parsed once, even if several models ask for it. */
export interface WantedValue {
  text: string;
  fileNames: readonly string[];
  /** Throws InputValueError if the value is not valid for the input. */
  rows(): FormCell[][];
}

/** The values that inputs should have, by name. Inputs that keep the workbook's own value are omitted. */
export type Wanted = ReadonlyMap<string, WantedValue>;

export function wantedOf(definition: ActivityDefinition, values: readonly FormInputValue[]): Map<string, WantedValue> {
  const wanted = new Map<string, WantedValue>();
  for (const { Name, value, fileNames } of values) {
    const text = fileNames.length > 0 ? JSON.stringify(fileNames) : value;
    const input = definition.inputs.find((candidate) => candidate.Name === Name);
    if (!input || text === null) continue;
    let rows: FormCell[][] | null = null;
    wanted.set(Name, { text, fileNames, rows: () => (rows ??= isFileInput(input.Info) ? [] : valueRows(input, text)) });
  }
  return wanted;
}

/**
 * Returns how many inputs of a model must be written to reach the wanted state; null if that is impossible because an
 * overwritten formula would have to be restored.
 */
export function distance(model: FormModel, definition: ActivityDefinition, wanted: Wanted): number | null {
  let count = 0;
  for (const input of definition.inputs) {
    const wantedValue = wanted.get(input.Name);
    const written = model.written.get(input.Name);
    if (wantedValue?.text === written?.text) continue;
    if (written && (!wantedValue || needsFormula(input, written, wantedValue))) return null;
    count += 1;
  }
  return count;
}

/** Returns true if an overwritten cell is blank again: in a calculated column, that requires its formula. */
function needsFormula(input: InputDefinition, written: Written, wantedValue: WantedValue): boolean {
  if (!written.hasOverrides || input.Info.RangeType === 'SingleCell') return false;
  const rows = wantedValue.rows();
  return written.rows.some(
    (cells, row) =>
      row < rows.length &&
      cells.some(
        (cell, col) => isOverride(input, cell, row, col) && !isOverride(input, rows[row]![col] ?? null, row, col),
      ),
  );
}

/** Returns true if a value replaces the result of a formula. */
function isOverride({ Info }: InputDefinition, cell: FormCell, row: number, col: number): boolean {
  const index = ruleIndex(Info, row, col);
  return Info.Calculated?.[index] === true && !isBlankCell(cell, Info.CellUsages[index] ?? 'Text');
}

/** Writes the changed values. Throws InputValueError if a value is not valid for its input. */
export function advance(model: FormModel, view: CellView, definition: ActivityDefinition, wanted: Wanted): void {
  const { calculation, written } = model;
  for (const input of definition.inputs) {
    const wantedValue = wanted.get(input.Name);
    if (!wantedValue || wantedValue.text === written.get(input.Name)?.text) continue;
    const rows = wantedValue.rows();
    if (isFileInput(input.Info)) writeFileNames(calculation, input, wantedValue.fileNames);
    else writeRows(calculation, view, input, rows, written.get(input.Name)?.rows ?? null);
    const hasOverrides =
      input.Info.Calculated !== undefined &&
      rows.some((cells, row) => cells.some((cell, col) => isOverride(input, cell, row, col)));
    written.set(input.Name, { text: wantedValue.text, rows, hasOverrides });
  }
}
