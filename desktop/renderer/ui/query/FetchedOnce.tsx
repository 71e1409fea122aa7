import type { ReactNode } from 'react';
import { Card } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';

/**
 * Options for the query of a form: a later response must not overwrite what the user typed. It is fetched whenever the
 * form opens, because another page may have fetched it long before.
 */
export const FETCHED_ONCE = { staleTime: Infinity, gcTime: 0, refetchOnMount: 'always' } as const;

export interface FetchedOnceProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => Promise<unknown> };
  children: (data: Data) => ReactNode;
}

export function FetchedOnce<Data>({ query: { data, error, refetch }, children }: FetchedOnceProps<Data>) {
  if (data !== undefined) return children(data);
  if (error) return <FailureState error={error} onRetry={() => void refetch()} />;
  return (
    <Card>
      <Skeleton kind="form" />
    </Card>
  );
}
