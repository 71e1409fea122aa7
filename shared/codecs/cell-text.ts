/** Converts between the text that a user types or pastes into a cell and the value that the form stores. */
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
  /**
   * The value. A text that is not a number, date or Boolean is stored unchanged, so that it can be shown with its
   * error.
   */
  cell: FormCell;
  /** Such as 'read as 1/Feb/2026' if the text is ambiguous; otherwise null. */
  note: string | null;
  /**
   * Possible interpretations if the user has to choose one. The cell then stores the text with a prefix that prevents
   * its use as a value.
   */
  choices?: readonly TextChoice[];
}

const withoutMark = (text: string): string => text.replace(ASKED, '');
/** Returns whether the user still has to choose the meaning of the cell's text. */
export const isAsked = (cell: FormCell): cell is string => typeof cell === 'string' && cell.startsWith(ASKED);

/** Returns the value of a text. */
export const parseCellText = (text: string, kind: CellKind): FormCell => readCellText(text, kind).cell;

/** Returns the value of a text and how it was interpreted. */
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

/** Returns the problem of a single cell: a text that cannot be parsed, or is too long. Null for everything else. */
export function cellProblem(cell: FormCell, kind: CellKind): string | null {
  const { usage, format, maxSize } = kind;
  if (typeof cell !== 'string' || cell.trim() === '') return null;
  // Numbers with more than 15 digits are stored as texts.
  if (usage === 'Number' && kind.isExact && exactCell(cell) !== null) return null;
  const choices = textChoices(cell, kind);
  if (choices) {
    const [first = '', ...rest] = choices.map((choice) => editText(choice.cell, kind));
    const others = rest.join(' or ');
    return others === ''
      ? `Value is not in the format of your region: confirm that you mean ${first}`
      : `Value can mean ${first} or ${others}: specify which one`;
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

/** Returns the placeholder of an empty Date field. */
export const datePlaceholder = ({ format }: CellKind): string => PLACEHOLDERS[dateFormatOf(format).kind];

/** Truncates Text and Condition values to their maximum length. */
export const limitText = (text: string, usage: CellUsage, maxSize: number | null): string =>
  maxSize !== null && (usage === 'Text' || usage === 'Condition') ? text.slice(0, maxSize) : text;

/** Returns the text of a cell that is not being edited: numbers and dates in their Excel format. */
export function displayCell(cell: FormCell, kind: CellKind): string {
  const { usage, format } = kind;
  // Excel's General format would show only 11 digits.
  if (usage === 'Number' && kind.isExact) return editText(cell, kind);
  if (usage === 'Date' && typeof cell === 'number')
    return displayDate(cell, format, () => formatCellValue(cell, format, usage, kind.region));
  if (usage === 'Boolean') return cell === true ? 'TRUE' : cell === false ? 'FALSE' : String(cell ?? '');
  const text = usage === 'Number' ? formatCellValue(cell, format, usage, kind.region) : String(cell ?? '');
  return withoutMark(text);
}

/**
 * Returns the text for editing: all digits of a number, a percentage with its sign, a date as day/Mon/year with the
 * time that its format shows.
 */
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

/** The digits of a number, in front of a percent sign or an exponent. */
const DECIMALS = /^[+-]?\d+[.,]\d+/;

/** Returns the text for the clipboard, with another decimal if the text would otherwise be ambiguous when pasted. */
export function copyText(cell: FormCell, kind: CellKind): string {
  const text = editText(cell, kind);
  return typeof cell === 'number' && textChoices(text, kind) ? text.replace(DECIMALS, (digits) => `${digits}0`) : text;
}

/** Formats 0.07 as '7%' instead of '7.000000000000001%'. */
const percentText = (value: number): string => `${Number((value * 100).toPrecision(15))}%`;

const isPercent = (format: string): boolean => /%/.test(format.replace(/"[^"]*"|\\./g, ''));

/** Returns a number with all its digits, as a text that the cell parses to the same number. */
export function allDigits(value: number, { format, region }: CellKind): string {
  const plain = (decimal: string): string => plainNumber(decimal) ?? decimal;
  const text = isPercent(format) ? `${plain(shiftDecimal(String(value), 2))}%` : String(value);
  return region ? text.replace('.', region.Decimal) : text;
}
