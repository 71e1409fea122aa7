import { InputGroup, type InputGroupProps } from '@blueprintjs/core';
import { useId } from 'react';
import { FieldError } from './FormField.tsx';
import { longTextIssue, longTextMark } from './long-text.ts';

interface LimitedInputProps extends Omit<InputGroupProps, 'value' | 'maxLength'> {
  value: string;
  maxLength: number;
}

/** A text field without a label, for bars and tables; a note below it reports text that is too long. */
export function LimitedInput({ maxLength, ...props }: LimitedInputProps) {
  const noteId = useId();
  const issue = longTextIssue(props.value, maxLength);
  return (
    <div className="rs-limited-input">
      <InputGroup
        {...props}
        {...longTextMark(issue)}
        {...(issue === null
          ? {}
          : { intent: 'danger' as const, 'aria-invalid': true as const, 'aria-describedby': noteId })}
      />
      <FieldError id={noteId} error={issue} />
    </div>
  );
}
