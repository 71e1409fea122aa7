/** Builds the cached values of a chart from the current contents of its cells. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import type { SheetModel } from '#server/calculation/reader/workbook-model.ts';
import { numberFormat } from '#server/calculation/values/number-format/number-format.ts';
import { escapeXml } from '#shared/codecs/xml-escapes.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ChangeSet } from '../change-set.ts';
import { cellsAfter } from './cells-after.ts';
import type { CellAfter } from './cells-after.ts';
import type { CachedLevel, CachedPoint, ChartCache } from './read-chart.ts';

/** Maximum points per cache. Excel plots more, which it reads from the cells when it opens the file. */
const MAX_POINTS = 32_000;
/** Maximum points of all rewritten caches of a workbook. */
const MAX_TOTAL_POINTS = 250_000;

/** Number of points that may still be written. */
export interface PointBudget {
  left: number;
}

export const pointBudget = (): PointBudget => ({ left: MAX_TOTAL_POINTS });

export interface CellReader {
  changes: ChangeSet;
  budget: PointBudget;
  /** True if cells in hidden rows and columns are not plotted. */
  skipsHidden: boolean;
}

/** One line of cells: a column or a row of an area, or a whole area read row by row. */
interface Line {
  count: number;
  cells: { index: number; cell: CellAfter }[];
}

/** Reads the cells of the areas one after the other. */
export function readLine(reader: CellReader, areas: readonly SheetBlock[]): Line {
  const line: Line = { count: 0, cells: [] };
  for (const { sheet, block } of areas) {
    const hidden = hiddenIn(reader, sheet, block);
    const width = block.right - block.left + 1 - hidden.columns.length;
    const limit = Math.min(MAX_POINTS - line.cells.length, reader.budget.left);
    const found = limit > 0 ? cellsAfter(reader.changes, sheet, block, limit) : [];
    reader.budget.left -= found.length;
    for (const cell of found) {
      const above = countUpTo(hidden.rows, cell.row);
      const before = countUpTo(hidden.columns, cell.col);
      if (hidden.rows[above] === cell.row || hidden.columns[before] === cell.col) continue;
      const index = (cell.row - block.top - above) * width + cell.col - block.left - before;
      line.cells.push({ index: line.count + index, cell });
    }
    line.count += (block.bottom - block.top + 1 - hidden.rows.length) * width;
  }
  return line;
}

/** Counts all cells of the areas, including hidden ones. */
export const cellCount = (areas: readonly SheetBlock[]): number =>
  areas.reduce((sum, { block }) => sum + (block.bottom - block.top + 1) * (block.right - block.left + 1), 0);

/** The hidden rows and columns of a block, ascending. */
interface Hidden {
  rows: Uint32Array;
  columns: Uint32Array;
}

const NONE: Hidden = { rows: new Uint32Array(), columns: new Uint32Array() };

function hiddenIn({ skipsHidden, changes }: CellReader, sheet: number, block: CellBlock): Hidden {
  if (!skipsHidden) return NONE;
  const { hiddenRows, hiddenColumns } = changes.model.sheets[sheet]!;
  const rows = hiddenRows.subarray(countUpTo(hiddenRows, block.top), countUpTo(hiddenRows, block.bottom + 1));
  return { rows, columns: columnsIn(hiddenColumns, block) };
}

function columnsIn(ranges: SheetModel['hiddenColumns'], { left, right }: CellBlock): Uint32Array {
  const columns = new Set<number>();
  for (const { first, last } of ranges)
    for (let col = Math.max(first, left); col <= Math.min(last, right); col++) columns.add(col);
  return Uint32Array.from(columns).sort();
}

/** Returns true if rows or columns are hidden so that no cell of the areas is visible. */
export const isHidden = (reader: CellReader, areas: readonly SheetBlock[]): boolean =>
  areas.every(({ sheet, block }) => {
    const { rows, columns } = hiddenIn(reader, sheet, block);
    return rows.length > block.bottom - block.top || columns.length > block.right - block.left;
  });

/** Counts the numbers of an ascending list that are less than `limit`. */
function countUpTo(numbers: Uint32Array, limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Converts cells to points as a chart plots them: texts count as 0 among numbers. Source: files written by Excel. */
export function levelOf(line: Line, isNumbers: boolean, old: CachedLevel | undefined, date1904: boolean): CachedLevel {
  const points = new Map<number, CachedPoint>();
  const format = isNumbers ? (line.cells[0]?.cell.format ?? old?.format ?? 'General') : null;
  for (const { index, cell } of line.cells) {
    const text = isNumbers ? numberText(cell.value) : shownText(cell, date1904);
    points.set(index, { text, format: isNumbers && cell.format !== format ? cell.format : null });
  }
  return { attributes: old?.attributes ?? '', format, count: line.count, points };
}

function numberText(value: CellValue): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '#NUM!';
  if (value instanceof CellError) return value.code;
  return value === true ? '1' : '0';
}

function shownText({ value, format }: CellAfter, date1904: boolean): string {
  if (typeof value === 'number') return numberFormat(format)?.number(value, date1904) ?? String(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value instanceof CellError ? value.code : (value ?? '');
}

/** Returns true if a cache already has these points. Number formats are ignored, because a run does not change them. */
export function sameLevels(a: readonly CachedLevel[], b: readonly CachedLevel[], isNumbers: boolean): boolean {
  return a.length === b.length && a.every((level, index) => sameLevel(level, b[index]!, isNumbers));
}

function sameLevel(a: CachedLevel, b: CachedLevel, isNumbers: boolean): boolean {
  if (a.count !== b.count || a.points.size !== b.points.size) return false;
  for (const [index, { text }] of a.points) {
    const other = b.points.get(index)?.text;
    if (other === undefined || (text !== other && !(isNumbers && Number(text) === Number(other)))) return false;
  }
  return true;
}

/** Returns the XML element of a cache; for cx, all of its levels. */
export function cacheXml({ kind, name, rest }: ChartCache, levels: readonly CachedLevel[]): string {
  const colon = name.indexOf(':') + 1;
  const prefix = name.slice(0, colon);
  const tag = (local: string, attributes: string, inside: string): string =>
    `<${prefix}${local}${attributes}>${inside}</${prefix}${local}>`;
  if (kind === 'name') return tag('v', '', escapeXml(xmlText([...levels[0]!.points.values()].map(textOf).join(' '))));
  if (kind === 'dimension')
    return levels.map((level) => tag('lvl', dimensionAttributes(level), plainPoints(level))).join('');
  const count = `<${prefix}ptCount val="${levels[0]?.count ?? 0}"/>`;
  const points = (level: CachedLevel): string =>
    ascending(level)
      .map(([index, point]) => tag('pt', pointAttributes(index, point), tag('v', '', shown(point))))
      .join('');
  if (kind === 'levels')
    return tag(name.slice(colon), '', count + levels.map((level) => tag('lvl', '', points(level))).join('') + rest);
  const [level] = levels;
  const format = level!.format === null ? '' : tag('formatCode', '', escapeXml(level!.format));
  return tag(name.slice(colon), '', format + count + points(level!) + rest);

  function plainPoints(each: CachedLevel): string {
    return ascending(each)
      .map(([index, point]) => tag('pt', ` idx="${index}"`, shown(point)))
      .join('');
  }
}

const textOf = ({ text }: CachedPoint): string => text;
const shown = ({ text }: CachedPoint): string => escapeXml(xmlText(text));
const ascending = ({ points }: CachedLevel): [number, CachedPoint][] => [...points].sort(([a], [b]) => a - b);

function pointAttributes(index: number, { format }: CachedPoint): string {
  return ` idx="${index}"${format === null ? '' : ` formatCode="${escapeXml(format)}"`}`;
}

function dimensionAttributes({ count, format, attributes }: CachedLevel): string {
  return ` ptCount="${count ?? 0}"${format === null ? '' : ` formatCode="${escapeXml(format)}"`}${attributes}`;
}

/** Removes the characters that XML cannot hold. */
function xmlText(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
