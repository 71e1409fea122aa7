import { Card } from './Page.tsx';
import { FailureState } from './states.tsx';

/** Replaces a card whose data could not be fetched, because a missing card would look like missing data. */
export function FailedCard({ title, query }: { title: string; query: { error: unknown; refetch: () => unknown } }) {
  return (
    <Card title={title}>
      <FailureState error={query.error} onRetry={() => void query.refetch()} />
    </Card>
  );
}
