import { expect, it } from 'vitest';
import { readStatuses, writeStatuses } from './status-filter.ts';

it('the statuses of a history are read from the address, whatever else is in it', () => {
  expect(readStatuses(new URLSearchParams('status=Failed,Nonsense,Succeeded&plot=closed'))).toEqual([
    'Succeeded',
    'Failed',
  ]);
  expect(readStatuses(new URLSearchParams(''))).toEqual([]);
});
it('the statuses of a history are written to the address, none as nothing', () => {
  const query = writeStatuses(new URLSearchParams('plot=closed'), ['Failed', 'Cancelled']);
  expect(readStatuses(query)).toEqual(['Failed', 'Cancelled']);
  expect(writeStatuses(query, []).toString()).toBe('plot=closed');
});
