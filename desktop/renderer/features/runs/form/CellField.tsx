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
  cellFault,
  isAsked,
  type CellKind,
  type CellReading,
} from '#shared/codecs/cell-text.ts';
import { textChoices } from '#shared/codecs/readings.ts';
import { hasDay } from '#shared/codecs/date-format.ts';
import { readingNote } from '#renderer/ui/reading-note.ts';
import { said, t } from '#renderer/language/translate.ts';
import type { CalendarButtonProps } from '#renderer/ui/date/CalendarButton.tsx';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { ChoiceQuestion } from './ChoiceQuestion.tsx';
import { ConditionField, type ConditionPicker } from './ConditionField.tsx';
import type { PickerSource } from './picker-source.ts';
import type { PickerInputProps } from './PickerInput.tsx';

/** Neither is in every form, and what lays them over the page is large. */
const PickerInput = lazyPart<PickerInputProps>(
  async () => (await import('./PickerInput.tsx')).PickerInput,
  <InputGroup disabled />,
);
const CalendarButton = lazyPart<CalendarButtonProps>(
  async () => (await import('#renderer/ui/date/CalendarButton.tsx')).CalendarButton,
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
  /** Of a Condition: what its editor offers. */
  condition?: ConditionPicker | null;
  /** Not to be changed for now. */
  disabled: boolean;
  /** Never to be changed on this form, but to be read. */
  readOnly: boolean;
  label: string;
  /** What a rule of the workbook says of the value, where it can be read but is not allowed. */
  broken?: string | null;
  onChange: (value: FormCell) => void;
}

/** The control of a single value. */
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

/** A value that is typed or picked. The form is told of every letter, so that nothing typed can be lost. */
function TypedField(props: CellFieldProps) {
  const { field, kind, value, readOnly } = props;
  const noteId = useId();
  const [note, setNote] = useState<{ of: FormCell; text: string } | null>(null);
  const [isTyping, setTyping] = useState(false);
  // While somebody types, a number is often not one yet; what was pasted is whole.
  const unread = readOnly || isTyping ? null : (cellFault(value, kind) ?? props.broken ?? null);
  const choices = unread !== null && isAsked(value) ? textChoices(value, kind) : null;
  // A start that was refused has said the same.
  const wrong = field['aria-invalid'] || choices ? null : unread;
  const told = note !== null && note.of === value ? note.text : null;
  const hasNote = wrong !== null || told !== null || choices !== null;
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
        {wrong === null && told !== null && <div className="rs-field-helper">{told}</div>}
      </div>
    </>
  );
}

interface TypedControlProps extends CellFieldProps {
  /** Whether what stands there is not whole yet. */
  onTyping: (isTyping: boolean) => void;
  onRead: (reading: CellReading, text: string) => void;
}

/** The text while somebody types or pastes it. */
function useTypedText({ kind, value, readOnly, onChange, onTyping, onRead }: TypedControlProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isPasted = useRef(false);
  /** What the field held when somebody began to type. */
  const held = useRef<FormCell>(null);
  const text = typed ?? displayCell(value, kind);
  // The edited text differs from the one shown ('12%' and '12.00%'), and replacing it would lose the selection that
  // tabbing into a field makes. A click puts its caret after this.
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

/** Once no button of the mouse is held: what appears meanwhile would move from under it what is being clicked. */
function whenReleased(act: () => void): void {
  if (document.querySelector(':active') === null) return act();
  const release = (): void => {
    document.removeEventListener('pointerup', release);
    document.removeEventListener('pointercancel', release);
    // After the click that follows.
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

/** A field of one line would join the lines of a text: the text makes it one of several, which then has the focus. */
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
