import { Button } from '@blueprintjs/core';
import { Comparison, Cross, Repeat, Stop } from '@blueprintjs/icons';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { RETRIED_MAX } from '#shared/contract/run-failures.ts';
import type { HistoryRun } from '#shared/contract/run-history.ts';
import { hasSucceeded, isPending } from '#shared/contract/run-status.ts';
import { cancelRun } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { t } from '#renderer/language/translate.ts';
import { comparePath, MAX_COMPARED_RUNS } from '../compare/compare-path.ts';
import { RetryDialog } from './RetryDialog.tsx';
import { useCancelling } from './use-cancelling.ts';

interface PickedRunsProps {
  /** All runs that are shown. */
  runs: readonly HistoryRun[];
  chosen: readonly HistoryRun[];
  onChoose: (ids: readonly number[]) => void;
}

const idsOf = (runs: readonly HistoryRun[]): number[] => runs.map(({ Id }) => Id);

/** Actions for the runs that are ticked, whichever activities they belong to. */
export function PickedRuns({ runs, chosen, onChoose }: PickedRunsProps) {
  const navigate = useNavigate();
  const away = useServerReason();
  // Kept while the dialog is open: newer runs may push the chosen ones out of the list.
  const [retried, setRetried] = useState<readonly number[] | null>(null);
  const clear = (): void => onChoose([]);
  const { isBusy, cancelAll } = useCancelling(clear);
  const pending = chosen.filter(({ Status }) => isPending(Status));
  const failed = chosen.filter(({ Status }) => !isPending(Status) && !hasSucceeded(Status));
  const compared = compareObstacle(chosen);
  const able = (some: readonly HistoryRun[], what: string) => ({
    disabled: away !== undefined || some.length === 0,
    title: away ?? (some.length === 0 ? what : undefined),
  });
  return (
    <div className="rs-history-chosen" role="region" aria-label={t('Chosen runs')}>
      <strong role="status">
        {chosen.length === 0
          ? t('No runs chosen')
          : t('{count, plural, one {1 run chosen} other {# runs chosen}}', { count: chosen.length })}
      </strong>
      <Button
        icon={<Repeat />}
        text={t('Retry')}
        {...able(failed, t('Choose runs that did not succeed'))}
        onClick={() => setRetried(idsOf(failed))}
      />
      <Button
        icon={<Stop />}
        text={t('Cancel')}
        loading={isBusy}
        {...able(pending, t('Choose runs that have not ended'))}
        onClick={() =>
          void cancelAll(
            pending.map(
              ({ Id }) =>
                () =>
                  call(cancelRun, { params: { runId: Id } }),
            ),
          )
        }
      />
      <Button
        icon={<Comparison />}
        text={t('Compare')}
        disabled={compared !== undefined}
        title={compared}
        onClick={() => void navigate(comparePath(idsOf(chosen)))}
      />
      <Button
        variant="minimal"
        text={t('Choose all shown')}
        onClick={() => onChoose(idsOf(runs).slice(0, RETRIED_MAX))}
      />
      {chosen.length > 0 && <Button variant="minimal" icon={<Cross />} text={t('Clear selection')} onClick={clear} />}
      {retried && (
        <RetryDialog
          wanted={{ Ids: [...retried] }}
          onClose={() => {
            setRetried(null);
            clear();
          }}
        />
      )}
    </div>
  );
}

function compareObstacle(chosen: readonly HistoryRun[]): string | undefined {
  if (chosen.length < 2 || chosen.length > MAX_COMPARED_RUNS)
    return t('Choose 2 to {most} runs', { most: MAX_COMPARED_RUNS });
  const isSame = chosen.every(({ ActivityId }) => ActivityId === chosen[0]?.ActivityId);
  return isSame ? undefined : t('Choose runs of the same activity');
}
