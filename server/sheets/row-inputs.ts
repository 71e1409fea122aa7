/** Inputs that a row of a sheet can fill: those with a single value. */
import { cellProblem, readCellText, type CellKind } from '#shared/codecs/cell-text.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import {
  decodeInput,
  isFileInput,
  isFixed,
  mayUseDefault,
  valueShape,
  type FormCell,
} from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { checkInput } from '#shared/rules/input-rules.ts';
import type { RowFile } from '#server/files/received-file.ts';

/** A cell as in JSON; an error is {error}. */
export type SheetCell = number | string | boolean | { error: string } | null;

export interface SheetRows {
  headers: string[];
  /** Non-blank rows with their row numbers in the file, starting at 1. */
  rows: { row: number; cells: SheetCell[] }[];
}

/** Rejects with an AppError 422 if the file cannot be read. */
export type ReadRows = (file: RowFile, signal: AbortSignal) => Promise<SheetRows>;

/** A problem with a cell. */
export interface CellIssue {
  /** For example C7; '' for the sheet as a whole. */
  Cell: string;
  Message: string;
}

export interface RowInput {
  input: Input;
  /** Items of its list; null if it has none, or if formulas calculate them. */
  items: string[] | null;
}

/** Returns the inputs that a column can fill. */
export function rowInputs(
  inputs: readonly Input[],
  pickerItems: ReadonlyMap<number, readonly (string[] | null)[]>,
): RowInput[] {
  return inputs.flatMap((input) => {
    const isFilled =
      valueShape(input.Info) === 'cell' &&
      !isFileInput(input.Info) &&
      !isFixed(input) &&
      input.Info.CellUsages[0] !== 'ActivityRunId';
    if (!isFilled) return [];
    const isCalculated = input.Info.Pickers[0]?.Calculated === true;
    return [{ input, items: isCalculated ? null : (pickerItems.get(input.Id)?.[0] ?? null) }];
  });
}

/** Returns why rows cannot fill all required inputs of the activity; null if they can. */
export function rowObstacle(inputs: readonly Input[], filled: readonly RowInput[]): string | null {
  if (filled.length === 0) return 'The activity has no input that a cell of a row could fill';
  const names = new Set(filled.map(({ input }) => input.Id));
  const other = inputs.find(
    (input) =>
      !names.has(input.Id) &&
      !isFixed(input) &&
      input.Info.CellUsages[0] !== 'ActivityRunId' &&
      checkInput(input, decodeInput(input, [])).length > 0,
  );
  if (!other) return null;
  return `The activity needs its input ${other.Name}, which takes more than a cell of a row holds`;
}

/** Assigns columns of the file to the wanted names. Duplicate and unknown column names are reported as issues. */
export function matchHeaders(
  headers: readonly string[],
  wanted: readonly string[],
  skippedHeaders: readonly string[] = [],
): { columnIndexes: ReadonlyMap<string, number>; issues: CellIssue[] } {
  const columnIndexes = new Map<string, number>();
  const issues: CellIssue[] = [];
  const keys = new Map(wanted.map((name) => [headerKey(name), name]));
  const ignored = new Set(skippedHeaders.map(headerKey));
  for (const [col, header] of headers.entries()) {
    if (header === '' || ignored.has(headerKey(header))) continue;
    const name = keys.get(headerKey(header));
    const Cell = `${columnLetters(col)}1`;
    if (name === undefined) issues.push({ Cell, Message: `There is no input ${header}` });
    else if (columnIndexes.has(name)) issues.push({ Cell, Message: `The column ${header} appears twice` });
    else columnIndexes.set(name, col);
  }
  return { columnIndexes, issues };
}

/**
 * Returns the positions of values without a column name above them. A decimal comma may have split a number, or a name
 * is missing.
 */
export const unnamedCells = (headers: readonly string[], cells: readonly SheetCell[]): number[] =>
  cells.flatMap((cell, col) => ((headers[col] ?? '') === '' && !isBlankCell(cell) ? [col] : []));

export const UNNAMED = 'There is no column name above the value';

export const isBlankCell = (cell: SheetCell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

const headerKey = (text: string): string => text.trim().toLowerCase().replaceAll('_', ' ');

/**
 * Parses a cell as a form would; a null value leaves the input to the workbook. The messages explain why a value is not
 * acceptable.
 */
export function readInputCell({ input, items }: RowInput, cell: SheetCell): { value: FormCell; messages: string[] } {
  const isBlank = isBlankCell(cell);
  if (isBlank && mayUseDefault(input.Info)) return { value: null, messages: [] };
  if (typeof cell === 'object' && cell !== null)
    return { value: null, messages: [`The cell holds the error ${cell.error}`] };
  const kind = cellKindOf(input.Info);
  const value = isBlank ? null : typedCell(cell!, kind);
  const problem = cellProblem(value, kind) ?? booleanProblem(value, kind);
  if (problem !== null) return { value, messages: [problem] };
  const form = decodeInput(input, [{ ActivityParameterId: input.Id, Value: JSON.stringify(value) }]);
  const messages = checkInput(input, form, () => items).map(({ message }) => message);
  return { value, messages: [...new Set(messages)] };
}

/** Returns what a cell of a single-value input accepts. */
export function cellKindOf(Info: Input['Info']): CellKind {
  return {
    usage: Info.CellUsages[0] ?? 'Text',
    format: Info.Formats[0] ?? 'General',
    maxSize: Info.MaxSize[0] ?? null,
    ...(Info.Region ? { region: Info.Region } : {}),
    ...(Info.ExactNumbers ? { isExact: true } : {}),
  };
}

function typedCell(cell: number | string | boolean, kind: CellKind): FormCell {
  const { usage } = kind;
  if (usage === 'Number' || usage === 'Date')
    return typeof cell === 'number' ? cell : readCellText(String(cell), kind).cell;
  if (usage === 'Boolean') return typeof cell === 'boolean' ? cell : readCellText(String(cell), kind).cell;
  // The text is not truncated: a text that is too long must be reported.
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell);
}

const booleanProblem = (value: FormCell, { usage }: CellKind): string | null =>
  usage === 'Boolean' && typeof value === 'string' ? 'Value must be TRUE or FALSE' : null;
