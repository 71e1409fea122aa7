import { expect, it } from 'vitest';
import { isoOfSerial } from './iso-serial.ts';

it('writes days, times and elapsed times so that any region reads them alike', () => {
  expect(isoOfSerial(46027, 'date')).toBe('2026-01-05');
  expect(isoOfSerial(46027, 'dateTime')).toBe('2026-01-05 00:00:00');
  expect(isoOfSerial(46027.34375, 'date')).toBe('2026-01-05 08:15:00');
  expect(isoOfSerial(0.34375, 'time')).toBe('08:15:00');
  expect(isoOfSerial(0.34375, 'any')).toBe('08:15:00');
  expect(isoOfSerial(1.260416667, 'duration')).toBe('30:15:00');
});

it('writes nothing for numbers that are no dates', () => {
  expect(isoOfSerial(-1, 'date')).toBeNull();
  expect(isoOfSerial(-1, 'duration')).toBeNull();
  expect(isoOfSerial(1e9, 'any')).toBeNull();
});
