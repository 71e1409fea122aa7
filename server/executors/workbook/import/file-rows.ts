/** Reads the rows of an uploaded csv or xlsx file before they are converted to types. */
import { CsvError, parse } from 'csv-parse/sync';
import type { Info } from 'csv-parse/sync';
import { CalculationError, type CalculationModel } from '#server/calculation/engine.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import { CellKind, type SheetModel, type WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { shiftFrom1904 } from '#shared/codecs/serial-date.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import { sheetIndex } from '../definitions/areas.ts';
import { createCellView } from '../definitions/cell-view.ts';
import { withCalculatedValues } from '../definitions/definition-view.ts';
import { delimiterOf } from '../definitions/delimiter.ts';
import { openPackage } from '../package.ts';
import { decodeText, ImportError } from './decode-text.ts';

export interface FileRow {
  /** Row number in the file, 1-based. */
  row: number;
  cells: CellValue[];
}

export interface FileRows {
  /** Names of the columns, trimmed. */
  headers: string[];
  /** Without blank rows. */
  rows: FileRow[];
  /** True if all values are texts whose types are not known yet. */
  isText: boolean;
  /** Separator of the columns of a text file; '' for a workbook. */
  delimiter: string;
}

export interface ReadOptions {
  /** Row of the column names, 1-based. */
  headerRow: number;
  encoding: string | null;
  delimiter: string | null;
  /** Sheet of an .xlsx; null for the first visible one. */
  sheet: string | null;
}

/** Throws ImportError if the file cannot be read. */
export async function readRows(bytes: Uint8Array, options: ReadOptions): Promise<FileRows> {
  if (bytes.length === 0) throw new ImportError('the file is empty');
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const isOldExcel = bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;
  return isZip || isOldExcel ? readSheetRows(bytes, options) : readCsvRows(bytes, options);
}

function readCsvRows(bytes: Uint8Array, options: ReadOptions): FileRows {
  const text = decodeText(bytes, options.encoding);
  // A PDF may consist of text characters only.
  if (text.includes('\0') || text.startsWith('%PDF-'))
    throw new ImportError('the file is neither a text file nor an Excel workbook');
  const chosenDelimiter = options.delimiter === null ? null : delimiterOf(options.delimiter);
  const delimiter = chosenDelimiter ?? findDelimiter(text, options.headerRow);
  return fromRecords(parseCsv(text, delimiter), options.headerRow, delimiter);
}

function parseCsv(text: string, delimiter: string): FileRow[] {
  try {
    const options = { delimiter, bom: true, relax_column_count: true, relax_quotes: true, info: true } as const;
    // The library's types do not know that `info` wraps the records.
    const records = parse(text, options) as unknown as { record: string[]; info: Info }[];
    let line = 0;
    return records.map(({ record, info }) => {
      const row = line + 1;
      line = info.lines;
      return { row, cells: record };
    });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new ImportError(csvProblem(cause), { cause });
  }
}

/** Replaces the library's message with our own. */
const csvProblem = ({ code }: CsvError): string =>
  code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'the file cannot be read as csv: a quotation mark (") starts a value that never ends. Close the value, or double the quotation marks inside it'
    : 'the file cannot be read as csv: save it again as csv in Excel';

/** Returns the character that splits the row of column names into the most columns. */
function findDelimiter(text: string, headerRow: number): string {
  const line = (text.split(/\r\n|\n|\r/, headerRow).at(-1) ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

function fromRecords(records: FileRow[], headerRow: number, delimiter: string): FileRows {
  const header = records.find(({ row }) => row === headerRow);
  const headers = (header?.cells ?? []).map((cell) => String(cell ?? '').trim());
  if (!headers.some((name) => name !== ''))
    throw new ImportError(`row ${headerRow} of the file contains no column names`);
  const isFilled = (cell: CellValue): boolean => cell !== null && (typeof cell !== 'string' || cell.trim() !== '');
  const rows = records.filter(({ row, cells }) => row > headerRow && cells.some(isFilled));
  return { headers, rows, isText: delimiter !== '', delimiter };
}

async function readSheetRows(bytes: Uint8Array, options: ReadOptions): Promise<FileRows> {
  let model: WorkbookModel;
  try {
    model = readWorkbook(await openPackage(bytes));
  } catch (cause) {
    if (cause instanceof WorkbookFileError) throw new ImportError(cause.message, { cause });
    throw cause;
  }
  const visible = model.sheets.findIndex(({ visibility }) => visibility === 'visible');
  const sheet = options.sheet === null ? visible : sheetIndex(model, options.sheet);
  if (sheet < 0) {
    const names = model.sheets.map(({ name }) => `'${name}'`).join(', ');
    throw new ImportError(`the workbook has no sheet '${options.sheet ?? ''}'; it has ${names}`);
  }
  return fromRecords(sheetRecords(model, sheet, await calculationOf(model)), options.headerRow, '');
}

type Calculation = () => CalculationModel | null;

/** Some programs save formulas without their values. The engine is loaded only for such files. */
async function calculationOf(model: WorkbookModel): Promise<Calculation> {
  const isUnsaved = ({ cells }: SheetModel): boolean =>
    cells.formulas.some((formula, at) => formula >= 0 && cells.kinds[at] === CellKind.Blank);
  if (!model.sheets.some(isUnsaved)) return () => null;
  const { createRunsheetEngine } = await import('#server/calculation/runsheet-engine.ts');
  return () => {
    try {
      const calculated = createRunsheetEngine().load(model);
      calculated.recalculate();
      return calculated;
    } catch (cause) {
      if (!(cause instanceof CalculationError)) throw cause;
      throw new ImportError(`it has formulas without saved values, and cannot be calculated: ${cause.message}`, {
        cause,
      });
    }
  };
}

function sheetRecords(model: WorkbookModel, sheet: number, calculated: Calculation): FileRow[] {
  const { cells } = model.sheets[sheet]!;
  const cellAt = withCalculatedValues(model, createCellView(model), calculated);
  const records: FileRow[] = [];
  for (let at = 0; at < cells.count; at++) {
    const row = cells.rows[at]!;
    const col = cells.cols[at]!;
    const { value, format, formula } = cellAt(sheet, row, col);
    if (value === null) {
      if (formula === null) continue;
      throw new ImportError(
        `cell ${formatCell(row, col)} has a formula without a saved value, which could not be calculated: open the file in Excel and save it`,
      );
    }
    let record = records.at(-1);
    if (record?.row !== row + 1) records.push((record = { row: row + 1, cells: [] }));
    while (record.cells.length < col) record.cells.push(null);
    // Dates are passed on in the 1900 date system; a workbook of the 1904 system counts from another day.
    const isDay1904 = model.date1904 && typeof value === 'number' && isDate(format);
    record.cells.push(isDay1904 ? shiftFrom1904(value) : value);
  }
  return records;
}
