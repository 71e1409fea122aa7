import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';

/** Warns that logging out deletes the starts that wait on this computer. */
export const deletedStartsText = (count: number): string =>
  t(
    '{count, plural, one {# start waits} other {# starts wait}} to be sent. Logging out deletes {count, plural, one {it} other {them}}.',
    {
      count,
    },
  );

export interface LogOutDialogProps {
  /** Number of waiting starts. */
  count: number;
  isOpen: boolean;
  onLogOut: () => void;
  onStay: () => void;
}

/** Asks for confirmation before logging out deletes waiting starts. */
export function LogOutDialog({ count, isOpen, onLogOut, onStay }: LogOutDialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      isLocal
      title={t('Log out')}
      confirmText={t('Log out')}
      cancelText={t('Stay')}
      intent="danger"
      onConfirm={onLogOut}
      onCancel={onStay}
    >
      {deletedStartsText(count)}
    </ConfirmDialog>
  );
}
