/**
 * Numbers as texts, and SQL Server values in the layout of its protocol; compatible servers of other vendors do not
 * support all of them.
 */
import { createRequire } from 'node:module';
import type { Connection } from 'tedious';
import { describe, expect, it } from 'vitest';
import { digitsNeeded, plainNumber } from '#shared/codecs/exact-number.ts';
import { isExactFloat, shortestFloat32 } from './exact-float.ts';
import { readAsDriverDoes, readExactly } from './exact-tedious.ts';

describe('a number as text', () => {
  it('is written without exponent, and keeps every digit', () => {
    const plain = (text: string) => plainNumber(text);
    expect(['1.50', '-0.0', '+1e3', '1e-7', '.5', '5.', '00012'].map(plain)).toEqual([
      '1.5',
      '0',
      '1000',
      '0.0000001',
      '0.5',
      '5',
      '12',
    ]);
    expect(plainNumber('12345678901234567890123456789012345678.123')).toBe(
      '12345678901234567890123456789012345678.123',
    );
    expect(['', '.', '-', 'e5', '1,5', '0x10', '1e99999', '1 2', 'NaN'].map(plain)).toEqual(Array(9).fill(null));
    expect(digitsNeeded('0.00120')).toEqual({ whole: 0, fraction: 4 });
    expect(digitsNeeded('1.5e3')).toEqual({ whole: 4, fraction: 0 });
  });

  it('fits a float where it comes back with its digits', () => {
    for (const text of ['0.1', '1e308', '5e-324', '9007199254740992', '123456789012345', '1.7976931348623157e308']) {
      expect([text, isExactFloat(text, 64)]).toEqual([text, true]);
    }
    for (const text of ['9007199254740993', '1e309', '1e-400', '0.1234567890123456789']) {
      expect([text, isExactFloat(text, 64)]).toEqual([text, false]);
    }
    expect(['0.1', '16777216', '3.4028235e38'].every((text) => isExactFloat(text, 32))).toBe(true);
    expect(['16777217', '0.123456789', '1e39'].some((text) => isExactFloat(text, 32))).toBe(false);
    expect([Math.fround(0.1), Math.fround(3.4028235e38), 0].map(shortestFloat32)).toEqual([
      '0.1',
      '3.4028235e+38',
      '0',
    ]);
  });
});

interface Metadata {
  type: { name: string };
  scale?: number;
}

const parser = createRequire(import.meta.url)('tedious/lib/value-parser.js') as {
  readValue: (
    buffer: Buffer,
    offset: number,
    metadata: Metadata,
    options: object,
  ) => { value: unknown; offset: number };
};

function read(name: string, hex: string, scale?: number): unknown {
  const options = { useUTC: true };
  const connection = { config: { options } } as unknown as Connection;
  const buffer = Buffer.from(`ff${hex.replaceAll(' ', '')}`, 'hex');
  readExactly(connection);
  const { value, offset } = parser.readValue(
    buffer,
    1,
    { type: { name }, ...(scale === undefined ? {} : { scale }) },
    options,
  );
  readAsDriverDoes(connection);
  expect(offset).toBe(buffer.length);
  return value;
}

describe('values of SQL Server', () => {
  it('of 38 digits and money are read to the last digit', () => {
    const nines = 'ffffffff3f228a097ac4865aa84c3b4b';
    expect(read('DecimalN', `11 01 ${nines}`, 0)).toBe('99999999999999999999999999999999999999');
    expect(read('NumericN', `11 00 ${nines}`, 38)).toBe('-0.99999999999999999999999999999999999999');
    expect(read('DecimalN', '05 01 01000000', 4)).toBe('0.0001');
    expect(read('DecimalN', '00', 4)).toBeNull();
    expect(read('MoneyN', '08 ffffff7f ffffffff')).toBe('922337203685477.5807');
    expect(read('Money', '00000080 00000000')).toBe('-922337203685477.5808');
    expect(read('SmallMoney', 'ffffffff')).toBe('-0.0001');
    expect(read('FloatN', '04 cdcccc3d')).toBe('0.1');
  });

  it('of times keep 7 digits of a second, their first and last day, and their zone', () => {
    expect(read('DateTime2', '08 ff bf 69 2a c9 dab937', 7)).toBe('9999-12-31 23:59:59.9999999');
    expect(read('DateTime2', '08 00 00 00 00 00 000000', 7)).toBe('0001-01-01 00:00:00.0000000');
    expect(read('DateTime2', '06 000000 000000', 0)).toBe('0001-01-01 00:00:00');
    expect(read('Time', '05 ff bf 69 2a c9', 7)).toBe('23:59:59.9999999');
    expect(read('Date', '03 dab937')).toBe('9999-12-31');
    // 2026-11-21 23:30 UTC is 05:00 on the next day at +05:30.
    expect(read('DateTimeOffset', '08 784a01 644a0b 4a01', 0)).toBe('2026-11-22 05:00:00+05:30');
    expect(read('DateTimeN', '08 46 2e ff ff 00 00 00 00')).toBe('1753-01-01 00:00:00.000');
    expect(read('DateTime', '00000000 01000000')).toBe('1900-01-01 00:00:00.003');
    expect(read('SmallDateTime', 'ffff 9f05')).toBe('2079-06-06 23:59:00');
  });

  it('in a sql_variant are as exact', () => {
    expect(read('Variant', '09000000 6c 02 1204 01 15cd5b07')).toBe('12345.6789');
    expect(read('Variant', '0a000000 3c 00 ffffff7f ffffffff')).toBe('922337203685477.5807');
    expect(read('Variant', '00000000')).toBeNull();
  });
});
