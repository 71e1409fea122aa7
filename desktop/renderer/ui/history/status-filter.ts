/** The status filter of a history, as in the address: '?status=Failed,Cancelled'. */
import { RUN_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';

const PARAMETER = 'status';

/** Reads the statuses; unknown ones are ignored. */
export function readStatuses(query: URLSearchParams): RunStatus[] {
  const named = new Set((query.get(PARAMETER) ?? '').split(','));
  return RUN_STATUSES.filter((status) => named.has(status));
}

export function writeStatuses(query: URLSearchParams, statuses: readonly RunStatus[]): URLSearchParams {
  const next = new URLSearchParams(query);
  if (statuses.length === 0) next.delete(PARAMETER);
  else next.set(PARAMETER, RUN_STATUSES.filter((status) => statuses.includes(status)).join(','));
  return next;
}
