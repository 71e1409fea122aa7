import { Button } from '@blueprintjs/core';
import { Comparison, Cross, Play, Repeat, Stop, Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { purgeSingleRunData } from '#shared/contract/purge.ts';
import { runHistory, type History, type HistoryRun } from '#shared/contract/run-history.ts';
import { hasSucceeded, isPending } from '#shared/contract/run-status.ts';
import { cancelRun, retryRun } from '#shared/contract/runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { createKeyedStart } from '#renderer/api/keyed-start.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { MAX_COMPARED_RUNS, comparePath } from '#renderer/features/runs/compare/compare-path.ts';
import { said, t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';

interface ChosenRunsProps {
  activity: NonNullable<History['Activity']>;
  chosen: readonly HistoryRun[];
  onNone: () => void;
}

const runsText = (count: number): string => t('{count, plural, one {1 run} other {# runs}}', { count });

/** Actions for the chosen runs. */
export function ChosenRuns({ activity, chosen, onNone }: ChosenRunsProps) {
  const navigate = useNavigate();
  const reason = useServerReason();
  const { busy, act } = useActing(onNone);
  const [isPurging, setPurging] = useState(false);
  const [start] = useState(createKeyedStart);
  const retry = ({ Id }: HistoryRun) => start(Id, (headers) => call(retryRun, { params: { runId: Id }, headers }));
  const pending = chosen.filter(({ Status }) => isPending(Status));
  const ended = chosen.filter(({ Status }) => !isPending(Status));
  const unsuccessful = ended.filter(({ Status }) => !hasSucceeded(Status));
  const [only] = chosen;
  const canCompare = chosen.length > 1 && chosen.length <= MAX_COMPARED_RUNS;
  const able = (runs: readonly HistoryRun[], what: string) => ({
    disabled: reason !== undefined || runs.length === 0,
    title: reason ?? (runs.length === 0 ? what : undefined),
  });
  return (
    <div className="rs-history-chosen" role="region" aria-label={t('Chosen runs')}>
      <strong role="status">
        {chosen.length === 0 ? t('No runs chosen') : t('{runs} chosen', { runs: runsText(chosen.length) })}
      </strong>
      <Button
        icon={<Comparison />}
        text={t('Compare')}
        disabled={!canCompare}
        title={canCompare ? undefined : t('Choose 2 to {most} runs', { most: MAX_COMPARED_RUNS })}
        onClick={() => void navigate(comparePath(chosen.map(({ Id }) => Id)))}
      />
      <Button
        icon={<Stop />}
        text={t('Cancel')}
        loading={busy === 'cancelled'}
        {...able(pending, t('Choose runs that have not ended'))}
        onClick={() => act('cancelled', pending, ({ Id }) => call(cancelRun, { params: { runId: Id } }))}
      />
      {activity.CanRun && (
        <>
          <Button
            icon={<Repeat />}
            text={t('Retry')}
            loading={busy === 'started again'}
            {...able(unsuccessful, t('Choose runs that did not succeed'))}
            onClick={() => act('started again', unsuccessful, retry)}
          />
          {only && chosen.length === 1 && (
            <LinkButton icon={<Play />} text={t('Run Again')} to={`/activities/run/${activity.Id}/again/${only.Id}/`} />
          )}
        </>
      )}
      {activity.CanPurge && (
        <Button
          icon={<Trash />}
          text={t('Purge')}
          loading={busy === 'purged'}
          {...able(ended, t('Choose runs that have ended'))}
          onClick={() => setPurging(true)}
        />
      )}
      {chosen.length > 0 && <Button variant="minimal" icon={<Cross />} text={t('Clear selection')} onClick={onNone} />}
      <ConfirmDialog
        isOpen={isPurging}
        title={t('Purge {runs}', { runs: runsText(ended.length) })}
        confirmText={t('Purge')}
        intent="danger"
        onCancel={() => setPurging(false)}
        onConfirm={() => {
          setPurging(false);
          act('purged', ended, ({ Id }) => call(purgeSingleRunData, { params: { runId: Id, scope: 'All' } }));
        }}
      >
        {t('Delete {runs} of {name} with inputs, outputs, files and log? This cannot be undone.', {
          runs: runsText(ended.length),
          name: activity.Name,
        })}
      </ConfirmDialog>
    </div>
  );
}

type Done = 'cancelled' | 'started again' | 'purged';

const DONE_TEXT: Record<Done, string> = {
  cancelled: t('cancelled'),
  'started again': t('started again'),
  purged: t('purged'),
};

/** Processes the runs one by one. It stops at the first refusal and reports what was done until then. */
function useActing(onDone: () => void) {
  const [busy, setBusy] = useState<Done | null>(null);
  const processRuns = async (
    done: Done,
    runs: readonly HistoryRun[],
    work: (run: HistoryRun) => Promise<unknown>,
  ): Promise<void> => {
    setBusy(done);
    let count = 0;
    try {
      for (const run of runs) {
        await work(run);
        count += 1;
      }
      showSuccess(t('{runs} {done}', { runs: runsText(count), done: DONE_TEXT[done] }));
    } catch (error) {
      const before =
        count === 0 ? '' : ` ${t('{runs} {done} before.', { runs: runsText(count), done: DONE_TEXT[done] })}`;
      showError(`${said(toFailure(error).message)}${before}`);
    } finally {
      setBusy(null);
      onDone();
      void queryClient.invalidateQueries({ queryKey: keyOf(runHistory) });
      refreshActivities();
    }
  };
  const act = (...what: Parameters<typeof processRuns>): void => {
    if (busy === null) void processRuns(...what);
  };
  return { busy, act };
}
