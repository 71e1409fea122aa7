import { expect, test } from 'vitest';
import type { CellUsage, InputInfo } from '../contract/parameters.ts';
import {
  checklistIssues,
  DIFFERENT_TYPES,
  isMappable,
  mappingIssue,
  NAME_OF_ANOTHER_TYPE,
  type InputMapping,
} from './checklist-rules.ts';

const infoOf = (usage: CellUsage, more: Partial<InputInfo> = {}): InputInfo =>
  ({ RangeType: 'SingleCell', CellUsages: [usage], Specifications: ['Required'], ...more }) as InputInfo;
const mapped = (InputName: string, usage: CellUsage = 'Number'): InputMapping => ({ InputName, Info: infoOf(usage) });
const good = { Name: 'Close', Order: null, activityCount: 1, inputs: [] };
const messages = (change: Partial<Parameters<typeof checklistIssues>[0]>): string[] =>
  checklistIssues({ ...good, ...change }).map(({ message }) => message);

test('a checklist needs a name and an activity', () => {
  expect(messages({})).toEqual([]);
  expect(messages({ Name: '  ', activityCount: 0, Order: undefined })).toEqual([
    'Checklist name must be provided.',
    'Order must be a number',
    'Checklist must contain at least one activity.',
  ]);
});

test('either none of its inputs are mapped or all of them', () => {
  expect(messages({ inputs: [mapped(''), mapped('')] })).toEqual([]);
  expect(messages({ inputs: [mapped('Year'), mapped(' ')] })).toEqual(['All inputs must be mapped.']);
  expect(messages({ inputs: [mapped('Year'), mapped('year')] })).toEqual([]);
});

test('names have a limit and one type each', () => {
  const long = 'x'.repeat(31);
  expect(messages({ inputs: [mapped(long), mapped(long), mapped('Year')] })).toEqual([
    `Checklist Input names ${long} exceed the character length limit of 30`,
  ]);
  expect(messages({ inputs: [mapped('Year'), mapped('YEAR', 'Text')] })).toEqual([DIFFERENT_TYPES]);
  expect(mappingIssue('Year', [mapped(''), mapped('', 'Date')], [])).toBe(DIFFERENT_TYPES);
  expect(mappingIssue(' year', [mapped('')], [mapped('Year', 'Date')])).toBe(NAME_OF_ANOTHER_TYPE);
  expect(mappingIssue('Year', [mapped('')], [mapped('Year'), mapped('Month', 'Date')])).toBeNull();
});

test('what is preset, a folder of the server or only shown is not asked for', () => {
  expect(isMappable({ Info: infoOf('Number'), PresetValue: null })).toBe(true);
  expect(isMappable({ Info: infoOf('Number'), PresetValue: '5' })).toBe(false);
  expect(isMappable({ Info: infoOf('StaticFolder'), PresetValue: null })).toBe(false);
  expect(isMappable({ Info: infoOf('Text', { Specifications: ['Display'] }), PresetValue: null })).toBe(false);
});
