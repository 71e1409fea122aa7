import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { KEPT_HOURS, type ApiKey } from '#shared/contract/users.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';

const KEPT = [
  { value: 0, label: t('Expires immediately') },
  { value: KEPT_HOURS.usual, label: t('Stays valid for a day') },
  { value: 168, label: t('Stays valid for a week') },
  { value: KEPT_HOURS.max, label: t('Stays valid for 30 days') },
];

interface RotateDialogProps {
  /** The key to replace; null while the dialog is closed. */
  old: ApiKey | null;
  isBusy: boolean;
  onCancel: () => void;
  onConfirm: (keepHours: number) => void;
}

export function RotateDialog({ old, isBusy, onCancel, onConfirm }: RotateDialogProps) {
  const [hours, setHours] = useState<number>(KEPT_HOURS.usual);
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
            options={KEPT}
            onChange={(event) => setHours(Number(event.currentTarget.value))}
          />
        )}
      </FormField>
    </ConfirmDialog>
  );
}
