import { expect, it } from 'vitest';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import { labelOf } from './label-of.ts';

const sheet = (cells: Record<string, unknown>) => (range: string) => {
  const valueAt = (row: number, col: number): unknown => {
    const found = Object.entries(cells).find(([at]) => {
      const block = parseBlock(at)!;
      return block.top === row && block.left === col;
    });
    return found ? found[1] : null;
  };
  return labelOf(parseBlock(range)!, valueAt);
};

it('is the text on the left, over blank cells, without its colon', () => {
  expect(sheet({ A4: 'Interest rate (p.a.):  ' })('B4')).toBe('Interest rate (p.a.)');
  expect(sheet({ A4: 'Amount', B3: 'Value' })('D4')).toBe('Amount');
});

it('is the text above if there is no text on the left, or a number in between', () => {
  expect(sheet({ A4: 'Year', B4: 2024, C3: 'Sales' })('C4')).toBe('Sales');
});

it('is the heading of a column, and not the name of its first row', () => {
  expect(sheet({ A2: 'North', B1: 'Plan' })('B2:B9')).toBe('Plan');
});

it('is the address where nothing names the cells', () => {
  expect(sheet({ A4: 'x'.repeat(80) })('B4')).toBe('B4');
  expect(sheet({})('B4:C9')).toBe('B4:C9');
});
