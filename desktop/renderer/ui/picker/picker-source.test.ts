import { expect, it } from 'vitest';
import { groupItems, isItem, textsOfCells, toggleValues } from './picker-source.ts';

it('picker items without groups stay one list', () => {
  expect(groupItems([{ Value: 'a' }, { Value: 'b' }])).toEqual([
    { group: null, items: [{ Value: 'a' }, { Value: 'b' }] },
  ]);
});
it('picker items without a group are put together where others have one', () => {
  const groups = groupItems([{ Value: 'a', Group: 'Letters' }, { Value: '1' }, { Value: 'b', Group: 'Letters' }]);
  expect(groups.map(({ group, items }) => [group, items.map((item) => item.Value)])).toEqual([
    ['Letters', ['a', 'b']],
    ['Miscellaneous (blank)', ['1']],
  ]);
});
it('a checklist keeps the order of its items, one value or a group at a time', () => {
  const order = ['a', 'b', 'c', 'd'];
  expect(toggleValues(['d'], ['c', 'a'], true, order)).toEqual(['a', 'c', 'd']);
  expect(toggleValues(['a', 'c', 'd'], ['a', 'd'], false, order)).toEqual(['c']);
  expect(toggleValues(['old'], ['b'], true, order)).toEqual(['b', 'old']);
});

it('numbers are shown with all the digits that their cells keep, and are the same by all of them', () => {
  const kind = { usage: 'Number', format: 'General', maxSize: null } as const;
  const exact = textsOfCells({ ...kind, isExact: true });
  expect(['9007199254740993', '12.50', '1e+21', 'x'].map(exact.show)).toEqual([
    '9007199254740993',
    '12.5',
    '1000000000000000000000',
    'x',
  ]);
  expect(exact.seek('9,007,199,254,740,993')).toBe('9007199254740993');
  expect(textsOfCells(kind).show('9007199254740993')).toBe('9007199254740992');
  expect(isItem('12.50', '12.5')).toBe(true);
  expect(isItem('1e+21', '1000000000000000000000')).toBe(true);
  expect(isItem('9007199254740993', '9007199254740992')).toBe(false);
});
