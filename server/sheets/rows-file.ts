/**
 * Writes the joined table of a For each step as a file. It streams both the rows and the file, so neither is ever in
 * memory as a whole.
 */
import { stringify } from 'csv-stringify/sync';
import { AppError } from '#server/base/app-error.ts';
import { escapeFormulaButNumber } from '#server/base/csv-formulas.ts';
import { addHeaders, streamWorkbook } from '#server/base/stream-workbook.ts';
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
  yield bytes([ColumnHeaderValues.map(escapeFormulaButNumber)]);
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
  return typeof cell === 'string' ? escapeFormulaButNumber(cell) : cell.error;
}

export function rowsAsWorkbook(
  { Name, Info }: { Name: string; Info: Columns },
  lines: Lines,
): AsyncGenerator<Uint8Array> {
  const { CellUsages, ColumnHeaderValues, Formats } = Info;
  let count = 0;
  return streamWorkbook({
    addSheet: (workbook) => {
      const sheet = workbook.addWorksheet(sheetName(Name), { views: [{ state: 'frozen', ySplit: 1 }] });
      sheet.columns = ColumnHeaderValues.map((header, col) => {
        const numFmt = cellFormat(Formats[col] ?? '', CellUsages[col] === 'Date');
        return { width: Math.min(50, Math.max(10, header.length + 2)), style: numFmt === undefined ? {} : { numFmt } };
      });
      addHeaders(sheet, ColumnHeaderValues.map(cellValue));
      return sheet;
    },
    pages: lines,
    addRows: (sheet, page) => {
      count += page.length;
      if (count > XLSX_ROWS) {
        throw new AppError('tooManyRows', 400, 'The table has more rows than a worksheet can hold: download it as CSV');
      }
      for (const line of page) {
        const cells = JSON.parse(line) as unknown[];
        sheet.addRow(ColumnHeaderValues.map((_, col) => cellValue(cells[col]))).commit();
      }
    },
  });
}
