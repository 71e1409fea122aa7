import { expect, test } from 'vitest';
import { forecastOf } from './storage-forecast.ts';

const NOW = Date.UTC(2026, 10, 14);

test('room is used up on the day that its rate says', () => {
  expect(forecastOf(1000, 100, NOW)).toEqual({ kind: 'on', days: 10, time: Date.UTC(2026, 10, 24) });
  expect(forecastOf(0, 100, NOW)).toEqual({ kind: 'on', days: 0, time: NOW });
});

test('nothing is said where too little is known, nothing grows, or it is too far away', () => {
  expect(forecastOf(1000, null, NOW)).toEqual({ kind: 'unknown' });
  expect(forecastOf(Number.NaN, 100, NOW)).toEqual({ kind: 'unknown' });
  expect(forecastOf(-1, 100, NOW)).toEqual({ kind: 'unknown' });
  expect(forecastOf(1000, 0, NOW)).toEqual({ kind: 'never' });
  expect(forecastOf(1000, 0.1, NOW)).toEqual({ kind: 'far' });
});
