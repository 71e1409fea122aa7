import { describe, expect, it } from 'vitest';
import { inputInfo } from '../testing/input-info.ts';
import { exactCell, hasMoreDigits, parseExactJson, type WrittenNumber } from './exact-number.ts';
import { cleanValue, InputShapeError, parseValue, refuseRounded, type FormCell } from './input-form.ts';
import { parseExactNumber } from './number-text.ts';
import { readExactNumber } from './read-number.ts';

describe('a number as an exact cell', () => {
  it.each([
    ['12.50', 12.5],
    ['-0', 0],
    ['123456789012345', 123456789012345],
    ['1234567890123450', 1234567890123450],
    ['1234567890123456', '1234567890123456'],
    ['100000000000000.00001', '100000000000000.00001'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['-12345678901234567890.5e3', '-12345678901234567890500'],
    ['1e-7', 1e-7],
    ['1e20', 1e20],
    // Beyond the range of doubles, and in the range where doubles have fewer digits.
    ['1e310', `1${'0'.repeat(310)}`],
    ['1.25e-322', `0.${'0'.repeat(321)}125`],
  ])('%s is %j', (text, cell) => expect(exactCell(text)).toBe(cell));
  it('is null for a text that is not a number', () => {
    for (const text of ['', 'abc', '1,5', '1e99999', 'NaN', '1.2.3']) expect(exactCell(text)).toBeNull();
  });
  it('has more digits than a double keeps from 16 on, zeros at both ends not counted', () => {
    expect(['0.000123456789012345', '123456789012345000'].some(hasMoreDigits)).toBe(false);
    expect(['1234567890123456', '0.1234567890123456', '1.234567890123456e-30'].every(hasMoreDigits)).toBe(true);
  });
});

describe('a number as it is typed', () => {
  it.each([
    ['12.5', 12.5],
    ['1,234,567,890,123,456.75', '1234567890123456.75'],
    ['12,345,678,901,234,567.25%', '123456789012345.6725'],
  ])('%s is %j, in a form and in a call', (text, cell) => {
    expect(readExactNumber(text)).toBe(cell);
    expect(parseExactNumber(text)).toBe(cell);
  });
  it('may have a sign, brackets, a currency or spaces, as where no digit would be lost', () => {
    expect(readExactNumber('(12 345 678 901 234 567.25)')).toBe('-12345678901234567.25');
    expect(readExactNumber('€ -12345678901234567.25')).toBe('-12345678901234567.25');
    expect(readExactNumber('1.2.3')).toBeNull();
  });
});

describe('numbers in JSON', () => {
  it('are shown as they are written if parsing rounds them', () => {
    expect(parseExactJson('[1.5, "1234567890123456.7", 123456789012345]')).toEqual([
      1.5,
      '1234567890123456.7',
      123456789012345,
    ]);
    const [whole, fraction] = parseExactJson('[12345678901234567890, 0.1234567890123456789]') as WrittenNumber[];
    expect([whole!.text, fraction!.text]).toEqual(['12345678901234567890', '0.1234567890123456789']);
    expect(() => parseExactJson('[12345678901234567890')).toThrow(SyntaxError);
  });

  const exact = inputInfo({ ExactNumbers: true });
  const table = inputInfo({
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: ['Number', 'Date', 'Text'],
    Width: 3,
    RowsVariable: true,
    ExactNumbers: true,
  });

  it('become exact cells of numbers and texts, and days stay days', () => {
    expect(parseValue(exact, '12345678901234567890')).toBe('12345678901234567890');
    expect(parseValue(inputInfo(), '12345678901234567890')).toBe(Number('12345678901234567890'));
    const day = 46027.520833333336;
    expect(parseValue(table, `[[0.12345678901234567, ${day}, 9007199254740993]]`)).toEqual([
      ['0.12345678901234567', day, '9007199254740993'],
    ]);
  });

  it('are refused by their digits where a program sent them', () => {
    expect(() => refuseRounded(exact, '9007199254740993')).toThrow(
      new InputShapeError(
        'The number 9007199254740993 has more than 15 digits and may already have been rounded: send it as text ("9007199254740993")',
      ),
    );
    expect(() => refuseRounded(table, '[["1", 2, ""], [1.2345678901234567, 3, ""]]')).toThrow(InputShapeError);
    for (const json of ['"9007199254740993"', '123456789012345', 'null', null]) refuseRounded(exact, json);
    // 10:00:00.123456 on a day in 2026.
    refuseRounded({ ...exact, CellUsages: ['Date'] }, '46027.41666809555');
    refuseRounded(inputInfo(), '9007199254740993');
  });

  it('are sent as texts where they have more digits, and stay rounded in inputs of workbooks', () => {
    const cells: FormCell[] = ['12.50', '12345678901234567.25', 0.30000000000000004, 5];
    const sent = cells.map((cell) => cleanValue(exact, cell));
    expect(sent).toEqual([12.5, '12345678901234567.25', '0.30000000000000004', 5]);
    expect(cleanValue(inputInfo(), '12345678901234567.25')).toBe(12345678901234568);
  });
});
