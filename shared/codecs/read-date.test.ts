import { describe, expect, it } from 'vitest';
import { dateFormatOf, hasDay } from './date-format.ts';
import { displayDate, editDate } from './date-text.ts';
import { orderOfPasted, readDate } from './read-date.ts';
import { formatSerialDate, toSerial } from './serial-date.ts';
import type { TextRegion } from './text-region.ts';

const region = (Id: string, DayOrder: TextRegion['DayOrder']): TextRegion => ({
  Id,
  Decimal: ',',
  Group: '.',
  DayOrder,
});
const BRITISH = region('en-GB', 'dmy');
const GERMAN = region('de-DE', 'dmy');
const SWEDISH = region('sv-SE', 'ymd');
const PHILIPPINE = region('en-PH', 'mdy');

const DATE = 'dd/mm/yyyy';
const JAN_31 = toSerial({ year: 2026, month: 1, day: 31 })!;
const clock = (hours: number, minutes: number, seconds = 0): number => (hours * 3600 + minutes * 60 + seconds) / 86_400;

const read = (text: string, format = DATE, of?: TextRegion): string | null => {
  const reading = readDate(text, { format, ...(of ? { region: of } : {}) });
  return reading && formatSerialDate(reading.value);
};

describe('a date', () => {
  it.each([
    ['31-Jan-26'],
    ['31/Jan/2026'],
    ['31 January 2026'],
    ['January 31, 2026'],
    ['Jan 31 2026'],
    ['2026-01-31'],
    ['2026/1/31'],
    ['2026-Jan-31'],
    ['31.1.2026'],
    ['31.01.26'],
    ['1/31/2026'],
    ['Saturday, 31 January 2026'],
    ['Sat 31-Jan-26'],
    ['2026年1月31日'],
    ['31\u00a0Jan\u202f2026'],
  ])('is read from %j', (text) => {
    expect(read(text)).toBe('31/Jan/2026');
  });

  it.each<[string, TextRegion]>([
    ['31. Januar 2026', GERMAN],
    ['31. Jan. 26', GERMAN],
    ['Samstag, 31. Januar 2026', GERMAN],
    ['31 janv. 2026', region('fr-FR', 'dmy')],
    ['31-ene-26', region('es-ES', 'dmy')],
    ['31 de enero de 2026', region('es-ES', 'dmy')],
    ['31 января 2026', region('ru-RU', 'dmy')],
    ['26-01-31', SWEDISH],
    ['1/31/2026', PHILIPPINE],
    ['31/1/2026', BRITISH],
  ])('is read from %j in its region', (text, of) => {
    expect(read(text, DATE, of)).toBe('31/Jan/2026');
  });

  it.each<[string, TextRegion | undefined]>([
    ['31/Feb/2026', undefined],
    ['1/31/2026', BRITISH],
    ['31/1/2026', PHILIPPINE],
    ['31 Ju 2026', undefined],
    ['31-Jan', undefined],
    ['Jan-26', undefined],
    ['46053', undefined],
    ['1/2/326', undefined],
    ['tomorrow', undefined],
    ['31/13/2026', undefined],
    ['21:30', undefined],
    [' ', undefined],
  ])('is not read from %j', (text, of) => {
    expect(read(text, DATE, of)).toBeNull();
  });

  it('says how it was read where other regions would read another day', () => {
    const note = (text: string, of?: TextRegion) =>
      readDate(text, { format: DATE, ...(of ? { region: of } : {}) })?.note;
    expect(note('01/02/2026')).toBe('read as 1/Feb/2026');
    expect(note('01/02/2026', BRITISH)).toBe('read as 1/Feb/2026');
    expect(note('01/02/2026', PHILIPPINE)).toBe('read as 2/Jan/2026');
    expect(note('01/02/26')).toBe('read as 1/Feb/2026');
    expect(note('01/02/2026', SWEDISH)).toBe('read as 1/Feb/2026');
    for (const text of ['31/01/2026', '1/31/2026', '2026-02-01', '02/02/2026', '31-Jan-26'])
      expect(note(text)).toBeNull();
  });

  it('has two digits for the years 1930 to 2029', () => {
    expect([read('1-Jan-29'), read('1-Jan-30')]).toEqual(['1/Jan/2029', '1/Jan/1930']);
  });

  it('is the first of a month where the cell shows months', () => {
    expect(read('Jan-26', 'mmm-yy')).toBe('1/Jan/2026');
    expect(read('01/2026', 'mm/yyyy')).toBe('1/Jan/2026');
  });

  it('is read in the order that the other dates of its column imply', () => {
    expect(orderOfPasted(['01/02/2026', '1/31/2026'])).toBe('mdy');
    expect(orderOfPasted(['01/02/2026', '31/1/2026', ''])).toBe('dmy');
    expect(orderOfPasted(['1/31/2026', '31/1/2026'])).toBe('mixed');
    expect(orderOfPasted(['01/02/2026', '2026-01-31', '31-Jan-26'])).toBeUndefined();
    expect(readDate('01/02/2026', { format: DATE, pastedOrder: 'mdy' })?.note).toBe('read as 2/Jan/2026');
    expect(readDate('01/02/2026', { format: DATE, pastedOrder: 'mixed' })).toBeNull();
    expect(readDate('1/31/2026', { format: DATE, pastedOrder: 'mixed' })?.value).toBe(JAN_31);
  });
});

describe('a time', () => {
  it.each<[string, string, number | null]>([
    ['21:30', 'h:mm', clock(21, 30)],
    ['21:30:15', 'h:mm', clock(21, 30, 15)],
    ['08:00', 'hh:mm', clock(8, 0)],
    ['9:30 PM', 'h:mm AM/PM', clock(21, 30)],
    ['9:30pm', 'hh:mm', clock(21, 30)],
    ['9:30 p.m.', 'hh:mm', clock(21, 30)],
    ['9 PM', 'hh:mm', clock(21, 0)],
    ['12:15 AM', 'hh:mm', clock(0, 15)],
    ['12:15 PM', 'hh:mm', clock(12, 15)],
    ['21:30\u202fUhr', 'hh:mm', clock(21, 30)],
    ['21:30', 'General', clock(21, 30)],
    ['24:00', 'hh:mm', null],
    ['37:30', 'hh:mm', null],
    ['13:00 PM', 'hh:mm', null],
    ['21:60', 'hh:mm', null],
    ['21', 'hh:mm', null],
    ['21:3', 'hh:mm', clock(21, 3)],
    ['31/Jan/2026', 'hh:mm', null],
    ['31/Jan/2026 21:30', 'hh:mm', JAN_31 + clock(21, 30)],
    ['37:30', '[h]:mm', clock(37, 30)],
    ['37:30:15', '[h]:mm:ss', clock(37, 30, 15)],
    ['100000:00', '[h]:mm', clock(100_000, 0)],
    ['37:30', 'General', clock(37, 30)],
    ['-1:30', '[h]:mm', -clock(1, 30)],
    ['\u22121:30', '[h]:mm', -clock(1, 30)],
    ['-1:30', 'hh:mm', null],
    ['--1:30', '[h]:mm', null],
    ['37.5', '[h]:mm', null],
    ['12:30', 'mm:ss', clock(0, 12, 30)],
    ['90:30', '[mm]:ss', clock(0, 90, 30)],
    ['0:12:30', 'mm:ss', clock(0, 12, 30)],
    ['12:30.5', 'mm:ss.0', clock(0, 12, 30.5)],
    ['31/Jan/2026 21:30', 'dd/mm/yyyy hh:mm', JAN_31 + clock(21, 30)],
    ['1/31/2026 9:30 PM', 'dd/mm/yyyy hh:mm', JAN_31 + clock(21, 30)],
    ['2026-01-31T21:30:15', 'dd/mm/yyyy hh:mm', JAN_31 + clock(21, 30, 15)],
    ['31/Jan/2026, 21:30', 'dd/mm/yyyy hh:mm', JAN_31 + clock(21, 30)],
    ['31/Jan/2026', 'dd/mm/yyyy hh:mm', JAN_31],
    ['21:30', 'dd/mm/yyyy hh:mm', null],
    ['31/Jan/2026 21:30', 'dd/mm/yyyy', JAN_31 + clock(21, 30)],
    ['31/Jan/2026 24:30', 'dd/mm/yyyy hh:mm', null],
  ])('%j in a cell of %s', (text, format, value) => {
    const reading = readDate(text, { format });
    if (value === null) expect(reading).toBeNull();
    else expect(reading?.value).toBeCloseTo(value, 12);
  });

  it('says that it was read as minutes and seconds', () => {
    expect(readDate('12:30', { format: 'mm:ss' })?.note).toBe('read as 12 min 30 s');
    expect(readDate('12:30', { format: 'h:mm' })?.note).toBeNull();
  });
});

describe('the text a date is edited in', () => {
  it.each<[number, string, string]>([
    [clock(21, 30), 'h:mm', '21:30'],
    [clock(8, 15), 'hh:mm', '08:15'],
    [clock(8, 15, 20), 'hh:mm', '08:15:20'],
    [clock(8, 15), 'hh:mm:ss', '08:15:00'],
    [clock(21, 30), 'h:mm AM/PM', '9:30 PM'],
    [clock(0, 5), 'h:mm AM/PM', '12:05 AM'],
    [0, 'hh:mm', '00:00'],
    [clock(37, 30), '[h]:mm', '37:30'],
    [clock(0, 12, 30), 'mm:ss', '00:12:30'],
    [clock(0, 90, 30), '[mm]:ss', '1:30:30'],
    [-clock(1, 30), '[h]:mm', '-1:30'],
    [JAN_31, DATE, '31/Jan/2026'],
    [JAN_31 + clock(8, 15), DATE, '31/Jan/2026 08:15'],
    [JAN_31, 'dd/mm/yyyy hh:mm', '31/Jan/2026 00:00'],
    [JAN_31 + clock(8, 15), 'dd/mm/yyyy hh:mm:ss', '31/Jan/2026 08:15:00'],
    [JAN_31 + clock(8, 15), 'hh:mm', '31/Jan/2026 08:15'],
    [JAN_31 + clock(8, 15, 20.25), DATE, '31/Jan/2026 08:15:20.25'],
    [clock(8, 15), 'General', '08:15'],
    [JAN_31, 'General', '31/Jan/2026'],
  ])('%d in %s is %j, and comes back', (serial, format, text) => {
    expect(editDate(serial, format)).toBe(text);
    if (serial >= 0) expect(readDate(text, { format })?.value).toBeCloseTo(serial, 8);
  });
});

describe('what a Date cell shows', () => {
  it('is day/Mon/year, and in the format of the cell where that shows more', () => {
    expect(displayDate(JAN_31, DATE, () => 'formatted')).toBe('31/Jan/2026');
    expect(displayDate(JAN_31, 'dd/mm/yyyy hh:mm', () => 'formatted')).toBe('formatted');
    expect(displayDate(0.5, 'General', () => 'formatted')).toBe('12:00');
    expect(displayDate(clock(37, 30), '[h]:mm', () => 'formatted')).toBe('formatted');
    expect(displayDate(-1, DATE, () => 'formatted')).toBe('-1');
  });
});

describe('a number format', () => {
  it.each([
    ['General', 'any'],
    ['0.00', 'any'],
    ['@', 'any'],
    [DATE, 'date'],
    ['mmm-yy', 'date'],
    ['[$-409]d\\-mmm\\-yyyy;@', 'date'],
    ['m/d/yy h:mm', 'dateTime'],
    ['dd.mm.yyyy\\ hh:mm:ss', 'dateTime'],
    ['h:mm', 'time'],
    ['mm:ss', 'time'],
    ['mm:ss.0', 'time'],
    ['[$-F400]h:mm:ss\\ AM/PM', 'time'],
    ['[h]:mm', 'duration'],
    ['[hh]:mm:ss', 'duration'],
    ['[mm]:ss', 'duration'],
    ['[Red]0.00', 'any'],
    ['h "Uhr" mm', 'time'],
    ['"days" 0', 'any'],
  ])('%s shows a %s', (format, kind) => {
    expect(dateFormatOf(format).kind).toBe(kind);
  });

  it('without a day means the same in both date systems', () => {
    expect(['General', DATE, 'h:mm', '[h]:mm'].map(hasDay)).toEqual([true, true, false, false]);
  });
});
