import { Button } from '@blueprintjs/core';
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons';
import { toFailure } from '#renderer/api/app-failure.ts';
import { said, t } from '#renderer/language/translate.ts';
import './parts.css';

interface FetchFailureProps {
  /** As useQuery answers it. */
  query: { data?: unknown; error: unknown; isFetching: boolean; refetch: () => unknown };
  /** What could not be fetched: 'The people could not be fetched.' */
  text: string;
}

/** Beside what is shown: a part of it that could not be fetched, in a line. Nothing where it is there, or on its way. */
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

/** What failed, why, and another try. */
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
