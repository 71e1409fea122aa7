import { Button } from '@blueprintjs/core';
import { Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';

interface MissingProps {
  title: string;
  error: Error | null;
  onRetry: () => void;
}

/** The page of a history before its first runs are there. */
export function MissingHistory({ title, error, onRetry }: MissingProps) {
  return (
    <Page title={title}>{error ? <FailureState error={error} onRetry={onRetry} /> : <Skeleton kind="grid" />}</Page>
  );
}

interface LoadMoreProps {
  hasMore: boolean;
  isLoading: boolean;
  onLoadMore: () => void;
}

/** For those who do not scroll; nothing where there is no more. */
export function LoadMore({ hasMore, isLoading, onLoadMore }: LoadMoreProps) {
  return hasMore ? (
    <div className="rs-form-actions">
      <Button text="Load More" loading={isLoading} onClick={onLoadMore} />
    </div>
  ) : null;
}
