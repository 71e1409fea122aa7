import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFileSize } from './file-size.ts';
import { formatCellValue, valueRows } from './format-value.ts';
import { parseNumber } from './number-text.ts';
import { formatSerialDate, fromSerial, MAX_SERIAL, parseSerialDate, toSerial } from './serial-date.ts';

describe('serial dates', () => {
  it.each([
    [1, '1/Jan/1900'],
    [59, '28/Feb/1900'],
    [60, '29/Feb/1900'],
    [61, '1/Mar/1900'],
    [25_569, '1/Jan/1970'],
    [46_027, '5/Jan/2026'],
    [46_027.5, '5/Jan/2026 12:00'],
    [MAX_SERIAL, '31/Dec/9999'],
  ])('show %d as %s', (serial, text) => {
    expect(formatSerialDate(serial)).toBe(text);
    expect(parseSerialDate(text)).toBe(serial);
  });

  it('come back from their parts to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_SERIAL }), fc.nat(86_399_999), (day, ms) => {
        const serial = day + ms / 86_400_000;
        expect(toSerial(fromSerial(serial)!)).toBeCloseTo(serial, 9);
      }),
    );
  });

  it.each(['30/Feb/2026', '31/04/2026', '2026-13-01', 'Jan 2026', '', '5/Ju/2026x', '1/1/26'])('refuse %s', (text) => {
    expect(parseSerialDate(text)).toBeNull();
  });

  it.each(['05/01/2026', '5.1.2026', '2026-01-05', '5 January 2026', ' 5-jan-2026 '])('read %s, day first', (text) => {
    expect(parseSerialDate(text)).toBe(46_027);
  });
});

describe('numbers as typed', () => {
  it.each([
    [' 12 ', 12],
    ['12 %', 0.12],
    ['12.3%', 0.123],
    ['1,234,567.5', 1_234_567.5],
    ['-.5', -0.5],
    ['1e3', 1000],
  ])('%s is %d', (text, value) => expect(parseNumber(text)).toBe(value));

  it.each(['', '%', 'abc', '1,23', '0x10', 'Infinity', '1e999', '1 2', 'NaN'])('%s is invalid', (text) => {
    expect(parseNumber(text)).toBeNull();
  });
});

describe('values as shown', () => {
  it.each([
    [0, '0 Bytes'],
    [1536, '1.5 KB'],
    [20 * 1024 * 1024, '20 MB'],
    [1024 ** 5, '1024 TB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatFileSize(bytes)).toBe(text));

  it('follow the number format', () => {
    expect(formatCellValue(-1234.5, '#,##0.00;(#,##0.00)')).toBe('(1,234.50)');
    expect(formatCellValue(46_027, 'dd/mm/yyyy')).toBe('05/01/2026');
    expect(formatCellValue(46_027, 'General', 'Date')).toBe('5/Jan/2026');
    expect(formatCellValue(0.1 + 0.2)).toBe('0.3');
    expect(formatCellValue({ error: '#N/A' })).toBe('#N/A');
    expect(formatCellValue(12, 'not a "format')).toBe('12');
  });

  it('stand in rows whatever their shape', () => {
    expect(valueRows('5')).toEqual([[5]]);
    expect(valueRows('[1,2]')).toEqual([[1], [2]]);
    expect(valueRows('[1,2]', false)).toEqual([[1, 2]]);
    expect(valueRows('[[1],[2]]')).toEqual([[1], [2]]);
    expect(valueRows(null)).toEqual([]);
  });
});
