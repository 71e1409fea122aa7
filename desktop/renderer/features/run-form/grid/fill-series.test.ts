import { describe, expect, it } from 'vitest';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { toSerial } from '#shared/codecs/serial-date.ts';
import { continueSeries } from './fill-series.ts';

const NUMBER = { usage: 'Number', format: '0.00' } as const;
const TEXT = { usage: 'Text', format: '@' } as const;
const DATE = { usage: 'Date', format: 'dd/mm/yyyy' } as const;
const TIME = { usage: 'Date', format: 'hh:mm' } as const;

const fill = (
  source: FormCell[],
  count: number,
  kind: { usage: 'Number' | 'Text' | 'Date' | 'Boolean'; format: string } = NUMBER,
  { backward = false, invert = false } = {},
) => continueSeries(source, count, { kind, backward, invert });
const day = (year: number, month: number, day: number): number => toSerial({ year, month, day })!;

describe('numbers that are filled', () => {
  it('are copied where there is one, and count with Ctrl', () => {
    expect(fill([5], 3)).toEqual([5, 5, 5]);
    expect(fill([5], 3, NUMBER, { invert: true })).toEqual([6, 7, 8]);
    expect(fill([5], 2, NUMBER, { invert: true, backward: true })).toEqual([4, 3]);
  });
  it('continue in even steps, to the digits that Excel keeps', () => {
    expect(fill([1, 3], 3)).toEqual([5, 7, 9]);
    expect(fill([0.1, 0.2], 3)).toEqual([0.3, 0.4, 0.5]);
    expect(fill([3, 2, 1], 2)).toEqual([0, -1]);
    expect(fill([1, 3], 3, NUMBER, { invert: true })).toEqual([1, 3, 1]);
  });
  it('follow the line through them where their steps differ', () => {
    // Excel continues 1, 2, 4 with 5.333…, 6.833….
    expect(fill([1, 2, 4], 2)).toEqual([5.33333333333333, 6.83333333333333]);
  });
  it('leave blanks between them, and copy what is not a number', () => {
    expect(fill([1, null, 2, null], 4)).toEqual([3, null, 4, null]);
    expect(fill(['x', 1], 2)).toEqual(['x', 1]);
  });
});

describe('dates that are filled', () => {
  it('continue by days if there is one, and are copied with Ctrl', () => {
    expect(fill([day(2026, 1, 31)], 2, DATE)).toEqual([day(2026, 2, 1), day(2026, 2, 2)]);
    expect(fill([day(2026, 3, 1)], 1, DATE, { backward: true })).toEqual([day(2026, 2, 28)]);
    expect(fill([46_000], 2, DATE, { invert: true })).toEqual([46_000, 46_000]);
  });
  it('continue by weeks, months and years', () => {
    expect(fill([day(2026, 1, 1), day(2026, 1, 8)], 1, DATE)).toEqual([day(2026, 1, 15)]);
    expect(fill([day(2026, 1, 15), day(2026, 2, 15)], 2, DATE)).toEqual([day(2026, 3, 15), day(2026, 4, 15)]);
    expect(fill([day(2024, 2, 29), day(2025, 2, 28)], 1, DATE)).toEqual([day(2026, 2, 28)]);
    expect(fill([day(2026, 12, 1), day(2026, 11, 1)], 12, DATE).at(-1)).toBe(day(2025, 11, 1));
  });
  it('on the last day of a month stay there', () => {
    expect(fill([day(2026, 1, 31), day(2026, 2, 28)], 2, DATE)).toEqual([day(2026, 3, 31), day(2026, 4, 30)]);
    expect(fill([day(2026, 1, 31), day(2026, 3, 31)], 2, DATE)).toEqual([day(2026, 5, 31), day(2026, 7, 31)]);
  });
  it('that are times continue by hours, without drifting', () => {
    expect(fill([0.25], 18, TIME).at(-1)).toBe(1);
    expect(fill([9 / 24, 9.5 / 24], 1, TIME)).toEqual([10 / 24]);
  });
});

describe('texts that are filled', () => {
  it('count the number at their end, else at their beginning', () => {
    expect(fill(['Item 9'], 2, TEXT)).toEqual(['Item 10', 'Item 11']);
    expect(fill(['A007'], 2, TEXT)).toEqual(['A008', 'A009']);
    expect(fill(['1 box'], 2, TEXT)).toEqual(['2 box', '3 box']);
    expect(fill(['1st', '2nd'], 2, TEXT)).toEqual(['3rd', '4th']);
    expect(fill(['12345678901234567890'], 1, TEXT)).toEqual(['12345678901234567891']);
  });
  it('count in the steps they show, each stem for itself', () => {
    expect(fill(['Q-10', 'Q-20'], 2, TEXT)).toEqual(['Q-30', 'Q-40']);
    expect(fill(['Item 1', 'Part 5'], 4, TEXT)).toEqual(['Item 2', 'Part 6', 'Item 3', 'Part 7']);
    expect(fill(['A1', 'x', 'A3'], 4, TEXT)).toEqual(['A5', 'x', 'A7', 'A9']);
    expect(fill(['A1', 'A2', 'A9'], 2, TEXT)).toEqual(['A1', 'A2']);
  });
  it('count down upwards, and up again below zero', () => {
    expect(fill(['Item 1'], 3, TEXT, { backward: true })).toEqual(['Item 0', 'Item 1', 'Item 2']);
  });
  it('go round the days, months and quarters in their own letters', () => {
    expect(fill(['Sat'], 2, TEXT)).toEqual(['Sun', 'Mon']);
    expect(fill(['NOVEMBER'], 2, TEXT)).toEqual(['DECEMBER', 'JANUARY']);
    expect(fill(['apr', 'may'], 1, TEXT)).toEqual(['jun']);
    expect(fill(['Q3'], 2, TEXT)).toEqual(['Q4', 'Q1']);
    expect(fill(['Mon', 'Wed'], 2, TEXT)).toEqual(['Fri', 'Sun']);
  });
  it('without anything to count are copied', () => {
    expect(fill(['red', 'green'], 3, TEXT)).toEqual(['red', 'green', 'red']);
    expect(fill([true], 2, { usage: 'Boolean', format: 'General' })).toEqual([true, true]);
  });
});
