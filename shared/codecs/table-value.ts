/** Converts table values, which are transferred as the database's texts, to cell values and display texts. */
import type { ValueColumn } from '../contract/tableviews.ts';
import { isFinerThanSerial, serialOfDatabaseDate } from './database-date.ts';
import { formatCellValue } from './format-value.ts';
import { formatSerialDate } from './serial-date.ts';
import type { TextRegion } from './text-region.ts';

type ColumnFormat = Pick<ValueColumn, 'FilterKind' | 'CellUsage' | 'DisplayFormat'>;

/** Number of digits that doubles, and Excel, preserve for every number. */
const EXACT_DIGITS = 15;

/**
 * Returns a number, a serial day, TRUE or FALSE if the column has that type; otherwise the text. A number that would
 * lose digits stays a text. A date is accurate to about a microsecond; a date with its own offset (SQL Server's
 * datetimeoffset) stays a text.
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
  if (digits.length <= EXACT_DIGITS) return number;
  // Databases write floats with as many digits as identify them, so they can be converted. A long integer stays a text
  // because each of its digits may matter.
  const isFloat = exponent !== undefined || (fraction !== '' && String(number) === text);
  return isFloat && digits.length <= 17 ? number : null;
}

/**
 * Returns the display text, in the format of the column if it has one. Otherwise days are day/Mon/year with all
 * decimals of the seconds, and numbers are written as by the database, with the region's decimal separator.
 */
export function tableText(text: string | null, column: ColumnFormat, region?: TextRegion): string {
  const cell = tableCell(text, column);
  if (text === null || typeof cell !== 'number') return text ?? '';
  if (column.DisplayFormat !== '') return formatCellValue(cell, column.DisplayFormat, column.CellUsage, region);
  if (column.FilterKind !== 'Date') return region ? text.replace('.', region.Decimal) : text;
  const [, time = '00:00:00', digits = ''] = /[ T](\d{2}:\d{2}:\d{2})(?:\.(\d+))?/.exec(text) ?? [];
  const fraction = digits.replace(/0+$/, '');
  const clock = time === '00:00:00' && fraction === '' ? '' : ` ${time}${fraction && `.${fraction}`}`;
  return `${formatSerialDate(Math.floor(cell))}${clock}`;
}

/**
 * Returns the database's text if the display text omits part of it (a time zone, or decimals of the seconds that the
 * format hides); otherwise ''.
 */
export function exactText(text: string | null, column: ColumnFormat): string {
  if (text === null || column.FilterKind !== 'Date' || typeof tableCell(text, column) !== 'number') return '';
  const hasZone = /[+-]\d{2}(?::?\d{2}){0,2}$/.test(text) && text.includes(':');
  return hasZone || (column.DisplayFormat !== '' && isFinerThanSerial(text)) ? text : '';
}
