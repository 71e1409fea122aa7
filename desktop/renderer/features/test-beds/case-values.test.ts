import { afterEach, describe, expect, it } from 'vitest';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { speak } from '#renderer/language/translate.ts';
import { textOfValue, valueOfText, type Shape } from './case-values.ts';

const cell = (usage: CellUsage = 'Number', format = 'General', more: Partial<Shape> = {}): Shape => ({
  RangeType: 'SingleCell',
  CellUsages: [usage],
  Formats: [format],
  ColumnHeaderValues: [],
  ...more,
});
const table: Shape = {
  RangeType: 'RangeWithColumnHeaders',
  CellUsages: ['Text', 'Number'],
  Formats: ['General', '0.00'],
  ColumnHeaderValues: ['Part', 'Share'],
};
const read = (shape: Shape, text: string, stored: string | null = null) => {
  const found = valueOfText(shape, text, stored);
  return 'issue' in found ? found.issue : (JSON.parse(found.value) as unknown);
};

afterEach(() => speak('en', {}));

describe('a value of a test case', () => {
  it('is read with the marks of the region, and with those of others where these alone can', () => {
    expect(read(cell(), '15,625')).toBe(15_625);
    expect(read(cell(), '12,5')).toBe(12.5);
    speak('de', {});
    expect(read(cell('Number', '0.0%'), '12,5 %')).toBe(0.125);
    expect(read(cell(), '1.234,5')).toBe(1234.5);
    expect(read(cell(), '12.5')).toBe(12.5);
    expect(read(cell(), '15.625')).toBe(15_625);
  });

  it('is refused where it may be two numbers, and says which', () => {
    speak('de', {});
    const text = 'omit the thousands separator, or add another decimal place';
    expect(read(cell(), '15,625')).toBe(`15,625 can mean 15,625 or 15625: ${text}`);
    expect(read(table, 'a\t15,625')).toBe(`Row 1, column Share: 15,625 can mean 15,625 or 15625: ${text}`);
    expect(read(cell(), '15,6250')).toBe(15.625);
    expect(read(cell('Number', '0%'), '0.5')).toBe('0.5 can mean 50% or 0,5%: write it with a percent sign');
    expect(read(cell('Number', '0%'), '0,5 %')).toBe(0.005);
  });

  it('is refused by row and column if it has another type', () => {
    expect(read(cell(), 'twelve')).toBe('Value must be a number');
    expect(read(cell('Boolean'), 'maybe')).toBe('Value must be TRUE or FALSE');
    expect(read(cell('Date', 'dd/mm/yyyy'), 'soon')).toMatch(/^Value must be a date/);
    expect(read(table, 'a\t1\nb\tx\nc\ty')).toBe('Row 2, column Share: Value must be a number (one more cell)');
    expect(read(cell(), '#N/A')).toEqual({ error: '#N/A' });
    expect(read(cell(), '')).toBeNull();
  });

  it('stays what it was where nobody changed it, whatever its text would be read as', () => {
    speak('de', {});
    const stored = '[["a",15.625],["b","none"],["c\\nd",2]]';
    const shown = textOfValue(table, stored);
    expect(shown).toBe('a\t15,625\nb\tnone\nc d\t2');
    expect(read(table, shown, stored)).toEqual(JSON.parse(stored));
    expect(read(table, shown.replace(/2$/, '7,5'), stored)).toEqual([
      ['a', 15.625],
      ['b', 'none'],
      ['c\nd', 7.5],
    ]);
  });

  it('is a day in the order of the region, and says how one was read that could be another', () => {
    const day = cell('Date', 'dd/mm/yyyy');
    const found = valueOfText(day, '03/04/26', null);
    expect('note' in found && found.note).toBe('03/04/26 was read as 4/Mar/2026');
    expect(read(day, '13/02/2026')).toBe(
      '13/02/2026 is not in the format of your region: write 13/Feb/2026 if you mean this',
    );
  });
});
