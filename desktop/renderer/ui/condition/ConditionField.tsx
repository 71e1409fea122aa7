import { Button, TextArea, type Intent } from '@blueprintjs/core';
import { Filter } from '@blueprintjs/icons';
import { useState } from 'react';
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { draftOf } from './condition-draft.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import './condition.css';

const ConditionEditor = lazyPart(async () => (await import('./ConditionEditor.tsx')).ConditionEditor);

/** What the editor of an input's condition needs. */
export interface ConditionPicker {
  columns: readonly ConditionColumn[];
  valuesOf: (column: ConditionColumn) => PickerSource;
}

interface ConditionFieldProps {
  field: { id: string; intent: Intent; 'aria-describedby'?: string; 'aria-invalid'?: boolean };
  label: string;
  value: string;
  maxSize: number | null;
  picker: ConditionPicker;
  disabled: boolean;
  onChange: (text: string) => void;
}

/** A condition as text, and a button that opens its editor. */
export function ConditionField({ field, label, value, maxSize, picker, disabled, onChange }: ConditionFieldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="rs-condition-field">
      <TextArea
        {...field}
        fill
        autoResize
        rows={2}
        spellCheck={false}
        disabled={disabled}
        value={value}
        maxLength={maxSize ?? undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button
        icon={<Filter />}
        text={t('Edit')}
        aria-label={t('Edit {label}', { label })}
        disabled={disabled}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <ConditionEditor
          name={label}
          columns={picker.columns}
          initial={draftOf(value, picker.columns)}
          valuesOf={picker.valuesOf}
          onClose={() => setOpen(false)}
          onDone={(text) => {
            setOpen(false);
            onChange(text);
          }}
        />
      )}
    </div>
  );
}
