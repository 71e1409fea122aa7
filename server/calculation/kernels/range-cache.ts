/** Caches values built from ranges until one of their cells changes; copies of a model share the cached values. */
import type { Range } from '../values/matrix.ts';
import { CHUNK_BITS } from './chunk.ts';
import type { Store } from './store.ts';

interface Entry {
  sheet: number;
  top: number;
  left: number;
  rows: number;
  cols: number;
  /** Versions of the columns when the value was built or last found unchanged. */
  columns: Float64Array;
  /** Versions of the chunks when the value was built. */
  chunks: Float64Array;
  thing: unknown;
}

/** Number of entries at which the cache is cleared. */
const MAX_ENTRIES = 4096;

export class RangeCache {
  private byKey: Map<string, Map<number, Entry>>;
  private count = 0;

  constructor(byKey = new Map<string, Map<number, Entry>>()) {
    this.byKey = byKey;
  }

  /** The result of `build` must depend only on the values of the range's cells. */
  get<T>(store: Store, range: Range, key: string, build: () => T): T {
    const cellKey = (range.sheet * 16_384 + range.left) * 1_048_576 + range.top;
    let entries = this.byKey.get(key);
    const entry = entries?.get(cellKey);
    if (entry && entry.rows === range.rows && entry.cols === range.cols && isUnchanged(store, entry)) {
      return entry.thing as T;
    }
    const thing = build();
    if (this.count >= MAX_ENTRIES) {
      this.byKey.clear();
      this.count = 0;
    }
    entries = this.byKey.get(key);
    if (!entries) this.byKey.set(key, (entries = new Map()));
    const { sheet, top, left, rows, cols } = range;
    const fresh: Entry = {
      sheet,
      top,
      left,
      rows,
      cols,
      columns: new Float64Array(0),
      chunks: new Float64Array(0),
      thing,
    };
    // Take the versions after building, because it may have calculated cells of the range.
    fresh.columns = columnVersions(store, fresh);
    fresh.chunks = chunkVersions(store, fresh);
    if (!entries.has(cellKey)) this.count += 1;
    entries.set(cellKey, fresh);
    return thing;
  }

  copy(): RangeCache {
    const copy = new RangeCache(new Map([...this.byKey].map(([key, entries]) => [key, new Map(entries)])));
    copy.count = this.count;
    return copy;
  }
}

function isUnchanged(store: Store, entry: Entry): boolean {
  const { columns } = store.sheets[entry.sheet]!;
  let isSame = true;
  for (let at = 0; at < entry.columns.length; at += 1) {
    if ((columns[entry.left + at]?.version ?? 0) !== entry.columns[at]) {
      isSame = false;
      break;
    }
  }
  if (isSame) return columns.length <= entry.left + entry.columns.length || entry.columns.length === entry.cols;
  const chunks = chunkVersions(store, entry);
  if (chunks.length !== entry.chunks.length) return false;
  for (let at = 0; at < chunks.length; at += 1) if (chunks[at] !== entry.chunks[at]) return false;
  entry.columns = columnVersions(store, entry);
  return true;
}

function columnVersions(store: Store, { sheet, left, cols }: Entry): Float64Array {
  const { columns } = store.sheets[sheet]!;
  const count = Math.max(0, Math.min(cols, columns.length - left));
  const versions = new Float64Array(count);
  for (let at = 0; at < count; at += 1) versions[at] = columns[left + at]?.version ?? 0;
  return versions;
}

/** The version of a missing chunk is 0. */
function chunkVersions(store: Store, { sheet, top, left, rows, cols }: Entry): Float64Array {
  const { columns, usedRows } = store.sheets[sheet]!;
  const first = top >> CHUNK_BITS;
  const last = Math.min(top + rows - 1, Math.max(top, usedRows - 1)) >> CHUNK_BITS;
  const count = Math.max(0, Math.min(cols, columns.length - left));
  const versions = new Float64Array((last - first + 1) * count);
  let at = 0;
  for (let col = 0; col < count; col += 1) {
    for (let chunk = first; chunk <= last; chunk += 1) {
      versions[at++] = columns[left + col]?.chunks[chunk]?.version ?? 0;
    }
  }
  return versions;
}
