import { Button } from '@blueprintjs/core';
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons';
import { toFailure } from '#renderer/api/app-failure.ts';
import { said, t } from '#renderer/language/translate.ts';
import './parts.css';

interface FetchFailureProps {
  /** The result of useQuery. */
  query: { data?: unknown; error: unknown; isFetching: boolean; refetch: () => unknown };
  /** Says what could not be fetched: 'The people could not be fetched.' */
  text: string;
}

/** A line for a part of the page that could not be fetched. Renders nothing if the part has loaded or is loading. */
export function FetchFailure({ query, text }: FetchFailureProps) {
  if (!query.error || query.data !== undefined) return null;
  return (
    <FailureLine error={query.error} text={text} isRetrying={query.isFetching} onRetry={() => void query.refetch()} />
  );
}

interface FailureLineProps {
  error: unknown;
  text: string;
  isRetrying: boolean;
  onRetry: () => void;
}

/** What failed, the reason, and a retry button. */
export function FailureLine({ error, text, isRetrying, onRetry }: FailureLineProps) {
  return (
    <div className="rs-failure-line" role="alert">
      <ErrorIcon size={14} title={false} className="rs-danger-text" />
      <span>
        {text} {said(toFailure(error).message)}
      </span>
      <Button size="small" icon={<Refresh />} text={t('Retry')} loading={isRetrying} onClick={onRetry} />
    </div>
  );
}
