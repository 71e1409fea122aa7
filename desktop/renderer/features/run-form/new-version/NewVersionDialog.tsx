import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';

export interface NewVersionDialogProps {
  onReload: () => void;
  shown: number;
  /** The newest version; null if there is nothing to ask. */
  newest: number | null;
  onRunShown: () => void;
  onCancel: () => void;
}

/** After a refused start, asks which version to run. */
export function NewVersionDialog({ shown, newest, onReload, onRunShown, onCancel }: NewVersionDialogProps) {
  return (
    <Dialog isOpen={newest !== null} title={t('The activity has a new version')} icon={null} onClose={onCancel}>
      <DialogBody>
        <p>
          {t(
            'Version {newest} was published while this form with version {shown} was open. Nothing has been started.',
            { newest, shown },
          )}
        </p>
        <p>{t('When you reload, your entries remain if they still fit. You can check them before you start.')}</p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('Cancel')} onClick={onCancel} />
            <Button text={t('Run the version shown')} onClick={onRunShown} />
            <Button text={t('Reload the form')} intent="primary" onClick={onReload} autoFocus />
          </>
        }
      />
    </Dialog>
  );
}
