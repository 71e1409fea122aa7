/** Merges single-cell edits into as few blocks as possible, so that a grid of inputs becomes one call. */
import type { CellEdit } from '#server/calculation/engine.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { DataWrite } from './messages.ts';
import type { Data } from './uno.ts';

/** The last edit of a cell wins. Values must be numbers, non-empty texts or blanks. */
export function editBlocks(edits: readonly CellEdit[]): DataWrite[] {
  const last = new Map<string, CellEdit>();
  for (const edit of edits) last.set(`${edit.sheet}:${edit.row}:${edit.col}`, edit);
  const sorted = [...last.values()].sort((a, b) => a.sheet - b.sheet || a.row - b.row || a.col - b.col);
  const blocks: DataWrite[] = [];
  /** Blocks that the next row may extend, by sheet and first column. */
  const open = new Map<string, DataWrite>();
  for (const strip of strips(sorted)) {
    const { sheet, block, rows } = strip;
    const key = `${sheet}:${block.left}`;
    const above = open.get(key);
    if (above && above.block.bottom === block.top - 1 && above.block.right === block.right) {
      above.block.bottom = block.bottom;
      above.rows.push(...rows);
    } else {
      blocks.push(strip);
      open.set(key, strip);
    }
  }
  return blocks;
}

/** Yields runs of adjacent cells in a row. */
function* strips(sorted: readonly CellEdit[]): Generator<DataWrite> {
  let strip: DataWrite | null = null;
  for (const { sheet, row, col, value } of sorted) {
    if (strip && strip.sheet === sheet && strip.block.top === row && strip.block.right === col - 1) {
      strip.block.right = col;
      strip.rows[0]!.push(dataOf(value));
      continue;
    }
    if (strip) yield strip;
    strip = { sheet, block: { top: row, left: col, bottom: row, right: col }, rows: [[dataOf(value)]] };
  }
  if (strip) yield strip;
}

function dataOf(value: CellValue): Data {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof CellError) return value.code;
  return value;
}
