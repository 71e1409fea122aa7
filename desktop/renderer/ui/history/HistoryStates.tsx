import { Button } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';

interface MissingProps {
  title: string;
  error: Error | null;
  onRetry: () => void;
  /** Removes the sort order, if the request with it failed. */
  onUnsort?: (() => void) | null;
}

/** The page of a history until its first runs arrive. */
export function MissingHistory({ title, error, onRetry, onUnsort }: MissingProps) {
  return (
    <Page title={title}>
      {error ? <FailureState error={error} onRetry={onRetry} /> : <Skeleton kind="grid" />}
      {error && onUnsort && (
        <div className="rs-form-actions">
          <Button text={t('Show the newest first')} onClick={onUnsort} />
        </div>
      )}
    </Page>
  );
}
