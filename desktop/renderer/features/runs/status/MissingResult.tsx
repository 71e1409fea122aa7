import { t } from '#renderer/language/translate.ts';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';

/** In place of the outputs of a run that has ended, as long as they have not been fetched: nobody knows yet that there are none. */
export function MissingResult({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return <Skeleton kind="form" />;
  return <FailureState title={t('The outputs could not be fetched')} error={error} onRetry={onRetry} />;
}
