/**
 * Sums of fractional numbers, whose last bits depend on the order of addition. Ranges with a fixed start that grow
 * continue the sum of the previous range. Ranges with a fixed end that shrink are summed eight at a time.
 */
import { CellKind } from '../reader/workbook-model.ts';
import { CHUNK_BITS, CHUNK_MASK } from './chunk.ts';
import { chunkTotals } from './chunk-totals.ts';
import type { Store } from './store.ts';
import { shrinkingSums, WIDTH } from './shrinking-sums.ts';

/** Ranges with a common start: the sums up to the end of each chunk. */
interface Growing {
  /** Number of chunks, from the first one of the range, whose sums are cached. */
  count: number;
  sums: number[];
  versions: number[];
  column: number;
  /** The last requested range: its last row, its sum, and the version of its last chunk. */
  bottom: number;
  sum: number;
  version: number;
}

/** Ranges with a common end: the sums of several ranges with consecutive first rows. */
interface Shrinking {
  top: number;
  sums: Float64Array;
  column: number;
  versions: number[];
  /** How often the cells changed before the cached sums were used. */
  wasted: number;
}

const MAX_CACHED = 512;
/** Number of slots for recently requested starts and ends. */
const SEEN = 1024;
const MAX_WASTED = 8;

export class OrderedSums {
  private readonly store: Store;
  private readonly spend: (steps: number) => void;
  private readonly growing = new Map<number, Growing>();
  private readonly shrinking = new Map<number, Shrinking>();
  private readonly tops = new Float64Array(SEEN).fill(-1);
  private readonly bottoms = new Float64Array(SEEN).fill(-1);

  constructor(store: Store, spend: (steps: number) => void) {
    this.store = store;
    this.spend = spend;
  }

  /** Returns the sum of a column section; null if one of its cells is an error or still has to be calculated. */
  sum(sheet: number, col: number, top: number, bottom: number): number | null {
    const columnStart = (sheet * 16_384 + col) * 1_048_576;
    const [first, last] = [columnStart + top, columnStart + bottom];
    const growing = this.growing.get(first);
    if (growing) return this.grown(growing, sheet, col, top, bottom);
    const shrinking = this.shrinking.get(last);
    if (shrinking) return this.shrunk(shrinking, sheet, col, top, bottom);
    if (this.tops[first % SEEN] === first) {
      const fresh: Growing = { count: 0, sums: [], versions: [], column: -1, bottom: -1, sum: 0, version: -1 };
      addToCache(this.growing, first, fresh);
      return this.grown(fresh, sheet, col, top, bottom);
    }
    this.tops[first % SEEN] = first;
    if (this.bottoms[last % SEEN] === last) {
      const fresh: Shrinking = { top: 0, sums: new Float64Array(0), column: -1, versions: [], wasted: 0 };
      addToCache(this.shrinking, last, fresh);
      return this.shrunk(fresh, sheet, col, top, bottom);
    }
    this.bottoms[last % SEEN] = last;
    return this.added(0, sheet, col, top, bottom);
  }

  private grown(cached: Growing, sheet: number, col: number, top: number, bottom: number): number | null {
    this.forgetChanged(cached, sheet, col, top);
    const first = top >> CHUNK_BITS;
    const index = Math.min(cached.count, (bottom >> CHUNK_BITS) - first);
    let row = index > 0 ? (first + index) << CHUNK_BITS : top;
    let sum = index > 0 ? cached.sums[index - 1]! : 0;
    const isSame = cached.bottom >= row && this.version(sheet, col, cached.bottom) === cached.version;
    if (isSame && cached.bottom <= bottom && cached.bottom >> CHUNK_BITS === first + index) {
      row = cached.bottom + 1;
      sum = cached.sum;
    }
    while (row <= bottom) {
      const end = row | CHUNK_MASK;
      const next = this.added(sum, sheet, col, row, Math.min(end, bottom));
      if (next === null) return null;
      sum = next;
      row = end + 1;
      if (end > bottom) break;
      const at = (end >> CHUNK_BITS) - first;
      cached.sums[at] = sum;
      cached.versions[at] = this.version(sheet, col, end);
      cached.count = at + 1;
    }
    cached.bottom = bottom;
    cached.sum = sum;
    cached.version = this.version(sheet, col, bottom);
    return sum;
  }

  /** Discards the sums from the first changed chunk on. */
  private forgetChanged(cached: Growing, sheet: number, col: number, top: number): void {
    const column = this.store.sheets[sheet]!.columns[col]?.version ?? 0;
    if (column === cached.column) return;
    const first = top >> CHUNK_BITS;
    for (let at = 0; at < cached.count; at += 1) {
      if (this.version(sheet, col, (first + at) << CHUNK_BITS) === cached.versions[at]) continue;
      cached.count = at;
      cached.bottom = Math.min(cached.bottom, ((first + at) << CHUNK_BITS) - 1);
    }
    cached.column = column;
  }

  private version(sheet: number, col: number, row: number): number {
    return this.store.chunk(sheet, row, col)?.version ?? 0;
  }

  private shrunk(cached: Shrinking, sheet: number, col: number, top: number, bottom: number): number | null {
    const isThere = top >= cached.top && top < cached.top + cached.sums.length;
    if (isThere && this.isUnchanged(cached, sheet, col, bottom)) {
      cached.wasted = 0;
      return cached.sums[top - cached.top]!;
    }
    if (isThere && top === cached.top + 1) cached.wasted += 1;
    if (cached.wasted > MAX_WASTED) return this.added(0, sheet, col, top, bottom);
    const parts = this.valuesOf(sheet, col, top, bottom);
    if (!parts) return this.added(0, sheet, col, top, bottom);
    this.spend((bottom - top) * 2);
    cached.top = top;
    cached.sums = shrinkingSums(parts, top & CHUNK_MASK, bottom - top + 1, WIDTH);
    cached.column = this.store.sheets[sheet]!.columns[col]?.version ?? 0;
    cached.versions = this.versionsOf(sheet, col, top, bottom);
    return cached.sums[0]!;
  }

  private isUnchanged(cached: Shrinking, sheet: number, col: number, bottom: number): boolean {
    const column = this.store.sheets[sheet]!.columns[col]?.version ?? 0;
    if (column === cached.column) return true;
    const versions = this.versionsOf(sheet, col, cached.top, bottom);
    if (versions.some((version, at) => version !== cached.versions[at])) return false;
    cached.column = column;
    return true;
  }

  private versionsOf(sheet: number, col: number, top: number, bottom: number): number[] {
    const versions: number[] = [];
    for (let row = top & ~CHUNK_MASK; row <= bottom; row += CHUNK_MASK + 1)
      versions.push(this.version(sheet, col, row));
    return versions;
  }

  /**
   * Returns the numbers of each chunk; null if one of them contains an error or cells that still have to be calculated.
   */
  private valuesOf(sheet: number, col: number, top: number, bottom: number): (Float64Array | null)[] | null {
    const parts: (Float64Array | null)[] = [];
    for (let row = top & ~CHUNK_MASK; row <= bottom; row += CHUNK_MASK + 1) {
      const chunk = this.store.chunk(sheet, row, col);
      const totals = chunk ? chunkTotals(chunk) : null;
      if (chunk && (totals === null || totals.errors > 0)) return null;
      parts.push(totals && totals.values);
    }
    return parts;
  }

  /** Adds the cells of a column to `start` one after the other. */
  private added(start: number, sheet: number, col: number, top: number, bottom: number): number | null {
    let sum = start;
    this.spend(bottom - top);
    for (let row = top; row <= bottom;) {
      const last = Math.min(bottom, row | CHUNK_MASK);
      const chunk = this.store.chunk(sheet, row, col);
      if (chunk) {
        const { kinds, numbers, size } = chunk;
        const end = Math.min(last & CHUNK_MASK, size - 1);
        for (let at = row & CHUNK_MASK; at <= end; at += 1) {
          const kind = kinds[at]!;
          if (kind === CellKind.Number) sum += numbers[at]!;
          else if (kind >= CellKind.Error) return null;
        }
      }
      row = last + 1;
    }
    return sum;
  }
}

function addToCache<T>(things: Map<number, T>, key: number, thing: T): void {
  if (things.size >= MAX_CACHED) things.clear();
  things.set(key, thing);
}
