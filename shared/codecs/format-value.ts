/** Formats cell values as Excel shows them, using the number format from the workbook. */
import { addLocale, format, getLocale, isDateFormat, isValidFormat } from 'numfmt';
import type { CellUsage } from '../contract/parameters.ts';
import { regionalFormat } from './regional-format.ts';
import { formatSerialDate } from './serial-date.ts';
import type { TextRegion } from './text-region.ts';

/** A value in JSON: an Excel error is {"error": "#N/A"}. */
export type JsonCell = number | string | boolean | null | { error: string };

/**
 * Returns the display text of a cell. `code` is Excel's number format ('General' if none is set); an invalid format is
 * treated as General. With a region, separators, month names and short dates are the region's, as in Excel.
 */
export function formatCellValue(
  value: JsonCell | undefined,
  code = 'General',
  usage?: CellUsage,
  region?: TextRegion,
): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return value.error;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return value;
  if (usage === 'Date' && !isDate(code)) return formatSerialDate(value) || String(value);
  const valid = isValidFormat(code) ? code : 'General';
  if (!region) return format(valid, value, { throws: false });
  return format(regionalFormat(valid, region), value, { throws: false, locale: localeOf(region) });
}

const locales = new Set<string>();

/**
 * Registers the separators and names that texts of the region are parsed with, because the library's own sometimes
 * differ. AM and PM are used in all regions.
 */
function localeOf({ Id, Decimal, Group }: TextRegion): string {
  if (!locales.has(Id)) {
    locales.add(Id);
    const months = monthsOf(Id);
    addLocale({ ...getLocale(Id), ...months, decimal: Decimal, group: Group, ampm: ['AM', 'PM'] }, Id);
  }
  return Id;
}

type MonthNames = NonNullable<Parameters<typeof addLocale>[0]['mmmm']>;

function monthsOf(id: string): { mmmm: MonthNames; mmm: MonthNames } {
  const names = (month: 'long' | 'short'): MonthNames => {
    const form = new Intl.DateTimeFormat(id, { month, timeZone: 'UTC', calendar: 'gregory' });
    return Array.from({ length: 12 }, (_, at) => form.format(Date.UTC(2023, at, 1))) as MonthNames;
  };
  const own = { mmmm: names('long'), mmm: names('short') };
  // Excel shows English names where the region's names consist of digits (East Asia).
  return own.mmm.every((name) => /^\p{L}/u.test(name)) || id === 'en' ? own : monthsOf('en');
}

/** Returns whether a number format shows days or times. */
export function isDate(code: string): boolean {
  return isValidFormat(code) && isDateFormat(code);
}

/**
 * Returns the cells of a JSON value as rows: a scalar is one row of one cell, a list one row (or one column) of cells.
 */
export function valueRows(json: string | null, asColumn = true): JsonCell[][] {
  if (json === null) return [];
  const value = JSON.parse(json) as JsonCell | JsonCell[] | JsonCell[][];
  if (!Array.isArray(value)) return [[value]];
  if (value.length === 0) return [];
  if (Array.isArray(value[0])) return value as JsonCell[][];
  return asColumn ? (value as JsonCell[]).map((cell) => [cell]) : [value as JsonCell[]];
}
