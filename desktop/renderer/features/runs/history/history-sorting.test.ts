import { expect, it } from 'vitest';
import { skippedText, readSort, sortOf, writeSort } from './history-sorting.ts';

it('an order is written to the address and read again, whatever else is in it', () => {
  const query = writeSort(new URLSearchParams('status=Failed'), { key: 'Duration', descending: true });
  expect(query.toString()).toBe('status=Failed&sort=Duration.desc');
  expect(readSort(query)).toEqual({ key: 'Duration', descending: true });
  expect(readSort(writeSort(query, { key: 'Inputs12', descending: false }))).toEqual({
    key: 'Inputs12',
    descending: false,
  });
  expect(writeSort(query, null).toString()).toBe('status=Failed');
  for (const bad of ['Phase', 'Inputs', 'Inputs1x', '', 'constructor'])
    expect(readSort(new URLSearchParams({ sort: bad }))).toBeNull();
});

it('is asked of the server, but for the newest first', () => {
  expect(sortOf(null)).toEqual({});
  expect(sortOf({ key: 'QueueTime', descending: true })).toEqual({});
  expect(sortOf({ key: 'QueueTime', descending: false })).toEqual({ Sort: { By: 'Id', Descending: false } });
  expect(sortOf({ key: 'Outputs7', descending: true })).toEqual({
    Sort: { By: 'Value', Descending: true, Direction: 'output', ActivityParameterId: 7 },
  });
});

it('says what it leaves out', () => {
  expect(skippedText({ key: 'Status', descending: true }, 'Status')).toBe('');
  expect(skippedText({ key: 'Inputs7', descending: true }, 'Rate')).toBe(
    'Sorted by Rate: runs without this value are not shown.',
  );
});
