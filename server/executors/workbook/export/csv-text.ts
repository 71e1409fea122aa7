/** Writes cells as a CSV file. Source: RFC 4180. */
import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '#server/base/csv-formulas.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { dateFormatOf } from '#shared/codecs/date-format.ts';
import { editDate } from '#shared/codecs/date-text.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import { from1904 } from '#shared/codecs/date-systems.ts';
import { fromSerial } from '#shared/codecs/serial-date.ts';

/**
 * Begins with a byte order mark, by which Excel recognizes UTF-8. `formatAt` returns a cell's number format: dates are
 * written as 2026-12-31, other numbers with all their digits. A text that could be taken for a formula gets a leading
 * apostrophe.
 */
export function csvText(
  rows: readonly (readonly CellValue[])[],
  formatAt: (row: number, col: number) => string,
  delimiter: string,
  date1904 = false,
): Uint8Array {
  const cells = rows.map((row, y) => row.map((value, x) => csvCell(value, () => formatAt(y, x), date1904)));
  return new TextEncoder().encode(`\uFEFF${stringify(cells, { delimiter, record_delimiter: '\r\n' })}`);
}

function csvCell(value: CellValue, format: () => string, date1904: boolean): string {
  if (value === null) return '';
  if (value instanceof CellError) return value.code;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number')
    return isDate(format()) ? dateText(date1904 ? from1904(value, format()) : value, format()) : String(value);
  return escapeFormula(value);
}

function dateText(serial: number, format: string): string {
  if (dateFormatOf(format).kind === 'duration') return editDate(serial, format);
  const parts = fromSerial(serial);
  if (!parts) return String(serial);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${parts.year}-${two(parts.month)}-${two(parts.day)}`;
  const time = `${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`;
  if (time === '00:00:00') return day;
  return serial < 1 ? time : `${day} ${time}`;
}
