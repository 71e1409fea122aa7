import { expect, test } from 'vitest';
import { InputFailure, readInputs } from '#shared/client/inputs.ts';
import { regionOf, type TextRegion } from '#shared/codecs/text-region.ts';
import type { CellUsage, Input } from '#shared/contract/parameters.ts';
import { input } from '#test/support/portal.ts';
import { readRegion } from './region-option.ts';

const inputOf = (Name: string, usage: CellUsage): Input => ({
  Id: 1,
  ActivityId: 1,
  Name,
  Description: '',
  HasAccess: true,
  PresetValue: null,
  PresetValueError: null,
  Info: input(Name, { CellUsages: [usage] }).Info,
});

/** Returns what is sent, or why nothing is sent. */
function read(usage: CellUsage, text: string, region: TextRegion | null = null): unknown {
  try {
    const [sent] = readInputs({ Name: 'A', Inputs: [inputOf('Amount', usage)] }, { Amount: text }, region);
    return JSON.parse(sent!.Value!);
  } catch (error) {
    if (!(error instanceof InputFailure)) throw error;
    return error.message;
  }
}

test('a program sends plain numbers and ISO dates; what can be read in two ways is refused without a region', () => {
  expect(['1.500', '-3', '1e3', '12 %', '1,234.50'].map((text) => read('Number', text))).toEqual([
    1.5, -3, 1000, 0.12, 1234.5,
  ]);
  expect(read('Number', '1,500')).toBe(
    'Amount: "1,500" can be read in two ways: write it as a plain number, such as 1234.5, or tell the region',
  );
  expect(read('Date', '2026-04-03')).toBe(46_115);
  expect(read('Date', '3/Apr/2026')).toBe(46_115);
  expect(read('Date', '03/04/2026')).toContain('write it as year-month-day, such as 2026-01-31, or tell the region');
});

test('with a region its marks and its order of days count, and what it does not decide is refused', () => {
  const [german, american] = [readRegion('de-de'), readRegion('en-US')];
  expect([
    read('Number', '1.500', german),
    read('Number', '1.234,5', german),
    read('Number', '1,500', american),
  ]).toEqual([1500, 1234.5, 1500]);
  expect([read('Date', '03/04/2026', regionOf('en-GB')), read('Date', '03/04/2026', american)]).toEqual([
    46_115, 46_085,
  ]);
  expect(read('Number', '1.500', american)).toContain('Value can mean 1.5 or 1500: specify which one');
  expect(() => readRegion('xx')).toThrow('"xx" is not a region: choose one of bg-BG, cs-CZ');
});
