import { InputGroup, TextArea, type Intent } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { useId, type HTMLInputAutoCompleteAttribute, type ReactNode, type Ref } from 'react';
import { said } from '#renderer/language/translate.ts';

/** What the control inside a field must carry; spread it on the control. */
export interface FieldProps {
  id: string;
  intent: Intent;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  'aria-required'?: boolean;
}

export interface FormFieldProps {
  label: string;
  /** Beside the label, quiet: '(Required)', 'optional'. */
  labelInfo?: ReactNode;
  helper?: ReactNode;
  /** Shown in place of the helper, and read with the field. */
  error?: string | null;
  required?: boolean;
  /** The control's id, where an ErrorSummary leads to it. */
  id?: string;
  children: (field: FieldProps) => ReactNode;
}

/** Label, control, helper or error: in one column, wired by ids. */
export function FormField({ label, labelInfo, helper, error, required, id, children }: FormFieldProps) {
  const own = useId();
  const controlId = id ?? own;
  const noteId = `${controlId}-note`;
  const hasNote = Boolean(error) || Boolean(helper);
  return (
    <div className="rs-field">
      <label className="rs-field-label" htmlFor={controlId}>
        {label}
        {labelInfo && <span className="rs-field-info">{labelInfo}</span>}
      </label>
      {children({
        id: controlId,
        intent: error ? 'danger' : 'none',
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': required ? true : undefined,
      })}
      {error ? (
        <div className="rs-field-error" id={noteId}>
          <ErrorIcon size={13} title={false} />
          <span>{said(error)}</span>
        </div>
      ) : (
        helper && (
          <div className="rs-field-helper" id={noteId}>
            {helper}
          </div>
        )
      )}
    </div>
  );
}

export interface TextFieldProps extends Omit<FormFieldProps, 'children'> {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  type?: 'text' | 'password';
  /** Typing beyond is cut off. */
  maxLength?: number;
  /** Several lines. */
  rows?: number;
  readOnly?: boolean;
  disabled?: boolean;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  inputMode?: 'text' | 'numeric' | 'decimal';
  inputRef?: Ref<HTMLInputElement>;
}

/** A FormField around a text. */
export function TextField(props: TextFieldProps) {
  const { value, onChange, onBlur, type, maxLength, rows, readOnly, disabled, autoComplete, inputMode, inputRef } =
    props;
  const shared = { value, onBlur, maxLength, readOnly, disabled };
  return (
    <FormField {...props}>
      {(field) =>
        rows === undefined ? (
          <InputGroup
            {...field}
            {...shared}
            type={type ?? 'text'}
            autoComplete={autoComplete ?? 'off'}
            inputMode={inputMode}
            inputRef={inputRef}
            onValueChange={onChange}
          />
        ) : (
          <TextArea {...field} {...shared} rows={rows} fill onChange={(event) => onChange(event.currentTarget.value)} />
        )
      }
    </FormField>
  );
}
