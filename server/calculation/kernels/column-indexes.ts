/**
 * Caches one index per column for all its ranges: ranges that grow from row to row, as in =COUNTIF(A$1:A1,A1), that
 * shrink or that move. Reading each range again for every row would take quadratic time.
 */
import { Range } from '../values/matrix.ts';
import { CHUNK_MASK } from './chunk.ts';
import type { Store } from './store.ts';

export interface Growth<T> {
  /** Distinguishes the kinds of indexes. */
  key: string;
  create(): T;
  /** Appends rows; `added` is the range of their cells. */
  extend(thing: T, added: Range): void;
}

/** The index, and the number of its rows before the first row of the requested range. */
export interface Grown<T> {
  thing: T;
  shift: number;
}

interface Entry {
  thing: unknown;
  /** The rows in the index. */
  top: number;
  bottom: number;
  /** Versions of the chunks of those rows, and of the column, at the last check. */
  versions: number[];
  column: number;
  /** The last requested range. */
  lastTop: number;
  lastBottom: number;
  /** Number of indexes that were built and hardly used. */
  wasted: number;
}

/** After this many unused indexes, no further index is built. */
const MAX_WASTED = 16;

export class ColumnIndexes {
  private readonly store: Store;
  private readonly spend: (steps: number) => void;
  private readonly byKey = new Map<string, Map<number, Entry>>();

  constructor(store: Store, spend: (steps: number) => void) {
    this.store = store;
    this.spend = spend;
  }

  /**
   * Returns an index of at least all used rows of the range. Returns null if always the same range is requested, or if
   * the column changes all the time.
   */
  get<T>(range: Range, growth: Growth<T>): Grown<T> | null {
    if (range.cols !== 1) return null;
    const { sheet, top, left } = range;
    const bottom = top + range.used().rows - 1;
    const entry = this.entry(growth.key, sheet, left);
    const isOther = entry.lastTop >= 0 && (top !== entry.lastTop || bottom !== entry.lastBottom);
    entry.lastTop = top;
    entry.lastBottom = bottom;
    if (entry.thing === null && !isOther) return null;
    if (entry.wasted > MAX_WASTED) return null;
    let isThere = this.covers(entry, sheet, left, top);
    const rowsFrom = (first: number): Range =>
      new Range(range.source, sheet, { top: first, left, bottom, right: left });
    // Calculate the cells first, because their formulas may request the same index.
    if (!isThere || bottom > entry.bottom) settle(rowsFrom(isThere ? entry.bottom + 1 : top));
    isThere = this.covers(entry, sheet, left, top);
    if (!isThere) {
      entry.wasted += 1;
      entry.thing = growth.create();
      entry.top = top;
      entry.bottom = top - 1;
    } else if (entry.wasted > 0) entry.wasted -= 1;
    if (bottom > entry.bottom) {
      this.spend(bottom - entry.bottom);
      growth.extend(entry.thing as T, rowsFrom(entry.bottom + 1));
      entry.bottom = bottom;
      entry.versions = this.versions(sheet, left, entry);
      entry.column = this.columnVersion(sheet, left);
    }
    return { thing: entry.thing as T, shift: top - entry.top };
  }

  private entry(key: string, sheet: number, col: number): Entry {
    let entries = this.byKey.get(key);
    if (!entries) this.byKey.set(key, (entries = new Map()));
    const columnKey = sheet * 16_384 + col;
    let entry = entries.get(columnKey);
    if (!entry) {
      entry = { thing: null, top: 0, bottom: -1, versions: [], column: -1, lastTop: -1, lastBottom: -1, wasted: 0 };
      entries.set(columnKey, entry);
    }
    return entry;
  }

  /** Returns true if there is an up-to-date index, and a range from `top` on is within it or continues it. */
  private covers(entry: Entry, sheet: number, col: number, top: number): boolean {
    if (entry.thing === null || top < entry.top || top > entry.bottom + 1) return false;
    const column = this.columnVersion(sheet, col);
    if (column === entry.column) return true;
    const versions = this.versions(sheet, col, entry);
    if (versions.some((version, at) => version !== entry.versions[at])) return false;
    entry.column = column;
    return true;
  }

  private columnVersion(sheet: number, col: number): number {
    return this.store.sheets[sheet]!.columns[col]?.version ?? 0;
  }

  private versions(sheet: number, col: number, { top, bottom }: Entry): number[] {
    const versions: number[] = [];
    for (let row = top & ~CHUNK_MASK; row <= bottom; row += CHUNK_MASK + 1) {
      versions.push(this.store.chunk(sheet, row, col)?.version ?? 0);
    }
    return versions;
  }
}

/** Calculates cells that are out of date. */
function settle(range: Range): void {
  range.source.eachCell(range.sheet, range.block, () => undefined);
}

/** A growing list of integers. */
export class GrowingInts {
  private data: Int32Array = new Int32Array(4);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.data[index]!;
  }

  /** Returns the number of elements below a limit; the elements must be ascending. */
  countBelow(limit: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.data[middle]! < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Returns the elements from `from` (inclusive) to `to` (exclusive) without copying; the elements must be ascending.
   */
  between(from: number, to: number): Int32Array {
    return this.data.subarray(from === 0 ? 0 : this.countBelow(from), this.countBelow(to));
  }
}
