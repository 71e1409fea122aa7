/** Positions of rows or columns: converts between indexes and pixels. */

/** [first, last, pixels], ascending; hidden rows or columns have 0 pixels. */
export type SizeSpan = readonly number[];

export interface Axis {
  count: number;
  /** Total size in pixels. */
  total: number;
  /** Returns the pixels before an index; `offset(count)` is the total. */
  offset: (index: number) => number;
  size: (index: number) => number;
  /** Returns the index at a pixel; the nearest index for pixels outside. */
  indexAt: (pixel: number) => number;
}

interface Run {
  first: number;
  size: number;
  /** Pixels before this run. */
  before: number;
}

/** @param size size in pixels of indexes that no span covers */
export function createAxis(count: number, size: number, spans: readonly SizeSpan[]): Axis {
  const runs = runsOf(count, size, spans);
  const last = runs.at(-1)!;
  const total = last.before + (count - last.first) * last.size;
  const runBy = (key: 'first' | 'before', value: number): Run => {
    let [low, high] = [0, runs.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (runs[middle]![key] <= value) low = middle;
      else high = middle - 1;
    }
    return runs[low]!;
  };
  return {
    count,
    total,
    offset: (index) => {
      const run = runBy('first', index);
      return run.before + (index - run.first) * run.size;
    },
    size: (index) => runBy('first', index).size,
    indexAt: (pixel) => {
      const inside = Math.min(Math.max(0, pixel), Math.max(0, total - 1));
      const run = runBy('before', inside);
      return run.size === 0 ? run.first : Math.min(count - 1, run.first + Math.floor((inside - run.before) / run.size));
    },
  };
}

function runsOf(count: number, size: number, spans: readonly SizeSpan[]): Run[] {
  const runs: Run[] = [];
  let [next, before] = [0, 0];
  const add = (end: number, pixels: number): void => {
    if (end <= next) return;
    runs.push({ first: next, size: pixels, before });
    before += (end - next) * pixels;
    next = end;
  };
  for (const [first, last, pixels] of spans) {
    add(Math.min(first!, count), size);
    add(Math.min(last! + 1, count), pixels!);
  }
  add(count, size);
  return runs.length > 0 ? runs : [{ first: 0, size, before: 0 }];
}

/** Returns the next visible index in a direction; the same index if there is none. */
export function nextShown(axis: Axis, from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < axis.count; index += step) {
    if (axis.size(index) > 0) return index;
  }
  return from;
}

/**
 * Returns the index if it is visible, else the nearest visible one: first in the given direction, then in the other.
 */
export function shownAt(axis: Axis, index: number, step: 1 | -1 = 1): number {
  const inside = Math.min(Math.max(0, index), axis.count - 1);
  if (axis.size(inside) > 0) return inside;
  const next = nextShown(axis, inside, step);
  return next === inside ? nextShown(axis, inside, step === 1 ? -1 : 1) : next;
}
