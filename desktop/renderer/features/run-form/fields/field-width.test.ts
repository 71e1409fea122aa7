import { expect, it } from 'vitest';
import { inputInfo } from '#shared/testing/input-info.ts';
import type { InputInfo } from '#shared/contract/parameters.ts';
import { fieldWidth, isWide } from './field-width.ts';
import { sectionsOf } from './form-sections.ts';

const input = (part: Partial<InputInfo>) => ({ Info: { ...inputInfo(), ...part } });
const width = (part: Partial<InputInfo>) =>
  (fieldWidth(input(part)) as Record<string, string> | undefined)?.['--rs-field-width'];

it('a field of the form is as wide as its values can be', () => {
  expect(width({ CellUsages: ['Number'] })).toBe('22ch');
  expect(width({ CellUsages: ['Text'], MaxSize: [3] })).toBe('12ch');
  expect(width({ CellUsages: ['Text'], MaxSize: [20] })).toBe('24ch');
  expect(width({ CellUsages: ['Text'], MaxSize: [null] })).toBeUndefined();
  expect(width({ CellUsages: ['Text'], MaxSize: [400] })).toBeUndefined();
});

it('grids and files take the width of the form', () => {
  expect(isWide(input({ RangeType: 'RangeWithColumnHeaders' }))).toBe(true);
  expect(isWide(input({ CellUsages: ['FilePath'] }))).toBe(true);
  expect(isWide(input({ CellUsages: ['Number'] }))).toBe(false);
});

it('inputs of one section stand together, in the order in which sections begin; those of none come first', () => {
  const named = (Name: string, Section?: string) => ({ Name, ...input(Section === undefined ? {} : { Section }) });
  const inputs = [named('a', 'Trade'), named('b'), named('c', 'Market'), named('d', 'Trade')];
  expect(sectionsOf(inputs).map(({ title, inputs }) => [title, inputs.map(({ Name }) => Name).join('')])).toEqual([
    ['', 'b'],
    ['Trade', 'ad'],
    ['Market', 'c'],
  ]);
});
