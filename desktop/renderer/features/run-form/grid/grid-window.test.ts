import { describe, expect, it } from 'vitest';
import { columnOffsets, columnWidth, visibleColumns, visibleRows } from './grid-window.ts';

describe('what is drawn of an input grid', () => {
  it('is a few rows of many thousands', () => {
    const span = visibleRows(35 * 20_000, 350, 50_000);
    expect(span.first).toBeLessThanOrEqual(20_000);
    expect(span.last).toBeGreaterThanOrEqual(20_009);
    expect(span.last - span.first).toBeLessThan(40);
  });
  it('is nothing where there is nothing, and all of a few rows', () => {
    expect(visibleRows(0, 350, 0)).toEqual({ first: 0, last: -1 });
    expect(visibleRows(0, 350, 3)).toEqual({ first: 0, last: 2 });
  });
  it('takes the columns in sight and one on each side', () => {
    const offsets = columnOffsets([100, 100, 100, 100, 100, 100]);
    expect(visibleColumns(200, 150, offsets)).toEqual({ first: 1, last: 4 });
    expect(visibleColumns(0, 5000, offsets)).toEqual({ first: 0, last: 5 });
  });
});

describe('the width of a column', () => {
  it('is 11 pixels a character and 10 more, from 120 to 400', () => {
    expect(columnWidth('Quantity ordered', [])).toBe(16 * 11 + 10);
    expect(columnWidth('Id', ['1'])).toBe(120);
    expect(columnWidth('Id', ['x'.repeat(100)])).toBe(400);
  });
});
