/** Compiles cells, ranges, tables, and the operators that join them. */
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { referenceBlock, intersectBlocks } from '../syntax/areas.ts';
import { Absolute } from '../syntax/ast.ts';
import type { ReferenceNode, StructuredNode } from '../syntax/ast.ts';
import { wrapCol, wrapRow } from '../syntax/scanner.ts';
import { dataRows, isOtherBook } from '../graph/scope.ts';
import { CellError, cellError } from '../values/cell-value.ts';
import { NULL_ERROR, REF_ERROR, VALUE_ERROR } from '../values/coerce.ts';
import { Areas, Range } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Code, Evaluation, Mode, Want } from './code.ts';
import { intersect } from './lift.ts';
import type { Site } from './site.ts';
import type { Clip } from './clip.ts';

const ALL_FIXED = Absolute.row1 | Absolute.col1 | Absolute.row2 | Absolute.col2;

export function referenceCode(node: ReferenceNode, want: Want, mode: Mode, site: Site): Code {
  const sheets = site.scope.prefixSheets(node.prefix, site.sheet);
  site.traits.readsUnsaved ||= !sheets && isOtherBook(node.prefix);
  if (!sheets) return () => REF_ERROR;
  if (sheets.length > 1) return (c) => new Areas(sheets.map((own) => new Range(c, own, referenceBlock(node, c))));
  const sheet = sheets[0]!;
  if (node.shape === 'cell') return want === 'value' ? cellCode(node, sheet) : cellRangeCode(node, sheet);
  const { clip } = site;
  const whole = rangeCode(node, sheet);
  const range = clip && node.shape === 'columns' ? clippedRange(whole, clip) : whole;
  return want === 'value' && mode === 'scalar' ? (c) => intersect(range(c), c) : range;
}

function cellCode({ row1, col1, absolute }: ReferenceNode, sheet: number): Code {
  if (absolute & Absolute.row1) {
    if (absolute & Absolute.col1) return (c) => c.cell(sheet, row1, col1);
    return (c) => c.cell(sheet, row1, wrapCol(c.col + col1));
  }
  if (absolute & Absolute.col1) {
    if (row1 === 0) return (c) => c.cell(sheet, c.row, col1);
    return (c) => c.cell(sheet, wrapRow(c.row + row1), col1);
  }
  if (row1 === 0) return (c) => c.cell(sheet, c.row, wrapCol(c.col + col1));
  return (c) => c.cell(sheet, wrapRow(c.row + row1), wrapCol(c.col + col1));
}

function cellRangeCode({ row1, col1, absolute }: ReferenceNode, sheet: number): Code {
  return (c) => {
    const row = absolute & Absolute.row1 ? row1 : wrapRow(c.row + row1);
    const col = absolute & Absolute.col1 ? col1 : wrapCol(c.col + col1);
    return new Range(c, sheet, { top: row, left: col, bottom: row, right: col });
  };
}

function rangeCode(node: ReferenceNode, sheet: number): (c: Parameters<Code>[0]) => Range {
  const { shape, absolute } = node;
  const fixed =
    (absolute & ALL_FIXED) === ALL_FIXED ||
    (shape === 'columns' && absolute & Absolute.col1 && absolute & Absolute.col2) ||
    (shape === 'rows' && absolute & Absolute.row1 && absolute & Absolute.row2);
  if (fixed) {
    const block = referenceBlock(node, { row: 0, col: 0 });
    return (c) => new Range(c, sheet, block);
  }
  return (c) => new Range(c, sheet, referenceBlock(node, c));
}

function clippedRange(whole: (c: Evaluation) => Range, clip: Clip): (c: Evaluation) => Range {
  return (c) => {
    const { sheet, block } = whole(c);
    return new Range(c, sheet, { ...block, bottom: clip.rows - 1 });
  };
}

/** The reference must name the table: references inside their own table were given its name before. */
export function structuredCode(node: StructuredNode, want: Want, mode: Mode, site: Site): Code {
  const isElsewhere = isOtherBook(node.prefix);
  site.traits.readsUnsaved ||= isElsewhere;
  const table = node.table === null || isElsewhere ? null : site.scope.table(node.table);
  if (!table) return () => REF_ERROR;
  const data = dataRows(table);
  const target = site.scope.structured(node, table.sheet, { row: data.top, col: table.block.left });
  if (typeof target === 'string') {
    const error = cellError(target)!;
    return () => error;
  }
  const { sheet, block } = target;
  if (!node.items.includes('#This Row')) {
    return want === 'value' && mode === 'scalar'
      ? (c) => intersect(new Range(c, sheet, block), c)
      : (c) => new Range(c, sheet, block);
  }
  const { left, right } = block;
  // Uses the row number: even on another sheet, it is the row beside the formula.
  const isIn = (row: number): boolean => row >= data.top && row <= data.bottom;
  if (want === 'value' && left === right) return (c) => (isIn(c.row) ? c.cell(sheet, c.row, left) : VALUE_ERROR);
  const range: Code = (c) =>
    isIn(c.row) ? new Range(c, sheet, { top: c.row, left, bottom: c.row, right }) : VALUE_ERROR;
  if (want !== 'value' || mode !== 'scalar') return range;
  return (c) => {
    const value = range(c);
    return value instanceof Range ? intersect(value, c) : value;
  };
}

/** Returns the ranges of a reference; anything else is an error. */
function rangesOf(value: FormulaValue): readonly Range[] | CellError {
  if (value instanceof Range) return [value];
  if (value instanceof Areas) return value.ranges;
  return value instanceof CellError ? value : VALUE_ERROR;
}

export function unionCode(left: Code, right: Code): Code {
  return (c) => {
    const a = rangesOf(left(c));
    if (a instanceof CellError) return a;
    const b = rangesOf(right(c));
    return b instanceof CellError ? b : new Areas([...a, ...b]);
  };
}

export function intersectionCode(left: Code, right: Code): Code {
  return (c) => {
    const a = rangesOf(left(c));
    if (a instanceof CellError) return a;
    const b = rangesOf(right(c));
    if (b instanceof CellError) return b;
    const shared: Range[] = [];
    for (const first of a) {
      for (const second of b) {
        if (first.sheet !== second.sheet) return VALUE_ERROR;
        const block = intersectBlocks(first.block, second.block);
        if (block) shared.push(new Range(c, first.sheet, block));
      }
    }
    if (shared.length === 0) return NULL_ERROR;
    return shared.length === 1 ? shared[0]! : new Areas(shared);
  };
}

/** 'a:b' covers both sides and everything between them. */
export function spanCode(left: Code, right: Code): Code {
  return (c) => {
    const a = rangesOf(left(c));
    if (a instanceof CellError) return a;
    const b = rangesOf(right(c));
    if (b instanceof CellError) return b;
    const block: CellBlock = { top: MAX_ROWS, left: MAX_COLS, bottom: 0, right: 0 };
    const { sheet } = a[0]!;
    for (const range of [...a, ...b]) {
      if (range.sheet !== sheet) return VALUE_ERROR;
      const own = range.block;
      block.top = Math.min(block.top, own.top);
      block.left = Math.min(block.left, own.left);
      block.bottom = Math.max(block.bottom, own.bottom);
      block.right = Math.max(block.right, own.right);
    }
    return new Range(c, sheet, block);
  };
}
