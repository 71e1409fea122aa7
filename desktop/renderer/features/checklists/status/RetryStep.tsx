import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { Redo, Repeat } from '@blueprintjs/icons';
import { useState } from 'react';
import { resumeChecklistRun } from '#shared/contract/checklist-resumes.ts';
import type { ChecklistRun, ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/headers.ts';
import { hasSucceeded, isPending } from '#shared/contract/run-status.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { createKeyedStart } from '#renderer/api/keyed-start.ts';
import { refreshChecklists } from '#renderer/features/run-form/checklist-form-calls.ts';
import { refreshRuns } from '#renderer/features/run-form/start/use-start-run.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { runAgainPath, runStatusPath } from '../checklist-menu.tsx';

interface RetryStepProps {
  run: ChecklistRun;
  step: ChecklistStep;
  /** The row of the step to run again. If absent, all rows that did not succeed run again. */
  rowKey?: string;
}

/**
 * Button that runs one step of an ended run again, or one of its rows. Renders nothing if the step did not start, or
 * succeeded.
 */
export function RetryStep({ run, step, rowKey }: RetryStepProps) {
  const hasFailed = step.StartTime !== null && !isPending(step.Status) && !hasSucceeded(step.Status);
  // After a run was resumed, only the later run continues.
  if (isPending(run.Status) || run.ResumedBy !== null || !run.CanRun || !hasFailed) return null;
  const text = step.Kind === 'ForEach' && rowKey === undefined ? t('Retry failed rows') : t('Retry');
  const { RunId, IsWorkflow } = run;
  const of = { RunId, IsWorkflow, StepKey: step.StepKey };
  return (
    <RetryButton of={of} name={step.StepName} text={text} size="small" {...(rowKey === undefined ? {} : { rowKey })} />
  );
}

/**
 * Link to the page that runs a step of an ended run again with everything after it, also if it succeeded. Renders
 * nothing if the step did not start.
 */
export function RunFromHere({ run, step, rowKey }: RetryStepProps) {
  if (isPending(run.Status) || run.ResumedBy !== null || !run.CanRun || step.StartTime === null) return null;
  return (
    <LinkButton
      size="small"
      icon={<Redo />}
      text={t('Run again from here')}
      to={runAgainPath(run.RunId, run.IsWorkflow, step.StepKey, rowKey)}
      needsServer
    />
  );
}

interface RetryButtonProps {
  /** The run of the checklist and the key of its step. */
  of: { RunId: number; IsWorkflow: boolean; StepKey: string };
  name: string;
  rowKey?: string;
  text: string;
  size?: 'small';
  /** Why retrying is not possible yet. */
  notYet?: string | undefined;
}

/** Asks whether to run only the step again or also the steps after it, then opens the new run. */
export function RetryButton({
  of: { RunId, IsWorkflow, StepKey },
  name,
  rowKey,
  text,
  size,
  notYet,
}: RetryButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState<'alone' | 'on' | null>(null);
  const navigate = useNavigateWhileHere();
  const [start] = useState(createKeyedStart);
  const serverReason = useServerReason();
  const reason = serverReason ?? notYet;
  const title = `${text}: ${name}${rowKey === undefined ? '' : `, ${rowKey}`}`;
  const retry = async (GoOn: boolean): Promise<void> => {
    setBusy(GoOn ? 'on' : 'alone');
    try {
      const { Id } = await start(String(GoOn), (headers) => {
        const UniqueId = headers[IDEMPOTENCY_KEY_HEADER] ?? null;
        const Following = GoOn ? ('Unsuccessful' as const) : ('None' as const);
        const From = { Steps: [StepKey], Following, ...(rowKey === undefined ? {} : { RowKey: rowKey }) };
        return call(resumeChecklistRun, { params: { runId: RunId }, body: { From, UniqueId } });
      });
      refreshRuns();
      refreshChecklists();
      setOpen(false);
      await navigate(runStatusPath(Id, IsWorkflow), { replace: true });
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setBusy(null);
    }
  };
  return (
    <>
      <Button
        {...(size ? { size } : {})}
        icon={<Repeat />}
        text={text}
        disabled={reason !== undefined}
        title={reason}
        onClick={() => setOpen(true)}
      />
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <DialogBody>
          {t(
            'This creates a new run. Everything else keeps the outcome that it has here, and anything that succeeded is not run again.',
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button
                text={rowKey === undefined ? t('Only this step') : t('Only this row')}
                loading={busy === 'alone'}
                disabled={busy !== null}
                onClick={() => void retry(false)}
              />
              <Button
                intent="primary"
                text={t('Continue from here')}
                loading={busy === 'on'}
                disabled={busy !== null}
                onClick={() => void retry(true)}
              />
            </>
          }
        />
      </Dialog>
    </>
  );
}
