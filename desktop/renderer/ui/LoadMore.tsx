import { Button } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import { FailureLine } from './FetchFailure.tsx';

/** The further pages of an infinite list, as returned by useInfiniteQuery. */
export interface FurtherPages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => Promise<unknown>;
}

interface LoadMoreProps {
  query: FurtherPages;
  text?: string;
}

/** Loads the next page on demand; renders nothing if there is none. */
export const LoadMore = (props: LoadMoreProps) => (
  <>
    <MoreFailure query={props.query} />
    <MoreButton {...props} />
  </>
);

/** An alternative to scrolling, below a grid; the grid itself reports failures. */
export function MoreButton({ query, text }: LoadMoreProps) {
  if (!query.hasNextPage || query.isFetchNextPageError) return null;
  return (
    <div className="rs-form-actions">
      <Button
        text={text ?? t('Load More')}
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      />
    </div>
  );
}

/** Replaces a next page that could not be fetched; renders nothing otherwise. */
export function MoreFailure({ query }: { query: FurtherPages }) {
  if (!query.isFetchNextPageError) return null;
  return (
    <FailureLine
      error={query.error}
      text={t('The next entries could not be loaded.')}
      isRetrying={query.isFetchingNextPage}
      onRetry={() => void query.fetchNextPage()}
    />
  );
}
