/** Values of tables, which travel as the texts that databases write, as cells hold and show them. */
import type { ValueColumn } from '../contract/tableviews.ts';
import { isFinerThanSerial, serialOfDatabaseDate } from './database-date.ts';
import { formatCellValue } from './format-value.ts';
import { formatSerialDate } from './serial-date.ts';
import type { TextRegion } from './text-region.ts';

type Look = Pick<ValueColumn, 'FilterKind' | 'CellUsage' | 'DisplayFormat'>;

/** Digits that a double keeps of every number, and Excel of any. */
const KEPT_DIGITS = 15;

/**
 * A number, a serial day, TRUE or FALSE where the column holds such; else the text itself. A number of which digits would be lost stays a
 * text. Of a date the serial holds about a microsecond; a date with an offset of its own (SQL Server's datetimeoffset) stays a text.
 */
export function tableCell(
  text: string | null,
  { FilterKind }: Pick<ValueColumn, 'FilterKind'>,
): string | number | boolean | null {
  if (text === null) return null;
  if (FilterKind === 'Number') return exactNumber(text) ?? text;
  if (FilterKind === 'Date') return serialOfDatabaseDate(text) ?? text;
  if (FilterKind === 'Boolean') return text === 'TRUE' ? true : text === 'FALSE' ? false : text;
  return text;
}

function exactNumber(text: string): number | null {
  const [, whole, fraction = '', exponent] = /^[+-]?(\d+)(?:\.(\d+))?(e[+-]?\d+)?$/i.exec(text.trim()) ?? [];
  const number = Number(text);
  if (whole === undefined || !Number.isFinite(number)) return null;
  const digits = (whole + fraction.replace(/0+$/, '')).replace(/^0+/, '');
  if (digits.length <= KEPT_DIGITS) return number;
  // Floats are written with as many digits as tell them apart; a long integer is a number somebody looks at digit by digit.
  const isFloat = exponent !== undefined || (fraction !== '' && String(number) === text);
  return isFloat && digits.length <= 17 ? number : null;
}

/**
 * What a person sees of it: by the format of the column, days as day/Mon/year with all digits of the second, numbers as the database writes them, with the decimal mark of the
 * region.
 */
export function tableText(text: string | null, column: Look, region?: TextRegion): string {
  const cell = tableCell(text, column);
  if (text === null || typeof cell !== 'number') return text ?? '';
  if (column.DisplayFormat !== '') return formatCellValue(cell, column.DisplayFormat, column.CellUsage, region);
  if (column.FilterKind !== 'Date') return region ? text.replace('.', region.Decimal) : text;
  const [, time = '00:00:00', digits = ''] = /[ T](\d{2}:\d{2}:\d{2})(?:\.(\d+))?/.exec(text) ?? [];
  const fraction = digits.replace(/0+$/, '');
  const clock = time === '00:00:00' && fraction === '' ? '' : ` ${time}${fraction && `.${fraction}`}`;
  return `${formatSerialDate(Math.floor(cell))}${clock}`;
}

/** The text of the database, where what a person sees does not say all of it: a zone, or digits of a second that a format hides; else ''. */
export function exactText(text: string | null, column: Look): string {
  if (text === null || column.FilterKind !== 'Date' || typeof tableCell(text, column) !== 'number') return '';
  const hasZone = /[+-]\d{2}(?::?\d{2}){0,2}$/.test(text) && text.includes(':');
  return hasZone || (column.DisplayFormat !== '' && isFinerThanSerial(text)) ? text : '';
}
