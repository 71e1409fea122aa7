import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFinerThanSerial, serialOfDatabaseDate } from './database-date.ts';
import { fromSerial, MAX_SERIAL } from './serial-date.ts';
import { exactText, tableCell, tableText } from './table-value.ts';

const DATE = { FilterKind: 'Date', CellUsage: 'Date', DisplayFormat: '' } as const;

describe('the serial of a date of a database', () => {
  it.each([
    ['2026-01-05', 46_027],
    ['2026-01-05 12:00:00', 46_027.5],
    ['2026-01-05T12:00:00.000Z', 46_027.5],
    ['2026-01-05 12:00:00+01', 46_027.5],
    ['2026-01-05 12:00:00.000001-05:30', 46_027.5 + 1 / 86_400e6],
    ['2026-01-05 12:00:00.1234567', 46_027.5 + 0.1234567 / 86_400],
  ])('of %s is %d', (text, serial) => {
    // Around the dates of this century, adjacent doubles are half a microsecond apart.
    expect(Math.abs(serialOfDatabaseDate(text)! - serial)).toBeLessThan(0.5e-6 / 86_400);
  });

  it.each([
    'infinity',
    '0044-03-15 BC',
    '10000-01-01',
    '2026-02-30',
    '2026-01-05 25:00:00',
    // An offset that belongs to the value, in SQL Server's notation.
    '2026-01-05 12:00:00.0000000 +02:00',
  ])('%s has none', (text) => {
    expect(serialOfDatabaseDate(text)).toBeNull();
  });

  it('never comes to another day, however late it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 61, max: MAX_SERIAL }), fc.integer({ min: 0, max: 9_999_999 }), (day, ticks) => {
        const { year, month, day: dayOfMonth } = fromSerial(day)!;
        const two = (part: number): string => String(part).padStart(2, '0');
        const written = `${year}-${two(month)}-${two(dayOfMonth)} 23:59:59.${String(ticks).padStart(7, '0')}`;
        expect(fromSerial(serialOfDatabaseDate(written)!)).toMatchObject({ year, month, day: dayOfMonth, hour: 23 });
      }),
    );
  });

  it('keeps the order of microseconds', () => {
    const serials = [1, 2, 3, 999_998, 999_999].map((us) =>
      serialOfDatabaseDate(`2026-01-05 10:00:00.${String(us).padStart(6, '0')}`),
    );
    expect(serials).toEqual([...new Set(serials)].sort((a, b) => a! - b!));
  });
});

it('a second of more than three digits is finer than a serial day', () => {
  expect(isFinerThanSerial('2026-01-05 10:00:00.123')).toBe(false);
  expect(isFinerThanSerial('2026-01-05 10:00:00.123000')).toBe(false);
  expect(isFinerThanSerial('2026-01-05 10:00:00.123001+01')).toBe(true);
});

describe('a moment in a table', () => {
  it('is a date with all its digits on the screen, and has its exact text at hand', () => {
    const text = '2026-01-05 10:00:00.123456+01';
    expect(tableCell(text, DATE)).toBeTypeOf('number');
    expect(tableText(text, DATE)).toBe('5/Jan/2026 10:00:00.123456');
    expect(exactText(text, DATE)).toBe(text);
  });

  it('is shown by the format of its column, and has its exact text at hand where that hides some of it', () => {
    const text = '2026-01-05 10:00:00.123456';
    expect(tableText(text, { ...DATE, DisplayFormat: 'yyyy-mm-dd hh:mm' })).toBe('2026-01-05 10:00');
    expect(exactText(text, { ...DATE, DisplayFormat: 'yyyy-mm-dd hh:mm' })).toBe(text);
    expect(exactText(text, DATE)).toBe('');
    expect(exactText('2026-01-05', DATE)).toBe('');
  });
});
