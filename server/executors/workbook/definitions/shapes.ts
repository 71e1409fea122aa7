/** Determines the shape of a block from its size and its texts. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellAnchors } from '#server/executors/activity-definition.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { RangeType } from '#shared/contract/parameters.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import { valueGrid, withoutHeadings } from '../anchors.ts';
import type { Area } from './areas.ts';
import { sameBlock, tableBody, widthOf } from './blocks.ts';
import type { CellView, SavedCell } from './cell-view.ts';
import type { Problem } from './problems.ts';
import { problem } from './problems.ts';
import {
  chooseHeaders,
  columnsDiffer,
  createColumnReader,
  headerNames,
  isFilled,
  isText,
  letterNames,
  looksLikeHeadings,
  textOf,
} from './header-rows.ts';
import type { ColumnReader } from './header-rows.ts';
import { readMerges, withoutMerge } from './merged-cells.ts';
import { partOfTable } from './table-parts.ts';
import type { WantedShape } from './wanted-shapes.ts';

/** A block split into headers and data. */
export interface Shape {
  rangeType: RangeType;
  /** The data without headers. */
  data: CellBlock;
  /** Positions of the values, if cells of the data are merged. */
  anchors?: CellAnchors;
  headerRows: number;
  headerCols: number;
  columnHeaders: string[];
  rowHeaders: string[];
  /** Source of the column names, if the block has any. */
  headerSource?: HeaderSource;
  /** True if the cells left it open whether the first row is a heading row: the author should check. */
  isUncertain?: boolean;
}

export type ShapeResult = { shape: Shape } | { problem: Problem };

interface Block {
  reader: ColumnReader;
  block: CellBlock;
  anchors?: CellAnchors | undefined;
}

export function shapeOf(model: WorkbookModel, view: CellView, area: Area, wanted: WantedShape): ShapeResult {
  const { table, sheet } = area;
  const { rangeType } = wanted;
  const part = partOfTable(area);
  if (wanted.headers !== null && (part || table))
    return {
      problem: problem('is in an Excel table, which has its own headings', 'Leave Headers empty.'),
    };
  if (table && sameBlock(tableBody(table), area.block)) {
    if (rangeType !== null && rangeType !== 'RangeWithColumnHeaders')
      return {
        problem: problem(`is the Excel table ${table.name}, and cannot be a ${rangeType}`, 'Leave RangeType empty.'),
      };
    const columnHeaders = table.columns.map((column) => column.name);
    return {
      shape: {
        ...plain(rangeType ?? 'RangeWithColumnHeaders', area.block, table.headerRows),
        columnHeaders,
        headerSource: 'table',
      },
    };
  }
  const block = withoutMerge(model, sheet, area.block);
  const { anchors } = readMerges(model, view, sheet, block);
  const grid = valueGrid(block, anchors);
  const reader = createColumnReader(model, view, sheet, grid);
  if (area.spills) return spillShape(reader, area.block, rangeType);
  if (part && (rangeType === null || rangeType === 'RangeWithColumnHeaders')) return partShape(reader, block, part);
  const own = { reader, block, anchors };
  const type = rangeType ?? detect(own, wanted.headers);
  return split(own, type, { headers: part ? false : wanted.headers, isAsked: rangeType !== null });
}

const plain = (rangeType: RangeType, data: CellBlock, headerRows = 0): Shape => ({
  rangeType,
  data,
  headerRows,
  headerCols: 0,
  columnHeaders: [],
  rowHeaders: [],
});

interface Headings {
  rows: number;
  cols: number;
  columnHeaders?: string[];
  rowHeaders?: string[];
}

/** Builds the shape of a block without the headings it contains. */
function shape(rangeType: RangeType, { block, anchors }: Block, headings: Headings = { rows: 0, cols: 0 }): Shape {
  const { rows, cols, columnHeaders = [], rowHeaders = [] } = headings;
  const inner = withoutHeadings(block, anchors, rows, cols);
  return { rangeType, ...inner, headerRows: rows, headerCols: cols, columnHeaders, rowHeaders };
}

/** Builds the shape of some rows and columns of an Excel table. They contain no headings. */
function partShape(reader: ColumnReader, block: CellBlock, columnHeaders: string[]): ShapeResult {
  if (widthOf(block) > 1)
    return { shape: { ...plain('RangeWithColumnHeaders', block), columnHeaders, headerSource: 'table' } };
  return { shape: plain(reader.height === 1 ? 'SingleCell' : 'SingleColumnOfSimilarValues', block) };
}

/**
 * Builds the shape of the range that a dynamic array fills. All of it is data, because its first row moves with it;
 * titles may be above it. The number of rows in the saved file does not matter.
 */
function spillShape(reader: ColumnReader, block: CellBlock, wanted: RangeType | null): ShapeResult {
  if (wanted !== null && wanted !== 'RangeWithColumnHeaders') return { shape: plain(wanted, block) };
  const above = reader.above() ?? [];
  const hasTitles = above.length > 0 && above.every(isText);
  if (hasTitles && (wanted !== null || above.length > 1))
    return { shape: { ...plain('RangeWithColumnHeaders', block, 1), columnHeaders: above.map(textOf) } };
  if (wanted !== null) return rangeTypeMismatch(wanted, 'a row of texts directly above the formula');
  if (widthOf(block) > 1) return { shape: plain('MatrixWithoutHeaders', block) };
  return { shape: plain('SingleColumnOfSimilarValues', block) };
}

const areTitles = (cells: readonly SavedCell[]): boolean =>
  cells.every(isText) && new Set(cells.map(({ value }) => String(value).toLowerCase())).size === cells.length;

function detect({ reader }: Block, headers: boolean | null): RangeType {
  const { height, width } = reader;
  if (height === 1 && width === 1) return 'SingleCell';
  if (height === 1) return 'SingleRowOfSimilarValues';
  if (width === 1) return 'SingleColumnOfSimilarValues';
  if (headers !== null) return 'RangeWithColumnHeaders';
  const [corner, ...titles] = reader.row(0);
  if (!isFilled(corner!) && titles.every(isFilled)) {
    const side = reader.column(0, 1);
    const isMatrix = side.every(isFilled) && (areTitles(titles) || areTitles(side));
    // Columns of different types are a table whose first heading is missing.
    if (isMatrix && !(areTitles(titles) && columnsDiffer(reader))) return 'MatrixWithHeaders';
  }
  if (chooseHeaders(reader).isHeaders) return 'RangeWithColumnHeaders';
  return headingsAbove(reader) ? 'RangeWithColumnHeaders' : 'MatrixWithoutHeaders';
}

function headingsAbove(reader: ColumnReader): readonly SavedCell[] | null {
  const above = reader.above();
  return above && looksLikeHeadings(above) ? above : null;
}

/**
 * `headers` or `isAsked` mean that the author specified the headers or the type: a shape that does not fit is then a
 * problem, not another type.
 */
function split(own: Block, rangeType: RangeType, said: { headers: boolean | null; isAsked: boolean }): ShapeResult {
  const { reader } = own;
  const { height, width } = reader;
  switch (rangeType) {
    case 'SingleCell':
      return height * width === 1 ? { shape: shape(rangeType, own) } : rangeTypeMismatch(rangeType, 'one cell');
    case 'SingleRowOfSimilarValues':
      return height === 1
        ? splitLine(own, reader.row(0), rangeType, said.headers)
        : rangeTypeMismatch(rangeType, 'one row');
    case 'SingleColumnOfSimilarValues':
      if (width > 1) return rangeTypeMismatch(rangeType, 'one column');
      return splitLine(own, reader.column(0, 0), rangeType, said.headers);
    case 'RangeWithColumnHeaders':
      return splitColumns(own, said);
    case 'RangeWithRowHeaders': {
      if (width < 2) return rangeTypeMismatch(rangeType, 'a column of headers and at least one column of values');
      return { shape: shape(rangeType, own, { rows: 0, cols: 1, rowHeaders: reader.column(0, 0).map(textOf) }) };
    }
    case 'MatrixWithHeaders': {
      if (width < 2 || height < 2) return rangeTypeMismatch(rangeType, 'a row and a column of headers, and values');
      const columnHeaders = reader.row(0).slice(1).map(textOf);
      const rowHeaders = reader.column(0, 1).map(textOf);
      return { shape: shape(rangeType, own, { rows: 1, cols: 1, columnHeaders, rowHeaders }) };
    }
    default:
      return { shape: shape(rangeType, own) };
  }
}

/** Splits a list whose first cell is its title: a text above (or before) values that include no text. */
function splitLine(own: Block, cells: SavedCell[], rangeType: RangeType, headers: boolean | null): ShapeResult {
  const [first, ...rest] = cells;
  const filled = rest.filter(isFilled);
  const readsLikeTitle = isText(first!) && !first!.formula && filled.length > 0 && !filled.some(isText);
  if (rest.length === 0 || !(headers ?? readsLikeTitle)) return { shape: shape(rangeType, own) };
  const title = [textOf(first!)];
  const headings =
    rangeType === 'SingleRowOfSimilarValues'
      ? { rows: 0, cols: 1, rowHeaders: title }
      : { rows: 1, cols: 0, columnHeaders: title };
  return { shape: shape(rangeType, own, headings) };
}

function splitColumns(own: Block, { headers, isAsked }: { headers: boolean | null; isAsked: boolean }): ShapeResult {
  const { reader } = own;
  const first = reader.row(0);
  const choice = headers === null ? chooseHeaders(reader) : { isHeaders: headers, isCertain: true };
  const doubt = choice.isCertain ? {} : { isUncertain: true };
  const inside = (): ShapeResult => ({
    shape: {
      ...shape('RangeWithColumnHeaders', own, { rows: 1, cols: 0, columnHeaders: headerNames(reader, first) }),
      headerSource: 'inside',
      ...doubt,
    },
  });
  const outside = (columnHeaders: string[], headerSource: 'above' | 'letters'): ShapeResult => ({
    shape: {
      ...shape('RangeWithColumnHeaders', own, { rows: 0, cols: 0, columnHeaders }),
      headerRows: headerSource === 'above' ? 1 : 0,
      headerSource,
      ...doubt,
    },
  });
  if (choice.isHeaders)
    return reader.height > 1
      ? inside()
      : rangeTypeMismatch('RangeWithColumnHeaders', 'a row of values below its headers');
  const above = reader.above();
  const isWanted = isAsked && headers === null;
  if (above && looksLikeHeadings(above)) return outside(headerNames(reader, above), 'above');
  if (isWanted && reader.height > 1 && first.every(isText)) return inside();
  if (isWanted && above?.every(isText)) return outside(headerNames(reader, above), 'above');
  if (headers === false) return outside(letterNames(reader), 'letters');
  return rangeTypeMismatch('RangeWithColumnHeaders', 'a row of texts at its top, or directly above it');
}

function rangeTypeMismatch(rangeType: RangeType, needs: string): ShapeResult {
  return { problem: problem(`is not a ${rangeType}, which needs ${needs}`, 'Change the Range or the RangeType.') };
}

/**
 * Returns the same block as a table without headings, whose columns are named by their letters, so that each column has
 * its own value type.
 */
export function withLetters(shape: Shape): Shape {
  const { width, colAt } = valueGrid(shape.data, shape.anchors);
  const columnHeaders = Array.from({ length: width }, (_, x) => columnLetters(colAt(x)));
  return { ...shape, rangeType: 'RangeWithColumnHeaders', columnHeaders, headerSource: 'letters' };
}
