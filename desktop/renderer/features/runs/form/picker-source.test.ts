import { expect, it } from 'vitest';
import { groupItems, toggleValues } from './picker-source.ts';

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
