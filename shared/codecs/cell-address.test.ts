import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnIndex,
  columnLetters,
  formatBlock,
  formatCell,
  MAX_COLS,
  MAX_ROWS,
  parseBlock,
  parseCell,
} from './cell-address.ts';

const position = fc.record({ row: fc.nat(MAX_ROWS - 1), col: fc.nat(MAX_COLS - 1) });

describe('cell addresses', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(position, ({ row, col }) => {
        expect(parseCell(formatCell(row, col))).toEqual({ row, col });
      }),
    );
    fc.assert(
      fc.property(position, position, (a, b) => {
        const block = {
          top: Math.min(a.row, b.row),
          left: Math.min(a.col, b.col),
          bottom: Math.max(a.row, b.row),
          right: Math.max(a.col, b.col),
        };
        expect(parseBlock(formatBlock(block))).toEqual(block);
      }),
    );
  });

  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
    [16_383, 'XFD'],
  ])('name column %i %s', (col, letters) => {
    expect(columnLetters(col)).toBe(letters);
    expect(columnIndex(letters.toLowerCase())).toBe(col);
  });

  it.each(['XFE1', 'A0', 'A1048577', 'AAAA1', '1A', '', 'A1:B', 'A'])('refuse %s as one cell', (text) => {
    expect(parseCell(text)).toBeNull();
  });

  it('read whole columns and rows', () => {
    expect(parseBlock('$B:D')).toEqual({ top: 0, left: 1, bottom: MAX_ROWS - 1, right: 3 });
    expect(parseBlock('5:3')).toEqual({ top: 2, left: 0, bottom: 4, right: MAX_COLS - 1 });
    expect(parseBlock('A1:B')).toBeNull();
    expect(parseBlock('B')).toBeNull();
  });
});
