import { InputGroup, TextArea, type Intent } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { useId, type ReactNode, type Ref } from 'react';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { longTextIssue, longTextMark, type LongTextMark } from './long-text.ts';

/** What the control inside a field must carry; spread it on the control. */
export interface FieldProps extends LongTextMark {
  id: string;
  intent: Intent;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  'aria-required'?: boolean;
}

/** What is typed, and how many characters it may have: more are kept and told, and the form is not sent; or the control takes no more, and that is told. */
export interface TextLimit {
  value: string;
  max: number;
  cuts?: boolean;
}

export interface FormFieldProps {
  label: string;
  /** Beside the label, quiet: '(Required)', 'optional'. */
  labelInfo?: ReactNode;
  helper?: ReactNode;
  /** Shown in place of the helper, and read with the field. */
  error?: string | null;
  required?: boolean;
  limit?: TextLimit;
  /** The control's id, where an ErrorSummary leads to it. */
  id?: string;
  children: (field: FieldProps) => ReactNode;
}

/** Label, control, helper or error: in one column, wired by ids. */
export function FormField({
  label,
  labelInfo,
  helper: hint,
  error: told,
  required,
  limit,
  id,
  children,
}: FormFieldProps) {
  const own = useId();
  const long = limit ? longTextIssue(limit.value, limit.max) : null;
  const error = told || long;
  const helper = limit?.cuts && limit.value.length >= limit.max ? fullText(limit.max) : hint;
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
        ...longTextMark(long),
      })}
      {error ? (
        <FieldError id={noteId} error={error} />
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

const fullText = (max: number): string => t('No more than {max} characters fit', { max: numberText(max) });

/** What is wrong with a field, or with a group of them; nothing where that is null. */
export function FieldError({ id, error }: { id: string; error: string | null }) {
  if (error === null) return null;
  return (
    <div className="rs-field-error" id={id}>
      <ErrorIcon size={13} title={false} />
      <span>{said(error)}</span>
    </div>
  );
}

export interface TextFieldProps extends Omit<FormFieldProps, 'children' | 'limit'> {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  type?: 'text' | 'password';
  /** Typing beyond is kept and told. */
  maxLength?: number;
  /** Typing beyond is cut off, as the specification has it of some fields, and told. */
  cuts?: boolean;
  /** Several lines. */
  rows?: number;
  readOnly?: boolean;
  disabled?: boolean;
  /** An autocomplete token of HTML, such as 'username'. React's own type is a union of thousands of strings, which takes the compiler seconds to check. */
  autoComplete?: string;
  inputMode?: 'text' | 'numeric' | 'decimal';
  inputRef?: Ref<HTMLInputElement>;
}

/** A FormField around a text. */
export function TextField(props: TextFieldProps) {
  const { value, onChange, onBlur, type, maxLength, cuts = false, rows, readOnly, disabled } = props;
  const { autoComplete, inputMode, inputRef } = props;
  const shared = { value, onBlur, readOnly, disabled, ...(cuts ? { maxLength } : {}) };
  const isLimited = maxLength !== undefined && !readOnly && !disabled;
  return (
    <FormField {...props} {...(isLimited ? { limit: { value, max: maxLength, cuts } } : {})}>
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
