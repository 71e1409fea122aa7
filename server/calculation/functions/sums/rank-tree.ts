/**
 * Counts the positions of an interval whose rank is below a limit, in one step per bit of the ranks (a wavelet matrix).
 * Source: 'The wavelet matrix: An efficient wavelet tree for large alphabets', Information Systems 47, 2015.
 */
import { isWhole, LARGEST_EXACT } from '#server/calculation/kernels/chunk-totals.ts';

export class RankTree {
  private readonly ranks: Int32Array;
  private readonly bits: number;
  /**
   * For each bit, highest first: the number of ranks with a 0 bit before each position. From level to level, positions
   * with a 0 move before the others.
   */
  private readonly zeros: Int32Array[] = [];

  /** `ranks` are the ranks (from 0) by position. */
  constructor(ranks: Int32Array) {
    this.ranks = ranks;
    let maxRank = 1;
    for (let place = 0; place < ranks.length; place += 1) if (ranks[place]! > maxRank) maxRank = ranks[place]!;
    this.bits = 32 - Math.clz32(maxRank);
    this.eachLevel((own, bit) => {
      const zeros = new Int32Array(own.length + 1);
      for (let at = 0; at < own.length; at += 1) zeros[at + 1] = zeros[at]! + 1 - ((ranks[own[at]!]! >>> bit) & 1);
      this.zeros.push(zeros);
    });
  }

  /** Calls `visit` with the positions in the order of each level. */
  private eachLevel(visit: (places: Int32Array, bit: number) => void): void {
    const { ranks } = this;
    let places = Int32Array.from(ranks, (_, place) => place);
    for (let bit = this.bits - 1; bit >= 0; bit -= 1) {
      visit(places, bit);
      const next = new Int32Array(places.length);
      let at = 0;
      for (let one = 0; one < 2; one += 1) {
        for (let from = 0; from < places.length; from += 1) {
          const place = places[from]!;
          if (((ranks[place]! >>> bit) & 1) === one) next[at++] = place;
        }
      }
      places = next;
    }
  }

  /** Counts the positions from `from` (inclusive) to `to` (exclusive) whose rank is below the limit. */
  countBelow(from: number, to: number, limit: number): number {
    if (limit >= 2 ** this.bits) return to - from;
    let [low, high, count] = [from, to, 0];
    for (let level = 0; level < this.bits; level += 1) {
      const zeros = this.zeros[level]!;
      const [before, after] = [zeros[low]!, zeros[high]!];
      if (((limit >>> (this.bits - 1 - level)) & 1) === 1) {
        count += after - before;
        const all = zeros[zeros.length - 1]!;
        low += all - before;
        high += all - after;
      } else {
        low = before;
        high = after;
      }
    }
    return count;
  }

  /** Returns the sums that `sumBelow` requires; null if the sum depends on the order of the values. */
  sumsOf(valueAt: (place: number) => number): Float64Array[] | null {
    let magnitude = 0;
    for (let place = 0; place < this.ranks.length; place += 1) {
      const value = valueAt(place);
      magnitude += isWhole(value) ? Math.abs(value) : Infinity;
    }
    if (magnitude > LARGEST_EXACT) return null;
    const sums: Float64Array[] = [];
    this.eachLevel((places, bit) => {
      const own = new Float64Array(places.length + 1);
      let count = 0;
      for (let at = 0; at < places.length; at += 1) {
        if (((this.ranks[places[at]!]! >>> bit) & 1) === 1) continue;
        own[count + 1] = own[count]! + valueAt(places[at]!);
        count += 1;
      }
      sums.push(own);
    });
    const all = new Float64Array(this.ranks.length + 1);
    for (let place = 0; place < this.ranks.length; place += 1) all[place + 1] = all[place]! + valueAt(place);
    return [...sums, all];
  }

  /** Like `countBelow`, returns the sum of the values. */
  sumBelow(sums: readonly Float64Array[], from: number, to: number, limit: number): number {
    if (limit >= 2 ** this.bits) return sums[this.bits]![to]! - sums[this.bits]![from]!;
    let [low, high, sum] = [from, to, 0];
    for (let level = 0; level < this.bits; level += 1) {
      const zeros = this.zeros[level]!;
      const [before, after] = [zeros[low]!, zeros[high]!];
      if (((limit >>> (this.bits - 1 - level)) & 1) === 1) {
        sum += sums[level]![after]! - sums[level]![before]!;
        const all = zeros[zeros.length - 1]!;
        low += all - before;
        high += all - after;
      } else {
        low = before;
        high = after;
      }
    }
    return sum;
  }
}
