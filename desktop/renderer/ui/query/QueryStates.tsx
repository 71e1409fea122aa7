import type { ReactNode } from 'react';
import { NO_PERMISSION, toFailure, UNREADABLE } from '#renderer/api/app-failure.ts';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';

interface QueryStatesProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => Promise<unknown> };
  kind?: 'grid' | 'form';
  /** Title of the failure, above its reason. A missing permission has its own text. */
  failure?: string;
  children: (data: Data) => ReactNode;
}

/** Renders the query's data, else a skeleton while loading, or the failure. */
export function QueryStates<Data>({ query, kind = 'grid', failure, children }: QueryStatesProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    const { status, message } = toFailure(query.error);
    if (message === NO_PERMISSION) return <EmptyState title={NO_PERMISSION} />;
    const title = status === 0 || status >= 500 || message === UNREADABLE ? failure : undefined;
    return <FailureState error={query.error} title={title} onRetry={() => void query.refetch()} />;
  }
  return <Skeleton kind={kind} />;
}
