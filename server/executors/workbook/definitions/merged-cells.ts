/**
 * Handles inputs and outputs whose cells are merged in the same way in every row: each group of merged cells is read as
 * one cell.
 */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellAnchors } from '#server/executors/activity-definition.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatBlock, formatCell } from '#shared/codecs/cell-address.ts';
import { heightOf, intersects, sameBlock, widthOf } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import type { Problem } from './problems.ts';
import { problem } from './problems.ts';

/**
 * The merged cells of a block: the positions of its values, or the cells that are merged differently. Both are absent
 * if nothing is merged.
 */
export interface Merges {
  anchors?: CellAnchors;
  mismatch?: { cells: CellBlock; problem: Problem };
}

/** Returns the top left cell if the block lies within merged cells, which are one cell to the person who named them. */
export function withoutMerge(model: WorkbookModel, sheet: number, block: CellBlock): CellBlock {
  const { merges } = model.sheets[sheet]!;
  const own = merges.find(
    ({ top, left, bottom, right }) =>
      top <= block.top && left <= block.left && bottom >= block.bottom && right >= block.right,
  );
  return own ? { top: own.top, left: own.left, bottom: own.top, right: own.left } : block;
}

/**
 * Reads how the cells of a block are merged. A heading row at its top may be merged like the rows below it, or not at
 * all.
 */
export function readMerges(model: WorkbookModel, view: CellView, sheet: number, block: CellBlock): Merges {
  const merges = model.sheets[sheet]!.merges.filter((merge) => intersects(merge, block));
  if (merges.length === 0) return {};
  const whole = regularMerges(merges, block);
  if (!whole.mismatch || heightOf(block) === 1 || startsOutside(whole.mismatch.cells, block)) return whole;
  const body = { ...block, top: block.top + 1 };
  const head = merges.filter(({ top }) => top <= block.top);
  const below = regularMerges(
    merges.filter((merge) => intersects(merge, body)),
    body,
  );
  const [first] = head;
  if (first && !below.mismatch) return { mismatch: { cells: first, problem: headProblem(first) } };
  if (first || !below.anchors) return whole;
  const lost = lostHeading(view, sheet, block, below.anchors);
  if (lost) return { mismatch: lost };
  const { rows, cols } = below.anchors;
  return { anchors: { rows: rows && [0, ...rows.map((row) => row + 1)], cols } };
}

const HOW_TO_FIX =
  'Merge the cells of every row in the same way (Home, Merge & Center, Merge Across), or unmerge them.';

function headProblem(merge: CellBlock): Problem {
  const range = formatBlock(merge);
  return problem(
    `contains merged cells: ${range} is merged, and the rows below are not merged in the same way`,
    `Unmerge ${range} (Home, Merge & Center), or exclude its row from the name.`,
  );
}

/** Returns the anchors if all merges of a block form one grid; otherwise the first cells that do not fit. */
function regularMerges(merges: readonly CellBlock[], block: CellBlock): Merges {
  if (merges.length === 0) return {};
  const outside = merges.find((merge) => startsOutside(merge, block));
  if (outside) return { mismatch: { cells: outside, problem: outsideProblem(outside, block) } };
  const cols = bandsOf(merges, ({ left, right }) => [left, right], block.left, block.right);
  const rows = bandsOf(merges, ({ top, bottom }) => [top, bottom], block.top, block.bottom);
  const odd = cols.odd ?? rows.odd;
  if (odd) return { mismatch: { cells: odd, problem: unequalProblem(odd, likeOf(merges, odd)) } };
  const known = new Set(merges.map(keyOf));
  for (const [top, bottom] of rows.bands) {
    for (const [left, right] of cols.bands) {
      const cells = { top, left, bottom, right };
      if ((top === bottom && left === right) || known.has(keyOf(cells))) continue;
      const like = merges.filter((merge) => merge.left === left && merge.right === right);
      // If most rows are not merged, the merged cells are the exception.
      const isRare = like.length > 0 && like.length * 2 <= rows.bands.length;
      const own = isRare ? like[0]! : (merges.find((merge) => intersects(merge, cells)) ?? cells);
      const inRows = merges.find((merge) => merge.top === top && merge.bottom === bottom);
      const other = isRare ? null : top < bottom ? (inRows ?? null) : likeOf(merges, own);
      return { mismatch: { cells: own, problem: unequalProblem(own, other) } };
    }
  }
  return { anchors: { rows: offsetsOf(rows.bands, heightOf(block)), cols: offsetsOf(cols.bands, widthOf(block)) } };
}

const startsOutside = ({ top, left }: CellBlock, block: CellBlock): boolean => top < block.top || left < block.left;

const keyOf = ({ top, left, bottom, right }: CellBlock): string => [top, left, bottom, right].join();

type Band = [first: number, last: number];

/**
 * Splits rows or columns into bands: those that merges span, and single ones. `odd` is a merge whose span overlaps a
 * more frequent one.
 */
function bandsOf(
  merges: readonly CellBlock[],
  spanOf: (merge: CellBlock) => Band,
  from: number,
  to: number,
): { bands: Band[]; odd: CellBlock | null } {
  const spans = new Map<string, { span: Band; merge: CellBlock; count: number }>();
  for (const merge of merges) {
    const span = spanOf(merge);
    if (span[0] === span[1]) continue;
    const known = spans.get(span.join());
    if (known) known.count += 1;
    else spans.set(span.join(), { span, merge, count: 1 });
  }
  const inOrder = [...spans.values()].sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1]);
  for (const [index, next] of inOrder.entries()) {
    const before = inOrder[index - 1];
    if (!before || before.span[1] < next.span[0]) continue;
    return { bands: [], odd: (next.count <= before.count ? next : before).merge };
  }
  const bands: Band[] = [];
  let position = from;
  for (const { span } of inOrder) {
    for (; position < span[0]; position++) bands.push([position, position]);
    bands.push(span);
    position = span[1] + 1;
  }
  for (; position <= to; position++) bands.push([position, position]);
  return { bands, odd: null };
}

/** Returns the offsets of the bands from the first one; null if each band is a single row or column. */
const offsetsOf = (bands: readonly Band[], length: number): number[] | null =>
  bands.length === length ? null : bands.map(([first]) => first - bands[0]![0]);

/** Returns a merge of another row that shows how the cells should be merged. */
const likeOf = (merges: readonly CellBlock[], odd: CellBlock): CellBlock | null =>
  merges.find((merge) => !sameBlock(merge, odd) && merge.left <= odd.right && odd.left <= merge.right) ?? null;

function unequalProblem(cells: CellBlock, like: CellBlock | null): Problem {
  const range = formatBlock(cells);
  if (!like) return problem(`contains merged cells: ${range} is merged, and other rows are not`, HOW_TO_FIX);
  const other = formatBlock(like);
  return problem(
    `contains merged cells that differ from row to row: ${range} is not merged in the same way as ${other}`,
    HOW_TO_FIX,
  );
}

function outsideProblem(cells: CellBlock, block: CellBlock): Problem {
  const range = formatBlock(cells);
  const first = formatCell(Math.min(block.top, cells.top), Math.min(block.left, cells.left));
  return problem(
    `contains merged cells that begin outside of it: ${range}`,
    `Change the name to start at ${first}, or unmerge these cells (Home, Merge & Center).`,
  );
}

/** Finds a text in a heading row above the hidden part of merged cells: it is unclear which column it names. */
function lostHeading(
  view: CellView,
  sheet: number,
  block: CellBlock,
  { cols }: CellAnchors,
): Merges['mismatch'] | null {
  if (!cols) return null;
  const anchors = new Set(cols.map((offset) => block.left + offset));
  for (let col = block.left; col <= block.right; col++) {
    const { value } = view.cell(sheet, block.top, col);
    if (anchors.has(col) || value === null || value === '') continue;
    const cell = formatCell(block.top, col);
    const row = block.top + 1;
    const message = `contains merged cells, and ${cell} holds a text above the middle of them`;
    const howToFix = `Merge row ${row} in the same way as the rows below it, or empty the cell.`;
    return { cells: { top: block.top, left: col, bottom: block.top, right: col }, problem: problem(message, howToFix) };
  }
  return null;
}
