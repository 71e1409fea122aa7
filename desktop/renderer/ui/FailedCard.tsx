import { Card } from './Page.tsx';
import { FailureState } from './states.tsx';

/** What stands in place of a card whose data could not be fetched: without it there would seem to be nothing. */
export function FailedCard({ title, query }: { title: string; query: { error: unknown; refetch: () => unknown } }) {
  return (
    <Card title={title}>
      <FailureState error={query.error} onRetry={() => void query.refetch()} />
    </Card>
  );
}
