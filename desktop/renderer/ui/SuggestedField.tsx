import { InputGroup } from '@blueprintjs/core';
import { useId } from 'react';
import { FormField } from './FormField.tsx';

interface SuggestedFieldProps {
  label: string;
  value: string;
  maxLength: number;
  suggestions: readonly string[];
  disabled?: boolean;
  error?: string | null;
  onChange: (value: string) => void;
}

/** A text with the values already in use to choose from; new ones may be typed. */
export function SuggestedField({
  label,
  value,
  maxLength,
  suggestions,
  disabled,
  error,
  onChange,
}: SuggestedFieldProps) {
  const listId = useId();
  return (
    <FormField label={label} error={error}>
      {(field) => (
        <>
          <InputGroup
            {...field}
            value={value}
            maxLength={maxLength}
            list={listId}
            disabled={disabled}
            autoComplete="off"
            onValueChange={onChange}
          />
          <datalist id={listId}>
            {suggestions.filter(Boolean).map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        </>
      )}
    </FormField>
  );
}
