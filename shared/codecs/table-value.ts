/** Values of tables, which travel as the texts that databases write, as cells hold and show them. */
import type { ValueColumn } from '../contract/tableviews.ts';
import { formatCellValue } from './format-value.ts';
import { formatSerialDate, toSerial } from './serial-date.ts';
import type { TextRegion } from './text-region.ts';

type Look = Pick<ValueColumn, 'FilterKind' | 'CellUsage' | 'DisplayFormat'>;

/** Digits that a double keeps of every number, and Excel of any. */
const KEPT_DIGITS = 15;

/**
 * A number, a serial day, TRUE or FALSE where the column holds such and nothing is lost; else the text itself. Databases write dates as
 * '2026-01-31 13:45:00.123'; those with a zone, or finer than milliseconds, stay texts.
 */
export function tableCell(
  text: string | null,
  { FilterKind }: Pick<ValueColumn, 'FilterKind'>,
): string | number | boolean | null {
  if (text === null) return null;
  if (FilterKind === 'Number') return exactNumber(text) ?? text;
  if (FilterKind === 'Date') return serialOf(text) ?? text;
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

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?)?$/;

function serialOf(text: string): number | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = DATE.exec(text) ?? [];
  if (year === undefined || /[^0]/.test(fraction.slice(3))) return null;
  return toSerial({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')),
  });
}

/** What a person sees of it: by the format of the column, days as day/Mon/year, numbers as the database writes them. */
export function tableText(text: string | null, column: Look, region?: TextRegion): string {
  const cell = tableCell(text, column);
  if (text === null || typeof cell !== 'number') return text ?? '';
  if (column.DisplayFormat !== '') return formatCellValue(cell, column.DisplayFormat, column.CellUsage, region);
  if (column.FilterKind !== 'Date') return text;
  const time = /[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?/.exec(text);
  const clock = time && (time[1] !== '00:00:00' || /[1-9]/.test(time[2] ?? '')) ? ` ${time[1]}${millis(time[2])}` : '';
  return `${formatSerialDate(Math.floor(cell))}${clock}`;
}

const millis = (digits = ''): string => (/[1-9]/.test(digits) ? `.${digits.replace(/0+$/, '')}` : '');
