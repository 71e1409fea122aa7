import { Button } from '@blueprintjs/core';
import { ArrowLeft, FastForward, Play, Stop } from '@blueprintjs/icons';
import { useState } from 'react';
import { resumeChecklistRun } from '#shared/contract/checklist-resumes.ts';
import { cancelChecklistRun, type ChecklistRun } from '#shared/contract/checklist-runs.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/headers.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { createKeyedStart } from '#renderer/api/keyed-start.ts';
import { refreshChecklists } from '#renderer/features/run-form/checklist-form-calls.ts';
import { refreshRuns } from '#renderer/features/run-form/start/use-start-run.ts';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { runAgainPath, runStatusPath } from '../checklist-menu.tsx';

type Work = 'cancel' | 'resume' | 'latest';

/** Buttons for a run of a checklist or workflow, depending on its state. */
export function ChecklistButtons({ run, refetch }: { run: ChecklistRun; refetch: () => void }) {
  const { Id, RunId, IsWorkflow, CanCancel, CanResume, CanRun, NewerVersions } = run;
  const goBack = useGoBack();
  const navigate = useNavigateWhileHere();
  const [busy, setBusy] = useState<Work | null>(null);
  const [start] = useState(createKeyedStart);
  const act = async (name: Work, work: () => Promise<void>): Promise<void> => {
    if (busy !== null) return;
    setBusy(name);
    try {
      await work();
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setBusy(null);
    }
  };
  const cancel = async (): Promise<void> => {
    // No message is needed: the page itself shows that the run was cancelled.
    await call(cancelChecklistRun, { params: { runId: RunId } });
    refetch();
  };
  const resume = async (LatestVersions: boolean): Promise<void> => {
    const resumed = await start(`resume ${LatestVersions}`, (headers) => {
      const UniqueId = headers[IDEMPOTENCY_KEY_HEADER] ?? null;
      return call(resumeChecklistRun, { params: { runId: RunId }, body: { LatestVersions, UniqueId } });
    });
    refreshRuns();
    refreshChecklists();
    await navigate(runStatusPath(resumed.Id, IsWorkflow), { replace: true });
  };
  const isOver = !isPending(run.Status);
  const root = IsWorkflow ? 'workflows' : 'checklists';
  return (
    <>
      <Button icon={<ArrowLeft />} text={t('Back')} onClick={goBack} />
      {!isOver && CanCancel && (
        <Button
          icon={<Stop />}
          text={t('Cancel')}
          loading={busy === 'cancel'}
          onClick={() => void act('cancel', cancel)}
        />
      )}
      {isOver && CanResume && (
        <Button
          icon={<FastForward />}
          text={t('Resume')}
          title={t('Runs the unsuccessful steps again and reuses the results of the others')}
          loading={busy === 'resume'}
          onClick={() => void act('resume', () => resume(false))}
        />
      )}
      {isOver && CanResume && NewerVersions.length > 0 && (
        <Button
          icon={<FastForward />}
          text={t('Resume with latest versions')}
          title={t('Runs the unsuccessful steps again, with the latest versions of {newerVersions}', {
            newerVersions: NewerVersions.join(', '),
          })}
          loading={busy === 'latest'}
          onClick={() => void act('latest', () => resume(true))}
        />
      )}
      {isOver && CanResume && run.Inputs.length > 0 && (
        <LinkButton
          icon={<FastForward />}
          text={t('Change inputs and resume')}
          to={runAgainPath(RunId, IsWorkflow)}
          needsServer
        />
      )}
      {isOver && CanRun && (
        <LinkButton icon={<Play />} text={t('Run Again')} to={`/${root}/run/${Id}/again/${RunId}/`} />
      )}
    </>
  );
}
