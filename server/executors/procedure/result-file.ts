/** Writes a result set to a file while its rows arrive. */
import { once } from 'node:events';
import { stringify } from 'csv-stringify/sync';
import { escapeFormulaButNumber } from '#server/base/csv-formulas.ts';
import { MAX_SHEET_ROWS, type SheetWriter } from '#server/base/xlsx/sheet-writer.ts';
import type { SheetColumn } from '#server/base/xlsx/sheet-xml.ts';
import { openWorkbook } from '#server/base/xlsx/workbook-writer.ts';
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import type { ProcedureCell, ProcedureType } from '#server/base/procedure-types.ts';
import { ProcedureRefused } from '../procedure-call.ts';
import { createValueConverter, type ValueConverter } from './value-converter.ts';
import { hexText, outputFormat, type OutputUsage } from './result-cells.ts';

export interface FileColumn {
  name: string;
  usage: OutputUsage;
  type: ProcedureType;
}

type Rows = readonly (readonly ProcedureCell[])[];

export interface ResultFile {
  /** Throws ProcedureRefused if the file cannot hold the rows. */
  add(rows: Rows): Promise<void>;
  end(): Promise<Uint8Array>;
  /**
   * Per column: the values its cells could not hold exactly. Empty for csv, which contains the texts of the database.
   */
  readonly converters: readonly ValueConverter[];
  /** Drops the unfinished file. */
  discard(): void;
}

/** Characters of a cell. Source: Excel's specifications and limits. */
const MAX_TEXT_LENGTH = 32_767;
/** Bounds memory: the file stays in memory until the run has ended. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

export const openResultFile = (format: 'csv' | 'xlsx', title: string, columns: readonly FileColumn[]): ResultFile =>
  format === 'csv' ? csvFile(title, columns) : xlsxFile(title, columns);

function csvFile(title: string, columns: readonly FileColumn[]): ResultFile {
  const chunks = boundedChunks(title);
  const write = (rows: readonly (readonly string[])[]): void =>
    chunks.push(Buffer.from(stringify([...rows], { record_delimiter: 'windows' })));
  // The byte order mark tells Excel that the file is UTF-8.
  chunks.push(Buffer.from('\uFEFF'));
  write([columns.map(({ name }) => escapeFormulaButNumber(name))]);
  return {
    converters: [],
    add: (rows) => {
      write(rows.map((row) => row.map((cell, col) => csvText(cell, columns[col]!))));
      return Promise.resolve();
    },
    end: () => Promise.resolve(chunks.all()),
    discard: () => undefined,
  };
}

/** Returns the value as the database writes it, so that nothing is lost. */
function csvText(cell: ProcedureCell, { type }: FileColumn): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if (typeof cell !== 'string') return hexText(cell);
  return type.kind === 'Number' || type.kind === 'Date' ? cell : escapeFormulaButNumber(cell);
}

function xlsxFile(title: string, columns: readonly FileColumn[]): ResultFile {
  const workbook = openWorkbook();
  const { output } = workbook;
  const chunks = boundedChunks(title);
  let failed: unknown;
  output.on('data', (chunk: Uint8Array) => {
    try {
      if (failed === undefined) chunks.push(chunk);
    } catch (error) {
      failed = error;
    }
  });
  const converters = columns.map(({ usage }) => createValueConverter(usage));
  const headings = columns.map(({ name }) => cellText(title, name));
  let sheets = 0;
  let rowsOfSheet = 0;
  let sheet: SheetWriter | undefined;

  /** Adds the next sheet if there is none, or the last one is full. */
  async function sheetWithSpace(): Promise<SheetWriter> {
    if (sheet && rowsOfSheet < MAX_SHEET_ROWS) return sheet;
    sheet?.end();
    sheets += 1;
    sheet = workbook.addSheet({ name: `Rows ${sheets}`, columns: columns.map(sheetColumn), frozenRows: 1 });
    await sheet.addHeadings(headings);
    rowsOfSheet = 1;
    return sheet;
  }

  return {
    converters,
    add: async (rows) => {
      for (const row of rows) {
        const cells = row.map((value, col) => converters[col]!.cellOf(value));
        const current = await sheetWithSpace();
        await current.addRow(cells.map((cell) => (typeof cell === 'string' ? cellText(title, cell) : cell)));
        rowsOfSheet += 1;
        if (failed !== undefined) throw failed as Error;
      }
    },
    end: async () => {
      const ended = once(output, 'end');
      (await sheetWithSpace()).end();
      workbook.end();
      await ended;
      if (failed !== undefined) throw failed as Error;
      return chunks.all();
    },
    discard: () => output.destroy(),
  };
}

const sheetColumn = ({ name, usage, type }: FileColumn): SheetColumn => ({
  width: Math.min(50, Math.max(10, name.length + 2)),
  format: usage === 'Date' ? outputFormat(type) : undefined,
});

function cellText(title: string, text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  throw refused(
    `A text of ${title} has ${text.length.toLocaleString('en')} characters, more than a cell of a workbook holds: have large results written as csv`,
  );
}

function boundedChunks(title: string): { push(chunk: Uint8Array): void; all(): Uint8Array } {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    push: (chunk) => {
      bytes += chunk.length;
      if (bytes > MAX_FILE_BYTES) throw refused(`${title} is larger than a file of a result may be (512 MB)`);
      chunks.push(chunk);
    },
    all: () => new Uint8Array(Buffer.concat(chunks)),
  };
}

const refused = (Message: string): ProcedureRefused =>
  new ProcedureRefused('Failed', { Message, StatusCode: LogCode.ResultKept, Category: Category.Error });
