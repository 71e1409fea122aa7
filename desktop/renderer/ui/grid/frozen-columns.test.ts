import { describe, expect, test } from 'vitest';
import { frozenColumns } from './frozen-columns.ts';

const columns = (count: number, isActions = false) =>
  Array.from({ length: count }, (_, at) => (at === 0 ? { isActions } : {}));
const widths = (count: number, first = 100) => [first, ...Array.from({ length: count - 1 }, () => 100)];

describe('the first column', () => {
  test('is frozen if there are many, and scrolls if there are few', () => {
    expect(frozenColumns(columns(12), widths(12), 800, undefined)).toEqual({ count: 1, offered: 1 });
    expect(frozenColumns(columns(9), widths(9), 800, undefined)).toEqual({ count: 0, offered: 1 });
  });

  test('does what the person chose', () => {
    expect(frozenColumns(columns(12), widths(12), 800, 0).count).toBe(0);
    expect(frozenColumns(columns(9), widths(9), 800, 1).count).toBe(1);
  });

  test('is not offered to freeze if all columns fit, or if it leaves too little for the others', () => {
    expect(frozenColumns(columns(12), widths(12), 1200, 1)).toEqual({ count: 0, offered: 0 });
    expect(frozenColumns(columns(12), widths(12, 400), 360, 1)).toEqual({ count: 0, offered: 0 });
  });

  test('includes a column of buttons before it', () => {
    expect(frozenColumns(columns(12, true), widths(12, 40), 800, undefined)).toEqual({ count: 2, offered: 2 });
    expect(frozenColumns([{ isActions: true }], [900], 800, 1)).toEqual({ count: 0, offered: 0 });
  });
});
