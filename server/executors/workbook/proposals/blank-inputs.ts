/** Proposes blank cells to be filled in as inputs: single cells, and columns of them under one header. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { createCandidate } from './candidate.ts';
import type { Candidate, Label } from './candidate.ts';
import { hasInputStyle } from './input-look.ts';
import type { InputLook } from './input-look.ts';
import { aboveLabel, blockLabel, cellLabel, headerRowsOver, leftLabel } from './labels.ts';
import { colOfKey, Content, keyOf, rowOfKey } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { isUnlocked, labelWeight } from './single-inputs.ts';
import { INPUT_WEIGHTS as W } from './weights.ts';

/** A label that is more than this many columns to the left does not name a blank cell. */
const MAX_LEFT = 3;
/** Adjacent blank cells under one header are a column to fill in from this number on. */
const MIN_DOWN = 3;
const MAX_KEYS = 20_000;

/** Returns labeled blank cells that formulas read individually, or that are marked as cells to fill in. */
export function blankInputs(grid: SheetGrid, look: InputLook, ruled: ReadonlySet<number>): Candidate[] {
  const keys = blankKeys(grid, look, ruled);
  const blocks = joined(blankColumns(grid, keys));
  const found = blocks.map((block) => blankBlock(grid, block));
  const byColumn = Map.groupBy(blocks.flatMap(columnsOf), ({ left }) => left);
  for (const key of keys) {
    const row = rowOfKey(key);
    if (byColumn.get(colOfKey(key))?.some(({ top, bottom }) => row >= top && row <= bottom)) continue;
    const candidate = blankCell(grid, key, look, ruled);
    if (candidate) found.push(candidate);
  }
  return found;
}

function blankKeys(grid: SheetGrid, look: InputLook, ruled: ReadonlySet<number>): number[] {
  const keys = new Set([...grid.blankReads.keys(), ...ruled]);
  for (let at = 0; at < grid.count; at++) {
    if (grid.content(at) !== Content.Blank || keys.size > MAX_KEYS) continue;
    if (isUnlocked(grid, at) || hasInputStyle(grid.style(at)) || look.isInput(grid.style(at))) {
      keys.add(keyOf(grid.row(at), grid.col(at)));
    }
  }
  return [...keys].filter((key) => {
    const row = rowOfKey(key);
    const col = colOfKey(key);
    return grid.contentAt(row, col) === Content.Blank && !grid.isCovered(row, col) && !grid.isClaimed(row, col);
  });
}

/** Returns adjacent cells of a column that formulas read and that have no labels of their own, only a header. */
function blankColumns(grid: SheetGrid, keys: readonly number[]): CellBlock[] {
  const runs: CellBlock[] = [];
  const sorted = keys.filter((key) => grid.blankReads.has(key)).toSorted(inColumns);
  for (const key of sorted) {
    const row = rowOfKey(key);
    const col = colOfKey(key);
    if (nearLabel(grid, row, col)) continue;
    const last = runs.at(-1);
    if (last?.left === col && last.bottom === row - 1) last.bottom = row;
    else runs.push({ top: row, left: col, bottom: row, right: col });
  }
  return runs.filter(({ top, left, bottom }) => bottom - top + 1 >= MIN_DOWN && aboveLabel(grid, top, left) !== null);
}

/** Joins columns side by side that have the same rows. */
function joined(columns: readonly CellBlock[]): CellBlock[] {
  const blocks: CellBlock[] = [];
  const byRows = Map.groupBy(columns, ({ top, bottom }) => `${top}:${bottom}`);
  for (const column of [...byRows.values()].flat()) {
    const last = blocks.at(-1);
    const isBeside = last?.top === column.top && last.bottom === column.bottom && last.right === column.left - 1;
    if (isBeside) last.right = column.right;
    else blocks.push({ ...column });
  }
  return blocks;
}

const columnsOf = (block: CellBlock): CellBlock[] =>
  Array.from({ length: block.right - block.left + 1 }, (_, at) => {
    return { ...block, left: block.left + at, right: block.left + at };
  });

const inColumns = (a: number, b: number): number => colOfKey(a) - colOfKey(b) || a - b;

function nearLabel(grid: SheetGrid, row: number, col: number): Label | null {
  const label = leftLabel(grid, row, col);
  return label && col - label.col <= MAX_LEFT ? label : null;
}

function blankBlock(grid: SheetGrid, block: CellBlock): Candidate {
  const isColumn = block.left === block.right;
  const headers = headerRowsOver(grid, block);
  const label = isColumn ? aboveLabel(grid, block.top, block.left) : blockLabel(grid, block, headers);
  return createCandidate(grid.index, block, 'input', {
    shape: isColumn ? 'list' : headers > 0 ? 'table' : 'matrix',
    hasHeaders: headers > 0,
    label,
    score: W.base + W.blankRead + W.labelAbove,
    reason: { code: 'columnsRead' },
  });
}

function blankCell(grid: SheetGrid, key: number, look: InputLook, ruled: ReadonlySet<number>): Candidate | null {
  const row = rowOfKey(key);
  const col = colOfKey(key);
  const block = { top: row, left: col, bottom: row, right: col };
  const label = cellLabel(grid, block);
  if (!label || label.at === 'diagonal') return null;
  if (label.at === 'left' && col - label.col > MAX_LEFT) return null;
  const at = grid.at(row, col);
  const reads = grid.blankReads.get(key) ?? 0;
  const isMarked = hasInputStyle(grid.style(at)) || look.isInput(grid.style(at));
  let score = W.base + labelWeight(label, col);
  if (reads > 0) score += W.blankRead;
  if (ruled.has(key)) score += W.validation;
  if (isMarked) score += W.inputLook;
  if (grid.model.isProtected) score += at >= 0 && !grid.style(at).isLocked ? W.unlocked : W.locked;
  const code = ruled.has(key)
    ? 'validation'
    : at >= 0 && isUnlocked(grid, at)
      ? 'unlocked'
      : reads > 0
        ? 'readByFormulas'
        : 'inputStyle';
  return createCandidate(grid.index, block, 'input', {
    shape: 'value',
    hasHeaders: false,
    label,
    score,
    reason: { code },
  });
}
