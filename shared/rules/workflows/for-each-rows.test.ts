import { expect, test } from 'vitest';
import { forEachRows } from './for-each-rows.ts';

const keysOf = (...names: unknown[]): unknown => {
  const info = { RangeType: 'RangeWithColumnHeaders' as const, ColumnHeaderValues: ['Company'] };
  const found = forEachRows({ KeyColumn: 'Company', Inputs: [] }, info, JSON.stringify(names.map((name) => [name])));
  return 'issue' in found ? found.issue : found.rows.map(({ key }) => key);
};

test('rows are named by trimmed texts, without the character that PostgreSQL cannot store', () => {
  expect(keysOf(' a\0b ', 7, true)).toEqual(['ab', '7', 'true']);
  expect(keysOf('ab', 'a\0b')).toMatch(/^Two rows are named "ab"/);
  expect(keysOf('\0')).toMatch(/^Row 1 has no value/);
});
