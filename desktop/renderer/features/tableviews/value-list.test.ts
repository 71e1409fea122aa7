import { expect, test } from 'vitest';
import { MAX_FILTER_VALUES } from '#shared/contract/tableviews.ts';
import { fitsAddress, listedValues, withPastedCells } from './value-list.ts';
import { filterOf } from './view-address.ts';

test('values are separated by semicolons, and blank ones do not count', () => {
  expect(listedValues(' north; south;; east west ;')).toEqual(['north', 'south', 'east west']);
});

test('a pasted column becomes a list, between what stands before and after the caret', () => {
  expect(withPastedCells('', 0, 0, '1001\r\n1002\r\n1003\r\n')).toBe('1001; 1002; 1003');
  expect(withPastedCells('a; b', 2, 2, 'c\td\n')).toBe('a; c; d; b');
  expect(withPastedCells('old', 0, 3, 'new\nnewer')).toBe('new; newer');
});

test('a single pasted value is left to the field', () => {
  expect(withPastedCells('a', 1, 1, '; b')).toBeNull();
  expect(withPastedCells('', 0, 0, 'one line\r\n')).toBeNull();
});

test('thousands of pasted values all stay in the list', () => {
  const numbers = Array.from({ length: 3000 }, (_, index) => String(100_000 + index));
  expect(listedValues(withPastedCells('', 0, 0, numbers.join('\n'))!)).toEqual(numbers);
});

test('a list is not sent if a page with its address could not be reloaded', () => {
  const values = Array.from({ length: 900 }, (_, index) => `Customer number ${index}`);
  expect([fitsAddress(values.slice(0, 300)), fitsAddress(values)]).toEqual([true, false]);
  expect(filterOf({ ColumnName: 'Id', Operator: 'in', texts: [values.join('; '), ''] })).toBeNull();
});

test('a list with more values than the server compares is not sent, rather than sent in part', () => {
  const text = (count: number): string => Array.from({ length: count }, (_, index) => index).join('; ');
  const draft = (count: number) => filterOf({ ColumnName: 'Id', Operator: 'in', texts: [text(count), ''] });
  expect(draft(MAX_FILTER_VALUES)?.Values).toHaveLength(MAX_FILTER_VALUES);
  expect(draft(MAX_FILTER_VALUES + 1)).toBeNull();
});
