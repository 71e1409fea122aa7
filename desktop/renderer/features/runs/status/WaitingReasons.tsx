import { said, t } from '#renderer/language/translate.ts';
import { useQuery } from '@tanstack/react-query';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { runWaiting } from '#shared/contract/run-waiting.ts';
import { queryOf } from '#renderer/api/queries.ts';

const INTERVAL = 3_000;

/** Shows why a run has not started yet. */
export function WaitingReasons({ run: { Id, Status } }: { run: ActivityRun }) {
  const isWaiting = Status === 'Queued' || Status === 'QueuedInSeq';
  const { data } = useQuery({
    ...queryOf(runWaiting, { params: { id: Id }, polls: true }),
    enabled: isWaiting,
    refetchInterval: INTERVAL,
  });
  if (!isWaiting || !data || data.Reasons.length === 0) return null;
  return (
    <ul className="rs-plain-list" aria-label={t('Why it waits')}>
      {data.Reasons.map((reason) => (
        <li key={reason}>{said(reason)}</li>
      ))}
    </ul>
  );
}
