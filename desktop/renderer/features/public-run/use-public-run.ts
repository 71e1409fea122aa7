import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RUN_TOKEN_HEADER } from '#shared/contract/headers.ts';
import { publicRunDetails, publicRunState } from '#shared/contract/public-runs.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { isOver, pollInterval, withState } from '#renderer/features/runs/status/run-watch.ts';

/** A run that this visitor started. Its token is kept by the page alone: who reloads it starts anew. */
export interface PublicRunKey {
  runId: number;
  token: string;
}

export const headersOf = ({ token }: PublicRunKey): Record<string, string> => ({ [RUN_TOKEN_HEADER]: token });

/** Looked at each second while it is pending; once it has ended it is fetched whole again. */
export function usePublicRun(key: PublicRunKey): {
  run: ActivityRun | undefined;
  error: Error | null;
  watchError: Error | null;
  refetch: () => void;
} {
  const of = { params: { id: key.runId }, headers: headersOf(key) };
  const details = useQuery(queryOf(publicRunDetails, of));
  const needsWatch = details.data !== undefined && !isOver(details.data);
  const state = useQuery({
    ...queryOf(publicRunState, { ...of, body: [], polls: true }),
    enabled: needsWatch,
    refetchInterval: (query) => pollInterval(query.state.data, false),
  });
  const { refetch } = details;
  const hasEnded = needsWatch && state.data !== undefined && isOver(state.data);
  useEffect(() => {
    if (hasEnded) void refetch();
  }, [hasEnded, refetch]);
  return {
    run: details.data && withState(details.data, state.data),
    error: details.data ? null : details.error,
    watchError: needsWatch ? state.error : null,
    refetch: () => void refetch(),
  };
}
