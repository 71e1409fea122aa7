import { expect, test } from 'vitest';
import { defaultPurgeDate, isDay } from './purge-date.ts';

test('the default is seven days ago, also over the ends of months and years', () => {
  expect(defaultPurgeDate(new Date(2026, 10, 21, 23, 30))).toBe('2026-11-14');
  expect(defaultPurgeDate(new Date(2026, 2, 3))).toBe('2026-02-24');
  expect(defaultPurgeDate(new Date(2026, 0, 3))).toBe('2025-12-27');
});

test('a day is year, month and day', () => {
  expect(['2026-11-14', '2026-13-14', '', '14.11.2026'].map(isDay)).toEqual([true, false, false, false]);
});
