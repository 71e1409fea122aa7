import { Button } from '@blueprintjs/core';
import { Repeat } from '@blueprintjs/icons';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RowsCursor } from '#shared/contract/checklist-rows.ts';
import {
  childRuns,
  childRunSteps,
  downloadChildRuns,
  retryChildRuns,
  type ChildRunStep,
} from '#shared/contract/child-runs.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, pagesInterval, queryOf } from '#renderer/api/queries.ts';
import { runStateQuery } from '#renderer/features/live/live-stream.ts';
import { said, t } from '#renderer/language/translate.ts';
import { LoadMore } from '#renderer/ui/LoadMore.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';
import { childCounts } from './child-counts.ts';
import { Panel } from '#renderer/ui/Panel.tsx';
import { RowFiles, RowRuns } from './RowRuns.tsx';
import { POLL_INTERVAL } from './run-watch.ts';
import './child-runs.css';

type Counted = Pick<
  ActivityRun,
  'Id' | 'BatchFileName' | 'RunningChildRuns' | 'SuccessfulChildRuns' | 'FailedChildRuns' | 'MaxChildRunEndTime'
>;

/** The runs that this run started: one list per Start step, with unsuccessful runs first. */
export function ChildRuns({ run, refetch }: { run: Counted; refetch: () => void }) {
  const { RunningChildRuns, SuccessfulChildRuns, FailedChildRuns, MaxChildRunEndTime } = run;
  const hasStarted = RunningChildRuns + SuccessfulChildRuns + FailedChildRuns > 0;
  // Refetch when the counters of the watched run change. A run that is retried and fails again leaves the counters
  // unchanged, but not the last end time.
  const counts = `${RunningChildRuns} ${SuccessfulChildRuns} ${FailedChildRuns} ${MaxChildRunEndTime}`;
  const of = queryOf(childRunSteps, { params: { runId: run.Id }, polls: true });
  const steps = useQuery({
    ...of,
    queryKey: [...of.queryKey, counts],
    enabled: hasStarted,
    placeholderData: (before) => before,
  });
  if (!hasStarted) return null;
  return (
    <Panel title={t('Started runs')} name="started" isInitiallyOpen>
      {steps.data ? (
        steps.data.Items.map((step) => (
          <StartStep
            key={step.StepKey}
            runId={run.Id}
            isBatch={run.BatchFileName !== null}
            step={step}
            counts={counts}
            isRunning={RunningChildRuns > 0}
            refetch={refetch}
          />
        ))
      ) : steps.error ? (
        <FailureState error={steps.error} onRetry={() => void steps.refetch()} />
      ) : (
        <Skeleton kind="form" />
      )}
    </Panel>
  );
}

interface StepProps {
  runId: number;
  isBatch: boolean;
  step: ChildRunStep;
  counts: string;
  isRunning: boolean;
  refetch: () => void;
}

function StartStep({ runId, isBatch, step, counts, isRunning, refetch }: StepProps) {
  const { StepKey } = step;
  // Translate only names that the portal itself assigned.
  const name = isBatch ? said(step.StepName) : step.StepName;
  const rows = useRows(runId, StepKey, { counts, isRunning });
  return (
    <section aria-label={name} className="rs-child-step">
      <div className="rs-child-head">
        <h3>{name}</h3>
        <span className="rs-muted">
          {step.Name !== '' && `${step.Name}: `}
          {childCounts(step).join(', ')}
        </span>
        {step.CanRetry && <RetryFailed runId={runId} step={step} refetch={refetch} />}
      </div>
      {rows.data ? (
        <div className="rs-child-scroll">
          <RowRuns
            rows={rows.data.pages.flatMap(({ Rows }) => Rows)}
            keyText={isBatch ? said : undefined}
            renderAbout={({ Attempt }) =>
              Attempt > 1 && <span className="rs-muted"> {t('attempt {attempt}', { attempt: Attempt })}</span>
            }
          />
        </div>
      ) : rows.error ? (
        <FailureState error={rows.error} onRetry={() => void rows.refetch()} />
      ) : (
        <Skeleton kind="form" />
      )}
      <LoadMore query={rows} text={t('More rows')} />
      <RowFiles
        tables={step.Tables}
        download={(Table, Format) => call(downloadChildRuns, { body: { RunId: runId, StepKey, Table, Format } })}
      />
    </section>
  );
}

/**
 * The rows, with all pages that were loaded. They are polled while runs are pending, and fetched once more for each
 * change after that.
 */
function useRows(runId: number, StepKey: string, { counts, isRunning }: Pick<StepProps, 'counts' | 'isRunning'>) {
  const rows = useInfiniteQuery({
    queryKey: [...keyOf(childRuns), runId, StepKey],
    queryFn: ({ pageParam: After, signal }) =>
      call(childRuns, { body: { RunId: runId, StepKey, After }, signal, polls: true }),
    initialPageParam: null as RowsCursor | null,
    getNextPageParam: ({ Next }) => Next,
    refetchInterval: isRunning ? pagesInterval(POLL_INTERVAL) : false,
  });
  const { refetch } = rows;
  const fetchedFor = useRef(counts);
  useEffect(() => {
    if (isRunning || fetchedFor.current === counts) return;
    fetchedFor.current = counts;
    void refetch();
  }, [isRunning, counts, refetch]);
  return rows;
}

function RetryFailed({ runId, step, refetch }: Pick<StepProps, 'runId' | 'step' | 'refetch'>) {
  const [isBusy, setBusy] = useState(false);
  const queries = useQueryClient();
  const retry = async (): Promise<void> => {
    setBusy(true);
    try {
      const { Count } = await call(retryChildRuns, { params: { runId }, body: { StepKey: step.StepKey } });
      // The cached state says that the run has ended, which would stop the new watch immediately.
      await queries.resetQueries({ queryKey: runStateQuery(runId).queryKey, exact: true });
      showMessage(t('{count, plural, one {One run is retried} other {# runs are retried}}', { count: Count }));
      refetch();
      await Promise.all([childRunSteps, childRuns].map((list) => queries.invalidateQueries({ queryKey: keyOf(list) })));
    } catch (error) {
      showError(toFailure(error).message || t('Could not retry'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" icon={<Repeat />} text={t('Retry failed')} loading={isBusy} onClick={() => void retry()} />
  );
}
