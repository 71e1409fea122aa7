import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useState } from 'react';
import { purgeSingleRunData, type PurgeScope } from '#shared/contract/purge.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';
import { affectedText } from './affected-text.ts';

interface PurgeRunDialogProps {
  runId: number;
  name: string;
  isOpen: boolean;
  onClose: () => void;
  /** Called when the run is still there, but some of its files were purged. */
  onFilesPurged: () => void;
}

const CHOICES: [PurgeScope, string][] = [
  ['InputFiles', t('Purge input files')],
  ['OutputFiles', t('Purge output files')],
  ['All', t('Purge Everything')],
];

/** 'Purge this run' purges its files or the whole run. After purging the whole run, it returns to the previous page. */
export function PurgeRunDialog({ runId, name, isOpen, onClose, onFilesPurged }: PurgeRunDialogProps) {
  const [busy, setBusy] = useState<PurgeScope | null>(null);
  const goBack = useGoBack();
  const purge = async (scope: PurgeScope): Promise<void> => {
    setBusy(scope);
    try {
      showSuccess(affectedText(scope, await call(purgeSingleRunData, { params: { runId, scope } })));
      onClose();
      refreshActivities();
      if (scope === 'All') goBack();
      else onFilesPurged();
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setBusy(null);
    }
  };
  return (
    <Dialog
      isOpen={isOpen}
      title={t('Purge this run')}
      onClose={onClose}
      canOutsideClickClose={busy === null}
      icon={null}
    >
      <DialogBody>
        {t(
          'Delete the files of this run of {name}, or the run with its inputs, outputs, files and log? This cannot be undone.',
          { name },
        )}
      </DialogBody>
      <DialogFooter>
        <div className="rs-dialog-choices">
          <Button text={t('Cancel')} onClick={onClose} disabled={busy !== null} autoFocus />
          {CHOICES.map(([scope, text]) => (
            <Button
              key={scope}
              text={text}
              intent={scope === 'All' ? 'danger' : 'none'}
              loading={busy === scope}
              disabled={busy !== null}
              onClick={() => void purge(scope)}
            />
          ))}
        </div>
      </DialogFooter>
    </Dialog>
  );
}
