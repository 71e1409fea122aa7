/** Between what a person types or pastes into a cell and what the form keeps of it. */
import { blankCell, type FormCell } from '#shared/codecs/input-form.ts';
import { formatCellValue } from '#shared/codecs/format-value.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import { formatSerialDate, isSerialDate, parseSerialDate } from '#shared/codecs/serial-date.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';

export interface CellKind {
  usage: CellUsage;
  /** Excel's number format. */
  format: string;
  /** Characters of a text; null where nothing is said. */
  maxSize: number | null;
}

const TRUE_TEXTS = new Set(['true', 'yes', 'y', '1', 'x', 'wahr', 'vrai']);
const FALSE_TEXTS = new Set(['false', 'no', 'n', '0', '', 'falsch', 'faux']);

/** The value of a text; a text that is no number, date or truth value stays as it is, to be shown and complained about. */
export function parseCellText(text: string, { usage, maxSize }: CellKind): FormCell {
  if (usage === 'Boolean') {
    const word = text.trim().toLowerCase();
    return TRUE_TEXTS.has(word) ? true : FALSE_TEXTS.has(word) ? false : text;
  }
  if (usage === 'Number' || usage === 'Date') {
    if (text.trim() === '') return blankCell(usage);
    return (usage === 'Number' ? parseNumber(text) : parseSerialDate(text)) ?? text;
  }
  return limitText(text, usage, maxSize);
}

/** Typing beyond the limit of a Text or Condition is cut off. */
export const limitText = (text: string, usage: CellUsage, maxSize: number | null): string =>
  maxSize !== null && (usage === 'Text' || usage === 'Condition') ? text.slice(0, maxSize) : text;

/** What the cell shows while nobody edits it: a number or date in its Excel format. */
export function displayCell(cell: FormCell, { usage, format }: CellKind): string {
  if (usage === 'Date') return typeof cell === 'number' ? dateText(cell, format) : String(cell ?? '');
  if (usage === 'Boolean') return cell === true ? 'TRUE' : cell === false ? 'FALSE' : String(cell ?? '');
  return usage === 'Number' ? formatCellValue(cell, format, usage) : String(cell ?? '');
}

/** What one edits: every digit of a number, a percentage as one, a date as day/Mon/year. */
export function editText(cell: FormCell, { usage, format }: CellKind): string {
  if (cell === null) return '';
  if (usage === 'Date' && typeof cell === 'number') return formatSerialDate(cell);
  if (usage === 'Number' && typeof cell === 'number' && format.includes('%')) return percentText(cell);
  if (usage === 'Boolean' && typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return String(cell);
}

/** Dates are shown as day/Mon/year, unless the workbook shows more than the day. */
function dateText(serial: number, format: string): string {
  if (!isSerialDate(serial)) return String(serial);
  return /h|s/i.test(format.replace(/"[^"]*"|\\./g, ''))
    ? formatCellValue(serial, format, 'Date')
    : formatSerialDate(serial);
}

/** 0.07 is '7%' and not '7.000000000000001%'. */
const percentText = (value: number): string => `${Number((value * 100).toPrecision(15))}%`;
