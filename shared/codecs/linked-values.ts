/**
 * Converts outputs of a run to inputs of a linked activity. Both the form that shows them and the server that enforces
 * them use this module. Source: specification of activities, sections 2 and 4.
 */
import type { Input, OutputInfo } from '../contract/parameters.ts';
import {
  InputShapeError,
  blankValue,
  isFileInput,
  parseValue,
  valueShape,
  type FormCell,
  type FormFile,
  type FormInput,
} from './input-form.ts';

/** The result of a run for an output: its JSON text, or its files. */
export interface OutputValue {
  json: string | null;
  files: readonly FormFile[];
}

const FILTERED = ['RangeWithColumnHeaders', 'SingleColumnOfSimilarValues', 'MatrixWithoutHeaders'];

/**
 * Returns whether rows of an output may be filtered. Rows with their own names may not, because each belongs at its
 * position.
 */
export const isRowFilterable = ({ RangeType }: Pick<OutputInfo, 'RangeType'>): boolean => FILTERED.includes(RangeType);

/**
 * Converts an output of a run to the value of an input. Throws InputShapeError if the input cannot take it.
 * @param rows row indexes to take, from 0, in order; null for all. Ignored if rows have their own names.
 */
export function linkedFormInput(input: Input, { json, files }: OutputValue, rows: readonly number[] | null): FormInput {
  if (isFileInput(input.Info)) return { value: blankValue(input.Info), files: [...files], useDefault: false };
  if (json === null) throw new InputShapeError('The run has no value for this input');
  const filtered = rows !== null && isRowFilterable(input.Info) ? rowsOf(json, rows) : json;
  return { value: parseValue(input.Info, filtered), files: [], useDefault: false };
}

function rowsOf(json: string, rows: readonly number[]): string {
  const all = JSON.parse(json) as unknown[];
  return JSON.stringify(rows.flatMap((row) => (row < all.length ? [all[row]] : [])));
}

/** Returns whether the user may change nothing in the input. */
export const isLocked = ({ ReadOnly }: Pick<Input, 'ReadOnly'>): boolean =>
  ReadOnly !== undefined && ReadOnly.every((one) => one);

/** Returns whether the user may change some columns but not others. In that case they cannot add or remove rows. */
export const isPartlyLocked = (input: Pick<Input, 'ReadOnly'>): boolean =>
  (input.ReadOnly?.includes(true) ?? false) && !isLocked(input);

/** Returns whether a cell must not be changed. */
export function isLockedCell({ ReadOnly, Info }: Pick<Input, 'ReadOnly' | 'Info'>, row: number, col: number): boolean {
  if (ReadOnly === undefined) return false;
  if (ReadOnly.length <= 1) return ReadOnly[0] ?? false;
  const index = Info.RangeType === 'RangeWithRowHeaders' ? row : col;
  return ReadOnly[Math.min(index, ReadOnly.length - 1)]!;
}

/**
 * Merges the user's values into the run's values: locked cells keep the values of the run. Throws InputShapeError if
 * rows were added or removed.
 */
export function withLockedCells(input: Input, linked: FormInput, sent: FormInput): FormInput {
  if (isLocked(input)) return linked;
  if (!isPartlyLocked(input)) return sent;
  if (valueShape(input.Info) !== 'rows') return linked;
  const rows = linked.value as FormCell[][];
  const changed = sent.value as FormCell[][];
  if (changed.length !== rows.length) throw new InputShapeError('Rows cannot be added or removed');
  const value = rows.map((cells, row) =>
    cells.map((cell, col) => (isLockedCell(input, row, col) ? cell : (changed[row]![col] ?? null))),
  );
  return { ...sent, value };
}
