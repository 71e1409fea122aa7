/** Reads from the open workbook. */
import { shiftFrom1904 } from '#shared/codecs/serial-date.ts';
import type { CellValue, ExcelContext, ExcelRange } from './excel-types.ts';
import { asked, excel, has, office } from './office.ts';

/** Slice size in bytes; Excel allows up to 4 MB. */
const SLICE = 1024 * 1024;
/** Limits one response of Excel on the web, which may have at most 5 MB. */
const MAX_CELLS_PER_REQUEST = 20_000;
/** Larger data should be sent as a file. */
const MAX_CELLS = 1_000_000;

/** Returns the open workbook as a file in its current state, whether saved or not. Throws OfficeFailure. */
export async function openWorkbook(): Promise<{ name: string; content: Blob }> {
  const { document } = office().context;
  const file = await asked<Parameters<Parameters<typeof document.getFileAsync>[2]>[0]['value']>((done) =>
    document.getFileAsync('compressed', { sliceSize: SLICE }, done),
  );
  try {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let index = 0; index < file.sliceCount; index += 1) {
      const { data } = await asked<{ data: ArrayLike<number> }>((done) => file.getSliceAsync(index, done));
      parts.push(new Uint8Array(data));
    }
    const content = new Blob(parts);
    if (content.size !== file.size)
      throw new Error(`Excel gave ${content.size} of ${file.size} bytes of the workbook. Please try again.`);
    return { name: workbookName(document.url ?? ''), content };
  } finally {
    // Excel holds at most two such files in memory.
    await asked<void>((done) => file.closeAsync(done)).catch(() => undefined);
  }
}

/** Derives the name from the workbook's address or path; an unsaved workbook has none. */
export function workbookName(url: string): string {
  const last = url.split(/[?#]/)[0]!.split(/[\\/]/).pop() ?? '';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // A file path may contain percent signs that are not escapes.
  }
  if (name === '') return 'workbook.xlsx';
  return /\.xls[xm]$/i.test(name) ? name : `${name.replace(/\.[^.]*$/, '')}.xlsx`;
}

export interface Selection {
  address: string;
  values: CellValue[][];
  /** As displayed. */
  text: string[][];
  types: string[][];
  formats: (string | null)[][];
  is1904: boolean;
}

export class SelectionTooLarge extends Error {
  override readonly name = 'SelectionTooLarge';
}

/**
 * Reads the selected cells; whole rows and columns are limited to their used part. Days are numbers in the workbook's
 * date system.
 */
export function readSelection(): Promise<Selection> {
  return excel().run(async (context) => {
    const range = await usedPart(context, context.workbook.getSelectedRange());
    const { address, rowCount, columnCount } = range;
    if (rowCount * columnCount > MAX_CELLS) throw new SelectionTooLarge(address);
    const selection: Selection = {
      address,
      values: [],
      text: [],
      types: [],
      formats: [],
      is1904: await countsFrom1904(context),
    };
    const rows = Math.max(1, Math.floor(MAX_CELLS_PER_REQUEST / columnCount));
    for (let row = 0; row < rowCount; row += rows) {
      const part = partOf(range, row, Math.min(rows, rowCount - row), columnCount);
      part.load('values, text, valueTypes, numberFormat');
      await context.sync();
      for (let at = 0; at < part.values.length; at += 1) {
        selection.values.push(part.values[at]!);
        selection.text.push(part.text[at]!);
        selection.types.push(part.valueTypes[at]!);
        selection.formats.push(part.numberFormat[at]!);
      }
    }
    return selection;
  });
}

async function usedPart(context: ExcelContext, selected: ExcelRange): Promise<ExcelRange> {
  selected.load('address, rowCount, columnCount');
  await context.sync();
  if (selected.rowCount * selected.columnCount <= MAX_CELLS_PER_REQUEST) return selected;
  const used = selected.getUsedRange(true);
  used.load('address, rowCount, columnCount');
  await context.sync();
  return used;
}

const partOf = (range: ExcelRange, row: number, rows: number, columns: number): ExcelRange =>
  range.getCell(row, 0).getBoundingRect(range.getCell(row + rows - 1, columns - 1));

/**
 * Returns whether the open workbook uses the 1904 date system, as some from Macs do. Returns false if Excel cannot
 * tell.
 */
export async function countsFrom1904(context: ExcelContext): Promise<boolean> {
  if (!has('functions')) return false;
  const first = context.workbook.functions.year(1);
  first.load('value');
  await context.sync();
  return first.value === 1904;
}

/** Converts a day of the workbook to the portal's date system. */
export const toPortalDay = (serial: number, { is1904 }: Pick<Selection, 'is1904'>): number =>
  is1904 ? shiftFrom1904(serial) : serial;

/** Selects a cell in Excel. Throws Excel's error if the sheet does not exist. */
export function selectCell(sheet: string, cell: string): Promise<void> {
  return excel().run(async (context) => {
    const found = context.workbook.worksheets.getItem(sheet);
    found.activate();
    found.getRange(cell).select();
    await context.sync();
  });
}
