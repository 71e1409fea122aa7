/** Writes rows of a table to a file. It streams both the rows and the file, so neither is ever in memory as a whole. */
import { stringify } from 'csv-stringify/sync';
import { AppError } from '#server/base/app-error.ts';
import { escapeFormulaButNumber } from '#server/base/csv-formulas.ts';
import { MAX_SHEET_ROWS } from '#server/base/xlsx/sheet-writer.ts';
import { streamWorkbook } from '#server/base/xlsx/stream-workbook.ts';
import type { ResultBatch, ResultValue } from '#server/connections/types.ts';
import { tableCell } from '#shared/codecs/table-value.ts';
import type { ValueColumn } from '#shared/contract/tableviews.ts';

type Batches = AsyncIterable<ResultBatch>;

/** Maximum number of rows below the headings. */
export const XLSX_ROWS = MAX_SHEET_ROWS - 1;
/** Source: Excel's specifications and limits. */
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
  yield bytes([columns.map(({ DisplayName }) => escapeFormulaButNumber(DisplayName))]);
  for await (const { rows } of batches) {
    if (rows.length === 0) continue;
    yield bytes(rows.map((row) => columns.map((column, index) => csvText(row[index] ?? null, column))));
  }
}

function csvText(value: ResultValue, { FilterKind }: ValueColumn): string | null {
  if (value === null) return null;
  return FilterKind === 'Text' ? escapeFormulaButNumber(String(value)) : String(value);
}

/** Writes numbers and days as such if no precision is lost, otherwise as texts. No cell becomes a formula. */
export const xlsxOf = (columns: readonly ValueColumn[], batches: Batches): AsyncGenerator<Uint8Array> =>
  streamWorkbook(async (workbook) => {
    const sheet = workbook.addSheet({
      name: 'Table',
      columns: columns.map(({ DisplayName, DisplayFormat, FilterKind }) => ({
        width: Math.min(50, Math.max(10, DisplayName.length + 2)),
        format: DisplayFormat || (FilterKind === 'Date' ? DATE_FORMAT : undefined),
      })),
      frozenRows: 1,
    });
    await sheet.addHeadings(columns.map(({ DisplayName }) => DisplayName));
    for await (const { rows } of batches) {
      for (const row of rows) {
        await sheet.addRow(columns.map((column, index) => cellOf(row[index] ?? null, column)));
      }
    }
    sheet.end();
  });

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
