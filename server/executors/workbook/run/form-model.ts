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
}

/** What the inputs are to hold, by name; one without a value is the workbook's own. */
export type Wanted = ReadonlyMap<string, FormInputValue>;

const textOf = ({ value, fileNames }: FormInputValue): string | null =>
  fileNames.length > 0 ? JSON.stringify(fileNames) : value;

/**
 * How many inputs a model must be given to hold what is wanted; null where it cannot, because a formula that was written
 * over would have to come back.
 */
export function distance(model: FormModel, definition: ActivityDefinition, wanted: Wanted): number | null {
  let count = 0;
  for (const input of definition.inputs) {
    const given = wanted.get(input.Name);
    const text = given ? textOf(given) : null;
    const written = model.written.get(input.Name);
    if (text === (written?.text ?? null)) continue;
    if (written && (text === null || needsFormula(input, written, text))) return null;
    count += 1;
  }
  return count;
}

/** Whether a cell that was written over is blank again: in a calculated column, that asks for the formula. */
function needsFormula(input: InputDefinition, written: Written, text: string): boolean {
  const calculated = input.Info.Calculated;
  if (!calculated || isFileInput(input.Info) || input.Info.RangeType === 'SingleCell') return false;
  const rows = valueRows(input, text);
  return written.rows.some((cells, row) =>
    cells.some((cell, col) => {
      const index = ruleIndex(input.Info, row, col);
      const usage = input.Info.CellUsages[index] ?? 'Text';
      const next = rows[row]?.[col] ?? null;
      return calculated[index] === true && row < rows.length && !isBlankCell(cell, usage) && isBlankCell(next, usage);
    }),
  );
}

/** Writes what changed. Throws InputValueError where a value is none of its input's. */
export function advance(model: FormModel, view: CellView, definition: ActivityDefinition, wanted: Wanted): void {
  const { calculation, written } = model;
  for (const input of definition.inputs) {
    const given = wanted.get(input.Name);
    const text = given ? textOf(given) : null;
    if (!given || text === null || text === written.get(input.Name)?.text) continue;
    if (isFileInput(input.Info)) {
      writeFileNames(calculation, input, given.fileNames);
      written.set(input.Name, { text, rows: [] });
      continue;
    }
    const rows = valueRows(input, text);
    writeRows(calculation, view, input, rows, written.get(input.Name)?.rows ?? null);
    written.set(input.Name, { text, rows });
  }
}
