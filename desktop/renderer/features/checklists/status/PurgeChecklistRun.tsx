import { useState } from 'react';
import { purgeChecklistRun } from '#shared/contract/checklist-purge.ts';
import type { ChecklistRun } from '#shared/contract/checklist-runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { affectedText } from '#renderer/features/purge/affected-text.ts';
import { refreshChecklists } from '#renderer/features/run-form/checklist-form-calls.ts';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';

interface PurgeChecklistRunProps {
  run: ChecklistRun;
  isOpen: boolean;
  onClose: () => void;
}

/** 'Purge this run' purges the whole run and then returns to the previous page. */
export function PurgeChecklistRun({ run, isOpen, onClose }: PurgeChecklistRunProps) {
  const [isBusy, setBusy] = useState(false);
  const goBack = useGoBack();
  const purge = async (): Promise<void> => {
    setBusy(true);
    try {
      showSuccess(affectedText('All', await call(purgeChecklistRun, { params: { runId: run.RunId } })));
      refreshActivities();
      refreshChecklists();
      onClose();
      goBack();
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('Purge this run')}
      confirmText={t('Purge Everything')}
      intent="danger"
      isBusy={isBusy}
      onCancel={onClose}
      onConfirm={() => void purge()}
    >
      {t(
        'Delete this run of {name} with the runs of its steps, their inputs, outputs, files and logs? This cannot be undone.',
        { name: run.Name },
      )}
    </ConfirmDialog>
  );
}
