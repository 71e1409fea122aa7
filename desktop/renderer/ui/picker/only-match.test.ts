import { expect, it } from 'vitest';
import { onlyMatch } from './only-match.ts';
import { textsOf, type PickerSource } from './picker-source.ts';

const option = (value: string) => ({ text: value, value, group: null, refusal: null });
const items = { items: [], isLoading: false, error: null, more: null, previous: null, isAtStart: true };
const source = (usage: 'Text' | 'Number' | 'Date', preventOtherValues = true): PickerSource => ({
  key: ['list'],
  preventOtherValues,
  blank: false,
  opensAtValue: false,
  load: () => Promise.reject(new Error('nothing is loaded')),
  ...textsOf(usage),
});
const search = {
  text: 'nor',
  isAnswered: true,
  source: source('Text'),
  items,
  options: [option('North')],
} satisfies Parameters<typeof onlyMatch>[0];

it('one item is left of a search that was answered, and of no other', () => {
  expect(onlyMatch(search)?.value).toBe('North');
  expect(onlyMatch({ ...search, source: source('Text', false) })?.value).toBe('North');
  expect(onlyMatch({ ...search, text: null })).toBeNull();
  expect(onlyMatch({ ...search, isAnswered: false })).toBeNull();
  expect(onlyMatch({ ...search, options: [option('North'), option('Nordic')] })).toBeNull();
  expect(onlyMatch({ ...search, items: { ...items, more: () => undefined } })).toBeNull();
});

it('a number that is typed whole stays what it is where other values are taken', () => {
  const number = { ...search, text: '5', options: [option('15')] };
  expect(onlyMatch({ ...number, source: source('Number', false) })).toBeNull();
  expect(onlyMatch({ ...number, source: source('Number') })?.value).toBe('15');
  expect(onlyMatch({ ...number, text: '5.', source: source('Date', false) })?.value).toBe('15');
});
