import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx';

type DeleteDialogProps = Omit<ConfirmDialogProps, 'title' | 'confirmText' | 'intent'> & { title?: string };

/** Asks before something is deleted. */
export const DeleteDialog = ({ title = t('Delete'), ...props }: DeleteDialogProps) => (
  <ConfirmDialog {...props} title={title} confirmText={t('Delete')} intent="danger" />
);
