/**
 * Writes the joined table of a For each step as a file. It streams both the rows and the file, so neither is ever in
 * memory as a whole.
 */
import { stringify } from 'csv-stringify/sync';
import { AppError } from '#server/base/app-error.ts';
import { escapeFormulaButNumber } from '#server/base/csv-formulas.ts';
import { sheetName } from '#server/base/xlsx/sheet-name.ts';
import { MAX_SHEET_ROWS } from '#server/base/xlsx/sheet-writer.ts';
import { streamWorkbook } from '#server/base/xlsx/stream-workbook.ts';
import { cellFormat, cellValue } from './table-workbook.ts';
import { formatSerialDate } from '#shared/codecs/serial-date.ts';
import type { OutputInfo } from '#shared/contract/parameters.ts';

/** Lines as JSON texts. */
type Lines = AsyncIterable<readonly string[]>;
type Columns = Pick<OutputInfo, 'CellUsages' | 'ColumnHeaderValues' | 'Formats'>;

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
  return streamWorkbook(async (workbook) => {
    const sheet = workbook.addSheet({
      name: sheetName(Name, 'Table'),
      columns: ColumnHeaderValues.map((header, col) => ({
        width: Math.min(50, Math.max(10, header.length + 2)),
        format: cellFormat(Formats[col] ?? '', CellUsages[col] === 'Date'),
      })),
      frozenRows: 1,
    });
    await sheet.addHeadings(ColumnHeaderValues.map(cellValue));
    let count = 1;
    for await (const page of lines) {
      count += page.length;
      if (count > MAX_SHEET_ROWS) {
        throw new AppError('tooManyRows', 400, 'The table has more rows than a worksheet can hold: download it as CSV');
      }
      for (const line of page) {
        const cells = JSON.parse(line) as unknown[];
        await sheet.addRow(ColumnHeaderValues.map((_, col) => cellValue(cells[col])));
      }
    }
    sheet.end();
  });
}
