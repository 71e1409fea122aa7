/**
 * The value of an input during editing, and its encoding for transfer. Both the form and the server use this module, so
 * values from other clients are interpreted exactly as by the form. Source: specification of activities, section 5.
 */
import type { CellUsage, Input, InputInfo, OutputInfo, RunInputValue, Specification } from '../contract/parameters.ts';
import { exactCell, parseExactJson, WrittenNumber } from './exact-number.ts';
import { parseExactNumber, parseNumber } from './number-text.ts';

/**
 * One cell; null is blank. A Number holds a number, or the text typed so far, or with ExactNumbers the text of a number
 * with more than 15 digits. A Date holds a serial day, or a text that is not a date yet. A Boolean holds true or false;
 * all others hold a text.
 */
export type FormCell = number | string | boolean | null;

export interface FormFile {
  FileId: string;
  FileName: string;
}

export interface FormInput {
  /** A cell for SingleCell, a list for one row or column, rows of cells for everything else (headers not included). */
  value: FormCell | FormCell[] | FormCell[][];
  /** For file inputs: at most one for a single cell, any number for a column of files. */
  files: FormFile[];
  /** True to use the workbook's own value (Optional not specified explicitly, Suggested unchanged). */
  useDefault: boolean;
}

/**
 * The JSON of a value does not match the input's shape; the message is addressed to the user or program that sent it.
 */
export class InputShapeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InputShapeError';
  }
}

export type ValueShape = 'cell' | 'list' | 'rows';

/** Returns how the value of a range type is nested. */
export function valueShape(info: Pick<InputInfo, 'RangeType'>): ValueShape {
  if (info.RangeType === 'SingleCell') return 'cell';
  const isList = info.RangeType === 'SingleRowOfSimilarValues' || info.RangeType === 'SingleColumnOfSimilarValues';
  return isList ? 'list' : 'rows';
}

/**
 * Returns the index in the per-column lists (CellUsages, Blanks, …) that applies to a cell. With row headers on the
 * left, it is the row.
 */
export function ruleIndex(info: Pick<InputInfo, 'RangeType' | 'CellUsages'>, row: number, col: number): number {
  if (info.CellUsages.length <= 1) return 0;
  const index = info.RangeType === 'RangeWithRowHeaders' ? row : col;
  return Math.min(index, info.CellUsages.length - 1);
}

/** Usages whose value is an uploaded file. */
export const isFileUsage = (usage: CellUsage | undefined): boolean => usage === 'FilePath' || usage === 'FileId';

/** Usages whose value is the name of a folder configured in the server's settings. */
export const isFolderUsage = (usage: CellUsage | undefined): boolean =>
  usage === 'StaticFolder' || usage === 'FolderPath';

/** Returns whether the input takes files instead of a value. */
export const isFileInput = (info: Pick<InputInfo, 'CellUsages'>): boolean => isFileUsage(info.CellUsages[0]);

/** Returns whether every cell of a row is blank, like an unfinished last row of a grid. */
export const isBlankRow = (row: readonly FormCell[]): boolean => row.every((cell) => cell === null || cell === '');

const isClosed = (specification: Specification | undefined): boolean =>
  specification === 'Display' || specification === 'Hidden';

/** Returns the specification of the input as a whole: that of its first editable column, otherwise of a visible one. */
export function wholeSpecification({ Specifications }: Pick<InputInfo, 'Specifications'>): Specification {
  const open = Specifications.find((specification) => !isClosed(specification));
  return open ?? (Specifications.includes('Display') ? 'Display' : (Specifications[0] ?? 'Required'));
}

/** Returns whether a cell is read-only or hidden: its column has the specification Display or Hidden. */
export function isClosedCell(
  info: Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Specifications'>,
  row: number,
  col: number,
): boolean {
  return isClosed(info.Specifications[ruleIndex(info, row, col)] ?? info.Specifications[0]);
}

/** Returns whether a cell is hidden. */
export function isHiddenColumn(
  info: Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Specifications'>,
  row: number,
  col: number,
): boolean {
  return (info.Specifications[ruleIndex(info, row, col)] ?? info.Specifications[0]) === 'Hidden';
}

/**
 * Returns whether the workbook can supply the value: then nothing is sent for the input unless the user specifies it.
 */
export function mayUseDefault(info: Pick<InputInfo, 'Specifications' | 'AllowDefaultValue'>): boolean {
  const specification = wholeSpecification(info);
  return info.AllowDefaultValue || specification === 'Optional' || specification === 'Suggested';
}

/**
 * Returns whether the form never changes the input: all columns are read-only or hidden, it is preset, or the user
 * lacks the right.
 */
export function isFixed(input: Pick<Input, 'Info' | 'HasAccess' | 'PresetValue'>): boolean {
  return input.Info.Specifications.every(isClosed) || input.PresetValue !== null || !input.HasAccess;
}

/** Returns the initial value in a form: the preset value, otherwise the workbook's default, otherwise blanks. */
export function initialFormInput(input: Input): FormInput {
  const { Info } = input;
  // A preset value that does not fit this version is reported as an error and cannot be shown.
  const preset = input.PresetValueError === null ? input.PresetValue : null;
  const stored = preset ?? Info.DefaultValue;
  const specification = wholeSpecification(Info);
  return {
    value: stored === null || isFileInput(Info) ? blankValue(Info) : parseValue(Info, stored),
    files: [],
    useDefault: specification === 'Optional' || specification === 'Suggested',
  };
}

/** Returns blanks in the input's shape. */
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

/** Returns the blank of a usage: false for Boolean, null for numbers and dates, '' for texts. */
export function blankCell(usage: CellUsage | undefined): FormCell {
  if (usage === 'Boolean') return false;
  return usage === 'Number' || usage === 'Date' ? null : '';
}

/**
 * Decodes the entries sent for an input to a form value (used on the server). Several entries of one input are its
 * files. Throws InputShapeError if the JSON does not match the input's shape.
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
  if (files.length > 0) throw new InputShapeError('The input does not accept files');
  const value = first?.Value ?? null;
  const useDefault = first?.UseDefault === true || (value === null && mayUseDefault(input.Info));
  return { value: value === null ? blankValue(input.Info) : parseValue(input.Info, value), files, useDefault };
}

/**
 * Encodes an input for sending, with numeric texts converted to numbers. For an input that cannot be changed, null is
 * sent.
 */
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
  const value = suppliedValue(input, form);
  if (value === undefined) return [{ ActivityParameterId, Value: null, UseDefault: true }];
  return [{ ActivityParameterId, Value: JSON.stringify(value), UseDefault: false }];
}

/** Returns the value that a form supplies for an input without files; undefined if the workbook's own value applies. */
export function suppliedValue(
  { Info }: Pick<Input, 'Info'>,
  form: Pick<FormInput, 'value' | 'useDefault'>,
): FormInput['value'] | undefined {
  if (form.useDefault) return undefined;
  const value = cleanValue(Info, form.value);
  const isBlank = value === null || value === '';
  return isBlank && Info.AllowDefaultValue && !Info.Blanks[0] ? undefined : value;
}

/**
 * Normalizes a value for storage: parses numbers, replaces read-only columns by null so that the workbook supplies
 * them, and removes trailing blank rows of a variable table.
 */
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
    // Values calculated by a workbook may have 17 digits. A text preserves them for consumers that accept only 15
    // digits in a number.
    return typeof cell === 'number' ? (info.ExactNumbers ? exactCell(String(cell)) : cell) : null;
  }
  if (usage === 'Date') return typeof cell === 'number' ? cell : null;
  return cell === null ? '' : String(cell);
}

/**
 * Returns the number that a text represents in a cell of the input, or null. With ExactNumbers, a number with more than
 * 15 digits is returned as text.
 */
export const numberCell = ({ ExactNumbers }: Pick<InputInfo, 'ExactNumbers'>, text: string): number | string | null =>
  ExactNumbers ? parseExactNumber(text) : parseNumber(text);

/**
 * Throws InputShapeError if a program sent a number with more than 15 digits as a JSON number to an input that
 * preserves every digit: programs round such numbers silently before sending. Dates are exempt: most dates with a time
 * have that many digits, and they are precise enough.
 */
export function refuseRounded(info: InputInfo, json: string | null | undefined): void {
  if (!info.ExactNumbers || json == null) return;
  const rounded = findWritten(info, readJson(json, parseExactJson));
  if (rounded === null) return;
  const message = `The number ${rounded} has more than 15 digits and may already have been rounded: send it as text ("${rounded}")`;
  throw new InputShapeError(message);
}

/** Returns the first number with more than 15 digits in a value, ignoring dates; null if there is none. */
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

/** Parses JSON text in the input's shape; throws InputShapeError if the shape differs. */
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
    throw new InputShapeError(
      length === 1 ? 'The value must not have more than 1 cell' : `The value must not have more than ${length} cells`,
    );
  }
  return cells.map((cell) => toCell(cell, info.CellUsages[0]));
}

function toRow(info: InputInfo, cells: unknown, row: number, rows: number): FormCell[] {
  if (!Array.isArray(cells)) throw new InputShapeError('The value must be a list of rows');
  if (!info.RowsVariable && rows > info.Height)
    throw new InputShapeError(
      info.Height === 1
        ? 'The value must not have more than 1 row'
        : `The value must not have more than ${info.Height} rows`,
    );
  if (!info.ColsVariable && cells.length !== info.Width)
    throw new InputShapeError(
      info.Width === 1 ? 'Each row must have 1 cell' : `Each row must have ${info.Width} cells`,
    );
  return cells.map((cell: unknown, col) => toCell(cell, info.CellUsages[ruleIndex(info, row, col)]));
}

function toCell(cell: unknown, usage: CellUsage | undefined): FormCell {
  if (cell === null || cell === undefined) return blankCell(usage);
  if (cell instanceof WrittenNumber) return usage === 'Date' ? cell.value : (exactCell(cell.text) ?? cell.value);
  if (typeof cell === 'object' && 'error' in cell && typeof cell.error === 'string') return cell.error;
  // The preset value of a StaticFolder input.
  if (typeof cell === 'object' && 'FolderKey' in cell && typeof cell.FolderKey === 'string') return cell.FolderKey;
  if (typeof cell === 'string' || typeof cell === 'boolean' || typeof cell === 'number') return cell;
  throw new InputShapeError('A cell must be a number, a text, true, false or null');
}

/**
 * Returns whether the output is a single number, including one displayed as a date: such outputs can be plotted over
 * runs.
 */
export const isSingleNumber = ({ RangeType, CellUsages }: Pick<OutputInfo, 'RangeType' | 'CellUsages'>): boolean =>
  RangeType === 'SingleCell' && (CellUsages[0] === 'Number' || CellUsages[0] === 'Date');
