/** Sums of eight ranges at a time that have a common end; each sum is added from its own first cell. */
import { CHUNK_ROWS } from './chunk.ts';

/** Number of sums calculated in one pass. */
export const WIDTH = 8;

/**
 * Returns `width` sums (at most 8): of `count` numbers, of all but the first, of all but the first two, and so on. The
 * numbers are in `parts` of 1,024; the last part can be shorter, and null stands for all zeros. The first number is at
 * `from`.
 */
export function shrinkingSums(
  parts: readonly (Float64Array | null)[],
  from: number,
  count: number,
  width: number,
): Float64Array {
  const sums = new Float64Array(8);
  const last = from + count;
  const head = Math.min(last, from + 7);
  for (let at = from; at < head; at += 1) {
    const value = parts[Math.floor(at / CHUNK_ROWS)]?.[at % CHUNK_ROWS] ?? 0;
    for (let sum = 0; sum <= at - from; sum += 1) sums[sum]! += value;
  }
  for (let start = head; start < last;) {
    const part = Math.floor(start / CHUNK_ROWS);
    const end = Math.min(last, (part + 1) * CHUNK_ROWS);
    const values = parts[part];
    if (values) addAll(sums, values, start - part * CHUNK_ROWS, Math.min(end - part * CHUNK_ROWS, values.length));
    start = end;
  }
  return sums.slice(0, Math.min(width, count));
}

/** Adds the values to all eight sums; these additions are independent of each other. */
function addAll(sums: Float64Array, values: Float64Array, from: number, to: number): void {
  let [a, b, c, d, e, f, g, h] = sums as unknown as [number, number, number, number, number, number, number, number];
  for (let at = from; at < to; at += 1) {
    const value = values[at]!;
    a += value;
    b += value;
    c += value;
    d += value;
    e += value;
    f += value;
    g += value;
    h += value;
  }
  sums.set([a, b, c, d, e, f, g, h]);
}
