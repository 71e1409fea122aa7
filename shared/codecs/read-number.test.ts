import { describe, expect, it } from 'vitest';
import { parseNumber } from './number-text.ts';
import { readNumber } from './read-number.ts';
import type { TextRegion } from './text-region.ts';

const region = (Id: string, Decimal: string, Group: string): TextRegion => ({ Id, Decimal, Group, DayOrder: 'dmy' });
const GERMAN = region('de-DE', ',', '.');
const FRENCH = region('fr-FR', ',', '\u202f');
const SWISS = region('de-CH', '.', '’');
const INDIAN = region('en-IN', '.', ',');

const valueOf = (text: string, of?: TextRegion, format = 'General'): number | null =>
  readNumber(text, { format, ...(of ? { region: of } : {}) })?.value ?? null;
const noteOf = (text: string, of?: TextRegion, format = 'General'): string | null =>
  readNumber(text, { format, ...(of ? { region: of } : {}) })?.note ?? null;

describe('a number as Excel shows it', () => {
  it.each([
    ['12', 12],
    [' 1,234.5 ', 1234.5],
    ['1,234,567', 1234567],
    ['€ 12.50', 12.5],
    ['€12.50', 12.5],
    ['12.50 €', 12.5],
    ['$1,234.50', 1234.5],
    ['US$ 5', 5],
    ['CHF 12.50', 12.5],
    ['12.50 EUR', 12.5],
    ['5 kr', 5],
    ['-€12.50', -12.5],
    ['€-12.50', -12.5],
    ['€ -12.50', -12.5],
    ['(7)', -7],
    ['( 7 )', -7],
    ['($1,234.50)', -1234.5],
    ['$(1,234.50)', -1234.5],
    ['(5%)', -0.05],
    ['1,234.50-', -1234.5],
    ['\u22127', -7],
    ['1\u00a0234.50', 1234.5],
    ['1\u202f234\u202f567', 1234567],
    ["1'234.50", 1234.5],
    ['1’234.50', 1234.5],
    ['12,34,567', 1234567],
    ['1E3', 1000],
    ['1.5e-3', 0.0015],
    ['5 %', 0.05],
    ['12.3%', 0.123],
    ['%5', 0.05],
    ['1 1/2', 1.5],
    ['-1 1/2', -1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['+5', 5],
    ['-0', 0],
    ['\u200e12\u200f', 12],
  ])('%j is %d', (text, value) => {
    expect(valueOf(text)).toBe(value);
  });

  it.each([
    ['12,5'],
    ['1.234,5'],
    ['1,23,4'],
    ['1 2'],
    ['1,2345'],
    ['--5'],
    ['(-5)'],
    ['-5-'],
    ['5%%'],
    ['12 ABC'],
    ['12 apples'],
    ['1 € 2'],
    ['1/2'],
    ['1 1/0'],
    ['1e999'],
    ['0x10'],
    ['21:30'],
    ['€'],
    ['()'],
    ['9'.repeat(101)],
  ])('%j is not a number', (text) => {
    expect(valueOf(text)).toBeNull();
  });

  it('may have the words that the format of its cell shows', () => {
    expect(valueOf('12 kg', undefined, '0.0 "kg"')).toBe(12);
    expect(valueOf('12 kg')).toBeNull();
    expect(valueOf('1,234 Fr.–', undefined, '[$Fr.–-807] #,##0')).toBe(1234);
  });
});

describe('marks of a region', () => {
  it.each<[string, TextRegion, number | null]>([
    ['1.234,5', GERMAN, 1234.5],
    ['1.234', GERMAN, 1234],
    ['1,234', GERMAN, 1.234],
    ['12,5', GERMAN, 12.5],
    ['1.234,50 €', GERMAN, 1234.5],
    ['12,5 %', GERMAN, 0.125],
    ['1.5', GERMAN, 1.5],
    ['1,234.5', GERMAN, 1234.5],
    ['1\u202f234,50 €', FRENCH, 1234.5],
    ['1 234,50', FRENCH, 1234.5],
    ['1.234', FRENCH, 1.234],
    ['1’234.50', SWISS, 1234.5],
    ['12,34,567.5', INDIAN, 1234567.5],
    ['1.2.3', GERMAN, null],
  ])('%j', (text, of, value) => {
    expect(valueOf(text, of)).toBe(value);
  });

  it('are reported where those of English would make another number', () => {
    expect(noteOf('1.234', GERMAN)).toBe('read as 1234');
    expect(noteOf('1,234', GERMAN)).toBe('read as 1.234');
    expect(noteOf('1.5', GERMAN)).toBe('read as 1.5');
    for (const text of ['1.234,5', '1234', '12,5']) expect(noteOf(text, GERMAN)).toBeNull();
    expect(noteOf('1,234')).toBeNull();
  });

  it('of nearly everybody count, and are reported, if a person types what those of the region cannot read', () => {
    const read = (text: string, of: TextRegion) => readNumber(text, { format: 'General', region: of, canAsk: true });
    expect(read('12,5', SWISS)).toEqual({ value: 12.5, note: 'read as 12.5' });
    expect(read('1.234,5', INDIAN)).toEqual({ value: 1234.5, note: 'read as 1234.5' });
    expect(read('12.5', GERMAN)).toEqual({ value: 12.5, note: 'read as 12.5' });
    for (const text of ['1234', '12,5', '1.234,5', '1.234']) expect(read(text, GERMAN)?.note).toBeNull();
  });

  it('take the dash that a format shows for nothing', () => {
    const format = '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)';
    expect([valueOf(' -   ', GERMAN, format), valueOf('-', GERMAN)]).toEqual([0, null]);
  });
});

describe('a percent cell', () => {
  it('reads 5 as 5 %, as Excel does, and says how it reads what is below one', () => {
    expect(valueOf('5', undefined, '0%')).toBe(0.05);
    expect(valueOf('-12.3', undefined, '0.00%')).toBe(-0.123);
    expect(valueOf('1', undefined, '0%')).toBe(0.01);
    expect(valueOf('5%', undefined, '0%')).toBe(0.05);
    expect(readNumber('0.5', { format: '0%' })).toEqual({ value: 0.5, note: 'read as 50%' });
    expect(valueOf('5', undefined, '0"%"')).toBe(5);
    expect(noteOf('0', undefined, '0%')).toBeNull();
  });

  it.each([
    ['0.5', 0.005, 'read as 0.5%'],
    ['-0.1', -0.001, 'read as -0.1%'],
    ['.5', 0.5, 'read as 50%'],
    ['-.1', -0.1, 'read as -10%'],
    ['0.5%', 0.005, null],
    ['0', 0, null],
    ['5', 0.05, null],
  ])('takes %j that is typed as %d, as Excel does', (text, value, note) => {
    expect(readNumber(text, { format: '0.0%', isTyped: true })).toEqual({ value, note });
  });

  it('takes a typed 0,5 of a German workbook as half a per cent', () => {
    expect(readNumber('0,5', { format: '0%', region: GERMAN, isTyped: true })?.value).toBe(0.005);
  });
});

describe('a cell of fractions', () => {
  it('takes 1/2, which elsewhere might be a date', () => {
    expect(valueOf('1/2', undefined, '# ?/?')).toBe(0.5);
    expect(valueOf('3 3/8', undefined, '# ?/8')).toBe(3.375);
  });
});

describe('a fraction of somebody who writes the other marks', () => {
  it('is never read as thousands', () => {
    expect([valueOf('0,125'), valueOf('-0,500'), valueOf('0,125', INDIAN), valueOf('0.001', GERMAN)]).toEqual([
      null,
      null,
      null,
      0.001,
    ]);
    expect(noteOf('0.001', GERMAN)).toBe('read as 0.001');
    expect(parseNumber('0,125')).toBeNull();
    expect(parseNumber('1,250')).toBe(1250);
  });
});
