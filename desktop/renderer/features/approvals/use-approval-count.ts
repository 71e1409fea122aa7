import { useQuery } from '@tanstack/react-query';
import { approvalCount } from '#shared/contract/approvals.ts';
import { queryOf } from '#renderer/api/queries.ts';

const INTERVAL = 60_000;

/** Polls the number of approvals that wait for the user, while the window is visible. */
export function useApprovalCount(): { Waiting: number; HasAny: boolean } {
  const query = useQuery({ ...queryOf(approvalCount, { polls: true }), refetchInterval: INTERVAL, staleTime: 5_000 });
  return query.data ?? { Waiting: 0, HasAny: false };
}
