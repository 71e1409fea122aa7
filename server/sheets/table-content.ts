import { hasMoreDigits } from '#shared/codecs/exact-number.ts';
import { ruleIndex } from '#shared/codecs/input-form.ts';
import type { CellUsage, RangeType } from '#shared/contract/parameters.ts';
import type { NumberFormat, TableContent } from './table-workbook.ts';

/** The parts of an input's or output's Info that its table needs. */
export interface TableInfo {
  RangeType: RangeType;
  CellUsages: CellUsage[];
  ColumnHeaderValues: string[];
  RowHeaderValues: string[];
  Formats: string[];
}

export interface TableSource {
  name: string;
  info: TableInfo;
  /** JSON text as in the contract. */
  value: string;
  /** Indexes of the rows to include, from 0, in this order; null for all. */
  rowIndices: number[] | null;
  /** Row of the headers, from 1; rows above it stay blank. */
  headerRow?: number;
}

const PLAIN: NumberFormat = { isDate: false, format: '' };

/** Returns the rows of a value of any shape. */
function rowsOf(rangeType: RangeType, value: unknown): unknown[][] {
  if (!Array.isArray(value)) return [[value]];
  if (rangeType === 'SingleRowOfSimilarValues') return [value];
  return value.map((row: unknown) => (Array.isArray(row) ? row : [row]));
}

/**
 * Returns a note about numbers that Excel's calculations ignore: numbers with more digits than an Excel cell holds,
 * which are written as texts.
 */
function textNumbersNote(rows: readonly unknown[][], col: number): string {
  const texts = rows.filter(({ [col]: cell }) => typeof cell === 'string' && hasMoreDigits(cell)).length;
  if (texts === 0) return '';
  const [what, stand] = texts === 1 ? ['1 number', 'stands'] : [`${texts.toLocaleString('en')} numbers`, 'stand'];
  return `${what} of more than 15 digits ${stand} here as text, with all digits. Excel leaves texts out of sums and other calculations.`;
}

/** Converts a value to a table with headers, rows and the format of each column. */
export function tableContent({ name, info, value, rowIndices, headerRow = 1 }: TableSource): TableContent {
  const all = rowsOf(info.RangeType, JSON.parse(value));
  const rowHeaders = info.RowHeaderValues;
  const shownIndices = rowIndices?.filter((index) => index < all.length) ?? all.keys().toArray();
  const rows = shownIndices.map((index) => all[index]!);
  const width = rows.reduce((max, row) => Math.max(max, row.length), info.ColumnHeaderValues.length);
  // If each row has its own rules, a column has no usage.
  const byRow = info.RangeType === 'RangeWithRowHeaders' && info.CellUsages.length > 1;
  const numberFormatOf = (row: number, col: number): NumberFormat => {
    const index = ruleIndex(info, row, col);
    return { isDate: info.CellUsages[index] === 'Date', format: info.Formats[index] ?? '' };
  };
  return {
    sheetName: name,
    headerRow,
    columns: Array.from({ length: width }, (_, col) => ({
      header: info.ColumnHeaderValues[col] ?? '',
      note: byRow || info.CellUsages[ruleIndex(info, 0, col)] !== 'Number' ? '' : textNumbersNote(rows, col),
      ...(byRow ? PLAIN : numberFormatOf(0, col)),
    })),
    rowFormats: byRow ? shownIndices.map((row) => numberFormatOf(row, 0)) : [],
    rowHeaders: rowHeaders.length > 0 ? shownIndices.map((index) => rowHeaders[index] ?? '') : [],
    rows,
  };
}
