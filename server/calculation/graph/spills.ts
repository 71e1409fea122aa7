/** Records which cells the dynamic arrays of a model fill, by the number of their formula group. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';

export interface Spill {
  sheet: number;
  /** The range it fills, including its anchor; null if it fills no other cell. */
  block: CellBlock | null;
  /** The range it would fill if nothing blocked it. */
  wanted: CellBlock | null;
}

export class Spills {
  private byGroup: Map<number, Spill>;
  private isShared = false;

  constructor(byGroup = new Map<number, Spill>()) {
    this.byGroup = byGroup;
  }

  copy(): Spills {
    this.isShared = true;
    const copy = new Spills(this.byGroup);
    copy.isShared = true;
    return copy;
  }

  get isEmpty(): boolean {
    return this.byGroup.size === 0;
  }

  get(group: number): Spill | undefined {
    return this.byGroup.get(group);
  }

  set(group: number, spill: Spill | null): void {
    if (this.isShared) {
      this.byGroup = new Map(this.byGroup);
      this.isShared = false;
    }
    if (spill) this.byGroup.set(group, spill);
    else this.byGroup.delete(group);
  }

  all(): Iterable<[number, Spill]> {
    return this.byGroup;
  }
}
