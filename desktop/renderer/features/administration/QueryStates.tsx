import type { ReactNode } from 'react';
import { NO_PERMISSION, toFailure, UNREADABLE } from '#renderer/api/app-failure.ts';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';

interface QueryStatesProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => Promise<unknown> };
  kind?: 'grid' | 'form';
  /** What is said where it cannot be fetched, above the reason; want of permission speaks for itself. */
  failure?: string;
  children: (data: Data) => ReactNode;
}

/** What was fetched; before that its shape, or why it could not be. */
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
