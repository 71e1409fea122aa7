/**
 * What is known of a column grows with the ranges of formulas like =COUNTIF(A$1:A1,A1) that were filled down: each range is the
 * one before and a little more, and reading all of it anew for every row would take the square of their number.
 */
import type { Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';

interface Growing<T> {
  thing: T | null;
  /** Rows it has of the column. */
  rows: number;
  /** Tells, kept for those rows, that none of them has changed. */
  token: object | null;
  /** Rows of the range that was asked for last. */
  last: number;
}

export interface Growth<T> {
  /** Tells different things apart. */
  key: string;
  create(): T;
  /** Adds the rows `from` up to `to`, counted from the first of the range; `added` are their cells. */
  extend(thing: T, added: Range, from: number, to: number): void;
}

/** The thing of at least all rows of the range that hold anything; null where ranges of this column do not grow. */
export function grownThing<T>(range: Range, growth: Growth<T>, context: CallContext): T | null {
  if (range.cols !== 1) return null;
  const { sheet, top, left } = range;
  const rowsOf = (from: number, to: number): Range =>
    context.range(sheet, { top: top + from, left, bottom: top + to - 1, right: left });
  const kept = context.kept<Growing<T>>(rowsOf(0, 1), growth.key, () => ({
    thing: null,
    rows: 0,
    token: null,
    last: -1,
  }));
  const { rows } = range.used();
  const isLonger = kept.last > 0 && rows > kept.last;
  kept.last = rows;
  const rowsKey = `${growth.key} rows`;
  const freshToken = (): object => ({});
  if (kept.rows > 0 && context.kept(rowsOf(0, kept.rows), rowsKey, freshToken) !== kept.token) {
    kept.rows = 0;
    kept.thing = null;
  }
  if (kept.rows === 0 && !isLonger) return null;
  kept.thing ??= growth.create();
  if (rows > kept.rows) {
    context.spend(rows - kept.rows);
    growth.extend(kept.thing, rowsOf(kept.rows, rows), kept.rows, rows);
    kept.rows = rows;
    kept.token = context.kept(rowsOf(0, rows), rowsKey, freshToken);
  }
  return kept.thing;
}

/** Whole numbers that become more. */
export class GrowingInts {
  private data = new Int32Array(8);
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

  /** Of ascending numbers those below a limit, without a copy. */
  below(limit: number): Int32Array {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.data[middle]! < limit) low = middle + 1;
      else high = middle;
    }
    return this.data.subarray(0, low);
  }
}
