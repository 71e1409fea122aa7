/** Between what a person types or pastes into a cell and what the form keeps of it. */
import { dateFormatOf, type DateKind } from './date-format.ts';
import { displayDate, editDate, wantedDate } from './date-text.ts';
import type { CellKind } from './cell-kind.ts';
import { blankCell, type FormCell } from './input-form.ts';
import { exactCell, plainNumber, shiftDecimal } from './exact-number.ts';
import { formatCellValue } from './format-value.ts';
import { readDate } from './read-date.ts';
import { readExactNumber, readNumber } from './read-number.ts';
import { ASKED, textChoices, type TextChoice } from './readings.ts';
import type { Reading } from './text-region.ts';
import type { CellUsage } from '../contract/parameters.ts';

export type { CellKind } from './cell-kind.ts';

const TRUE_TEXTS = new Set(['true', 'yes', 'y', '1', 'x', 'wahr', 'vrai']);
const FALSE_TEXTS = new Set(['false', 'no', 'n', '0', '', 'falsch', 'faux']);

export interface CellReading {
  /** A text that is no number, date or truth value stays as it is, to be shown and complained about. */
  cell: FormCell;
  /** 'read as 1/Feb/2026', where the text could be read otherwise. */
  note: string | null;
  /** What the text can mean, where a person has to say it: the cell keeps the text then, which nothing takes for a value. */
  choices?: readonly TextChoice[];
}

const withoutMark = (text: string): string => text.replace(ASKED, '');
/** Whether a person has still to say what the text of a cell means. */
export const isAsked = (cell: FormCell): cell is string => typeof cell === 'string' && cell.startsWith(ASKED);

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
    const choices = textChoices(text, kind);
    if (choices) return { cell: ASKED + withoutMark(text), note: null, choices };
    if (usage === 'Number' && kind.isExact) return { cell: readExactNumber(text, kind) ?? text, note: null };
    const reading: Reading | null = usage === 'Number' ? readNumber(text, kind) : readDate(text, kind);
    return { cell: reading?.value ?? text, note: reading?.note ?? null };
  }
  return { cell: limitText(text, usage, maxSize), note: null };
}

/** What a cell can be seen to be wrong for by itself: a text that could not be read, or is too long; null for everything else. */
export function cellFault(cell: FormCell, kind: CellKind): string | null {
  const { usage, format, maxSize } = kind;
  if (typeof cell !== 'string' || cell.trim() === '') return null;
  // A number of more than 15 digits is kept as a text.
  if (usage === 'Number' && kind.isExact && exactCell(cell) !== null) return null;
  const choices = textChoices(cell, kind);
  if (choices) {
    const [first = '', ...rest] = choices.map((choice) => editText(choice.cell, kind));
    const others = rest.join(' or ');
    return others === ''
      ? `Value is not written as in your region: say whether it is ${first}`
      : `Value can be ${first} or ${others}: say which is meant`;
  }
  if (usage === 'Number') return 'Value must be a number';
  if (usage === 'Date') return `Value must be ${wantedDate(format)}`;
  return limitText(cell, usage, maxSize) === cell ? null : `Input text must not exceed ${maxSize} characters`;
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
export function displayCell(cell: FormCell, kind: CellKind): string {
  const { usage, format } = kind;
  // Excel's General shows 11 digits.
  if (usage === 'Number' && kind.isExact) return editText(cell, kind);
  if (usage === 'Date' && typeof cell === 'number')
    return displayDate(cell, format, () => formatCellValue(cell, format, usage, kind.region));
  if (usage === 'Boolean') return cell === true ? 'TRUE' : cell === false ? 'FALSE' : String(cell ?? '');
  const text = usage === 'Number' ? formatCellValue(cell, format, usage, kind.region) : String(cell ?? '');
  return withoutMark(text);
}

/** What one edits: every digit of a number, a percentage as one, a date as day/Mon/year with the time its format shows. */
export function editText(cell: FormCell, { usage, format, region, isExact }: CellKind): string {
  if (cell === null) return '';
  if (usage === 'Date' && typeof cell === 'number') return editDate(cell, format);
  if (usage === 'Number' && typeof cell === 'number') {
    const plain = plainNumber(String(cell)) ?? String(cell);
    const text = isExact ? plain : isPercent(format) ? percentText(cell) : String(cell);
    return region ? text.replace('.', region.Decimal) : text;
  }
  if (usage === 'Boolean' && typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if (isExact && region && exactCell(String(cell)) !== null) return String(cell).replace('.', region.Decimal);
  return withoutMark(String(cell));
}

/** The same for the clipboard: with a further zero where a reader would have to ask what is meant. */
export function copyText(cell: FormCell, kind: CellKind): string {
  const text = editText(cell, kind);
  return typeof cell === 'number' && textChoices(text, kind) ? `${text}0` : text;
}

/** 0.07 is '7%' and not '7.000000000000001%'. */
const percentText = (value: number): string => `${Number((value * 100).toPrecision(15))}%`;

const isPercent = (format: string): boolean => /%/.test(format.replace(/"[^"]*"|\\./g, ''));

/** A number with all its digits, in a form that the cell reads again as the same number. */
export function allDigits(value: number, { format, region }: CellKind): string {
  const plain = (decimal: string): string => plainNumber(decimal) ?? decimal;
  const text = isPercent(format) ? `${plain(shiftDecimal(String(value), 2))}%` : String(value);
  return region ? text.replace('.', region.Decimal) : text;
}
