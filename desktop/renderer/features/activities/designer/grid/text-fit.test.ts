import { describe, expect, it } from 'vitest';
import { fitNumber, runOver } from './text-fit.ts';

const neighbours = (blank: readonly number[]) => ({
  width: () => 60,
  isBlank: (col: number) => blank.includes(col),
  count: 10,
});

describe('a text that is wider than its cell', () => {
  it('runs over blank cells to the right, as far as it needs', () => {
    expect(runOver(2, 100, 'start', neighbours([3, 4, 5]))).toEqual({ from: 2, to: 3 });
    expect(runOver(2, 200, 'start', neighbours([3, 4, 5]))).toEqual({ from: 2, to: 5 });
  });

  it('stops at a filled cell and at the end of the sheet', () => {
    expect(runOver(2, 900, 'start', neighbours([3, 5]))).toEqual({ from: 2, to: 3 });
    expect(runOver(9, 900, 'start', neighbours([]))).toEqual({ from: 9, to: 9 });
    expect(runOver(0, 900, 'end', neighbours([]))).toEqual({ from: 0, to: 0 });
  });

  it('runs to the left from the right, and to both sides from the middle', () => {
    expect(runOver(4, 170, 'end', neighbours([2, 3]))).toEqual({ from: 2, to: 4 });
    expect(runOver(4, 170, 'center', neighbours([3, 5]))).toEqual({ from: 3, to: 5 });
  });

  it('stays in its cell where it fits', () => {
    expect(runOver(4, 60, 'start', neighbours([5]))).toEqual({ from: 4, to: 4 });
  });
});

describe('a number that is wider than its cell', () => {
  const fit = (value: number, availableWidth: number, isGeneral = true): string =>
    fitNumber({
      value,
      text: String(value),
      isGeneral,
      availableWidth,
      measure: (text) => text.length * 7,
      format: String,
    });

  it('loses decimals where its format leaves them to the width', () => {
    expect(fit(0.333333333, 77)).toBe('0.333333333');
    expect(fit(0.333333333, 40)).toBe('0.333');
    expect(fit(12.96, 21)).toBe('13');
  });

  it('becomes number signs when it does not fit, rather than 0', () => {
    expect(fit(1234567, 35)).toBe('#####');
    expect(fit(0.5, 7, false)).toBe('#');
    expect(fit(0.0004, 21)).toBe('###');
  });
});
