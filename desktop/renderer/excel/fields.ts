/** The pane's state of an input until the run starts: typed text, cells of the workbook, or files. */
import type { GivenInputs, GivenValue } from '#shared/client/inputs.ts';
import { displayCell } from '#shared/codecs/cell-text.ts';
import {
  isFileInput,
  initialFormInput,
  isFixed,
  ruleIndex,
  valueShape,
  type FormCell,
} from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { CellUsage, Input, InputInfo } from '#shared/contract/parameters.ts';
import { isBlankLine, countsBlankRows } from '#shared/rules/blank-rows.ts';
import { personRegion } from '#renderer/language/region.ts';
import { t } from '#renderer/language/translate.ts';
import { toPortalDay, type Selection } from './workbook.ts';

export type Field =
  | { kind: 'text'; text: string }
  | {
      kind: 'cells';
      value: GivenValue;
      /** The display text of a single value; null for several. */
      shown: string | null;
      address: string;
      rows: number;
      columns: number;
    }
  | { kind: 'files'; files: { name: string; content: Blob }[] };

export type Fields = Readonly<Record<number, Field>>;

/** The selection cannot be used as the value of an input. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
}

const kindOf = (info: InputInfo) => ({
  usage: info.CellUsages[0] ?? 'Text',
  format: info.Formats[0] ?? 'General',
  maxSize: null,
  isExact: info.ExactNumbers === true,
  region: personRegion(),
  canAsk: true,
});

/** Returns the default value of an input as text, if it is a single value; '' if it is blank. */
export function defaultText(input: Input): string {
  const { value } = initialFormInput(input);
  if (isFileInput(input.Info) || Array.isArray(value)) return '';
  return value === false ? '' : displayCell(value, kindOf(input.Info));
}

/** Returns the number of rows in the workbook's own value; null if the input is not a table or list. */
export function defaultRows(input: Input): number | null {
  const { value } = initialFormInput(input);
  return Array.isArray(value) ? value.length : null;
}

/** Returns the supplied values by input name. An empty text leaves the workbook's value. */
export function collectSuppliedValues(activity: Activity, fields: Fields): GivenInputs {
  const supplied: Record<string, GivenValue> = {};
  for (const input of activity.Inputs) {
    const field = fields[input.Id];
    if (isFixed(input) || field === undefined) continue;
    if (field.kind === 'cells') supplied[input.Name] = field.value;
    if (field.kind === 'text' && field.text.trim() !== '') supplied[input.Name] = typedValue(input.Info, field.text);
  }
  return supplied;
}

function typedValue(info: InputInfo, text: string): GivenValue {
  const shape = valueShape(info);
  if (shape === 'cell') return text;
  const rows = text.replace(/\n$/, '').split(/\r?\n/);
  if (shape === 'rows') {
    const cells = rows.map((row) => row.split('\t'));
    return countsBlankRows(info) ? cells : cells.filter((row) => !isBlankLine(row));
  }
  return rows.flatMap((row) => row.split('\t'));
}

/** Takes the values of the selected cells unchanged: numbers as numbers, days as days. Throws SelectionError. */
export function fieldOfSelection(input: Input, selection: Selection): Field {
  const { Info } = input;
  const { address } = selection;
  const shape = valueShape(Info);
  const rows = shape === 'rows' ? dataRows(Info, selection) : selection.values.map((_, row) => row);
  const columns = selection.values[0]?.length ?? 0;
  if (shape === 'cell' && (rows.length !== 1 || columns !== 1))
    throw new SelectionError(t('Select only one cell for {name}; {address} has more.', { name: input.Name, address }));
  if (shape === 'list' && rows.length !== 1 && columns !== 1)
    throw new SelectionError(t('Select one row or column for {name}.', { name: input.Name }));
  const cell = (row: number, col: number): FormCell => cellOf(Info, selection, { row, col, from: rows[0] ?? 0 });
  const value = rows.map((row) => Array.from({ length: columns }, (_, col) => cell(row, col)));
  const size = { kind: 'cells', address, rows: rows.length, columns } as const;
  if (shape !== 'cell') return { ...size, value: shape === 'list' ? value.flat() : value, shown: null };
  const [[one = null] = []] = value;
  return { ...size, value: one, shown: displayCell(one, kindOf(Info)) };
}

/** Returns the selected rows without the heading row, if it was selected too, and without blank rows. */
function dataRows(info: InputInfo, { values }: Selection): number[] {
  const heads = info.ColumnHeaderValues.map(plain);
  const first = (values[0] ?? []).map((value) => plain(String(value ?? '')));
  const isHead = heads.length > 0 && heads.length === first.length && heads.every((head, at) => head === first[at]);
  const rows = values.map((_, row) => row).slice(isHead ? 1 : 0);
  const isBlank = (row: number): boolean => isBlankLine(values[row]!.map((value) => String(value ?? '')));
  return countsBlankRows(info) ? rows : rows.filter((row) => !isBlank(row));
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();

function cellOf(info: InputInfo, selection: Selection, at: { row: number; col: number; from: number }): FormCell {
  const { row, col } = at;
  const value = selection.values[row]![col] ?? null;
  const usage = info.CellUsages[ruleIndex(info, row - at.from, col)] ?? info.CellUsages[0];
  if (selection.types[row]![col] === 'Error')
    throw new SelectionError(t('A selected cell contains the error {error}.', { error: String(value) }));
  if (value === '') return null;
  if (typeof value !== 'number') return value;
  if (usage === 'Date') return toPortalDay(value, selection);
  return usage === 'Number' ? value : shownText(selection, row, col);
}

/**
 * A number for a text input is taken as displayed: a day as a day, an order number with its zeros. If it does not fit
 * its column, the plain number is taken.
 */
function shownText({ text, values }: Selection, row: number, col: number): string {
  const shown = text[row]![col] ?? '';
  return shown === '' || /^#+$/.test(shown) ? String(values[row]![col]) : shown;
}

/** Returns the type of an input as text. */
export function kindText(info: InputInfo): string {
  const words = [...new Set(info.CellUsages.map(usageText))];
  const kinds = words.length > 3 ? '' : words.join(', ');
  const shape = valueShape(info);
  if (shape === 'cell') return kinds;
  const name = shape === 'list' ? t('List') : t('Table');
  return kinds === '' ? name : `${name}: ${kinds}`;
}

function usageText(usage: CellUsage): string {
  switch (usage) {
    case 'Number':
      return t('Number');
    case 'Date':
      return t('Date');
    case 'Boolean':
      return t('Yes or no');
    case 'FilePath':
    case 'FileId':
      return t('File');
    case 'Condition':
      return t('Condition');
    default:
      return t('Text');
  }
}
