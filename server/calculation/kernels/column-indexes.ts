/**
 * What is known of a column serves all ranges of it: those that grow from row to row as in =COUNTIF(A$1:A1,A1), those that shrink
 * and those that move. Reading each range anew for every row would take the square of their number.
 */
import { Range } from '../values/matrix.ts';
import { CHUNK_MASK } from './chunk.ts';
import type { Store } from './store.ts';

export interface Growth<T> {
  /** Tells different things apart. */
  key: string;
  create(): T;
  /** Adds more rows at the end; `added` are their cells. */
  extend(thing: T, added: Range): void;
}

/** The thing, and how many rows it has before the first of the range that was asked for. */
export interface Grown<T> {
  thing: T;
  shift: number;
}

interface Entry {
  thing: unknown;
  /** The rows the thing has. */
  top: number;
  bottom: number;
  /** Of the chunks of those rows, and of the column when they were last looked at. */
  versions: number[];
  column: number;
  /** The range that was asked for last. */
  lastTop: number;
  lastBottom: number;
  /** Things that were built and hardly used. */
  wasted: number;
}

/** After so many things that were not used nothing is built any more. */
const MOST_WASTED = 16;

export class ColumnIndexes {
  private readonly store: Store;
  private readonly spend: (steps: number) => void;
  private readonly byKey = new Map<string, Map<number, Entry>>();

  constructor(store: Store, spend: (steps: number) => void) {
    this.store = store;
    this.spend = spend;
  }

  /**
   * The thing of at least all rows of the range that hold anything; null where one and the same range is asked for again and
   * again, or the column changes all the time.
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
    if (entry.wasted > MOST_WASTED) return null;
    let isThere = this.covers(entry, sheet, left, top);
    const rowsFrom = (first: number): Range =>
      new Range(range.source, sheet, { top: first, left, bottom, right: left });
    // what has yet to be calculated may ask for the same thing
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
    const place = sheet * 16_384 + col;
    let entry = entries.get(place);
    if (!entry) {
      entry = { thing: null, top: 0, bottom: -1, versions: [], column: -1, lastTop: -1, lastBottom: -1, wasted: 0 };
      entries.set(place, entry);
    }
    return entry;
  }

  /** Whether there is a thing that is as its cells are, and a range from `top` on lies within or goes on from it. */
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

/** Calculates what is out of date. */
function settle(range: Range): void {
  range.source.eachCell(range.sheet, range.block, () => undefined);
}

/** Whole numbers that become more. */
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

  /** Of ascending numbers how many are below a limit. */
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

  /** Of ascending numbers those from `from` up to before `to`, without a copy. */
  between(from: number, to: number): Int32Array {
    return this.data.subarray(from === 0 ? 0 : this.countBelow(from), this.countBelow(to));
  }
}
