/**
 * Writes the joined table of a For each step as a file. It streams both the rows and the file, so neither is ever in
 * memory as a whole.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { excelJs } from '#server/base/on-demand.ts';
import { AppError } from '#server/base/app-error.ts';
import { cellFormat, cellValue, sheetName } from './table-workbook.ts';
import { formatSerialDate } from '#shared/codecs/serial-date.ts';
import type { OutputInfo } from '#shared/contract/parameters.ts';

/** Lines as JSON texts. */
type Lines = AsyncIterable<readonly string[]>;
type Columns = Pick<OutputInfo, 'CellUsages' | 'ColumnHeaderValues' | 'Formats'>;

/** Maximum number of rows below the headers. Source: Excel's specifications and limits. */
const XLSX_ROWS = 1_048_575;

/**
 * Writes dates as 5/Jan/2026 and numbers with a decimal point. A text that a spreadsheet would take for a formula gets
 * a leading apostrophe.
 */
export async function* rowsAsCsv(
  { CellUsages, ColumnHeaderValues }: Columns,
  lines: Lines,
): AsyncGenerator<Uint8Array> {
  const bytes = (rows: string[][]): Uint8Array => Buffer.from(stringify(rows, { record_delimiter: 'windows' }));
  // The byte order mark tells Excel that the file is UTF-8.
  yield Buffer.from('\uFEFF');
  yield bytes([ColumnHeaderValues.map(plainText)]);
  for await (const page of lines) {
    yield bytes(
      page.map((line) => {
        const cells = JSON.parse(line) as unknown[];
        return ColumnHeaderValues.map((_, col) => csvText(cells[col], CellUsages[col] === 'Date'));
      }),
    );
  }
}

function csvText(value: unknown, isDate: boolean): string {
  const cell = cellValue(value);
  if (cell === null) return '';
  if (typeof cell === 'number') return isDate ? formatSerialDate(cell) || String(cell) : String(cell);
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return typeof cell === 'string' ? plainText(cell) : cell.error;
}

/** Source: OWASP, "CSV Injection". */
const plainText = (text: string): string =>
  /^[=+\-@\t\r\n|]/.test(text) && !/^[+-]?[\d.,]+$/.test(text) ? `'${text}` : text;

export async function* rowsAsWorkbook(
  { Name, Info }: { Name: string; Info: Columns },
  lines: Lines,
): AsyncGenerator<Uint8Array> {
  const stream = new PassThrough();
  const written = write(stream, Name, Info, lines).catch((error: Error) => void stream.destroy(error));
  yield* stream as AsyncIterable<Uint8Array>;
  await written;
}

async function write(stream: PassThrough, name: string, columns: Columns, lines: Lines): Promise<void> {
  const { CellUsages, ColumnHeaderValues, Formats } = columns;
  const workbook = new (excelJs().stream.xlsx.WorkbookWriter)({ stream, useStyles: true, useSharedStrings: false });
  const sheet = workbook.addWorksheet(sheetName(name), { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = ColumnHeaderValues.map((header, col) => {
    const numFmt = cellFormat(Formats[col] ?? '', CellUsages[col] === 'Date');
    return { width: Math.min(50, Math.max(10, header.length + 2)), style: numFmt === undefined ? {} : { numFmt } };
  });
  const header = sheet.addRow(ColumnHeaderValues.map(cellValue));
  header.font = { bold: true };
  header.commit();
  let count = 0;
  for await (const page of lines) {
    count += page.length;
    if (count > XLSX_ROWS) {
      throw new AppError('tooManyRows', 400, 'The table has more rows than a worksheet can hold: download it as CSV');
    }
    for (const line of page) {
      const cells = JSON.parse(line) as unknown[];
      sheet.addRow(ColumnHeaderValues.map((_, col) => cellValue(cells[col]))).commit();
    }
    if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
    if (stream.destroyed) throw new Error('nobody reads the workbook any more');
  }
  sheet.commit();
  await workbook.commit();
}
