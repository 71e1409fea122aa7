import { Button, Checkbox, InputGroup, PopoverNext, TextArea, type Intent } from '@blueprintjs/core';
import { Calendar } from '@blueprintjs/icons';
import { lazy, Suspense, useEffect, useRef, useState, type ClipboardEvent, type FocusEvent } from 'react';
import { flushSync } from 'react-dom';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { displayCell, editText, limitText, parseCellText, type CellKind } from './cell-text.ts';
import { ConditionField, type ConditionPicker } from './ConditionField.tsx';
import type { PickerSource } from './picker-source.ts';
import { PickerInput } from './PickerInput.tsx';

const DateCalendar = lazy(async () => ({ default: (await import('./DateCalendar.tsx')).DateCalendar }));

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
      label={value === true ? 'Yes' : 'No'}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** A value that is typed or picked. The form is told of every letter, so that nothing typed can be lost. */
function TypedField(props: CellFieldProps) {
  const { field, kind, value, disabled, readOnly, onChange, label, picker } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? displayCell(value, kind);
  // The edited text differs from the one shown ('12%' and '12.00%'), and replacing it would lose the selection that
  // tabbing into a field makes. A click puts its caret after this.
  const beginEdit = (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
    const edited = editText(value, kind);
    flushSync(() => setTyped(edited));
    if (edited !== text) event.target.select();
  };
  const type = (next: string): void => {
    const limited = limitText(next, kind.usage, kind.maxSize);
    setTyped(limited);
    onChange(parseCellText(limited, kind));
  };
  const focus = readOnly ? {} : { onFocus: beginEdit, onBlur: () => setTyped(null) };
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
          setTyped(null);
          onChange(parseCellText(picked, kind));
        }}
        onBlur={() => setTyped(null)}
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
      onPaste={(event) => !readOnly && kind.usage === 'Text' && pasteLines(event, type)}
      inputMode={kind.usage === 'Number' ? 'decimal' : undefined}
      placeholder={kind.usage === 'Date' && !disabled && !readOnly ? 'day/Mon/year' : undefined}
      className={kind.usage === 'Number' ? 'rs-number-field' : undefined}
      maxLength={kind.usage === 'Text' ? (kind.maxSize ?? undefined) : undefined}
      onValueChange={type}
      rightElement={
        kind.usage === 'Date' && !readOnly ? (
          <CalendarButton
            fieldId={field.id}
            label={label}
            value={value}
            disabled={disabled}
            onPick={(serial) => {
              setTyped(null);
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

function CalendarButton(props: {
  fieldId: string;
  label: string;
  value: FormCell;
  disabled: boolean;
  onPick: (serial: number | null) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const calendar = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<{ next: HTMLElement | null } | null>(null);
  const close = (next: HTMLElement | null): void => {
    setOpen(false);
    setClosed({ next });
  };
  // Only now: while it is open it holds the focus.
  useEffect(() => closed?.next?.focus(), [closed]);
  const isInside = (target: EventTarget | null): boolean => calendar.current?.contains(target as Node | null) === true;
  return (
    <PopoverNext
      isOpen={isOpen}
      enforceFocus={isOpen}
      onInteraction={(next, event) => {
        if (next) return setOpen(true);
        // Of its own it says so once more without an event; a click on a day says itself where the focus goes.
        if (!event || (event.type === 'click' && isInside(event.target))) return;
        close(isInside(document.activeElement) ? button.current : null);
      }}
      placement="bottom-end"
      // At once, and not when it has faded out: the person may type elsewhere by then.
      shouldReturnFocusOnClose={false}
      disabled={props.disabled}
      content={
        <div ref={calendar}>
          <Suspense fallback={<div className="rs-calendar-space" />}>
            <DateCalendar
              serial={typeof props.value === 'number' ? props.value : null}
              onPick={(serial) => {
                props.onPick(serial);
                close(document.getElementById(props.fieldId));
              }}
            />
          </Suspense>
        </div>
      }
    >
      <Button
        ref={button}
        variant="minimal"
        icon={<Calendar />}
        disabled={props.disabled}
        aria-label={`Choose ${props.label} from a calendar`}
      />
    </PopoverNext>
  );
}
