import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { KEPT_HOURS, type ApiKey } from '#shared/contract/users.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';

const KEPT = [
  { value: 0, label: 'Ends at once' },
  { value: KEPT_HOURS.usual, label: 'Goes on for a day' },
  { value: 168, label: 'Goes on for a week' },
  { value: KEPT_HOURS.most, label: 'Goes on for 30 days' },
];

interface RotateDialogProps {
  /** Whose place a new key takes; null while nothing is asked. */
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
      title="Rotate API key"
      confirmText="Rotate"
      isBusy={isBusy}
      onCancel={onCancel}
      onConfirm={() => onConfirm(hours)}
    >
      <p>{`A new key takes the place of ${old?.Name || old?.Key || ''}, for the same and for as long.`}</p>
      <FormField label="The old key">
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
