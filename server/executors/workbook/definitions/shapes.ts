/** What a block of cells is, by its shape and its texts. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatCellValue } from '#shared/codecs/format-value.ts';
import type { RangeType } from '#shared/contract/parameters.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { Area } from './areas.ts';
import { heightOf, sameBlock, tableBody, widthOf } from './blocks.ts';
import type { CellView, SavedCell } from './cell-view.ts';
import type { Problem } from './faults.ts';
import { problem } from './faults.ts';

/** A block told apart into headers and data. */
export interface Shape {
  rangeType: RangeType;
  /** The data alone. */
  data: CellBlock;
  headerRows: number;
  headerCols: number;
  columnHeaders: string[];
  rowHeaders: string[];
}

export type ShapeResult = { shape: Shape } | { problem: Problem };

/** The shape of an area; `wanted` is what its author says it is, null where that is left to the cells. */
export function shapeOf(model: WorkbookModel, view: CellView, area: Area, wanted: RangeType | null): ShapeResult {
  const { table, sheet } = area;
  if (table && sameBlock(tableBody(table), area.block)) {
    if (wanted !== null && wanted !== 'RangeWithColumnHeaders')
      return {
        problem: problem(`is the Excel table ${table.name}, and cannot be a ${wanted}`, 'Leave RangeType empty.'),
      };
    const columnHeaders = table.columns.map((column) => column.name);
    return shape('RangeWithColumnHeaders', area.block, table.headerRows, 0, columnHeaders, []);
  }
  const block = withoutMerge(model, sheet, area.block);
  const reader = headerReader(view, sheet);
  if (area.spills) return spillShape(reader, area.block, wanted);
  const rangeType = wanted ?? detect(reader, block);
  return split(reader, block, rangeType, wanted !== null);
}

function shape(
  rangeType: RangeType,
  data: CellBlock,
  headerRows: number,
  headerCols: number,
  columnHeaders: string[] = [],
  rowHeaders: string[] = [],
): { shape: Shape } {
  return { shape: { rangeType, data, headerRows, headerCols, columnHeaders, rowHeaders } };
}

/**
 * What a dynamic array fills: all of it is data, for its own first row moves with it; titles may stand above. How many
 * rows it had when the file was saved says nothing of its shape.
 */
function spillShape(reader: HeaderReader, block: CellBlock, wanted: RangeType | null): ShapeResult {
  if (wanted !== null && wanted !== 'RangeWithColumnHeaders') return shape(wanted, block, 0, 0);
  const above = block.top > 0 ? reader.row(block.top - 1, block.left, block.right) : [];
  const hasTitles = above.length > 0 && above.every(isText);
  if (hasTitles && (wanted !== null || above.length > 1))
    return shape('RangeWithColumnHeaders', block, 1, 0, above.map(text));
  if (wanted !== null) return misfit(wanted, 'a row of texts right above the formula');
  if (widthOf(block) > 1) return shape('MatrixWithoutHeaders', block, 0, 0);
  return shape('SingleColumnOfSimilarValues', block, 0, 0);
}

/** Merged cells are one cell to the person who named them: the one at the top left. */
export function withoutMerge(model: WorkbookModel, sheet: number, block: CellBlock): CellBlock {
  const isMerged = model.sheets[sheet]!.merges.some((merge) => sameBlock(merge, block));
  return isMerged ? { ...block, bottom: block.top, right: block.left } : block;
}

interface HeaderReader {
  row(row: number, left: number, right: number): SavedCell[];
  column(col: number, top: number, bottom: number): SavedCell[];
}

function headerReader(view: CellView, sheet: number): HeaderReader {
  const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return {
    row: (row, left, right) => span(left, right).map((col) => view.cell(sheet, row, col)),
    column: (col, top, bottom) => span(top, bottom).map((row) => view.cell(sheet, row, col)),
  };
}

const isText = ({ value }: SavedCell): boolean => typeof value === 'string' && value.trim() !== '';
const isFilled = ({ value }: SavedCell): boolean => value !== null && value !== '';
const areTitles = (cells: SavedCell[]): boolean =>
  cells.every(isText) && new Set(cells.map(({ value }) => String(value).toLowerCase())).size === cells.length;

function detect(reader: HeaderReader, block: CellBlock): RangeType {
  const { top, left, bottom, right } = block;
  if (heightOf(block) === 1 && widthOf(block) === 1) return 'SingleCell';
  if (heightOf(block) === 1) return 'SingleRowOfSimilarValues';
  if (widthOf(block) === 1) return 'SingleColumnOfSimilarValues';
  const first = reader.row(top, left, right);
  if (areTitles(first)) return 'RangeWithColumnHeaders';
  const side = reader.column(left, top + 1, bottom);
  const isCornerBlank = !isFilled(first[0]!);
  const above = first.slice(1);
  if (isCornerBlank && above.every(isFilled) && side.every(isFilled) && (areTitles(above) || areTitles(side)))
    return 'MatrixWithHeaders';
  return top > 0 && areTitles(reader.row(top - 1, left, right)) ? 'RangeWithColumnHeaders' : 'MatrixWithoutHeaders';
}

const text = ({ value, format }: SavedCell): string =>
  value instanceof CellError ? value.code : formatCellValue(value, format);

/** `isAsked`: the author named the type, so that a shape which does not fit is a fault and not another type. */
function split(reader: HeaderReader, block: CellBlock, rangeType: RangeType, isAsked: boolean): ShapeResult {
  const { top, left, bottom, right } = block;
  const height = heightOf(block);
  const width = widthOf(block);
  switch (rangeType) {
    case 'SingleCell':
      return height * width === 1 ? shape(rangeType, block, 0, 0) : misfit(rangeType, 'one cell');
    case 'SingleRowOfSimilarValues':
      return height === 1 ? splitLine(reader.row(top, left, right), block, rangeType) : misfit(rangeType, 'one row');
    case 'SingleColumnOfSimilarValues':
      if (width > 1) return misfit(rangeType, 'one column');
      return splitLine(reader.column(left, top, bottom), block, rangeType);
    case 'RangeWithColumnHeaders':
      return splitColumns(reader, block, isAsked);
    case 'RangeWithRowHeaders': {
      if (width < 2) return misfit(rangeType, 'a column of headers and at least one column of values');
      const headers = reader.column(left, top, bottom).map(text);
      return shape(rangeType, { ...block, left: left + 1 }, 0, 1, [], headers);
    }
    case 'MatrixWithHeaders': {
      if (width < 2 || height < 2) return misfit(rangeType, 'a row and a column of headers, and values');
      const columnHeaders = reader.row(top, left + 1, right).map(text);
      const rowHeaders = reader.column(left, top + 1, bottom).map(text);
      return shape(rangeType, { ...block, top: top + 1, left: left + 1 }, 1, 1, columnHeaders, rowHeaders);
    }
    default:
      return shape(rangeType, block, 0, 0);
  }
}

/** A list whose first cell is its title: a text over (or before) values of which none is a text. */
function splitLine(cells: SavedCell[], block: CellBlock, rangeType: RangeType): ShapeResult {
  const [first, ...rest] = cells;
  const filled = rest.filter(isFilled);
  const hasTitle = isText(first!) && !first!.formula && filled.length > 0 && !filled.some(isText);
  if (!hasTitle) return shape(rangeType, block, 0, 0);
  return rangeType === 'SingleRowOfSimilarValues'
    ? shape(rangeType, { ...block, left: block.left + 1 }, 0, 1, [], [text(first!)])
    : shape(rangeType, { ...block, top: block.top + 1 }, 1, 0, [text(first!)]);
}

function splitColumns(reader: HeaderReader, block: CellBlock, isAsked: boolean): ShapeResult {
  const { top, left, right } = block;
  const first = reader.row(top, left, right);
  const isInside = heightOf(block) > 1 && (isAsked ? first.every(isText) : areTitles(first));
  if (isInside) return shape('RangeWithColumnHeaders', { ...block, top: top + 1 }, 1, 0, first.map(text));
  const above = top > 0 ? reader.row(top - 1, left, right) : [];
  if (above.length > 0 && above.every(isText)) return shape('RangeWithColumnHeaders', block, 1, 0, above.map(text));
  return misfit('RangeWithColumnHeaders', 'a row of texts at its top, or right above it');
}

function misfit(rangeType: RangeType, needs: string): ShapeResult {
  return { problem: problem(`is no ${rangeType}, which needs ${needs}`, 'Change the Range or the RangeType.') };
}
