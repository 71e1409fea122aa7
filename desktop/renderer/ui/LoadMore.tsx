import { Button } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import { FailureLine } from './FetchFailure.tsx';

/** What follows in a list that is fetched page by page, as useInfiniteQuery answers it. */
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

/** The next page on demand; nothing where there is none. */
export const LoadMore = (props: LoadMoreProps) => (
  <>
    <MoreFailure query={props.query} />
    <MoreButton {...props} />
  </>
);

/** For those who do not scroll, below a grid, which says itself what failed. */
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

/** In place of a next page that could not be fetched; nothing where it was not tried, or came. */
export function MoreFailure({ query }: { query: FurtherPages }) {
  if (!query.isFetchNextPageError) return null;
  return (
    <FailureLine
      error={query.error}
      text={t('What follows could not be fetched.')}
      isRetrying={query.isFetchingNextPage}
      onRetry={() => void query.fetchNextPage()}
    />
  );
}
