import { useQuery } from '@tanstack/react-query';
import { approvalCount } from '#shared/contract/approvals.ts';
import { queryOf } from '#renderer/api/queries.ts';

const INTERVAL = 60_000;

/** How many approvals wait for the person; asked for now and then while the window is in view. */
export function useApprovalCount(): { Waiting: number; HasAny: boolean } {
  const query = useQuery({ ...queryOf(approvalCount, { polls: true }), refetchInterval: INTERVAL, staleTime: 5_000 });
  return query.data ?? { Waiting: 0, HasAny: false };
}
