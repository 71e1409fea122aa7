import { Checkbox, TextArea } from '@blueprintjs/core';
import { useState } from 'react';
import type { Mark } from '#shared/contract/designs.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { allowedValues, itemsOf, withAllowedValues, type AllowedKind, type AllowedValues } from './allowed-values.ts';
import { ChoiceField } from './OptionFields.tsx';

interface AllowedFieldProps {
  mark: Mark;
  onChange: (mark: Mark, burst?: string) => void;
}

/** Chooses which values people may enter. */
export function AllowedField({ mark, onChange }: AllowedFieldProps) {
  const saved = allowedValues(mark);
  // Holds the draft while the list is empty, because an empty list cannot be stored in the mark.
  const [drafted, setDrafted] = useState<AllowedValues | null>(null);
  const shown = drafted ?? saved;
  const write = (next: AllowedValues, burst?: string): void => {
    setDrafted(next);
    const isEmpty =
      (next.kind === 'Typed' && itemsOf(next.text).length === 0) || (next.kind === 'Range' && next.text.trim() === '');
    if (!isEmpty) onChange(withAllowedValues(mark, next), burst);
  };
  const kinds = [
    { value: 'Cells', label: t('As set in the cells') },
    { value: 'None', label: t('Any value') },
    { value: 'Typed', label: t('A list entered here') },
    { value: 'Range', label: t('A list in cells of the workbook') },
    ...(saved.kind === 'Other' ? [{ value: 'Other', label: t('As set on the Portal sheet') }] : []),
  ];
  return (
    <>
      <ChoiceField
        label={t('Allowed values')}
        value={shown.kind}
        choices={kinds}
        onChange={(kind) => write({ ...shown, text: '', kind: kind as AllowedKind })}
      />
      {shown.kind === 'Typed' && (
        <FormField label={t('Values')} helper={t('One per line.')}>
          {(field) => (
            <TextArea
              {...field}
              dir="auto"
              fill
              rows={4}
              value={shown.text}
              onChange={(event) => write({ ...shown, text: event.currentTarget.value }, 'allowed')}
            />
          )}
        </FormField>
      )}
      {shown.kind === 'Range' && (
        <TextField
          label={t('Cells of the list')}
          helper={t('Cells with their sheet (Lists!A2:A9), a name, or a column of a table (Currencies[Code]).')}
          value={shown.text}
          onChange={(text) => write({ ...shown, text }, 'allowed')}
        />
      )}
      {(shown.kind === 'Typed' || shown.kind === 'Range') && (
        <Checkbox
          label={t('Also accept other values')}
          checked={shown.isOpen}
          onChange={(event) => write({ ...shown, isOpen: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
