import type { ReactNode } from 'react';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';

interface QueryStatesProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => Promise<unknown> };
  kind?: 'grid' | 'form';
  children: (data: Data) => ReactNode;
}

/** What was fetched; before that its shape, or why it could not be. */
export function QueryStates<Data>({ query, kind = 'grid', children }: QueryStatesProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <FailureState error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton kind={kind} />;
}
