import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { ROTATED_KEY_GRACE_HOURS, type ApiKey } from '#shared/contract/users.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';

const GRACE_CHOICES = [
  { value: 0, label: t('Expires immediately') },
  { value: ROTATED_KEY_GRACE_HOURS.usual, label: t('Stays valid for a day') },
  { value: 168, label: t('Stays valid for a week') },
  { value: ROTATED_KEY_GRACE_HOURS.max, label: t('Stays valid for 30 days') },
];

interface RotateDialogProps {
  /** The key to replace; null while the dialog is closed. */
  old: ApiKey | null;
  isBusy: boolean;
  onCancel: () => void;
  onConfirm: (graceHours: number) => void;
}

export function RotateDialog({ old, isBusy, onCancel, onConfirm }: RotateDialogProps) {
  const [hours, setHours] = useState<number>(ROTATED_KEY_GRACE_HOURS.usual);
  return (
    <ConfirmDialog
      isOpen={old !== null}
      title={t('Rotate API key')}
      confirmText={t('Rotate')}
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => onConfirm(hours)}
    >
      <p>
        {t('A new key replaces {name}, with the same scope and the same lifetime.', {
          name: old?.Name || old?.Key || '',
        })}
      </p>
      <FormField label={t('The old key')}>
        {(field) => (
          <HTMLSelect
            id={field.id}
            value={hours}
            options={GRACE_CHOICES}
            onChange={(event) => setHours(Number(event.currentTarget.value))}
          />
        )}
      </FormField>
    </ConfirmDialog>
  );
}
