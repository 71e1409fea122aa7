import { t } from '#renderer/language/translate.ts';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';

/** Replaces the outputs of an ended run until they are fetched, because it is unknown whether there are any. */
export function MissingResult({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return <Skeleton kind="form" />;
  return <FailureState title={t('The outputs could not be loaded')} error={error} onRetry={onRetry} />;
}
