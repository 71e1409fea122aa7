/** Plans the layout of a run's outputs on sheets. Pure, so that a problem is detected before anything is written. */
import { hasDay } from '#shared/codecs/date-format.ts';
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { type JsonCell } from '#shared/codecs/format-value.ts';
import { ruleIndex } from '#shared/codecs/input-form.ts';
import { shiftTo1904 } from '#shared/codecs/serial-date.ts';
import type { Output, OutputInfo } from '#shared/contract/parameters.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import type { CellValue } from './excel-types.ts';

export interface PlannedCell {
  /**
   * The value passed to Excel. A text is prefixed with an apostrophe, which Excel removes and which makes the cell a
   * text.
   */
  written: CellValue;
  /** The value that Excel must report for the cell afterwards. */
  expected: string | number | boolean;
  /** Excel's number format; null to leave it unchanged. */
  format: string | null;
}

/** Consecutive rows of equal width. They are created on writing, because a table may have a million. */
export interface Block {
  /** Row index, from 0. */
  top: number;
  rows: number;
  columns: number;
  isHeading: boolean;
  rowAt(row: number): PlannedCell[];
}

export interface SheetPlan {
  blocks: Block[];
  rows: number;
}

/** Outputs exceed the size of a sheet. */
export class ResultsDoNotFit extends Error {
  override readonly name = 'ResultsDoNotFit';
  readonly output: string;

  constructor(output: string) {
    super(output);
    this.output = output;
  }
}

/** Maximum number of characters in a cell. Source: Excel specifications and limits. */
const MAX_TEXT_LENGTH = 32_767;
const DATE_FORMAT = 'dd/mm/yyyy';
/** Errors that Excel recognizes in its input; others are written as texts. */
const ERRORS = new Set(['#N/A', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#NULL!']);

const BLANK: PlannedCell = { written: null, expected: '', format: null };

const textCell = (text: string): PlannedCell =>
  text === '' ? BLANK : { written: `'${text}`, expected: text, format: null };

/** @param heads rows of texts above the results @param is1904 true if the workbook uses the 1904 date system */
export function planSheets(heads: readonly string[][], outputs: readonly Output[], is1904: boolean): SheetPlan[] {
  const sheets: SheetPlan[] = [{ blocks: [], rows: 0 }];
  let gapBefore = 0;
  /** Single values are placed close together, everything else with a gap. */
  const add = (parts: Omit<Block, 'top'>[], gap: number): void => {
    const height = parts.reduce((sum, { rows }) => sum + rows, 0);
    const apart = Math.max(gap, gapBefore);
    if (sheets.at(-1)!.rows + apart + height > MAX_ROWS) sheets.push({ blocks: [], rows: 0 });
    const sheet = sheets.at(-1)!;
    if (sheet.rows > 0) sheet.rows += apart;
    gapBefore = gap;
    for (const part of parts) {
      if (part.rows > 0) sheet.blocks.push({ ...part, top: sheet.rows });
      sheet.rows += part.rows;
    }
  };
  add(
    heads.map((texts, index) => textRow(texts, index === 0)),
    1,
  );
  for (const output of outputs) {
    const parts = outputBlocks(output, is1904);
    const height = parts.reduce((sum, { rows }) => sum + rows, 0);
    if (height > MAX_ROWS || parts.some(({ columns }) => columns > MAX_COLS)) throw new ResultsDoNotFit(output.Name);
    add(parts, output.Info.RangeType === 'SingleCell' ? 0 : 1);
  }
  return sheets;
}

function textRow(texts: readonly string[], isHeading = true): Omit<Block, 'top'> {
  return { rows: 1, columns: Math.max(1, texts.length), isHeading, rowAt: () => texts.map(textCell) };
}

function outputBlocks(output: Output, is1904: boolean): Omit<Block, 'top'>[] {
  const { Name, Info, Value } = output;
  if (Value === null) return [];
  const value = JSON.parse(Value) as JsonCell | JsonCell[] | JsonCell[][];
  const cell = (source: JsonCell | undefined, row: number, col: number): PlannedCell =>
    planCell(output, source ?? null, row, col, is1904);
  if (!Array.isArray(value))
    return [{ rows: 1, columns: 2, isHeading: false, rowAt: () => [textCell(Name), cell(value, 0, 0)] }];
  const rows = asRows(Info, value);
  const side = Info.RowHeaderValues.length > 0 ? 1 : 0;
  const heads = Info.ColumnHeaderValues;
  const columns = side + rows.reduce((widest, row) => Math.max(widest, row.length), Math.max(1, heads.length));
  const data: Omit<Block, 'top'> = {
    rows: rows.length,
    columns,
    isHeading: false,
    rowAt: (row) =>
      Array.from({ length: columns }, (_, col) => {
        if (col < side) return textCell(Info.RowHeaderValues[row] ?? '');
        return cell(rows[row]![col - side], row, col - side);
      }),
  };
  const above = heads.length > 0 ? [textRow([...(side > 0 ? [''] : []), ...heads])] : [];
  return [textRow([Name]), ...above, data];
}

function asRows({ RangeType }: OutputInfo, value: JsonCell[] | JsonCell[][]): JsonCell[][] {
  if (value.length === 0 || Array.isArray(value[0])) return value as JsonCell[][];
  const list = value as JsonCell[];
  return RangeType === 'SingleRowOfSimilarValues' ? [list] : list.map((cell) => [cell]);
}

function planCell({ Name, Info }: Output, value: JsonCell, row: number, col: number, is1904: boolean): PlannedCell {
  if (value === null || value === '') return BLANK;
  if (typeof value === 'boolean') return { written: value, expected: value, format: null };
  if (typeof value === 'object')
    return ERRORS.has(value.error)
      ? { written: value.error, expected: value.error, format: null }
      : textCell(value.error);
  if (typeof value === 'string') {
    if (value.length > MAX_TEXT_LENGTH) throw new ResultsDoNotFit(Name);
    return textCell(value);
  }
  const at = <T>(list: readonly T[]): T | undefined => list[Math.min(ruleIndex(Info, row, col), list.length - 1)];
  const format = at(Info.Formats) || 'General';
  if (at(Info.CellUsages) !== 'Date') {
    // Excel stores a number in a cell with format Text as a text.
    const isPlain = format === 'General' || format === '@';
    return { written: value, expected: value, format: isPlain ? null : format };
  }
  const shown = format === 'General' || format === '@' ? DATE_FORMAT : format;
  const serial = is1904 && hasDay(shown) ? shiftTo1904(value) : value;
  // A day before the start of the workbook's date system would be displayed as ####.
  if (serial < 0) return textCell(shownValue(value, shown, 'Date'));
  return { written: serial, expected: serial, format: shown };
}

/** Characters not allowed in sheet names. Source: Excel's own message. */
const REFUSED = /[[\]:*?/\\]/g;
const MAX_SHEET_NAME_LENGTH = 31;

/** Returns a sheet name not used in the workbook, ignoring case. 'History' is reserved by Excel. */
export function freeSheetName(wanted: string, taken: readonly string[]): string {
  const known = new Set([...taken, 'History'].map((name) => name.toLowerCase()));
  const base = wanted.replaceAll(REFUSED, ' ').replaceAll(/^['\s]+|['\s]+$/g, '') || 'Runsheet';
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : ` (${number})`;
    const name = base.slice(0, MAX_SHEET_NAME_LENGTH - end.length).replace(/['\s]+$/, '') + end;
    if (!known.has(name.toLowerCase())) return name;
  }
}
