import { describe, expect, it } from 'vitest';
import { readDateText } from './parse-date.ts';
import { parseValueText, readDaysIn1904 } from './parse-value.ts';

const NUMBERS: [string, number | null][] = [
  ['12', 12],
  [' 12 ', 12],
  ['+.5', 0.5],
  ['5.', 5],
  ['1e-5', 0.00001],
  ['1,234.50', 1234.5],
  ['123,456.67', 123456.67],
  ['12,34', null],
  ['40%', 0.4],
  ['23.123 %', 0.23123],
  ['%5', 0.05],
  ['$5', 5],
  ['-$5', -5],
  ['$-5', -5],
  ['($1,000)', -1000],
  ['(5%)', -0.05],
  ['(-5)', null],
  ['23€', 23],
  ['- 5', -5],
  ['--5', null],
  ['5-', null],
  ['1 1/2', 1.5],
  ['-1 1/2', -1.5],
  ['0 3/0', null],
  ['12345678901234567', 12345678901234500],
  ['0.12345678901234567', 0.123456789012345],
  ['1e400', null],
  ['', null],
  ['  ', null],
  ['TRUE', null],
  ['1 234', null],
  ['\u00a05', null],
  ['1.2.3', null],
];

/** 2026 is the year for texts without one. */
const DATES: [string, number | null][] = [
  ['8/22/2011', 40777],
  ['22-MAY-2011', 40685],
  ['2011/02/23', 40597],
  ['2020-01-05', 43835],
  ['2-Feb-2026', 46055],
  ['January 5, 2020', 43835],
  ['5 January 2020', 43835],
  ['5Jan2020', 43835],
  ['Jan 2020', 43831],
  ['5/2020', 43952],
  ['1/1/29', 47119],
  ['1/1/30', 10959],
  ['5-Jul', 46208],
  ['7/5', 46208],
  ['Jul-20', 46223],
  ['Feb-30', 10990],
  ['2/29/1900', 60],
  ['2/29/1901', null],
  ['12/31/9999', 2958465],
  ['1/1/1899', null],
  ['13/1/2020', null],
  ['1/1/999', null],
  ['1.2.2020', null],
  ['Marching 5', null],
  ['40-2-2023', null],
  ['2020-01-05T10:00', null],
];

const TIMES: [string, number | null][] = [
  ['2:24', 0.1],
  ['2:24 AM', 0.1],
  ['6:35 pm', 0.774305555555556],
  ['6 p', 0.75],
  ['8:00am', null],
  ['5:45pm', null],
  ['12 AM', 0],
  ['12 PM', 0.5],
  ['13 PM', null],
  ['25:00', 25 / 24],
  ['9999:00', 9999 / 24],
  ['10:75', 11.25 / 24],
  // One part may exceed its limit, up to 9999.
  ['23:99', 88_740 / 86_400],
  ['24:99', null],
  ['23:9999', 682_740 / 86_400],
  ['23:10000', null],
  ['0:0:9999', 9999 / 86_400],
  ['0:0:10000', null],
  ['23:59:9999', 96_339 / 86_400],
  ['23:60:9999', null],
  ['59:9999.0', 13_539 / 86_400],
  ['60:9999.0', null],
  ['23:59.', 86_340 / 86_400],
  ['23:59.012345', 1439.012345 / 86_400],
  ['23:59.:0', null],
  ['12:30.5', 750.5 / 86400],
  ['1:00:00.25', 3600.25 / 86400],
  ['22-Aug-2011 6:35 AM', 40777.2743055556],
  ['6:35 8/22/2011', 40777.2743055556],
];

describe('texts are read as Excel in English reads them', () => {
  it.each(NUMBERS)('as numbers: %j is %s', (text, value) => {
    expect(parseValueText(text)).toBe(value);
  });

  it.each(DATES)('as days: %j is %s', (text, value) => {
    const found = readDateText(text, 2026);
    expect(found && (found.day ?? 0) + (found.time ?? 0)).toBe(value);
  });

  it.each(TIMES)('as times: %j is %s', (text, value) => {
    const read = parseValueText(text);
    if (value === null) expect(read).toBeNull();
    else expect(read).toBeCloseTo(value, 9);
  });

  it('in the date system of the book', () => {
    readDaysIn1904(true);
    expect(['1/15/2024', '1/2/1904 12:00', '12:00', '12/31/1903', '12'].map(parseValueText)).toEqual([
      43844,
      1.5,
      0.5,
      null,
      12,
    ]);
    readDaysIn1904(false);
    expect(parseValueText('1/15/2024')).toBe(45306);
  });

  it('answers long texts at once', () => {
    expect(parseValueText(`${'1 '.repeat(16_000)}x`)).toBeNull();
    expect(parseValueText(`${'1'.repeat(32_000)}x`)).toBeNull();
    expect(parseValueText(`Jan${' '.repeat(32_000)}1`)).toBeNull();
  });
});
