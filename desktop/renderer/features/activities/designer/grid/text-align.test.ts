import { describe, expect, it } from 'vitest';
import { alignOf, cellEnd, isRightToLeftText } from './text-align.ts';

const HEBREW = 'ריבית (5%)';
const ARABIC = 'سعر الفائدة';

describe('the direction of a text', () => {
  it('is that of its first letter', () => {
    for (const text of [HEBREW, ARABIC, '12: ريال', '(ריבית) rate', '\u200F12'])
      expect(isRightToLeftText(text)).toBe(true);
    for (const text of ['Rate ריבית', 'Ελλάδα', '金利', '']) expect(isRightToLeftText(text)).toBe(false);
  });

  it('is not decided by digits and punctuation', () => {
    for (const text of ['-12.5', '٣٤', '۳۴', '(5%)']) expect(isRightToLeftText(text)).toBe(false);
  });
});

describe('the side at which a value stands', () => {
  it('is that where a text begins, and the right one for numbers', () => {
    expect([HEBREW, ARABIC, 'Rate'].map((text) => alignOf('general', text))).toEqual(['right', 'right', 'left']);
    expect([1, true, { error: '#N/A' }].map((value) => alignOf('general', value))).toEqual([
      'right',
      'center',
      'center',
    ]);
    expect([HEBREW, 'Rate', 1].map((value) => alignOf('justify', value))).toEqual(['right', 'left', 'left']);
  });

  it('is the chosen one, whatever the text', () => {
    expect([HEBREW, 1, true].map((value) => alignOf('left', value))).toEqual(['left', 'left', 'left']);
    expect(alignOf('right', 'Rate')).toBe('right');
    expect(alignOf('centerContinuous', HEBREW)).toBe('center');
  });

  it('is the other end of the cell if column A is at the right', () => {
    const ends = (isRightToLeft: boolean) =>
      (['left', 'right', 'center'] as const).map((align) => cellEnd(align, isRightToLeft));
    expect(ends(false)).toEqual(['start', 'end', 'center']);
    expect(ends(true)).toEqual(['end', 'start', 'center']);
  });
});
