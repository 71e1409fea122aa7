import { expect, test } from 'vitest';
import { editText, type CellKind } from './cell-text.ts';
import { twoReadings } from './two-readings.ts';

const german = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' } as const;
const american = { Id: 'en-US', Decimal: '.', Group: ',', DayOrder: 'mdy' } as const;
const number = (more: Partial<CellKind> = {}): CellKind => ({
  usage: 'Number',
  format: 'General',
  maxSize: null,
  ...more,
});
const date = (more: Partial<CellKind> = {}): CellKind => ({
  usage: 'Date',
  format: 'dd/mm/yyyy',
  maxSize: null,
  ...more,
});

/** In the notation of the workbook. */
function written(text: string, kind: CellKind): { value: string; other: string } | null {
  const found = twoReadings(text, kind);
  return found && { value: editText(found.value, kind), other: editText(found.other, kind) };
}

test('a number whose mark may part thousands or decimals has two readings', () => {
  expect(written('1.234', number())).toEqual({ value: '1.234', other: '1234' });
  expect(written('1.234', number({ region: german }))).toEqual({ value: '1234', other: '1,234' });
  expect(written('-1,234 €', number({ region: german }))).toEqual({ value: '-1,234', other: '-1234' });
  expect(written('1.234%', number({ format: '0%', region: german }))).toEqual({ value: '1234%', other: '1,234%' });
  expect(written('1,234', number({ isExact: true }))).toEqual({ value: '1234', other: '1.234' });
});

test('a number with more or other digits behind its mark has one', () => {
  for (const text of ['1234', '1.5', '1.2345', '1,234.5', '0.125', '1 234', 'many', ''])
    expect(written(text, number()), text).toBeNull();
  for (const text of ['1,5', '1.5', '1.234,5', '12,34'])
    expect(written(text, number({ region: german })), text).toBeNull();
});

test('a date in digits has two readings where day and month may change places', () => {
  expect(written('01/02/2025', date())).toEqual({ value: '1/Feb/2025', other: '2/Jan/2025' });
  expect(written('01.02.2025', date({ region: german }))).toEqual({ value: '1/Feb/2025', other: '2/Jan/2025' });
  expect(written('01/02/2025', date({ region: american }))).toEqual({ value: '2/Jan/2025', other: '1/Feb/2025' });
  for (const text of ['31/01/2025', '2025-02-01', '1 Feb 2025', '01/01/2025', 'soon'])
    expect(written(text, date()), text).toBeNull();
});

test('texts and truth values have one', () => {
  expect(written('1.234', { usage: 'Text', format: 'General', maxSize: null })).toBeNull();
  expect(written('1', { usage: 'Boolean', format: 'General', maxSize: null })).toBeNull();
});
