import { InputGroup, type InputGroupProps } from '@blueprintjs/core';
import { useId, useState } from 'react';
import { readingNote } from '#renderer/ui/reading-note.ts';
import { t } from '#renderer/language/translate.ts';
import { CalendarButton } from './CalendarButton.tsx';
import { isoDayOf, readTypedDay, serialOfIsoDay, shownDay } from './iso-day.ts';
import './date-field.css';

export interface DateFieldProps extends Pick<InputGroupProps, 'intent' | 'disabled'> {
  id?: string;
  /** 'YYYY-MM-DD', '' for no day, or the text as typed if it is not a day. */
  value: string;
  /** The first and last allowed day, 'YYYY-MM-DD'. */
  min?: string;
  max?: string;
  onChange: (value: string) => void;
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  'aria-required'?: boolean;
}

/**
 * A day, typed as day/Mon/year, in digits or as Excel shows it, or picked from a calendar. Invalid text, or a day
 * outside min and max, is passed on as typed: the form reports the problem.
 */
export function DateField({ value, min, max, onChange, disabled, ...field }: DateFieldProps) {
  const ownId = useId();
  const noteId = useId();
  const id = field.id ?? ownId;
  const [typed, setTyped] = useState<string | null>(null);
  const [note, setNote] = useState<{ of: string; text: string } | null>(null);
  const [first, last] = [serialOfIsoDay(min ?? ''), serialOfIsoDay(max ?? '')];
  const noteText = note?.of === value ? note.text : null;
  const type = (text: string): void => {
    setTyped(text);
    const read = readTypedDay(text);
    const serial = serialOfIsoDay(read.value);
    const outside = serial !== null && ((first !== null && serial < first) || (last !== null && serial > last));
    const [from, to] = [first === null ? '' : shownDay(min!), last === null ? '' : shownDay(max!)];
    const accepted = outside ? text : read.value;
    const said = outside ? limitText(from, to) : read.note === null ? null : readingNote(read.note);
    setNote(said === null ? null : { of: accepted, text: said });
    onChange(accepted);
  };
  const pick = (serial: number | null): void => {
    setTyped(null);
    setNote(null);
    onChange(serial === null ? '' : isoDayOf(serial));
  };
  return (
    <div className="rs-date-field">
      <InputGroup
        {...field}
        id={id}
        aria-describedby={[field['aria-describedby'], noteText ? noteId : null].filter(Boolean).join(' ') || undefined}
        disabled={disabled}
        autoComplete="off"
        maxLength={60}
        placeholder={disabled ? undefined : t('day/Mon/year')}
        value={typed ?? shownDay(value)}
        onValueChange={type}
        onBlur={() => setTyped(null)}
        rightElement={
          <CalendarButton
            fieldId={id}
            name={t('Open calendar')}
            serial={serialOfIsoDay(value)}
            first={first}
            last={last}
            disabled={disabled === true}
            onPick={pick}
          />
        }
      />
      <div id={noteId} className="rs-field-helper" role="status">
        {noteText}
      </div>
    </div>
  );
}

function limitText(from: string, to: string): string {
  if (from === '') return t('only until {to}', { to });
  return to === '' ? t('only from {from}', { from }) : t('only from {from} to {to}', { from, to });
}
