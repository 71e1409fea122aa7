import { InputGroup } from '@blueprintjs/core';
import { useId } from 'react';
import { FormField } from './FormField.tsx';
import { useSuggestionKeys } from './use-suggestion-keys.ts';

interface SuggestedFieldProps {
  label: string;
  value: string;
  /**
   * Longer texts stay and are reported; with `cuts` they are truncated, as the specification requires for some fields.
   */
  maxLength: number;
  cuts?: boolean;
  suggestions: readonly string[];
  disabled?: boolean;
  helper?: string | undefined;
  error?: string | null;
  onChange: (value: string) => void;
}

/** A text field that suggests values already in use; other values may be typed. */
export function SuggestedField({
  label,
  value,
  maxLength,
  cuts = false,
  suggestions,
  disabled,
  helper,
  error,
  onChange,
}: SuggestedFieldProps) {
  const listId = useId();
  const keys = useSuggestionKeys(value, suggestions.filter(Boolean), onChange);
  return (
    <FormField label={label} helper={helper} error={error} limit={{ value, max: maxLength, cuts }}>
      {(field) => (
        <>
          <InputGroup
            {...field}
            value={value}
            {...(cuts ? { maxLength } : {})}
            {...keys}
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
