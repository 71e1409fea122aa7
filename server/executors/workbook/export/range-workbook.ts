/** Writes cells of a run to a separate workbook: values only, never formulas. */
import type * as exceljs from 'exceljs';
import { excelJs } from '#server/base/on-demand.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { shiftFrom1904 } from '#shared/codecs/serial-date.ts';
import { hasDay } from '#shared/codecs/date-format.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import type { StepContext } from '../run/step-context.ts';

export interface ExportRange {
  sheet: number;
  /** Current position of the block. */
  block: CellBlock;
  /** Headers to write above the block; empty if the block contains its own or needs none. */
  headers: readonly string[];
  title: string;
}

/** Returns the number format of a cell of a range. Rows that a table gained use the formats of its first row. */
export function formatIn({ calculation, view }: Pick<StepContext, 'calculation' | 'view'>, range: ExportRange) {
  const saved = calculation.model.tables.find(
    ({ sheet, block }) => sheet === range.sheet && block.left <= range.block.left && block.right >= range.block.right,
  );
  const firstOfTable = saved ? saved.block.top + saved.headerRows : null;
  return (y: number, x: number): string => {
    const col = range.block.left + x;
    const row = calculation.rowInVersion(range.sheet, range.block.top + y, col);
    if (row === null) return 'General';
    const isGained = saved !== undefined && row > saved.block.bottom;
    return view.cell(range.sheet, isGained ? firstOfTable! : row, col).format;
  };
}

const WIDEST = 60;
const NARROWEST = 10;

export async function rangeWorkbook(
  context: Pick<StepContext, 'calculation' | 'view'>,
  range: ExportRange,
): Promise<Uint8Array> {
  const { calculation } = context;
  const workbook = new (excelJs().Workbook)();
  const sheet = workbook.addWorksheet(sheetName(range.title));
  const formatAt = formatIn(context, range);
  const { date1904 } = calculation.model;
  if (range.headers.length > 0) sheet.addRow(range.headers.map((header) => header)).font = { bold: true };
  const widths: number[] = range.headers.map((header) => header.length);
  for (const [y, values] of calculation.read(range.sheet, range.block).entries()) {
    const row = sheet.addRow([]);
    for (const [x, value] of values.entries()) {
      if (value === null) continue;
      const format = formatAt(y, x);
      const cell = row.getCell(x + 1);
      cell.value = cellContent(value, date1904 && isDate(format) && hasDay(format));
      if (typeof value === 'number' && format !== 'General') cell.numFmt = format;
      widths[x] = Math.max(widths[x] ?? 0, typeof value === 'string' ? value.length : NARROWEST);
    }
  }
  for (const [x, width] of widths.entries())
    sheet.getColumn(x + 1).width = Math.min(WIDEST, Math.max(NARROWEST, width + 2));
  sheet.pageSetup = { orientation: widths.length > 6 ? 'landscape' : 'portrait', fitToPage: true, fitToHeight: 0 };
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

/** exceljs treats a string as text, whatever its first character. */
function cellContent(value: Exclude<CellValue, null>, is1904: boolean): exceljs.CellValue {
  if (value instanceof CellError) return { error: value.code } as exceljs.CellErrorValue;
  return typeof value === 'number' && is1904 ? shiftFrom1904(value) : value;
}

function sheetName(title: string): string {
  const clean = title
    .replaceAll(/[\\/?*[\]:]/g, ' ')
    .replaceAll(/^'|'$/g, '')
    .trim()
    .slice(0, 31);
  return clean === '' || clean.toLowerCase() === 'history' ? 'Export' : clean;
}
