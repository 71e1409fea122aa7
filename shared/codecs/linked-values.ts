/**
 * What outputs of a run become as inputs of a linked activity. The form that shows it and the server that enforces it
 * both go through here. Source: specification of activities, sections 2 and 4.
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

/** What a run gave for an output: its JSON text, or its files. */
export interface OutputValue {
  json: string | null;
  files: readonly FormFile[];
}

const FILTERED = ['RangeWithColumnHeaders', 'SingleColumnOfSimilarValues', 'MatrixWithoutHeaders'];

/** Whether rows of an output may be left out: those with names of their own belong to their places. */
export const isRowFilterable = ({ RangeType }: Pick<OutputInfo, 'RangeType'>): boolean => FILTERED.includes(RangeType);

/**
 * The value of an input as a run gives it. Throws InputShapeError where the input cannot take it.
 * @param rows rows to take, from 0, in their order; null for all. Of no effect where rows have names of their own.
 */
export function linkedFormInput(input: Input, { json, files }: OutputValue, rows: readonly number[] | null): FormInput {
  if (isFileInput(input.Info)) return { value: blankValue(input.Info), files: [...files], useDefault: false };
  if (json === null) throw new InputShapeError('The run has no value for it');
  const filtered = rows !== null && isRowFilterable(input.Info) ? rowsOf(json, rows) : json;
  return { value: parseValue(input.Info, filtered), files: [], useDefault: false };
}

function rowsOf(json: string, rows: readonly number[]): string {
  const all = JSON.parse(json) as unknown[];
  return JSON.stringify(rows.flatMap((row) => (row < all.length ? [all[row]] : [])));
}

/** Whether a person may change nothing of the input. */
export const isLocked = ({ ReadOnly }: Pick<Input, 'ReadOnly'>): boolean =>
  ReadOnly !== undefined && ReadOnly.every((one) => one);

/** Whether a person may change some columns and not others: then they can neither add rows nor take them away. */
export const isPartlyLocked = (input: Pick<Input, 'ReadOnly'>): boolean =>
  (input.ReadOnly?.includes(true) ?? false) && !isLocked(input);

/** Whether nobody may change a cell. */
export function isLockedCell({ ReadOnly, Info }: Pick<Input, 'ReadOnly' | 'Info'>, row: number, col: number): boolean {
  if (ReadOnly === undefined) return false;
  if (ReadOnly.length <= 1) return ReadOnly[0] ?? false;
  const index = Info.RangeType === 'RangeWithRowHeaders' ? row : col;
  return ReadOnly[Math.min(index, ReadOnly.length - 1)]!;
}

/** What a person made of what the run gave: locked cells are the run's. Throws InputShapeError where rows were added or taken away. */
export function withLockedCells(input: Input, given: FormInput, sent: FormInput): FormInput {
  if (isLocked(input)) return given;
  if (!isPartlyLocked(input)) return sent;
  if (valueShape(input.Info) !== 'rows') return given;
  const rows = given.value as FormCell[][];
  const changed = sent.value as FormCell[][];
  if (changed.length !== rows.length) throw new InputShapeError('Rows can neither be added nor removed');
  const value = rows.map((cells, row) =>
    cells.map((cell, col) => (isLockedCell(input, row, col) ? cell : (changed[row]![col] ?? null))),
  );
  return { ...sent, value };
}
