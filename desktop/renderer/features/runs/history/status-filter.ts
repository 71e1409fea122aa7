/** The filter of a history by status, as it stands in the address: '?status=Failed,Cancelled'. */
import { RUN_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';

const PARAMETER = 'status';

/** Statuses a run can have; what is not one is passed over. */
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
