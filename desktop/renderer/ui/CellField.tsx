import { Checkbox, InputGroup, TextArea, type Intent } from '@blueprintjs/core';
import { useId, useRef, useState, type ClipboardEvent, type FocusEvent } from 'react';
import { flushSync } from 'react-dom';
import type { FormCell } from '#shared/codecs/input-form.ts';
import {
  datePlaceholder,
  displayCell,
  editText,
  limitText,
  readCellText,
  cellProblem,
  isAsked,
  type CellKind,
  type CellReading,
} from '#shared/codecs/cell-text.ts';
import { textChoices } from '#shared/codecs/readings.ts';
import { hasDay } from '#shared/codecs/date-format.ts';
import { readingNote } from './reading-note.ts';
import { said, t } from '#renderer/language/translate.ts';
import type { CalendarButtonProps } from './date/CalendarButton.tsx';
import { lazyPart } from './lazy-part.tsx';
import { ChoiceQuestion } from './ChoiceQuestion.tsx';
import { ConditionField, type ConditionPicker } from './condition/ConditionField.tsx';
import type { PickerSource } from './picker/picker-source.ts';
import type { PickerInputProps } from './picker/PickerInput.tsx';

/** Loaded on demand: few forms need them, and the code for their overlays is large. */
const PickerInput = lazyPart<PickerInputProps>(
  async () => (await import('./picker/PickerInput.tsx')).PickerInput,
  <InputGroup disabled />,
);
const CalendarButton = lazyPart<CalendarButtonProps>(
  async () => (await import('./date/CalendarButton.tsx')).CalendarButton,
);

export interface CellFieldProps {
  field: {
    id: string;
    intent: Intent;
    'aria-describedby'?: string;
    'aria-invalid'?: boolean;
    'aria-required'?: boolean;
  };
  kind: CellKind;
  value: FormCell;
  picker: PickerSource | null;
  /** For a Condition: the columns and values that its editor offers. */
  condition?: ConditionPicker | null;
  /** True if the value cannot be changed at the moment. */
  disabled: boolean;
  /** True if this form never allows changing the value. */
  readOnly: boolean;
  label: string;
  /** The message of a workbook rule about a value that is readable but not allowed. */
  broken?: string | null;
  onChange: (value: FormCell) => void;
}

/** The field for a single value. */
export function CellField(props: CellFieldProps) {
  const { kind, condition, field, label, value, disabled, readOnly, onChange } = props;
  if (kind.usage === 'Boolean') return <BooleanField {...props} />;
  if (!condition || readOnly) return <TypedField {...props} />;
  const { 'aria-required': _required, ...named } = field;
  return (
    <ConditionField
      field={named}
      label={label}
      value={String(value ?? '')}
      maxSize={kind.maxSize}
      picker={condition}
      disabled={disabled}
      onChange={(text) => onChange(limitText(text, kind.usage, kind.maxSize))}
    />
  );
}

function BooleanField({ field, value, disabled, readOnly, onChange }: CellFieldProps) {
  return (
    <Checkbox
      id={field.id}
      aria-describedby={field['aria-describedby']}
      aria-invalid={field['aria-invalid']}
      checked={value === true}
      disabled={disabled || readOnly}
      label={value === true ? t('Yes') : t('No')}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** A field whose value is typed or picked. It passes every keystroke to the form, so that no input is lost. */
function TypedField(props: CellFieldProps) {
  const { field, kind, value, readOnly } = props;
  const noteId = useId();
  const [note, setNote] = useState<{ of: FormCell; text: string } | null>(null);
  const [isTyping, setTyping] = useState(false);
  // A number is often incomplete while the user types. A pasted value is complete.
  const unread = readOnly || isTyping ? null : (cellProblem(value, kind) ?? props.broken ?? null);
  const choices = unread !== null && isAsked(value) ? textChoices(value, kind) : null;
  // After a refused start, the form already shows the same message.
  const wrong = field['aria-invalid'] || choices ? null : unread;
  const noteText = note !== null && note.of === value ? note.text : null;
  const hasNote = wrong !== null || noteText !== null || choices !== null;
  const described = [field['aria-describedby'], hasNote ? noteId : null].filter(Boolean).join(' ');
  const marked = {
    ...field,
    'aria-describedby': described === '' ? undefined : described,
    ...(unread === null ? {} : { intent: 'danger' as const, 'aria-invalid': true }),
  };
  return (
    <>
      <TypedControl
        {...props}
        field={marked}
        onTyping={setTyping}
        onRead={({ cell, note: read }, text) =>
          setNote(read === null ? null : { of: cell, text: t('{text} was {read}', { text, read: readingNote(read) }) })
        }
      />
      {choices && (
        <ChoiceQuestion
          text={String(value)}
          kind={kind}
          choices={choices}
          onChoose={({ cell }) => {
            props.onChange(cell);
            document.getElementById(field.id)?.focus();
          }}
        />
      )}
      <div id={noteId} role="status">
        {choices && unread !== null && <div className="rs-visually-hidden">{said(unread)}</div>}
        {wrong !== null && <div className="rs-field-error">{said(wrong)}</div>}
        {wrong === null && noteText !== null && <div className="rs-field-helper">{noteText}</div>}
      </div>
    </>
  );
}

interface TypedControlProps extends CellFieldProps {
  /** Called with true while the text is incomplete. */
  onTyping: (isTyping: boolean) => void;
  onRead: (reading: CellReading, text: string) => void;
}

/** Holds the text while the user types or pastes. */
function useTypedText({ kind, value, readOnly, onChange, onTyping, onRead }: TypedControlProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isPasted = useRef(false);
  /** The value of the field when editing began. */
  const held = useRef<FormCell>(null);
  const text = typed ?? displayCell(value, kind);
  // The edited text differs from the displayed one ('12%' and '12.00%'). Replacing it would lose the selection that
  // tabbing into the field makes. A click places its caret afterwards.
  const beginEdit = (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
    const edited = editText(value, kind);
    held.current = value;
    flushSync(() => setTyped(edited));
    if (edited !== text) event.target.select();
  };
  const type = (next: string): void => {
    const limited = limitText(next, kind.usage, kind.maxSize);
    setTyped(limited);
    const isTyped = !isPasted.current;
    onTyping(isTyped);
    isPasted.current = false;
    const reading = readCellText(limited, { ...kind, isTyped, held: held.current });
    onRead(reading, limited.trim());
    onChange(reading.cell);
  };
  const endEdit = (): void => {
    setTyped(null);
    whenReleased(() => onTyping(false));
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    isPasted.current = true;
    if (!readOnly && kind.usage === 'Text') pasteLines(event, type);
  };
  return { text, typed, beginEdit, type, endEdit, paste };
}

/** Waits until no mouse button is held: a message that appears during a click would move the clicked element. */
function whenReleased(act: () => void): void {
  if (document.querySelector(':active') === null) return act();
  const release = (): void => {
    document.removeEventListener('pointerup', release);
    document.removeEventListener('pointercancel', release);
    // Run after the click event that follows.
    setTimeout(act);
  };
  document.addEventListener('pointerup', release);
  document.addEventListener('pointercancel', release);
}

function TypedControl(props: TypedControlProps) {
  const { field, kind, value, disabled, readOnly, onChange, label, picker } = props;
  const { text, typed, beginEdit, type, endEdit, paste } = useTypedText(props);
  const focus = readOnly ? {} : { onFocus: beginEdit, onBlur: endEdit };
  if (picker && !readOnly) {
    return (
      <PickerInput
        id={field.id}
        intent={field.intent}
        describedBy={field['aria-describedby']}
        invalid={field['aria-invalid']}
        required={field['aria-required']}
        value={typed ?? editText(value, kind)}
        source={picker}
        disabled={disabled}
        onChange={type}
        onPick={(picked) => {
          endEdit();
          onChange(readCellText(picked, { ...kind, canAsk: false }).cell);
        }}
        onBlur={endEdit}
      />
    );
  }
  if (isLong(kind, text)) {
    return (
      <TextArea
        {...field}
        {...focus}
        fill
        autoResize
        rows={3}
        disabled={disabled}
        readOnly={readOnly}
        dir="auto"
        value={text}
        maxLength={kind.maxSize ?? undefined}
        onChange={(event) => type(event.currentTarget.value)}
      />
    );
  }
  return (
    <InputGroup
      {...field}
      {...focus}
      value={text}
      disabled={disabled}
      readOnly={readOnly}
      autoComplete="off"
      dir={kind.usage === 'Text' ? 'auto' : undefined}
      onPaste={paste}
      inputMode={kind.usage === 'Number' ? 'decimal' : undefined}
      placeholder={kind.usage === 'Date' && !disabled && !readOnly ? said(datePlaceholder(kind)) : undefined}
      className={kind.usage === 'Number' ? 'rs-number-field' : undefined}
      maxLength={kind.usage === 'Text' ? (kind.maxSize ?? undefined) : undefined}
      onValueChange={type}
      rightElement={
        kind.usage === 'Date' && hasDay(kind.format) && !readOnly ? (
          <CalendarButton
            fieldId={field.id}
            name={t('Choose {label} from a calendar', { label })}
            serial={typeof value === 'number' ? value : null}
            disabled={disabled}
            onPick={(serial) => {
              endEdit();
              onChange(serial);
            }}
          />
        ) : undefined
      }
    />
  );
}

/**
 * A single-line field would join the pasted lines. With line breaks in its text, the field becomes a multi-line field,
 * which then gets the focus.
 */
function pasteLines(event: ClipboardEvent<HTMLInputElement>, type: (text: string) => void): void {
  const pasted = event.clipboardData.getData('text/plain').replaceAll('\r\n', '\n').trimEnd();
  if (!pasted.includes('\n')) return;
  event.preventDefault();
  const { id, value, selectionStart, selectionEnd } = event.currentTarget;
  flushSync(() => type(value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? value.length)));
  document.getElementById(id)?.focus();
}

const isLong = ({ usage, maxSize }: CellKind, text: string): boolean =>
  usage === 'Condition' || usage === 'Html' || (usage === 'Text' && ((maxSize ?? 0) > 200 || text.includes('\n')));
