/**
 * What a formula reads, relative to its cell. For a whole group, this suffices to find its precedents and its
 * dependents.
 */
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { Absolute } from '../syntax/ast.ts';
import type { BinaryNode, CallNode, NameNode, Node, ReferenceNode, StructuredNode } from '../syntax/ast.ts';
import { cornerNodes, walk } from '../syntax/traverse.ts';
import { dataRows } from './scope.ts';
import type { Scope } from './scope.ts';

/**
 * The cells from one corner to the other. A coordinate whose bit in `absolute` is not set is the distance from the
 * formula's cell.
 */
export interface Read {
  sheet: number;
  row1: number;
  col1: number;
  row2: number;
  col2: number;
  absolute: number;
}

export interface Reads {
  reads: Read[];
  /** True if it also reads cells that are known only at run time. */
  unknown: boolean;
}

const ALL = Absolute.row1 | Absolute.col1 | Absolute.row2 | Absolute.col2;
const BOTH_ROWS = Absolute.row1 | Absolute.row2;
const BOTH_COLS = Absolute.col1 | Absolute.col2;
/** Maximum number of names followed per formula, because names may refer to names. */
const MAX_NAMES = 200;
/** A formula that reads more places than this is assumed to read the whole of each of their sheets. */
const MAX_READS = 2000;

export function readsOf(tree: Node, sheet: number, scope: Scope): Reads {
  const found: Reads = { reads: [], unknown: false };
  const open: Node[] = [tree];
  const seen = new Set<Node>();
  for (let root = open.pop(); root; root = open.pop()) {
    if (seen.has(root)) continue;
    if (seen.size > MAX_NAMES) {
      found.unknown = true;
      break;
    }
    seen.add(root);
    walk(root, (node) => {
      if (node.type === 'reference') found.reads.push(...referenceReads(node, sheet, scope));
      else if (node.type === 'structured') found.reads.push(...structuredReads(node, scope));
      else if (node.type === 'binary' && node.operator === ':') addSpan(node, sheet, scope, found);
      else if (node.type === 'call') addResized(node, sheet, scope, found);
      const name = nameOf(node);
      const meaning = name && scope.name(name, sheet)?.tree;
      if (meaning) open.push(meaning);
    });
  }
  if (found.reads.length > MAX_READS) found.reads = wholeSheets(found.reads);
  return found;
}

function wholeSheets(reads: readonly Read[]): Read[] {
  const sheets = [...new Set(reads.map(({ sheet }) => sheet))];
  return sheets.map((sheet) => ({ sheet, row1: 0, col1: 0, row2: MAX_ROWS - 1, col2: MAX_COLS - 1, absolute: ALL }));
}

function nameOf(node: Node): NameNode | null {
  if (node.type === 'name') return node;
  // A call of something that is not a function may be a name that holds a LAMBDA.
  if (node.type !== 'call') return null;
  return { type: 'name', prefix: null, name: node.name, variable: false, isFunction: true };
}

function referenceReads(node: ReferenceNode, sheet: number, scope: Scope): Read[] {
  const { row1, col1, row2, col2, absolute, shape } = node;
  return (scope.prefixSheets(node.prefix, sheet) ?? []).map((own) => {
    if (shape === 'columns') {
      return { sheet: own, row1: 0, row2: MAX_ROWS - 1, col1, col2, absolute: absolute | BOTH_ROWS };
    }
    if (shape === 'rows')
      return { sheet: own, row1, row2, col1: 0, col2: MAX_COLS - 1, absolute: absolute | BOTH_COLS };
    return { sheet: own, row1, row2, col1, col2, absolute };
  });
}

function structuredReads(node: StructuredNode, scope: Scope): Read[] {
  const table = node.table === null ? null : scope.table(node.table);
  if (!table) return [];
  const target = scope.structured(node, table.sheet, { row: dataRows(table).top, col: table.block.left });
  if (typeof target === 'string') return [];
  const { top, left, bottom, right } = target.block;
  if (!node.items.includes('#This Row')) return [blockRead(target.sheet, { top, left, bottom, right })];
  return [{ sheet: target.sheet, row1: 0, row2: 0, col1: left, col2: right, absolute: BOTH_COLS }];
}

function blockRead(sheet: number, { top, left, bottom, right }: CellBlock): Read {
  return { sheet, row1: top, col1: left, row2: bottom, col2: right, absolute: ALL };
}

/** 'a:b' also reads what is between its sides: for each pair of their corners, the block they span. */
function addSpan({ left, right }: BinaryNode, sheet: number, scope: Scope, found: Reads): void {
  const first = cornerNodes(left).map((node) => readsOf(node, sheet, scope));
  const second = cornerNodes(right).map((node) => readsOf(node, sheet, scope));
  found.unknown ||= [...first, ...second].some(({ unknown }) => unknown);
  for (const a of first.flatMap(({ reads }) => reads)) {
    for (const b of second.flatMap(({ reads }) => reads)) {
      if (a.sheet !== b.sheet) continue;
      for (const rows of corners(a, b, 'row')) {
        for (const cols of corners(a, b, 'col')) {
          found.reads.push({
            sheet: a.sheet,
            row1: rows[0].at,
            row2: rows[1].at,
            col1: cols[0].at,
            col2: cols[1].at,
            absolute:
              (rows[0].fixed ? Absolute.row1 : 0) |
              (rows[1].fixed ? Absolute.row2 : 0) |
              (cols[0].fixed ? Absolute.col1 : 0) |
              (cols[1].fixed ? Absolute.col2 : 0),
          });
        }
      }
    }
  }
}

interface Corner {
  at: number;
  fixed: boolean;
}

function corners(a: Read, b: Read, axis: 'row' | 'col'): [Corner, Corner][] {
  const ends = (read: Read): Corner[] => {
    const first = { at: read[`${axis}1`], fixed: (read.absolute & Absolute[`${axis}1`]) !== 0 };
    const last = { at: read[`${axis}2`], fixed: (read.absolute & Absolute[`${axis}2`]) !== 0 };
    return first.at === last.at && first.fixed === last.fixed ? [first] : [first, last];
  };
  return ends(a).flatMap((first) => ends(b).map((last): [Corner, Corner] => [first, last]));
}

/** Starting at the corner of their last argument, SUMIF and AVERAGEIF read as many cells as the first argument has. */
function addResized(node: CallNode, sheet: number, scope: Scope, found: Reads): void {
  const [range, , summed] = node.args;
  if ((node.name !== 'SUMIF' && node.name !== 'AVERAGEIF') || !range || !summed) return;
  if (summed.type !== 'reference' || range.type !== 'reference') {
    found.unknown ||= summed.type !== 'structured' || range.type !== 'structured';
    return;
  }
  const [criteria] = referenceReads(range, sheet, scope);
  for (const read of referenceReads(summed, sheet, scope)) {
    // If both ranges have the same shape wherever the formula is filled, the read is already correct.
    if (!criteria || isOfOneShape(criteria, read)) continue;
    const rows = criteria.row2 - criteria.row1;
    const cols = criteria.col2 - criteria.col1;
    const isMixed =
      (criteria.absolute & BOTH_ROWS) % BOTH_ROWS !== 0 || (criteria.absolute & BOTH_COLS) % BOTH_COLS !== 0;
    found.unknown ||= isMixed;
    const { row1, col1 } = read;
    const fixed = read.absolute & (Absolute.row1 | Absolute.col1);
    found.reads.push({ ...read, row2: row1 + rows, col2: col1 + cols, absolute: fixed | (fixed << 2) });
  }
}

const isOfOneShape = (a: Read, b: Read): boolean =>
  a.absolute === b.absolute && a.row2 - a.row1 === b.row2 - b.row1 && a.col2 - a.col1 === b.col2 - b.col1;

/**
 * Returns the block that a read covers while the formula's cell moves through `cells`. If it exceeds an edge of the
 * sheet, all rows (or columns) count as covered.
 */
export function coveredBlock(read: Read, cells: CellBlock): CellBlock {
  const [top, bottom] = coveredSpan(
    read.row1,
    read.row2,
    (read.absolute & Absolute.row1) !== 0,
    (read.absolute & Absolute.row2) !== 0,
    cells.top,
    cells.bottom,
    MAX_ROWS,
  );
  const [left, right] = coveredSpan(
    read.col1,
    read.col2,
    (read.absolute & Absolute.col1) !== 0,
    (read.absolute & Absolute.col2) !== 0,
    cells.left,
    cells.right,
    MAX_COLS,
  );
  return { top, left, bottom, right };
}

function coveredSpan(
  first: number,
  last: number,
  isFirstFixed: boolean,
  isLastFixed: boolean,
  from: number,
  to: number,
  size: number,
): [number, number] {
  const low = Math.min(isFirstFixed ? first : first + from, isLastFixed ? last : last + from);
  const high = Math.max(isFirstFixed ? first : first + to, isLastFixed ? last : last + to);
  return low < 0 || high >= size ? [0, size - 1] : [low, high];
}

/** Returns the cells of a group whose formulas read something in `block` by this read; null if there are none. */
export function readersOf(read: Read, group: CellBlock, block: CellBlock): CellBlock | null {
  const rows = readerSpan(
    read.row1,
    read.row2,
    (read.absolute & Absolute.row1) !== 0,
    (read.absolute & Absolute.row2) !== 0,
    [group.top, group.bottom],
    [block.top, block.bottom],
    MAX_ROWS,
  );
  if (!rows) return null;
  const cols = readerSpan(
    read.col1,
    read.col2,
    (read.absolute & Absolute.col1) !== 0,
    (read.absolute & Absolute.col2) !== 0,
    [group.left, group.right],
    [block.left, block.right],
    MAX_COLS,
  );
  return cols && { top: rows[0], bottom: rows[1], left: cols[0], right: cols[1] };
}

type Span = [number, number];

function readerSpan(
  first: number,
  last: number,
  isFirstFixed: boolean,
  isLastFixed: boolean,
  own: Span,
  wanted: Span,
  size: number,
): Span | null {
  const [from, to] = own;
  const covered = coveredSpan(first, last, isFirstFixed, isLastFixed, from, to, size);
  if (covered[0] > wanted[1] || covered[1] < wanted[0]) return null;
  if (isFirstFixed && isLastFixed) return own;
  // The read exceeds an edge of the sheet, so all cells of the group count.
  if (covered[0] === 0 && covered[1] === size - 1) return own;
  let span: Span;
  if (!isFirstFixed && !isLastFixed) {
    span = [wanted[0] - Math.max(first, last), wanted[1] - Math.min(first, last)];
  } else {
    const fixed = isFirstFixed ? first : last;
    const distance = isFirstFixed ? last : first;
    if (fixed >= wanted[0] && fixed <= wanted[1]) return own;
    span = fixed < wanted[0] ? [wanted[0] - distance, to] : [from, wanted[1] - distance];
  }
  const low = Math.max(from, span[0]);
  const high = Math.min(to, span[1]);
  return low <= high ? [low, high] : null;
}
