import { useQuery } from '@tanstack/react-query';
import { RUN_TOKEN_HEADER } from '#shared/contract/headers.ts';
import { publicRunDetails, publicRunState } from '#shared/contract/public-runs.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { pollInterval } from '#renderer/features/runs/status/run-watch.ts';
import { needsWatch, useWatchedRun, type WatchedRun } from '#renderer/features/runs/status/use-watched-run.ts';

/** A run that this visitor started. Only the page stores its token, so a reload starts over. */
export interface PublicRunKey {
  runId: number;
  token: string;
}

export const headersOf = ({ token }: PublicRunKey): Record<string, string> => ({ [RUN_TOKEN_HEADER]: token });

/** Polls the run every second while it is pending. */
export function usePublicRun(key: PublicRunKey): WatchedRun {
  const of = { params: { id: key.runId }, headers: headersOf(key) };
  const details = useQuery(queryOf(publicRunDetails, of));
  const state = useQuery({
    ...queryOf(publicRunState, { ...of, body: [], polls: true }),
    enabled: needsWatch(details),
    refetchInterval: (query) => pollInterval(query.state.data, false),
  });
  return useWatchedRun(details, state);
}
