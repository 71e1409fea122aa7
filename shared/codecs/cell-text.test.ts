import { describe, expect, it } from 'vitest';
import { allDigits, copyText, displayCell, editText, parseCellText, cellProblem } from './cell-text.ts';
import { regionOf } from './text-region.ts';

const kind = (usage: 'Number' | 'Date' | 'Boolean' | 'Text', format = 'General', maxSize: number | null = null) => ({
  usage,
  format,
  maxSize,
});

describe('what is typed into a cell', () => {
  it('becomes the number it stands for, also with a percent sign', () => {
    expect(parseCellText('12 %', kind('Number'))).toBe(0.12);
    expect(parseCellText(' 1,234.5 ', kind('Number'))).toBe(1234.5);
    expect(parseCellText('', kind('Number'))).toBeNull();
  });
  it('becomes the serial day of a date', () => {
    expect(parseCellText('5/Jan/2026', kind('Date'))).toBe(46027);
  });
  it('becomes true or false', () => {
    expect(['TRUE', 'yes', 'no', ''].map((text) => parseCellText(text, kind('Boolean')))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
  it('stays as it was typed if it is none of these', () => {
    expect(parseCellText('abc', kind('Number'))).toBe('abc');
    expect(parseCellText('31/Feb/2026', kind('Date'))).toBe('31/Feb/2026');
    expect(parseCellText('maybe', kind('Boolean'))).toBe('maybe');
  });
  it('is cut off at the limit of a text, and only of a text', () => {
    expect(parseCellText('abcdef', kind('Text', 'General', 4))).toBe('abcd');
    expect(parseCellText('123456', kind('Number', 'General', 4))).toBe(123456);
  });
});

describe('what is typed into a cell that keeps every digit', () => {
  const exact = { ...kind('Number'), isExact: true };
  it('is a number up to 15 digits, else a text with all of them, shown as it is and not called wrong', () => {
    expect(['12.5', '1,234.50', '12%', ''].map((text) => parseCellText(text, exact))).toEqual([
      12.5,
      1234.5,
      0.12,
      null,
    ]);
    const long = parseCellText('12,345,678,901,234,567,890.12', exact);
    expect(long).toBe('12345678901234567890.12');
    expect([displayCell(long, exact), editText(long, exact), cellProblem(long, exact)]).toEqual([long, long, null]);
    expect(cellProblem(parseCellText('12.3.4', exact), exact)).toBe('Value must be a number');
  });
  it('is shown with all its digits and without an exponent', () => {
    expect(displayCell(123456789.012345, exact)).toBe('123456789.012345');
    expect(displayCell(123456789.012345, kind('Number'))).toBe('123456789');
    expect([1e-7, 1e21, null].map((cell) => editText(cell, exact))).toEqual([
      '0.0000001',
      '1000000000000000000000',
      '',
    ]);
  });
});

describe('what is typed into a cell of a workbook from Germany', () => {
  const region = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' } as const;
  it('has a decimal comma, and is edited with one', () => {
    const number = { ...kind('Number', '#,##0.00'), region };
    expect(parseCellText('1.234,5', number)).toBe(1234.5);
    for (const value of [1234.5, 1.234, -0.125, 1e21])
      expect(parseCellText(editText(value, number), number)).toBe(value);
    expect(editText(0.125, { ...kind('Number', '0.0%'), region })).toBe('12,5%');
  });
});

describe('what cannot be read', () => {
  it('is said at once, with what the cell takes', () => {
    expect(cellProblem('1,2,3', kind('Number'))).toBe('Value must be a number');
    expect(cellProblem('noon', kind('Date', 'hh:mm'))).toBe('Value must be a time of day, such as 21:30');
    expect(cellProblem('1,5', kind('Date', '[h]:mm'))).toBe('Value must be a duration, such as 37:30');
    for (const cell of [null, '', ' ', 5]) expect(cellProblem(cell, kind('Number'))).toBeNull();
    expect(cellProblem('abc', kind('Text'))).toBeNull();
    expect(cellProblem('abcd', { ...kind('Text'), maxSize: 3 })).toBe('Input text must not exceed 3 characters');
  });
});

describe('what a cell shows', () => {
  it('is the value in its Excel format', () => {
    expect(displayCell(0.125, kind('Number', '0.0%'))).toBe('12.5%');
    expect(displayCell(1234.5, kind('Number', '#,##0.00'))).toBe('1,234.50');
    expect(displayCell(46027, kind('Date', 'dd/mm/yyyy'))).toBe('5/Jan/2026');
    expect(displayCell(46027.5, kind('Date', 'dd/mm/yyyy hh:mm'))).toBe('05/01/2026 12:00');
  });
  it('is edited with all its digits, and comes back as it was', () => {
    expect(editText(1234.5678, kind('Number', '#,##0'))).toBe('1234.5678');
    expect(editText(0.07, kind('Number', '0%'))).toBe('7%');
    expect(parseCellText(editText(0.07, kind('Number', '0%')), kind('Number', '0%'))).toBe(0.07);
    expect(parseCellText(editText(46027.25, kind('Date')), kind('Date'))).toBe(46027.25);
  });
});

describe('a number with all its digits', () => {
  const germany = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' } as const;

  it.each([
    [1.5, '0%', undefined, '150%'],
    [0.05, '0%', undefined, '5%'],
    [0.005, '0.0%', undefined, '0.5%'],
    [0.30000000000000004, '0%', undefined, '30.000000000000004%'],
    [1e-7, '0%', undefined, '0.00001%'],
    [1.234, 'General', germany, '1,234'],
    [0.125, '0%', germany, '12,5%'],
    [1234.5, '#,##0', undefined, '1234.5'],
  ])('%d in %j is read as the same number', (value, format, region, text) => {
    const cell = { ...kind('Number', format), ...(region ? { region } : {}) };
    expect(allDigits(value, cell)).toBe(text);
    expect(parseCellText(text, cell)).toBe(value);
  });
});

describe('a copied number', () => {
  const cell = (format: string, region: string) => ({
    ...kind('Number', format),
    region: regionOf(region),
    canAsk: true,
  });

  it.each([
    [1.234, 'General', 'de-DE', '1,2340'],
    [0.03125, '0.00%', 'de-DE', '3,1250%'],
    [0.03125, '0.00%', 'en-US', '3.1250%'],
    [1.234e-7, 'General', 'de-DE', '1,2340e-7'],
    [-1.234e21, 'General', 'en-US', '-1.2340e+21'],
    [0.5, '0%', 'de-DE', '50%'],
  ])('%d in %j of %s is pasted as the same number', (value, format, region, text) => {
    expect(copyText(value, cell(format, region))).toBe(text);
    expect(parseCellText(text, cell(format, region))).toBe(value);
  });
});
