import { useInfiniteQuery } from '@tanstack/react-query';
import type { PickerPage } from '#shared/contract/activities.ts';
import { isItem, type PickerItem, type PickerSource } from './picker-source.ts';

export interface PickerItems {
  items: PickerItem[];
  isLoading: boolean;
  error: Error | null;
  /** Fetches the next or previous page; null if there is none or a fetch is in progress. */
  more: (() => void) | null;
  previous: (() => void) | null;
  /** True if the first item of the whole list is included. */
  isAtStart: boolean;
}

/** Maximum number of cached pages. A list that is scrolled very far drops the pages at the other end. */
const MAX_PAGES = 20;

type PageAnchor = { from: 'start' } | { from: 'after' | 'before'; item: PickerItem };

/** Fetches the values that match the search, or those around the current value. */
export function usePickerItems(
  source: PickerSource,
  { search, value, enabled }: { search: string; value: string; enabled: boolean },
): PickerItems {
  const anchor = source.opensAtValue && search === '' ? source.seek(value) : '';
  const wanted = search === '' ? '' : source.seek(search);
  const query = useInfiniteQuery({
    queryKey: ['picker', ...source.key, wanted, anchor],
    enabled,
    staleTime: 60_000,
    maxPages: MAX_PAGES,
    initialPageParam: { from: 'start' } as PageAnchor,
    queryFn: ({ pageParam, signal }) =>
      pageParam.from === 'start'
        ? firstPage(source, wanted, { anchor, signal })
        : source.load(placed(pageParam, wanted), signal),
    getNextPageParam: ({ HasMore, Items }): PageAnchor | null =>
      HasMore && Items.length > 0 ? { from: 'after', item: Items.at(-1)! } : null,
    getPreviousPageParam: ({ HasMorePrecedingItems, Items }): PageAnchor | null =>
      HasMorePrecedingItems && Items.length > 0 ? { from: 'before', item: Items[0]! } : null,
  });
  const idle = !query.isFetching;
  return {
    items: query.data?.pages.flatMap((page) => page.Items) ?? [],
    isLoading: query.isFetching,
    error: query.error,
    more: query.hasNextPage && idle ? () => void query.fetchNextPage() : null,
    previous: query.hasPreviousPage && idle ? () => void query.fetchPreviousPage() : null,
    isAtStart: !query.hasPreviousPage,
  };
}

type Query = Parameters<PickerSource['load']>[0];

function placed({ from, item }: Exclude<PageAnchor, { from: 'start' }>, Value: string): Query {
  const { Value: key, Group } = item;
  return from === 'after'
    ? { Value, Last: key, FetchNext: true, ...(Group === undefined ? {} : { LastGroup: Group }) }
    : { Value, First: key, FetchPrevious: true, ...(Group === undefined ? {} : { FirstGroup: Group }) };
}

/** Returns the first page of the search. If the current value is in the list, returns the items around it instead. */
async function firstPage(
  source: PickerSource,
  wanted: string,
  { anchor, signal }: { anchor: string; signal: AbortSignal },
): Promise<PickerPage> {
  if (anchor === '') return source.load({ Value: wanted }, signal);
  const item = (await source.load({ Value: anchor }, signal)).Items[0];
  if (!item || !isItem(item.Value, anchor)) return source.load({ Value: '' }, signal);
  const [before, after] = await Promise.all([
    source.load(placed({ from: 'before', item }, ''), signal),
    source.load(placed({ from: 'after', item }, ''), signal),
  ]);
  return {
    Items: [...before.Items, item, ...after.Items],
    HasMore: after.HasMore,
    HasMorePrecedingItems: before.HasMorePrecedingItems,
  };
}
