import { useState } from 'react';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { editedNumber, neutralNumber } from '#renderer/language/typed-numbers.ts';
import { TextField } from '#renderer/ui/FormField.tsx';

interface CountFieldProps {
  label: string;
  helper?: string;
  value: number | null;
  max: number;
  /** The value that an empty field stands for. */
  blankAs: number | null;
  /** True if fractions are allowed. */
  isFraction?: boolean;
  isReadOnly: boolean;
  onChange: (value: number | null) => void;
}

/** A number field. It preserves the typed text and reports only valid numbers. */
export function CountField({ label, helper, value, max, blankAs, isFraction, isReadOnly, onChange }: CountFieldProps) {
  const min = isFraction ? 0.01 : 1;
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (value === null ? '' : editedNumber(value));
  // If the value changes elsewhere, for example by undo, show the new value here too.
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (typed !== null && readCount(typed) !== value) setTyped(null);
  }
  function readCount(typedText: string): number | null | undefined {
    if (typedText.trim() === '') return blankAs;
    const number = Number(neutralNumber(typedText));
    const isGood = number >= min && number <= max && (isFraction === true || Number.isInteger(number));
    return isGood ? number : undefined;
  }
  const isGood = readCount(text) !== undefined;
  return (
    <TextField
      label={label}
      helper={helper}
      value={text}
      inputMode={isFraction ? 'decimal' : 'numeric'}
      disabled={isReadOnly}
      error={
        isGood
          ? null
          : t(isFraction ? 'A number from {min} to {max}' : 'A whole number from {min} to {max}', {
              min: numberText(min),
              max: numberText(max),
            })
      }
      onBlur={() => isGood && setTyped(null)}
      onChange={(next) => {
        setTyped(next);
        const wanted = readCount(next);
        if (wanted !== undefined) onChange(wanted);
      }}
    />
  );
}
