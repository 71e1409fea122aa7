import { useState } from 'react';
import { activityVersions } from '#shared/contract/versions.ts';
import { rollBack } from '#shared/contract/version-changes.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { createKeyedStart } from '#renderer/api/keyed-start.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';

interface RollBackDialogProps {
  activityId: number;
  isWorkbook: boolean;
  /** Null while the dialog is closed. */
  version: number | null;
  onClose: () => void;
}

/** Makes an older version the newest. The versions in between and their runs stay. */
export function RollBackDialog({ activityId, isWorkbook, version, onClose }: RollBackDialogProps) {
  const navigate = useNavigateWhileHere();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [start] = useState(createKeyedStart);
  const close = (): void => {
    setError(null);
    onClose();
  };
  const goBack = async (): Promise<void> => {
    if (version === null) return;
    setBusy(true);
    try {
      const body = { Version: version, ChangeDescription: text };
      const created = await start(JSON.stringify(body), (headers) =>
        call(rollBack, { params: { id: activityId }, body, headers }),
      );
      showSuccess(
        t('Version {version} is now the same as version {version2}', { version: created.Version, version2: version }),
      );
      await queryClient.invalidateQueries({ queryKey: keyOf(activityVersions) });
      setText('');
      close();
      if (isWorkbook) void navigate(`/activities/versions/${activityId}/${created.Version}/fidelity`);
    } catch (failure) {
      setError(toFailure(failure).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      isOpen={version !== null}
      title={t('Roll back')}
      confirmText={t('Roll back')}
      isBusy={isBusy}
      onCancel={close}
      onConfirm={() => void goBack()}
    >
      <p>
        {t(
          isWorkbook
            ? 'The file of version {version} becomes a new version. The versions after it stay as they are.'
            : 'Version {version} becomes a new version. The versions after it stay as they are.',
          { version },
        )}
      </p>
      <TextField
        label={t('Reason')}
        value={text}
        onChange={setText}
        maxLength={900}
        error={error}
        helper={t('Becomes part of the change description.')}
      />
    </ConfirmDialog>
  );
}
