import { InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import type { FieldProps } from '../FormField.tsx';
import { readTypedTime } from './iso-day.ts';

interface TimeFieldProps {
  field: FieldProps;
  /** 'HH:mm', '' for no time, or the text as typed if it is not a time of day. */
  value: string;
  onChange: (value: string) => void;
}

/** A time of day, typed as 21:30 or 9:30 PM. Invalid text is passed on as typed: the form reports the problem. */
export function TimeField({ field, value, onChange }: TimeFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <InputGroup
      {...field}
      autoComplete="off"
      maxLength={20}
      placeholder="hh:mm"
      value={typed ?? value}
      style={{ width: 140 }}
      onValueChange={(text) => {
        setTyped(text);
        onChange(readTypedTime(text));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
