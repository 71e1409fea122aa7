/**
 * Sums and counts of ranges from the totals of their chunks. Thousands of formulas over ranges of one column that grow,
 * shrink or move then read each cell only a few times. Sums equal those of adding the cells in order, to the last bit.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { CellKind } from '../reader/workbook-model.ts';
import type { CellError } from '../values/cell-value.ts';
import { CHUNK_BITS, CHUNK_MASK, Flag } from './chunk.ts';
import type { Chunk } from './chunk.ts';
import { chunkTotals, LARGEST_EXACT, sortedNumbers } from './chunk-totals.ts';
import { OrderedSums } from './ordered-sums.ts';
import type { Store } from './store.ts';
import { TallyCache } from './tally-cache.ts';

/** Scanning ranges with fewer cells is as fast. */
export const FEW_CELLS = 48;

export interface Tally {
  /** Cells with a number, and non-blank cells. */
  numbers: number;
  filled: number;
  errors: number;
  /** Infinity and -Infinity if there is no number. */
  least: number;
  greatest: number;
}

interface SheetArea {
  sheet: number;
  block: CellBlock;
}

export class RangeTotals {
  private readonly store: Store;
  private readonly settle: (sheet: number, row: number, col: number) => void;
  private readonly spend: (steps: number) => void;
  private readonly ordered: OrderedSums;
  private readonly tallies: TallyCache<Tally>;

  /** `settle` calculates a cell that is out of date. */
  constructor(store: Store, settle: (sheet: number, row: number, col: number) => void, spend: (steps: number) => void) {
    this.store = store;
    this.settle = settle;
    this.spend = spend;
    this.ordered = new OrderedSums(store, spend);
    this.tallies = new TallyCache(store);
  }

  /** Returns null if cells depend on the current calculation; the caller must then scan the range. */
  tally(sheet: number, all: CellBlock): Tally | null {
    const known = this.tallies.get(sheet, all);
    if (known) return known;
    const tally = this.counted(sheet, all);
    if (tally) this.tallies.put(sheet, all, tally);
    return tally;
  }

  private counted(sheet: number, all: CellBlock): Tally | null {
    const block = this.used(sheet, all);
    const found: Tally = { numbers: 0, filled: 0, errors: 0, least: Infinity, greatest: -Infinity };
    this.settleAll({ sheet, block });
    const isComplete = this.eachPart({ sheet, block }, (chunk, from, to) => {
      const totals = from === 0 && to >= chunk.size - 1 ? chunkTotals(chunk) : null;
      if (!totals) return this.count(chunk.kinds, chunk.numbers, from, to, found);
      found.numbers += totals.numbers;
      found.filled += totals.filled;
      found.errors += totals.errors;
      if (totals.least < found.least) found.least = totals.least;
      if (totals.greatest > found.greatest) found.greatest = totals.greatest;
      return true;
    });
    return isComplete ? found : null;
  }

  private count(kinds: Uint8Array, numbers: Float64Array, from: number, to: number, found: Tally): boolean {
    this.spend(to - from);
    for (let at = from; at <= to; at += 1) {
      const kind = kinds[at]!;
      if (kind === CellKind.Number) {
        const value = numbers[at]!;
        found.numbers += 1;
        found.filled += 1;
        if (value < found.least) found.least = value;
        if (value > found.greatest) found.greatest = value;
      } else if (kind >= Flag.Dirty) return false;
      else if (kind !== CellKind.Blank) {
        found.filled += 1;
        if (kind === CellKind.Error) found.errors += 1;
      }
    }
    return true;
  }

  /**
   * Counts the numbers of the range that pass a test such as '>5'. If a number passes, all greater ones (`isAbove`) or
   * all smaller ones must pass too. Returns null in the same cases as `tally`.
   */
  countPassing(sheet: number, all: CellBlock, test: (value: number) => boolean, isAbove: boolean): number | null {
    const block = this.used(sheet, all);
    this.settleAll({ sheet, block });
    let count = 0;
    const isComplete = this.eachPart({ sheet, block }, (chunk, from, to) => {
      const outside = from + chunk.size - 1 - to;
      // If the range covers most of a chunk: all passing numbers minus those outside the range.
      const totals = outside < to - from ? chunkTotals(chunk) : null;
      if (!totals) {
        const found = this.passingIn(chunk, from, to, test);
        count += found;
        return found >= 0;
      }
      const sorted = sortedNumbers(chunk, totals);
      const below = firstWhere(sorted, (value) => test(value) === isAbove);
      count += isAbove ? sorted.length - below : below;
      if (from > 0) count -= this.passingIn(chunk, 0, from - 1, test);
      if (to < chunk.size - 1) count -= this.passingIn(chunk, to + 1, chunk.size - 1, test);
      return true;
    });
    return isComplete ? count : null;
  }

  /** Returns -1 if a cell still has to be calculated. */
  private passingIn({ kinds, numbers }: Chunk, from: number, to: number, test: (value: number) => boolean): number {
    this.spend(to - from);
    let count = 0;
    for (let at = from; at <= to; at += 1) {
      const kind = kinds[at]!;
      if (kind >= Flag.Dirty) return -1;
      if (kind === CellKind.Number && test(numbers[at]!)) count += 1;
    }
    return count;
  }

  /**
   * Returns the sum of the numbers; null if there are errors, in the same cases as `tally`, or if only a scan gives the
   * exact sum.
   */
  sum(sheet: number, all: CellBlock): number | null {
    const block = this.used(sheet, all);
    this.settleAll({ sheet, block });
    const exact = this.exactSum({ sheet, block });
    if (exact !== undefined) return exact;
    return block.left === block.right ? this.ordered.sum(sheet, block.left, block.top, block.bottom) : null;
  }

  /**
   * Returns a sum that does not depend on the order of addition; undefined if there is none, also because of errors or
   * cells that still have to be calculated.
   */
  private exactSum(area: SheetArea): number | null | undefined {
    let sum = 0;
    let magnitude = 0;
    let hasErrors = false;
    const isComplete = this.eachPart(area, (chunk, from, to) => {
      const totals = chunkTotals(chunk);
      if (!totals) return false;
      magnitude += totals.magnitude;
      if (totals.errors > 0) hasErrors = true;
      if (magnitude > LARGEST_EXACT || hasErrors) return false;
      if (from === 0 && to >= chunk.size - 1) sum += totals.sum;
      else {
        const { values } = totals;
        const end = Math.min(to + 1, values.length);
        this.spend(end - from);
        for (let at = from; at < end; at += 1) sum += values[at]!;
      }
      return true;
    });
    return isComplete ? sum : undefined;
  }

  /**
   * Returns the known numbers of a column from a row on: at most `most`, and only up to an error or a cell that still
   * has to be calculated.
   */
  upcoming(sheet: number, col: number, row: number, limit: number): number[] {
    const found: number[] = [];
    for (let at = row; found.length < limit && at < row + limit * 2; at += 1) {
      const chunk = this.store.chunk(sheet, at, col);
      const offset = at & CHUNK_MASK;
      if (!chunk || offset >= chunk.size) continue;
      const kind = chunk.kinds[offset]!;
      if (kind >= CellKind.Error) break;
      if (kind === CellKind.Number) found.push(chunk.numbers[offset]!);
    }
    return found;
  }

  private used(sheet: number, { top, left, bottom, right }: CellBlock): CellBlock {
    const { usedRows, usedCols } = this.store.sheets[sheet]!;
    return { top, left, bottom: Math.min(bottom, usedRows - 1), right: Math.min(right, usedCols - 1) };
  }

  /** Calculates all cells that are out of date. */
  private settleAll({ sheet, block }: SheetArea): void {
    for (let row = block.top; row <= block.bottom;) {
      const last = Math.min(block.bottom, row | CHUNK_MASK);
      for (let col = block.left; col <= block.right; col += 1) this.settlePart(sheet, col, row, last);
      row = last + 1;
    }
    this.spend(1 + ((block.bottom - block.top) >> CHUNK_BITS) * (block.right - block.left + 1));
  }

  private settlePart(sheet: number, col: number, from: number, to: number): void {
    let chunk = this.store.chunk(sheet, from, col);
    if (!chunk || chunk.totals?.version === chunk.version) return;
    for (let row = from; row <= to; row += 1) {
      const at = row & CHUNK_MASK;
      if (at >= chunk.size) return;
      if (chunk.kinds[at]! < Flag.Dirty) continue;
      this.settle(sheet, row, col);
      // Writing to a shared chunk replaces it by a copy.
      chunk = this.store.chunk(sheet, row, col)!;
    }
    // Counting the chunk now avoids another scan later.
    if (to - from > CHUNK_MASK / 2) chunkTotals(chunk);
  }

  /** Visits the block's part of each chunk in order; stops and returns false when `visit` returns false. */
  private eachPart({ sheet, block }: SheetArea, visit: (chunk: Chunk, from: number, to: number) => boolean): boolean {
    for (let col = block.left; col <= block.right; col += 1) {
      for (let row = block.top; row <= block.bottom;) {
        const last = Math.min(block.bottom, row | CHUNK_MASK);
        const chunk = this.store.chunk(sheet, row, col);
        const from = row & CHUNK_MASK;
        if (chunk && from < chunk.size) {
          if (!visit(chunk, from, Math.min(last & CHUNK_MASK, chunk.size - 1))) return false;
        }
        row = last + 1;
      }
    }
    return true;
  }

  /** Returns the first error of a column; null if there is none, or if cells still have to be calculated. */
  firstError(sheet: number, { top, left, bottom }: CellBlock): CellError | null {
    let found: CellError | null = null;
    const block = this.used(sheet, { top, left, bottom, right: left });
    this.eachPart({ sheet, block }, (chunk, from, to) => {
      const totals = chunkTotals(chunk);
      if (totals?.errors === 0) return true;
      for (let at = from; at <= to; at += 1) {
        const kind = chunk.kinds[at]!;
        if (kind >= Flag.Dirty) return false;
        if (kind !== CellKind.Error) continue;
        found = chunk.value(at) as CellError;
        return false;
      }
      return true;
    });
    return found;
  }
}

/** Returns the first position from which on a test holds; the length if it never holds. */
function firstWhere(sorted: Float64Array, holds: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
