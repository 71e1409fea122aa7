/**
 * The value of an input while a person edits it, and how it travels. The form and the server both go through here, so
 * that a client without the form is read exactly as the form would be. Source: specification of activities, section 5.
 */
import type { CellUsage, Input, InputInfo, OutputInfo, RunInputValue, Specification } from '../contract/parameters.ts';
import { exactCell, parseExactJson, WrittenNumber } from './exact-number.ts';
import { parseExactNumber, parseNumber } from './number-text.ts';

/**
 * One cell. A Number holds a number, or the text typed so far, or with ExactNumbers the text of one of more than 15 digits; a Date a serial day, or the text that is none yet; a
 * Boolean true or false; everything else a text. Null is blank.
 */
export type FormCell = number | string | boolean | null;

export interface FormFile {
  FileId: string;
  FileName: string;
}

export interface FormInput {
  /** A cell for SingleCell, a list for one row or column, rows of cells for everything else (headers not included). */
  value: FormCell | FormCell[] | FormCell[][];
  /** Of file inputs: one at most for a single cell, any number for a column of files. */
  files: FormFile[];
  /** True: the workbook's own value stands (Optional not specified explicitly, Suggested unchanged). */
  useDefault: boolean;
}

/** A value whose JSON is not of the input's shape; its message is meant for the person or program that sent it. */
export class InputShapeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InputShapeError';
  }
}

export type ValueShape = 'cell' | 'list' | 'rows';

/** How the value of a range type is nested. */
export function valueShape(info: Pick<InputInfo, 'RangeType'>): ValueShape {
  if (info.RangeType === 'SingleCell') return 'cell';
  const isList = info.RangeType === 'SingleRowOfSimilarValues' || info.RangeType === 'SingleColumnOfSimilarValues';
  return isList ? 'list' : 'rows';
}

/** Which element of the per-column lists (CellUsages, Blanks, …) speaks for a cell: its row where headers stand at the left. */
export function ruleIndex(info: Pick<InputInfo, 'RangeType' | 'CellUsages'>, row: number, col: number): number {
  if (info.CellUsages.length <= 1) return 0;
  const index = info.RangeType === 'RangeWithRowHeaders' ? row : col;
  return Math.min(index, info.CellUsages.length - 1);
}

/** Usages whose value is an uploaded file. */
export const isFileUsage = (usage: CellUsage | undefined): boolean => usage === 'FilePath' || usage === 'FileId';

/** Usages whose value is the name of a folder that the settings of the server name. */
export const isFolderUsage = (usage: CellUsage | undefined): boolean =>
  usage === 'StaticFolder' || usage === 'FolderPath';

/** Whether the input takes files instead of a value. */
export const isFileInput = (info: Pick<InputInfo, 'CellUsages'>): boolean => isFileUsage(info.CellUsages[0]);

/** Whether every cell of a row is blank: what an unfinished last row of a grid is. */
export const isBlankRow = (row: readonly FormCell[]): boolean => row.every((cell) => cell === null || cell === '');

const isClosed = (specification: Specification | undefined): boolean =>
  specification === 'Display' || specification === 'Hidden';

/** What holds for the input as a whole: the word of its first column that people may fill in, else of one they may see. */
export function wholeSpecification({ Specifications }: Pick<InputInfo, 'Specifications'>): Specification {
  const open = Specifications.find((specification) => !isClosed(specification));
  return open ?? (Specifications.includes('Display') ? 'Display' : (Specifications[0] ?? 'Required'));
}

/** Whether a cell is shown only, or not even shown: its column says Display or Hidden. */
export function isClosedCell(
  info: Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Specifications'>,
  row: number,
  col: number,
): boolean {
  return isClosed(info.Specifications[ruleIndex(info, row, col)] ?? info.Specifications[0]);
}

/** Whether a cell is not even shown. */
export function isHiddenColumn(
  info: Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Specifications'>,
  row: number,
  col: number,
): boolean {
  return (info.Specifications[ruleIndex(info, row, col)] ?? info.Specifications[0]) === 'Hidden';
}

/** Whether the workbook itself can give the value: nothing is sent for such an input unless the person specifies it. */
export function mayUseDefault(info: Pick<InputInfo, 'Specifications' | 'AllowDefaultValue'>): boolean {
  const specification = wholeSpecification(info);
  return info.AllowDefaultValue || specification === 'Optional' || specification === 'Suggested';
}

/** Whether the form never changes it: shown only or hidden in all its columns, preset, or without the right to. */
export function isFixed(input: Pick<Input, 'Info' | 'HasAccess' | 'PresetValue'>): boolean {
  return input.Info.Specifications.every(isClosed) || input.PresetValue !== null || !input.HasAccess;
}

/** What a form starts with: the preset, else the workbook's default, else blanks. */
export function initialFormInput(input: Input): FormInput {
  const { Info } = input;
  // A preset that does not fit this version is told as an error; it has nothing to show.
  const preset = input.PresetValueError === null ? input.PresetValue : null;
  const stored = preset ?? Info.DefaultValue;
  const specification = wholeSpecification(Info);
  return {
    value: stored === null || isFileInput(Info) ? blankValue(Info) : parseValue(Info, stored),
    files: [],
    useDefault: specification === 'Optional' || specification === 'Suggested',
  };
}

/** Blanks in the input's shape. */
export function blankValue(info: InputInfo): FormInput['value'] {
  const shape = valueShape(info);
  const cell = (row: number, col: number): FormCell => blankCell(info.CellUsages[ruleIndex(info, row, col)]);
  if (shape === 'cell') return cell(0, 0);
  if (shape === 'list') {
    const length = info.RowsVariable || info.ColsVariable ? 0 : Math.max(info.Height, info.Width);
    return Array.from({ length }, () => cell(0, 0));
  }
  const rows = info.RowsVariable ? 0 : info.Height;
  return Array.from({ length: rows }, (_, row) => Array.from({ length: info.Width }, (_, col) => cell(row, col)));
}

/** The blank of a usage: false for Boolean, null for numbers and dates, '' for texts. */
export function blankCell(usage: CellUsage | undefined): FormCell {
  if (usage === 'Boolean') return false;
  return usage === 'Number' || usage === 'Date' ? null : '';
}

/**
 * The form's value of what was sent (server side). Several entries of one input are its files.
 * Throws InputShapeError where the JSON is not of the input's shape.
 */
export function decodeInput(input: Input, entries: readonly RunInputValue[]): FormInput {
  const first = entries[0];
  const files = entries
    .filter((entry) => entry.FileId)
    .sort((a, b) => (a.ArrayIndex ?? 0) - (b.ArrayIndex ?? 0))
    .map((entry) => ({ FileId: entry.FileId!, FileName: entry.FileName ?? '' }));
  if (entries.length > 1 && files.length !== entries.length)
    throw new InputShapeError('The value was sent more than once');
  if (isFileInput(input.Info)) return { value: blankValue(input.Info), files, useDefault: first?.UseDefault === true };
  if (files.length > 0) throw new InputShapeError('The input does not take files');
  const value = first?.Value ?? null;
  const useDefault = first?.UseDefault === true || (value === null && mayUseDefault(input.Info));
  return { value: value === null ? blankValue(input.Info) : parseValue(input.Info, value), files, useDefault };
}

/** What is sent for an input; texts that stand for numbers have become numbers. An input that cannot be changed sends null. */
export function encodeInput(input: Input, form: FormInput): RunInputValue[] {
  const ActivityParameterId = input.Id;
  if (isFixed(input)) return [{ ActivityParameterId, Value: null, UseDefault: true }];
  if (isFileInput(input.Info)) {
    if (form.files.length === 0) {
      return [
        { ActivityParameterId, Value: valueShape(input.Info) === 'cell' ? null : '[]', UseDefault: form.useDefault },
      ];
    }
    return form.files.map((file, ArrayIndex) => ({ ActivityParameterId, ArrayIndex, ...file }));
  }
  if (form.useDefault) return [{ ActivityParameterId, Value: null, UseDefault: true }];
  const value = cleanValue(input.Info, form.value);
  const blank = value === null || value === '';
  if (blank && input.Info.AllowDefaultValue && !input.Info.Blanks[0])
    return [{ ActivityParameterId, Value: null, UseDefault: true }];
  return [{ ActivityParameterId, Value: JSON.stringify(value), UseDefault: false }];
}

/** The value as it is kept: numbers parsed, columns that are only shown left to the workbook, blank rows at the end of a variable table left out. */
export function cleanValue(info: InputInfo, value: FormInput['value']): FormInput['value'] {
  if (!Array.isArray(value)) return cleanCell(info, 0, value);
  if (valueShape(info) === 'list') {
    const list = (value as FormCell[]).map((cell) => cleanCell(info, 0, cell));
    return info.RowsVariable || info.ColsVariable ? dropBlankEnd(list, (cell) => cell === null || cell === '') : list;
  }
  const rows = (value as FormCell[][]).map((cells, row) =>
    cells.map((cell, col) => (isClosedCell(info, row, col) ? null : cleanCell(info, ruleIndex(info, row, col), cell))),
  );
  const isBlank = (cells: FormCell[]): boolean => cells.every((cell) => cell === null || cell === '' || cell === false);
  return info.RowsVariable ? dropBlankEnd(rows, isBlank) : rows;
}

function dropBlankEnd<T>(list: T[], isBlank: (item: T) => boolean): T[] {
  let end = list.length;
  while (end > 0 && isBlank(list[end - 1]!)) end -= 1;
  return list.slice(0, end);
}

function cleanCell(info: InputInfo, index: number, cell: FormCell): FormCell {
  const usage = info.CellUsages[index];
  if (usage === 'Boolean') return cell === true;
  if (usage === 'Number') {
    if (typeof cell === 'string') return numberCell(info, cell);
    // What a workbook calculated may have 17 digits, which a text keeps for whoever takes no more than 15 of a number.
    return typeof cell === 'number' ? (info.ExactNumbers ? exactCell(String(cell)) : cell) : null;
  }
  if (usage === 'Date') return typeof cell === 'number' ? cell : null;
  return cell === null ? '' : String(cell);
}

/** The number a text stands for in a cell of the input, null for anything else. With ExactNumbers the text of one of more than 15 digits. */
export const numberCell = ({ ExactNumbers }: Pick<InputInfo, 'ExactNumbers'>, text: string): number | string | null =>
  ExactNumbers ? parseExactNumber(text) : parseNumber(text);

/**
 * Throws InputShapeError for a number of more than 15 digits that a program sent as a number to an input that keeps every digit: programs
 * round such numbers before they send them, and nobody could tell. A date with a time is such a number of most moments, and exact enough.
 */
export function refuseRounded(info: InputInfo, json: string | null | undefined): void {
  if (!info.ExactNumbers || json == null) return;
  const rounded = findWritten(info, readJson(json, parseExactJson));
  if (rounded === null) return;
  const message = `The number ${rounded} has more than 15 digits: send it as a text ("${rounded}"), as a number it may have been rounded before`;
  throw new InputShapeError(message);
}

/** The first number of more than 15 digits in a value, dates aside; null where there is none. */
function findWritten(info: InputInfo, value: unknown): string | null {
  const rows = (Array.isArray(value) ? value : [value]).map((row: unknown) => (Array.isArray(row) ? row : [row]));
  for (const [row, cells] of rows.entries()) {
    for (const [col, cell] of (cells as unknown[]).entries())
      if (cell instanceof WrittenNumber && info.CellUsages[ruleIndex(info, row, col)] !== 'Date') return cell.text;
  }
  return null;
}

function readJson(json: string, parse: (json: string) => unknown): unknown {
  try {
    return parse(json);
  } catch (cause) {
    throw new InputShapeError(`The value is not JSON: ${(cause as Error).message}`);
  }
}

/** A JSON text in the input's shape; throws InputShapeError where it has another. */
export function parseValue(info: InputInfo, json: string): FormInput['value'] {
  const parsed = readJson(json, info.ExactNumbers ? parseExactJson : (text) => JSON.parse(text) as unknown);
  const shape = valueShape(info);
  if (shape === 'cell') return toCell(parsed, info.CellUsages[0]);
  if (!Array.isArray(parsed)) throw new InputShapeError('The value must be a list');
  if (shape === 'list') return toList(info, parsed);
  return parsed.map((cells: unknown, row) => toRow(info, cells, row, parsed.length));
}

function toList(info: InputInfo, cells: unknown[]): FormCell[] {
  const length = Math.max(info.Height, info.Width);
  if (!info.RowsVariable && !info.ColsVariable && cells.length > length) {
    throw new InputShapeError(`The value must not have more than ${length} cells`);
  }
  return cells.map((cell) => toCell(cell, info.CellUsages[0]));
}

function toRow(info: InputInfo, cells: unknown, row: number, rows: number): FormCell[] {
  if (!Array.isArray(cells)) throw new InputShapeError('The value must be a list of rows');
  if (!info.RowsVariable && rows > info.Height)
    throw new InputShapeError(`The value must not have more than ${info.Height} rows`);
  if (!info.ColsVariable && cells.length !== info.Width)
    throw new InputShapeError(`Each row must have ${info.Width} cells`);
  return cells.map((cell: unknown, col) => toCell(cell, info.CellUsages[ruleIndex(info, row, col)]));
}

function toCell(cell: unknown, usage: CellUsage | undefined): FormCell {
  if (cell === null || cell === undefined) return blankCell(usage);
  if (cell instanceof WrittenNumber) return usage === 'Date' ? cell.value : (exactCell(cell.text) ?? cell.value);
  if (typeof cell === 'object' && 'error' in cell && typeof cell.error === 'string') return cell.error;
  // The preset of a StaticFolder input.
  if (typeof cell === 'object' && 'FolderKey' in cell && typeof cell.FolderKey === 'string') return cell.FolderKey;
  if (typeof cell === 'string' || typeof cell === 'boolean' || typeof cell === 'number') return cell;
  throw new InputShapeError('A cell must be a number, a text, true, false or null');
}

/** Whether it is one number, also one that is shown as a date: what has a course over runs. */
export const isSingleNumber = ({ RangeType, CellUsages }: Pick<OutputInfo, 'RangeType' | 'CellUsages'>): boolean =>
  RangeType === 'SingleCell' && (CellUsages[0] === 'Number' || CellUsages[0] === 'Date');
