import { expect, test } from 'vitest';
import { beginOf, isNarrowed, operatorSearch, readOperatorFilter, writeOperatorFilter } from './operator-filter.ts';

const read = (address: string) => readOperatorFilter(new URLSearchParams(address));
const now = new Date(2026, 2, 5, 9, 30, 12, 345);

test('the search of the address is written as it was read', () => {
  const address = 'status=Failed&by=ada&period=evening&mine=yes&schema=Finance&name=close&error=no+rate';
  expect(writeOperatorFilter(new URLSearchParams(), read(address)).toString()).toBe(address);
});

test('a period begins yesterday evening, or some hours ago at a full minute', () => {
  expect(beginOf('evening', now)).toEqual(new Date(2026, 2, 4, 18));
  expect(beginOf('day', now)).toEqual(new Date(2026, 2, 4, 9, 30));
  expect(beginOf('week', now)).toEqual(new Date(2026, 1, 26, 9, 30));
});

test('a period replaces the days, and the server gets only what narrows the search', () => {
  const search = operatorSearch(read('period=evening&from=2026-01-01&to=2026-01-02&error=+'), now);
  expect(search).toEqual({ ActivityId: null, QueuedFrom: new Date(2026, 2, 4, 18).toISOString() });
  expect(writeOperatorFilter(new URLSearchParams(), read('period=day&from=2026-01-01')).toString()).toBe('period=day');
});

test('what cannot be read from an address is ignored', () => {
  const filter = read('period=year&mine=no&reason=x&status=Broken&from=tomorrow');
  expect(isNarrowed(filter)).toBe(false);
  expect(isNarrowed(read('reason=0123456789abcdef'))).toBe(true);
});
