import { InputGroup, TextArea, type Intent } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { useId, type ReactNode, type Ref } from 'react';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { longTextIssue, longTextMark, type LongTextMark } from './long-text.ts';

/** Props for the control inside a field; spread them on the control. */
export interface FieldProps extends LongTextMark {
  id: string;
  intent: Intent;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  'aria-required'?: boolean;
}

/**
 * A text and its maximum length. By default, longer texts stay and are reported, and the form is not sent; with `cuts`,
 * the control accepts no more, which is reported too.
 */
export interface TextLimit {
  value: string;
  max: number;
  cuts?: boolean;
}

export interface FormFieldProps {
  label: string;
  /** Muted text beside the label: '(Required)', 'optional'. */
  labelInfo?: ReactNode;
  helper?: ReactNode;
  /** Replaces the helper, and is associated with the control for screen readers. */
  error?: string | null;
  required?: boolean;
  limit?: TextLimit;
  /** Id of the control, so that an ErrorSummary can link to it. */
  id?: string;
  children: (field: FieldProps) => ReactNode;
}

/** Label, control, and helper or error in one column, connected by ids. */
export function FormField({
  label,
  labelInfo,
  helper: hint,
  error: givenError,
  required,
  limit,
  id,
  children,
}: FormFieldProps) {
  const own = useId();
  const long = limit ? longTextIssue(limit.value, limit.max) : null;
  const error = givenError || long;
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

const fullText = (max: number): string => t('You can enter at most {max} characters', { max: numberText(max) });

/** The error of a field or a group of fields; renders nothing if it is null. */
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
  /** Longer texts stay and are reported. */
  maxLength?: number;
  /** Truncates longer texts, as the specification requires for some fields, and reports it. */
  cuts?: boolean;
  /** Number of lines of a multi-line field. */
  rows?: number;
  readOnly?: boolean;
  disabled?: boolean;
  /**
   * An HTML autocomplete token such as 'username'. React's own type is a union of thousands of strings, which takes the
   * compiler seconds to check.
   */
  autoComplete?: string;
  inputMode?: 'text' | 'numeric' | 'decimal';
  /** Set this for texts in the language of the user, which may be right-to-left. */
  dir?: 'auto';
  inputRef?: Ref<HTMLInputElement>;
}

/** A FormField with a text control. */
export function TextField(props: TextFieldProps) {
  const { value, onChange, onBlur, type, maxLength, cuts = false, rows, readOnly, disabled } = props;
  const { autoComplete, inputMode, inputRef, dir } = props;
  const shared = { dir, value, onBlur, readOnly, disabled, ...(cuts ? { maxLength } : {}) };
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
