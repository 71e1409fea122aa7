import { Button } from '@blueprintjs/core';
import { ArrowLeft, Notifications, Play, Repeat, Stop } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { checklistStatus, type ChecklistRun } from '#shared/contract/checklist-runs.ts';
import { hasSucceeded, isPending } from '#shared/contract/run-status.ts';
import { cancelRun, retryRun, wakeup, type ActivityRun } from '#shared/contract/runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { createKeyedStart } from '#renderer/api/keyed-start.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { RetryButton } from '#renderer/features/checklists/status/RetryStep.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { t } from '#renderer/language/translate.ts';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { isOver } from './run-watch.ts';

/** Actions for a run, depending on its state. */
export function RunButtons({ run, refetch }: { run: ActivityRun; refetch: () => void }) {
  const goBack = useGoBack();
  const [busy, setBusy] = useState<string | null>(null);
  const act = async (name: string, work: () => Promise<unknown>, fallback: string): Promise<void> => {
    if (busy !== null) return;
    setBusy(name);
    try {
      await work();
    } catch (error) {
      showError(toFailure(error).message || fallback);
    } finally {
      setBusy(null);
    }
  };
  return (
    <>
      <Button icon={<ArrowLeft />} text={t('Back')} onClick={goBack} />
      {isOver(run) ? (
        run.CanRun && <AgainButtons run={run} busy={busy} act={act} />
      ) : (
        <PendingButtons run={run} busy={busy} act={act} refetch={refetch} />
      )}
    </>
  );
}

interface GroupProps {
  run: ActivityRun;
  busy: string | null;
  act: (name: string, work: () => Promise<unknown>, fallback: string) => Promise<void>;
}

function PendingButtons({ run, busy, act, refetch }: GroupProps & { refetch: () => void }) {
  const reason = useServerReason();
  const cancel = async (): Promise<void> => {
    const { Message } = await call(cancelRun, { params: { runId: run.Id } });
    showMessage(Message);
    refetch();
  };
  return (
    <>
      {run.CanCancel && (
        <Button
          icon={<Stop />}
          text={t('Cancel')}
          loading={busy === 'cancel'}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => void act('cancel', cancel, t('Unexpected error'))}
        />
      )}
      {run.Status === 'Queued' && (
        <Button
          icon={<Notifications />}
          text={t('Wake up')}
          title={reason ?? t('Makes the server check for waiting runs now')}
          disabled={reason !== undefined}
          loading={busy === 'wakeup'}
          onClick={() => void act('wakeup', () => call(wakeup), t('Unexpected error'))}
        />
      )}
    </>
  );
}

function AgainButtons({ run, busy, act }: GroupProps) {
  const reason = useServerReason();
  const navigate = useNavigateWhileHere();
  const [start] = useState(createKeyedStart);
  const retry = async (): Promise<void> => {
    const { Id } = await start(run.Id, (headers) => call(retryRun, { params: { runId: run.Id }, headers }));
    await navigate(`/activities/runstatus/${Id}/`, { replace: true });
  };
  return (
    <>
      <RetryOfStep run={run} />
      {!hasSucceeded(run.Status) && run.ChecklistRunId === null && (
        <Button
          className="rs-run-primary"
          intent="primary"
          icon={<Repeat />}
          text={t('Retry')}
          loading={busy === 'retry'}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => void act('retry', retry, t('Could not retry'))}
        />
      )}
      <LinkButton
        className={hasSucceeded(run.Status) ? 'rs-run-primary' : undefined}
        intent={hasSucceeded(run.Status) ? 'primary' : 'none'}
        icon={<Play />}
        text={t('Run Again')}
        to={`/activities/run/${run.ActivityId}/again/${run.Id}/`}
      />
    </>
  );
}

/** Retries a step within its checklist or workflow, because the steps after it need its outputs. */
function RetryOfStep({ run }: { run: ActivityRun }) {
  const { ChecklistRunId, StepKey, RowKey, Name, Status, StartTime } = run;
  if (ChecklistRunId === null || StepKey === null || hasSucceeded(Status) || StartTime === null) return null;
  return <RetryWithinWorkflow workflowRunId={ChecklistRunId} StepKey={StepKey} name={Name} rowKey={RowKey} />;
}

const WORKFLOW_POLL_INTERVAL_MS = 5000;

/** Explains why a step cannot be retried; undefined if it can. */
function notYetText({ Status, ResumedBy }: Pick<ChecklistRun, 'Status' | 'ResumedBy'>): string | undefined {
  if (isPending(Status)) return t('The entire run has not ended yet');
  return ResumedBy === null ? undefined : t('The entire run was resumed: retry the step in the later run');
}

/** Disabled until the whole workflow run has ended, because its next steps may continue without this step. */
function RetryWithinWorkflow(props: { workflowRunId: number; StepKey: string; name: string; rowKey: string }) {
  const { workflowRunId, StepKey, name, rowKey } = props;
  const params = { kind: 'checklist' as const, runId: workflowRunId };
  const { data } = useQuery({
    ...queryOf(checklistStatus, { params, polls: true }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isPending(state.data.Checklist.Status) && WORKFLOW_POLL_INTERVAL_MS,
  });
  const notYet = data && notYetText(data.Checklist);
  const of = { RunId: workflowRunId, IsWorkflow: data?.Checklist.IsWorkflow ?? false, StepKey };
  return <RetryButton of={of} name={name} text={t('Retry')} notYet={notYet} {...(rowKey === '' ? {} : { rowKey })} />;
}
