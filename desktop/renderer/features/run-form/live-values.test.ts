import { expect, it } from 'vitest';
import type { UpdateUiResult } from '#shared/contract/forms.ts';
import { liveOf, listKey, NOTHING_LIVE } from './live-values.ts';

const answer = (...InputPickerValues: UpdateUiResult['InputPickerValues']): UpdateUiResult => ({
  UniqueId: 'form',
  StoredFileNames: [],
  Inputs: [],
  Outputs: [],
  InputPickerValues,
});
const list = (Items: string[], Rows?: number[]) => ({
  ActivityParameterId: 7,
  ColumnIndex: 1,
  Items,
  ...(Rows ? { Rows } : {}),
});

it('keeps the list of each row apart, and the same object as long as none of them changes', () => {
  const first = liveOf([], answer(list(['a'], [0, 2]), list(['b'], [1])), NOTHING_LIVE);
  const lists = first.rowLists[listKey(7, 1)]!;
  expect([0, 1, 2, 3].map((row) => lists.get(row))).toEqual([['a'], ['b'], ['a'], undefined]);
  expect(first.lists).toEqual({});
  const same = liveOf([], answer(list(['a'], [0, 2]), list(['b'], [1])), first);
  expect(same.rowLists[listKey(7, 1)]).toBe(lists);
  const other = liveOf([], answer(list(['a'], [0])), same);
  expect(other.rowLists[listKey(7, 1)]!.get(2)).toBeUndefined();
});

it('keeps the list of a whole column as before', () => {
  const live = liveOf([], answer(list(['a', 'b'])), NOTHING_LIVE);
  expect(live.lists[listKey(7, 1)]).toEqual(['a', 'b']);
  expect(live.rowLists).toEqual({});
});
