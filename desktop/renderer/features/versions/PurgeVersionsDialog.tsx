import { useState } from 'react';
import { activityVersions } from '#shared/contract/versions.ts';
import { purgeVersionFiles } from '#shared/contract/purge.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { affectedText } from '#renderer/features/purge/affected-text.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';

/** @param version null while the dialog is closed */
export function PurgeVersionsDialog(props: { activityId: number; version: number | null; onClose: () => void }) {
  const { activityId, version, onClose } = props;
  const [isBusy, setBusy] = useState(false);
  const purge = async (): Promise<void> => {
    if (version === null) return;
    setBusy(true);
    try {
      const count = await call(purgeVersionFiles, { params: { id: activityId, version } });
      showSuccess(affectedText('OutputFiles', count));
      await queryClient.invalidateQueries({ queryKey: keyOf(activityVersions) });
      onClose();
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      isOpen={version !== null}
      title={t('Purge from here')}
      confirmText={t('Purge')}
      intent="danger"
      isBusy={isBusy}
      onCancel={onClose}
      onConfirm={() => void purge()}
    >
      <p>{t('The activity files having version {version} and below will be deleted. Proceed?', { version })}</p>
      <p className="rs-muted">{t('Note: Run data will not be affected.')}</p>
    </ConfirmDialog>
  );
}
