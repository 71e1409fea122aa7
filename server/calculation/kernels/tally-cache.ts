/** Caches totals of ranges that many formulas request in succession, until their column changes. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Store } from './store.ts';

interface Entry<T> {
  sheet: number;
  col: number;
  top: number;
  bottom: number;
  version: number;
  value: T;
}

/** Number of cached ranges. A range replaces another one in the same slot. */
const SLOTS = 64;
/** Counting shorter ranges is as fast. */
const FEW_ROWS = 64;

export class TallyCache<T> {
  private readonly store: Store;
  private readonly entries: (Entry<T> | undefined)[] = [];

  constructor(store: Store) {
    this.store = store;
    while (this.entries.length < SLOTS) this.entries.push(undefined);
  }

  private version(sheet: number, col: number): number {
    return this.store.sheets[sheet]!.columns[col]?.version ?? 0;
  }

  get(sheet: number, { top, left, bottom, right }: CellBlock): T | undefined {
    if (left !== right || bottom - top < FEW_ROWS) return undefined;
    const entry = this.entries[slotOf(left, top, bottom)];
    if (!entry || entry.top !== top || entry.bottom !== bottom || entry.col !== left || entry.sheet !== sheet) {
      return undefined;
    }
    return entry.version === this.version(sheet, left) ? entry.value : undefined;
  }

  /** Stores the totals of a range; all its cells must be up to date. */
  put(sheet: number, { top, left, bottom, right }: CellBlock, value: T): void {
    if (left !== right || bottom - top < FEW_ROWS) return;
    this.entries[slotOf(left, top, bottom)] = {
      sheet,
      col: left,
      top,
      bottom,
      version: this.version(sheet, left),
      value,
    };
  }
}

const slotOf = (col: number, top: number, bottom: number): number => (col * 7 + top + bottom * 3) & (SLOTS - 1);
