import { describe, expect, it } from 'vitest';
import type { GridColumn } from './grid-model.ts';
import { printedColumns } from './printed-columns.ts';

const columns = (count: number, text: string): GridColumn<null>[] =>
  Array.from({ length: count }, (_, index) => ({ key: String(index), title: `C${index}`, text: () => text }));
const keysOf = (groups: GridColumn<null>[][]): string[] => groups.map((group) => group.map(({ key }) => key).join(' '));

describe('the columns of a printed table', () => {
  it('stay together where they fit', () => {
    expect(keysOf(printedColumns(columns(4, '1,000.00'), [null]))).toEqual(['0 1 2 3']);
    expect(printedColumns([], [null])).toEqual([]);
  });
  it('continue in further groups, each with the first column', () => {
    expect(keysOf(printedColumns(columns(6, '1234567890'), [null], 240))).toEqual(['0 1 2', '0 3 4', '0 5']);
  });
  it('are all there, however many and wide they are', () => {
    for (const text of ['', '1', 'x'.repeat(1000)]) {
      const groups = printedColumns(columns(100, text), [null]);
      expect(new Set(groups.flat()).size).toBe(100);
      expect(groups.every((group) => group.length > 1 && group[0]!.key === '0')).toBe(true);
    }
  });
});
