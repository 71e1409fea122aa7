/** What a run form begins with, and which of its inputs it shows. */
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
import { isBlankRowKept } from '#shared/rules/blank-rows.ts';
import { said, t } from '#renderer/language/translate.ts';
import { personRegion } from '#renderer/language/region.ts';
import { MAX_ROWS, withRowToTypeIn, type GridRows, type GridShape } from './grid-rows.ts';

export type Forms = Record<number, FormInput>;

/** Two inputs of one name take the same values: a draft or an earlier run then fits a new version of the activity. */
export function fitsInput(a: InputInfo, b: InputInfo): boolean {
  const columns = (info: InputInfo): string => info.CellUsages.join();
  const width = (info: InputInfo): number => (info.ColsVariable ? 0 : info.Width);
  return a.RangeType === b.RangeType && columns(a) === columns(b) && width(a) === width(b);
}

/** The inputs of an earlier run as the form of today's version; what no longer fits starts with its default. */
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
    // A value of a shape that today's input cannot have is as good as none.
    return null;
  }
}

/**
 * The form with what the workbook has in columns that are only shown or hidden: runs keep nothing of them, and a draft may be one
 * for an older version.
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

/** What the form offers to take back to: what the workbook calculates for a Suggested input, else its own value. */
export function suggestionOf(input: Input, live?: FormInput['value']): FormInput['value'] | null {
  if (wholeSpecification(input.Info) !== 'Suggested') return null;
  if (live !== undefined) return live;
  if (input.Info.DefaultValue === null) return null;
  return parseValue(input.Info, input.Info.DefaultValue);
}

export const isHiddenInput = (input: Input): boolean => wholeSpecification(input.Info) === 'Hidden';

/** What one cell of the input takes. */
export const cellKind = (info: InputInfo, row: number, col: number): CellKind =>
  kindOfColumn(info, ruleIndex(info, row, col));

/** What the cells take that one element of the per-column lists speaks for. */
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

/** What a link lets nobody change. */
type Locks = Pick<Input, 'Info' | 'ReadOnly'>;

/** The grid of an input that is no single cell. `width` is that of its rows as they stand. */
export function gridShape(info: InputInfo, width: number, disabled: boolean, locks: Locks = { Info: info }): GridShape {
  const perColumn = info.Specifications.length > 1 && info.RangeType !== 'RangeWithRowHeaders';
  const specification = (row: number, col: number) => info.Specifications[ruleIndex(info, row, col)];
  // Asked for each of 150,000 cells that are pasted.
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
    keepsBlankRows: isBlankRowKept(info),
    kind: (row, col) => kindOf(ruleIndex(info, row, col)),
    isReadOnly: (row, col) =>
      disabled ||
      isLockedCell(locks, row, col) ||
      (perColumn && /^(Display|Hidden)$/.test(specification(row, col) ?? '')),
    isHidden: (col) => perColumn && specification(0, col) === 'Hidden',
  };
}

/** What a column's header says beside its name: that it may stay blank for the workbook's own value, or is only shown. */
export function columnNotes({ Specifications, RangeType }: InputInfo): string[] {
  if (Specifications.length <= 1 || RangeType === 'RangeWithRowHeaders') return [];
  return Specifications.map((specification) =>
    /^(Optional|Suggested|Display)$/.test(specification) ? said(specification) : '',
  );
}

const isSideways = (info: InputInfo): boolean => info.RangeType === 'SingleRowOfSimilarValues';

/** The value as rows of a grid, with an empty column at the end where columns may come. */
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

/** The rows of the grid as the value of the form, without the blank columns at the end that were offered to type into. */
export function fromGridRows(info: InputInfo, rows: GridRows): FormInput['value'] {
  const trimmed = info.ColsVariable ? dropBlankColumns(rows) : rows;
  if (valueShape(info) === 'rows') return trimmed as FormCell[][];
  return isSideways(info) ? [...(trimmed[0] ?? [])] : trimmed.map((row) => row[0] ?? null);
}

function dropBlankColumns(rows: GridRows): GridRows {
  let width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  while (width > 1 && rows.every((row) => row.length < width || isBlank(row[width - 1]!))) width -= 1;
  return rows.map((row) => (row.length > width ? row.slice(0, width) : row));
}

/** The cell of the grid an issue stands at: lists count their cells as rows, also where they lie sideways. */
export const issuePlace = (info: InputInfo, row: number, col: number): { row: number; col: number } =>
  isSideways(info) ? { row: 0, col: row } : { row, col };

/** Why the rows of a grid cannot change places; null where they can. */
export function sortRefusal(input: Input, shape: GridShape): string | null {
  const { Info } = input;
  if (isFixed(input) || shape.isReadOnly(0, 0)) return t('The rows cannot be changed here.');
  if (Info.RowHeaderValues.length > 0 || Info.RangeType === 'RangeWithRowHeaders' || isSideways(Info))
    return t('Rows with names keep their order.');
  const isFilled = Array.from({ length: shape.width }, (_, col) => shape.isReadOnly(0, col) || shape.isHidden(col));
  if (isFilled.includes(true) || isPartlyLocked(input) || Info.Calculated?.includes(true))
    return t('Rows keep their order, as the workbook fills in some of their cells.');
  return null;
}
