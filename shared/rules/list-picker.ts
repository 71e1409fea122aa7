import type { PickerPage, PickerQuery } from '../contract/activities.ts';

const PAGE = 20;

/**
 * Returns a page of a list's items that contain the text, ignoring case, in list order: the page after `Last`, the page
 * before `First`, or the first page. An item that is no longer in the list is ignored.
 */
export function pickFrom(items: readonly string[], query: PickerQuery): PickerPage {
  const text = (query.Value ?? '').toLowerCase();
  const distinct = [...new Set(items)];
  const found = text === '' ? distinct : distinct.filter((item) => item.toLowerCase().includes(text));
  const [start, end] = query.All ? [0, found.length] : bounds(found, query);
  return {
    Items: found.slice(start, end).map((Value) => ({ Value })),
    HasMore: end < found.length,
    HasMorePrecedingItems: start > 0,
  };
}

function bounds(found: readonly string[], { FetchNext, Last, FetchPrevious, First }: PickerQuery): [number, number] {
  const last = FetchNext && Last != null ? found.indexOf(Last) : -1;
  if (last >= 0) return [last + 1, last + 1 + PAGE].map((at) => Math.min(at, found.length)) as [number, number];
  const first = FetchPrevious && First != null ? found.indexOf(First) : -1;
  if (first >= 0) return [Math.max(0, first - PAGE), first];
  return [0, Math.min(PAGE, found.length)];
}
