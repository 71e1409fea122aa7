/** The initial values of a run form, and which inputs it shows. */
import {
  blankCell,
  decodeInput,
  initialFormInput,
  isClosedCell,
  isFixed,
  parseValue,
  ruleIndex,
  valueShape,
  wholeSpecification,
  type FormCell,
  type FormInput,
} from '#shared/codecs/input-form.ts';
import { isLockedCell, isPartlyLocked } from '#shared/codecs/linked-values.ts';
import type { Input, InputInfo, RunInput } from '#shared/contract/parameters.ts';
import type { CellKind } from '#shared/codecs/cell-text.ts';
import { countsBlankRows } from '#shared/rules/blank-rows.ts';
import { said, t } from '#renderer/language/translate.ts';
import { personRegion } from '#renderer/language/region.ts';
import { MAX_ROWS, withRowToTypeIn, type GridRows, type GridShape } from './grid/grid-rows.ts';

export type Forms = Record<number, FormInput>;

/**
 * True if two inputs of the same name accept the same values. A draft or an earlier run then fits a new version of the
 * activity.
 */
export function fitsInput(a: InputInfo, b: InputInfo): boolean {
  const columns = (info: InputInfo): string => info.CellUsages.join();
  const width = (info: InputInfo): number => (info.ColsVariable ? 0 : info.Width);
  return a.RangeType === b.RangeType && columns(a) === columns(b) && width(a) === width(b);
}

/**
 * Returns the inputs of an earlier run as a form of the current version. Inputs that no longer fit start with their
 * defaults.
 */
export function formsOfRun(inputs: readonly Input[], runInputs: readonly RunInput[]): Forms {
  const forms: Forms = {};
  for (const input of inputs) {
    const entries = runInputs.filter((entry) => entry.Name === input.Name);
    const first = entries[0];
    if (!first || first.HasPresetValue || isFixed(input) || !fitsInput(first.ParameterInfo, input.Info)) continue;
    const form = first.UseDefault ? initialFormInput(input) : decodeOrNull(input, entries);
    if (form) forms[input.Id] = { ...form, useDefault: first.UseDefault };
  }
  return forms;
}

function decodeOrNull(input: Input, entries: readonly RunInput[]): FormInput | null {
  try {
    return decodeInput(input, entries);
  } catch {
    // The value has a shape that the current input cannot have, so ignore it.
    return null;
  }
}

/**
 * Fills display-only and hidden columns from the workbook. Runs do not store these columns, and a draft may be from an
 * older version.
 */
export function withWorkbookColumns(input: Input, form: FormInput): FormInput {
  const { Info } = input;
  const rows = form.value;
  const isClosed = Info.Specifications.map((specification) => /^(Display|Hidden)$/.test(specification));
  if (valueShape(Info) !== 'rows' || !Array.isArray(rows) || !isClosed.includes(true)) return form;
  const workbook = initialFormInput(input).value as FormCell[][];
  const value = (rows as FormCell[][]).map((cells, row) =>
    cells.map((cell, col) => (isClosedCell(Info, row, col) ? (workbook[row]?.[col] ?? cell) : cell)),
  );
  return { ...form, value };
}

/**
 * Returns the value that the form offers to restore: what the workbook calculates for a Suggested input, else the
 * workbook's own value.
 */
export function suggestionOf(input: Input, live?: FormInput['value']): FormInput['value'] | null {
  if (wholeSpecification(input.Info) !== 'Suggested') return null;
  if (live !== undefined) return live;
  if (input.Info.DefaultValue === null) return null;
  return parseValue(input.Info, input.Info.DefaultValue);
}

export const isHiddenInput = (input: Input): boolean => wholeSpecification(input.Info) === 'Hidden';

/** Returns what one cell of the input accepts. */
export const cellKind = (info: InputInfo, row: number, col: number): CellKind =>
  kindOfColumn(info, ruleIndex(info, row, col));

/** Returns what the cells accept that belong to one element of the per-column lists. */
export function kindOfColumn(info: InputInfo, index: number): CellKind {
  return {
    usage: info.CellUsages[index] ?? info.CellUsages[0] ?? 'Text',
    format: info.Formats[index] ?? info.Formats[0] ?? 'General',
    maxSize: info.MaxSize[index] ?? null,
    region: personRegion(),
    canAsk: true,
    ...(info.ExactNumbers ? { isExact: true } : {}),
  };
}

/** The parts of an input that a link locks. */
type Locks = Pick<Input, 'Info' | 'ReadOnly'>;

/** Returns the grid shape of an input with several cells. `width` is the current width of its rows. */
export function gridShape(info: InputInfo, width: number, disabled: boolean, locks: Locks = { Info: info }): GridShape {
  const perColumn = info.Specifications.length > 1 && info.RangeType !== 'RangeWithRowHeaders';
  const specification = (row: number, col: number) => info.Specifications[ruleIndex(info, row, col)];
  // Cached, because pasting asks for each of up to 150,000 cells.
  const kinds = new Map<number, CellKind>();
  const kindOf = (index: number): CellKind => {
    const kind = kinds.get(index) ?? kindOfColumn(info, index);
    kinds.set(index, kind);
    return kind;
  };
  return {
    width,
    rowsVariable: info.RowsVariable && !disabled && !isPartlyLocked(locks),
    maxRows: Math.min(info.MaxRows ?? MAX_ROWS, MAX_ROWS),
    countsBlankRows: countsBlankRows(info),
    kind: (row, col) => kindOf(ruleIndex(info, row, col)),
    isReadOnly: (row, col) =>
      disabled ||
      isLockedCell(locks, row, col) ||
      (perColumn && /^(Display|Hidden)$/.test(specification(row, col) ?? '')),
    isHidden: (col) => perColumn && specification(0, col) === 'Hidden',
  };
}

/**
 * Returns notes for the column headers: that blank cells use the workbook's value, or that the column is display-only.
 */
export function columnNotes({ Specifications, RangeType }: InputInfo): string[] {
  if (Specifications.length <= 1 || RangeType === 'RangeWithRowHeaders') return [];
  return Specifications.map((specification) =>
    /^(Optional|Suggested|Display)$/.test(specification) ? said(specification) : '',
  );
}

const isSideways = (info: InputInfo): boolean => info.RangeType === 'SingleRowOfSimilarValues';

/** Returns the value as grid rows, with an empty last column if columns may be added. */
export function toGridRows(info: InputInfo, value: FormInput['value'], disabled: boolean, locks?: Locks): GridRows {
  const cells = value as FormCell[];
  const rows =
    valueShape(info) === 'rows' ? (value as FormCell[][]) : isSideways(info) ? [cells] : cells.map((cell) => [cell]);
  const grow = info.ColsVariable && !disabled && !(locks && isPartlyLocked(locks));
  const widest = rows.reduce((width, row) => Math.max(width, row.length), valueShape(info) === 'rows' ? info.Width : 1);
  const isLastBlank = rows.every((row) => row.length < widest || isBlank(row[widest - 1]!));
  const width = grow && !isLastBlank ? widest + 1 : widest;
  const padded = grow
    ? rows.map((row, at) => padRow(row, width, (col) => blankCell(cellKind(info, at, col).usage)))
    : rows;
  return withRowToTypeIn(padded, gridShape(info, width, disabled, locks));
}

const isBlank = (cell: FormCell): boolean => cell === null || cell === '' || cell === false;

const padRow = (row: readonly FormCell[], width: number, blank: (col: number) => FormCell): readonly FormCell[] =>
  row.length >= width
    ? row
    : [...row, ...Array.from({ length: width - row.length }, (_, at) => blank(row.length + at))];

/** Returns the grid rows as a form value, without the trailing blank columns that were offered for typing. */
export function fromGridRows(info: InputInfo, rows: GridRows): FormInput['value'] {
  const trimmed = info.ColsVariable ? dropBlankColumns(rows) : rows;
  if (valueShape(info) === 'rows') return trimmed as FormCell[][];
  return isSideways(info) ? [...(trimmed[0] ?? [])] : trimmed.map((row) => row[0] ?? null);
}

function dropBlankColumns(rows: GridRows): GridRows {
  let width = rows.reduce((max, row) => Math.max(max, row.length), 0);
  while (width > 1 && rows.every((row) => row.length < width || isBlank(row[width - 1]!))) width -= 1;
  return rows.map((row) => (row.length > width ? row.slice(0, width) : row));
}

/** Returns the grid cell of an issue. Issues of lists count cells as rows, even if the list is horizontal. */
export const issuePosition = (info: InputInfo, row: number, col: number): { row: number; col: number } =>
  isSideways(info) ? { row: 0, col: row } : { row, col };

/** Returns why the rows of a grid cannot be sorted; null if they can. */
export function sortRefusal(input: Input, shape: GridShape): string | null {
  const { Info } = input;
  if (isFixed(input) || shape.isReadOnly(0, 0)) return t('The rows cannot be changed here.');
  if (Info.RowHeaderValues.length > 0 || Info.RangeType === 'RangeWithRowHeaders' || isSideways(Info))
    return t('Rows with names keep their order.');
  const isFilled = Array.from({ length: shape.width }, (_, col) => shape.isReadOnly(0, col) || shape.isHidden(col));
  if (isFilled.includes(true) || isPartlyLocked(input) || Info.Calculated?.includes(true))
    return t('Rows keep their order, because the workbook fills in some of their cells.');
  return null;
}
