import { describe, expect, it } from 'vitest';
import { createAxis, nextShown, shownAt } from './axis.ts';

describe('an axis', () => {
  const axis = createAxis(100_000, 20, [
    [2, 2, 50],
    [5, 9, 0],
    [99_998, 120_000, 30],
  ]);

  it('adds up the sizes before an index', () => {
    expect([0, 1, 2, 3, 5, 10, 11].map(axis.offset)).toEqual([0, 20, 40, 90, 130, 130, 150]);
    expect(axis.total).toBe(axis.offset(100_000));
    expect(axis.total).toBe(99_992 * 20 + 50 + 2 * 30);
  });

  it('finds the index of a pixel, and never a hidden one', () => {
    expect([0, 19, 20, 40, 89, 90, 129, 130].map(axis.indexAt)).toEqual([0, 0, 1, 2, 2, 3, 4, 10]);
    expect(axis.indexAt(-5)).toBe(0);
    expect(axis.indexAt(1e9)).toBe(99_999);
  });

  it('agrees with itself at each index that is shown', () => {
    for (let index = 0; index < 100_000; index += 997) {
      if (axis.size(index) > 0) expect(axis.indexAt(axis.offset(index))).toBe(index);
    }
  });

  it('steps over hidden indices, and stays where there is nothing beyond', () => {
    expect(nextShown(axis, 4, 1)).toBe(10);
    expect(nextShown(axis, 10, -1)).toBe(4);
    expect(nextShown(axis, 0, -1)).toBe(0);
    expect(shownAt(axis, 7)).toBe(10);
    expect(shownAt(createAxis(4, 20, [[2, 3, 0]]), 3)).toBe(1);
  });

  it('is empty where everything is hidden', () => {
    const hidden = createAxis(3, 20, [[0, 2, 0]]);
    expect([hidden.total, hidden.offset(3), hidden.indexAt(10)]).toEqual([0, 0, 0]);
  });
});
