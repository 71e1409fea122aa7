/** Between what a person types or pastes into a cell and what the form keeps of it. */
import { dateFormatOf, type DateKind } from '#shared/codecs/date-format.ts';
import { displayDate, editDate, wantedDate } from '#shared/codecs/date-text.ts';
import { blankCell, type FormCell } from '#shared/codecs/input-form.ts';
import { formatCellValue } from '#shared/codecs/format-value.ts';
import { readDate, type DateCell } from '#shared/codecs/read-date.ts';
import { readNumber } from '#shared/codecs/read-number.ts';
import type { Reading } from '#shared/codecs/text-region.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';

export interface CellKind extends DateCell {
  usage: CellUsage;
  /** Characters of a text; null where nothing is said. */
  maxSize: number | null;
}

const TRUE_TEXTS = new Set(['true', 'yes', 'y', '1', 'x', 'wahr', 'vrai']);
const FALSE_TEXTS = new Set(['false', 'no', 'n', '0', '', 'falsch', 'faux']);

export interface CellReading {
  /** A text that is no number, date or truth value stays as it is, to be shown and complained about. */
  cell: FormCell;
  /** 'read as 1/Feb/2026', where the text could be read otherwise. */
  note: string | null;
}

/** The value of a text. */
export const parseCellText = (text: string, kind: CellKind): FormCell => readCellText(text, kind).cell;

/** The value of a text, and how it was read. */
export function readCellText(text: string, kind: CellKind): CellReading {
  const { usage, maxSize } = kind;
  if (usage === 'Boolean') {
    const word = text.trim().toLowerCase();
    return { cell: TRUE_TEXTS.has(word) ? true : FALSE_TEXTS.has(word) ? false : text, note: null };
  }
  if (usage === 'Number' || usage === 'Date') {
    if (text.trim() === '') return { cell: blankCell(usage), note: null };
    const reading: Reading | null = usage === 'Number' ? readNumber(text, kind) : readDate(text, kind);
    return { cell: reading?.value ?? text, note: reading?.note ?? null };
  }
  return { cell: limitText(text, usage, maxSize), note: null };
}

/** What is wrong with a text that could not be read; null for everything else. */
export function unreadable(cell: FormCell, { usage, format }: CellKind): string | null {
  if (typeof cell !== 'string' || cell.trim() === '') return null;
  if (usage === 'Number') return 'Value must be a number';
  return usage === 'Date' ? `Value must be ${wantedDate(format)}` : null;
}

const PLACEHOLDERS: Record<DateKind, string> = {
  date: 'day/Mon/year',
  dateTime: 'day/Mon/year hh:mm',
  time: 'hh:mm',
  duration: 'hours:mm',
  any: 'day/Mon/year',
};

/** What an empty Date field shows. */
export const datePlaceholder = ({ format }: CellKind): string => PLACEHOLDERS[dateFormatOf(format).kind];

/** Typing beyond the limit of a Text or Condition is cut off. */
export const limitText = (text: string, usage: CellUsage, maxSize: number | null): string =>
  maxSize !== null && (usage === 'Text' || usage === 'Condition') ? text.slice(0, maxSize) : text;

/** What the cell shows while nobody edits it: a number or date in its Excel format. */
export function displayCell(cell: FormCell, { usage, format }: CellKind): string {
  if (usage === 'Date' && typeof cell === 'number')
    return displayDate(cell, format, () => formatCellValue(cell, format, usage));
  if (usage === 'Boolean') return cell === true ? 'TRUE' : cell === false ? 'FALSE' : String(cell ?? '');
  return usage === 'Number' ? formatCellValue(cell, format, usage) : String(cell ?? '');
}

/** What one edits: every digit of a number, a percentage as one, a date as day/Mon/year with the time its format shows. */
export function editText(cell: FormCell, { usage, format, region }: CellKind): string {
  if (cell === null) return '';
  if (usage === 'Date' && typeof cell === 'number') return editDate(cell, format);
  if (usage === 'Number' && typeof cell === 'number') {
    const text = /%/.test(format.replace(/"[^"]*"|\\./g, '')) ? percentText(cell) : String(cell);
    return region ? text.replace('.', region.Decimal) : text;
  }
  if (usage === 'Boolean' && typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return String(cell);
}

/** 0.07 is '7%' and not '7.000000000000001%'. */
const percentText = (value: number): string => `${Number((value * 100).toPrecision(15))}%`;
