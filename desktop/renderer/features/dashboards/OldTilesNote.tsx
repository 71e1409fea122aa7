import { t } from '#renderer/language/translate.ts';
import { FailureLine } from '#renderer/ui/FetchFailure.tsx';

interface OldTilesNoteProps {
  /** The result of useQuery. */
  query: { data?: unknown; error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** Shown while tiles are older than they look, because their last update failed. */
export function OldTilesNote({ query }: OldTilesNoteProps) {
  if (!query.error || query.data === undefined) return null;
  return (
    <FailureLine
      error={query.error}
      text={t('The tiles could not be updated and may be out of date.')}
      isRetrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}
