import { Button } from '@blueprintjs/core';
import { Repeat, Stop } from '@blueprintjs/icons';
import { useState } from 'react';
import { BATCH_STEP_KEY, type Batch } from '#shared/contract/batches.ts';
import { retryChildRuns } from '#shared/contract/child-runs.ts';
import { cancelRun } from '#shared/contract/runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';
import { isAsked } from './batch-texts.ts';

interface BatchButtonsProps {
  batch: Batch;
  onChange: () => Promise<unknown>;
}

/** Buttons to cancel while rows run, and to retry after rows failed. For many rows, they ask for confirmation. */
export function BatchButtons({ batch, onChange }: BatchButtonsProps) {
  const { FileName, RunId, RunningChildRuns, FailedChildRuns } = batch;
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<'cancel' | 'retry' | null>(null);
  const reason = useServerReason();
  const isRunning = RunningChildRuns > 0;
  const act = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    try {
      showMessage(await work());
      await onChange();
      setAsked(null);
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  const cancel = async (): Promise<string> => (await call(cancelRun, { params: { runId: RunId } })).Message;
  const retry = async (): Promise<string> => {
    const { Count } = await call(retryChildRuns, { params: { runId: RunId }, body: { StepKey: BATCH_STEP_KEY } });
    return t('{count, plural, one {One row is retried} other {# rows are retried}}', { count: Count });
  };
  const shared = { size: 'small', loading: isBusy, disabled: reason !== undefined, title: reason } as const;
  return (
    <>
      {isRunning && (
        <Button
          {...shared}
          icon={<Stop />}
          text={t('Cancel')}
          aria-label={t('Cancel {fileName}', { fileName: FileName })}
          onClick={() => (isAsked(RunningChildRuns) ? setAsked('cancel') : void act(cancel))}
        />
      )}
      {!isRunning && FailedChildRuns > 0 && (
        <Button
          {...shared}
          icon={<Repeat />}
          text={t('Retry failed')}
          aria-label={t('Retry failed rows of {fileName}', { fileName: FileName })}
          onClick={() => (isAsked(FailedChildRuns) ? setAsked('retry') : void act(retry))}
        />
      )}
      <ConfirmDialog
        isOpen={asked === 'cancel' && isRunning}
        title={t('Cancel {fileName}', { fileName: FileName })}
        confirmText={t('Cancel the rows')}
        cancelText={t('Let them run')}
        intent="danger"
        isBusy={isBusy}
        onCancel={() => setAsked(null)}
        onConfirm={() => void act(cancel)}
      >
        {t('{count} rows have not ended yet. Cancel all of them?', { count: numberText(RunningChildRuns) })}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asked === 'retry' && !isRunning}
        title={t('Retry failed rows of {fileName}', { fileName: FileName })}
        confirmText={t('Retry failed')}
        isBusy={isBusy}
        onCancel={() => setAsked(null)}
        onConfirm={() => void act(retry)}
      >
        {t('{count} rows did not succeed. Run all of them again?', { count: numberText(FailedChildRuns) })}
      </ConfirmDialog>
    </>
  );
}
