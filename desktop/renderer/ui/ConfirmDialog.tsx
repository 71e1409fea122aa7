import { Button, Dialog, DialogBody, DialogFooter, type Intent } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useServerReason } from '#renderer/api/connection.ts';
import { t } from '#renderer/language/translate.ts';

export interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  children?: ReactNode;
  /** Default: 'Yes'. */
  confirmText?: string;
  /** Default: 'Cancel'. */
  cancelText?: string;
  intent?: Intent;
  /** True while the confirmed action runs: both buttons are disabled, unless `stopText` labels one that stops it. */
  isBusy?: boolean;
  /** Label of the button that calls `onCancel` while `isBusy`. */
  stopText?: string;
  /** True if the action concerns only this computer and needs no server. */
  isLocal?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** A question with two answers. The harmless one has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    title,
    children,
    confirmText = t('Yes'),
    cancelText = t('Cancel'),
    intent = 'primary',
    isBusy,
    stopText,
  } = props;
  const away = useServerReason();
  const reason = props.isLocal ? undefined : away;
  return (
    <Dialog isOpen={isOpen} title={title} onClose={props.onCancel} canOutsideClickClose={!isBusy} icon={null}>
      <DialogBody>{children}</DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              text={isBusy ? (stopText ?? cancelText) : cancelText}
              onClick={props.onCancel}
              disabled={isBusy && stopText === undefined}
              autoFocus
            />
            <Button
              text={confirmText}
              intent={intent}
              onClick={props.onConfirm}
              loading={isBusy}
              disabled={reason !== undefined}
              title={reason}
            />
          </>
        }
      />
    </Dialog>
  );
}
