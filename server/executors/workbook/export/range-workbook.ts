/** Writes cells of a run to a separate workbook: values only, never formulas. */
import type { CellContent } from '#server/base/xlsx/cell-xml.ts';
import { sheetName } from '#server/base/xlsx/sheet-name.ts';
import { buildWorkbook } from '#server/base/xlsx/stream-workbook.ts';
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

export function rangeWorkbook(
  context: Pick<StepContext, 'calculation' | 'view'>,
  range: ExportRange,
): Promise<Uint8Array> {
  const { calculation } = context;
  const formatAt = formatIn(context, range);
  const { date1904 } = calculation.model;
  const rows = calculation.read(range.sheet, range.block);
  const widths = columnWidths(range.headers, rows);
  return buildWorkbook(async (workbook) => {
    const sheet = workbook.addSheet({
      name: sheetName(range.title, 'Export'),
      columns: widths.map((width) => ({ width })),
      orientation: widths.length > 6 ? 'landscape' : 'portrait',
    });
    if (range.headers.length > 0) await sheet.addHeadings(range.headers);
    for (const [y, values] of rows.entries()) {
      const formats = values.map((value, x) => (typeof value === 'number' ? formatAt(y, x) : ''));
      const cells = values.map((value, x) => cellContent(value, date1904, formats[x]!));
      await sheet.addRow(cells, (x) => ({ format: formats[x] }));
    }
    sheet.end();
  });
}

function columnWidths(headers: readonly string[], rows: readonly (readonly CellValue[])[]): number[] {
  const widths = headers.map((header) => header.length);
  for (const values of rows) {
    for (const [x, value] of values.entries()) {
      if (value !== null) widths[x] = Math.max(widths[x] ?? 0, typeof value === 'string' ? value.length : NARROWEST);
    }
  }
  // Columns without a value are holes.
  return Array.from(widths, (width: number | undefined) => Math.min(WIDEST, Math.max(NARROWEST, (width ?? 0) + 2)));
}

function cellContent(value: CellValue, date1904: boolean, format: string): CellContent {
  if (value instanceof CellError) return { error: value.code };
  const isShifted = typeof value === 'number' && date1904 && isDate(format) && hasDay(format);
  return isShifted ? shiftFrom1904(value) : value;
}
