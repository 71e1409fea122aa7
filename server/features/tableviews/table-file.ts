/** Writes rows of a table to a file. It streams both the rows and the file, so neither is ever in memory as a whole. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { excelJs } from '#server/base/on-demand.ts';
import { AppError } from '#server/base/app-error.ts';
import type { ResultBatch, ResultValue } from '#server/connections/types.ts';
import { tableCell } from '#shared/codecs/table-value.ts';
import type { ValueColumn } from '#shared/contract/tableviews.ts';

type Batches = AsyncIterable<ResultBatch>;

/**
 * Maximum number of rows below the headers. Source of this and of the length of a cell's text: Excel's specifications
 * and limits.
 */
export const XLSX_ROWS = 1_048_575;
const MAX_TEXT_LENGTH = 32_767;
const DATE_FORMAT = 'yyyy-mm-dd hh:mm:ss';

/**
 * Writes numbers and dates as the database formats them. A text that a spreadsheet would take for a formula gets a
 * leading apostrophe.
 */
export async function* csvOf(columns: readonly ValueColumn[], batches: Batches): AsyncGenerator<Uint8Array> {
  const bytes = (rows: (string | null)[][]): Uint8Array =>
    Buffer.from(stringify(rows, { record_delimiter: 'windows' }));
  // The byte order mark tells Excel that the file is UTF-8.
  yield Buffer.from('\uFEFF');
  yield bytes([columns.map(({ DisplayName }) => plainText(DisplayName))]);
  for await (const { rows } of batches) {
    if (rows.length === 0) continue;
    yield bytes(rows.map((row) => columns.map((column, index) => csvText(row[index] ?? null, column))));
  }
}

function csvText(value: ResultValue, { FilterKind }: ValueColumn): string | null {
  if (value === null) return null;
  return FilterKind === 'Text' ? plainText(String(value)) : String(value);
}

/** Source: OWASP, "CSV Injection". Numbers may begin with signs, too. */
const plainText = (text: string): string =>
  /^[=+\-@\t\r\n|]/.test(text) && !/^[+-]?[\d.,]+$/.test(text) ? `'${text}` : text;

/** Writes numbers and days as such if no precision is lost, otherwise as texts. No cell becomes a formula. */
export async function* xlsxOf(columns: readonly ValueColumn[], batches: Batches): AsyncGenerator<Uint8Array> {
  const stream = new PassThrough();
  const written = write(stream, columns, batches).catch((error: Error) => void stream.destroy(error));
  yield* stream as AsyncIterable<Uint8Array>;
  await written;
}

async function write(stream: PassThrough, columns: readonly ValueColumn[], batches: Batches): Promise<void> {
  const workbook = new (excelJs().stream.xlsx.WorkbookWriter)({ stream, useStyles: true, useSharedStrings: false });
  const sheet = workbook.addWorksheet('Table', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(({ DisplayName, DisplayFormat, FilterKind }) => ({
    width: Math.min(50, Math.max(10, DisplayName.length + 2)),
    style: formatOf(DisplayFormat, FilterKind),
  }));
  const header = sheet.addRow(columns.map(({ DisplayName }) => DisplayName));
  header.font = { bold: true };
  header.commit();
  for await (const { rows } of batches) {
    for (const row of rows) sheet.addRow(columns.map((column, index) => cellOf(row[index] ?? null, column))).commit();
    if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
    if (stream.destroyed) throw new Error('nobody reads the workbook any more');
  }
  sheet.commit();
  await workbook.commit();
}

function formatOf(format: string, kind: ValueColumn['FilterKind']): { numFmt?: string } {
  if (format !== '') return { numFmt: format };
  return kind === 'Date' ? { numFmt: DATE_FORMAT } : {};
}

function cellOf(value: ResultValue, column: ValueColumn): string | number | boolean | null {
  const cell = tableCell(value === null ? null : String(value), column);
  if (typeof cell === 'string' && cell.length > MAX_TEXT_LENGTH)
    throw new AppError(
      'textTooLong',
      400,
      `A text in ${column.DisplayName} is longer than a cell can hold: export the view as CSV`,
    );
  return cell;
}
