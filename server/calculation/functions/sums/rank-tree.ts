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
    for (let position = 0; position < ranks.length; position += 1)
      if (ranks[position]! > maxRank) maxRank = ranks[position]!;
    this.bits = 32 - Math.clz32(maxRank);
    this.eachLevel((own, bit) => {
      const zeros = new Int32Array(own.length + 1);
      for (let at = 0; at < own.length; at += 1) zeros[at + 1] = zeros[at]! + 1 - ((ranks[own[at]!]! >>> bit) & 1);
      this.zeros.push(zeros);
    });
  }

  /** Calls `visit` with the positions in the order of each level. */
  private eachLevel(visit: (positions: Int32Array, bit: number) => void): void {
    const { ranks } = this;
    let positions = Int32Array.from(ranks, (_, position) => position);
    for (let bit = this.bits - 1; bit >= 0; bit -= 1) {
      visit(positions, bit);
      const next = new Int32Array(positions.length);
      let at = 0;
      for (let one = 0; one < 2; one += 1) {
        for (let from = 0; from < positions.length; from += 1) {
          const position = positions[from]!;
          if (((ranks[position]! >>> bit) & 1) === one) next[at++] = position;
        }
      }
      positions = next;
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
  sumsOf(valueAt: (position: number) => number): Float64Array[] | null {
    let magnitude = 0;
    for (let position = 0; position < this.ranks.length; position += 1) {
      const value = valueAt(position);
      magnitude += isWhole(value) ? Math.abs(value) : Infinity;
    }
    if (magnitude > LARGEST_EXACT) return null;
    const sums: Float64Array[] = [];
    this.eachLevel((positions, bit) => {
      const own = new Float64Array(positions.length + 1);
      let count = 0;
      for (let at = 0; at < positions.length; at += 1) {
        if (((this.ranks[positions[at]!]! >>> bit) & 1) === 1) continue;
        own[count + 1] = own[count]! + valueAt(positions[at]!);
        count += 1;
      }
      sums.push(own);
    });
    const all = new Float64Array(this.ranks.length + 1);
    for (let position = 0; position < this.ranks.length; position += 1)
      all[position + 1] = all[position]! + valueAt(position);
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
