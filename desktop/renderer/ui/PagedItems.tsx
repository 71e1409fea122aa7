import type { ReactNode } from 'react';
import { LoadMore, type FurtherPages } from './LoadMore.tsx';
import { Card } from './Page.tsx';
import { FailureState, Skeleton } from './states.tsx';

/** The result of useInfiniteQuery. */
interface PagedQuery<Item> extends FurtherPages {
  data: { pages: readonly { Items: readonly Item[] }[] } | undefined;
  refetch: () => Promise<unknown>;
}

interface PagedItemsProps<Item> {
  query: PagedQuery<Item>;
  /** Accessible name of the list. */
  label: string;
  className: string;
  /** Shown if the list is empty. */
  empty: ReactNode;
  /** Renders an item; must set a key. */
  children: (item: Item) => ReactNode;
}

/** A list on a card that is fetched page by page. */
export function PagedItems<Item>({ query, label, className, empty, children }: PagedItemsProps<Item>) {
  if (!query.data) {
    return query.error ? (
      <FailureState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton kind="grid" />
    );
  }
  const items = query.data.pages.flatMap(({ Items }) => Items);
  if (items.length === 0) return empty;
  return (
    <Card>
      <ul className={`rs-plain-list ${className}`} aria-label={label}>
        {items.map(children)}
      </ul>
      <LoadMore query={query} />
    </Card>
  );
}
