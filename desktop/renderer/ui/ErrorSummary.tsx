import { Callout } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { useEffect, useRef } from 'react';
import { said } from '#renderer/language/translate.ts';

export interface FieldIssue {
  /** The id given to the FormField; the entry then leads there. */
  fieldId?: string;
  message: string;
}

export interface ErrorSummaryProps {
  /** The sentence on top, e.g. 'Please correct the errors shown.'; nothing is shown while it is null. */
  title: string | null;
  issues?: readonly FieldIssue[];
  /** Count of submissions, from 1. The summary takes the focus once for each that fails, and never while the person corrects what it says. */
  attempt: number;
}

/** What keeps a form from being sent, once more and in one place. */
export function ErrorSummary({ title, issues = [], attempt }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const focusedAttempt = useRef(0);
  useEffect(() => {
    if (title === null || attempt === focusedAttempt.current) return;
    focusedAttempt.current = attempt;
    box.current?.scrollIntoView({ block: 'center' });
    box.current?.focus({ preventScroll: true });
  }, [title, attempt]);
  if (title === null) return null;
  return (
    <div ref={box} tabIndex={-1} role="alert" className="rs-error-summary">
      <Callout intent="danger" icon={<ErrorIcon />} compact>
        {said(title)}
        {issues.length > 0 && (
          <ul>
            {issues.map((issue, index) => (
              <li key={`${issue.fieldId ?? ''}${index}`}>
                <IssueLine issue={issue} />
              </li>
            ))}
          </ul>
        )}
      </Callout>
    </div>
  );
}

function IssueLine({ issue }: { issue: FieldIssue }) {
  const { fieldId } = issue;
  const message = said(issue.message);
  if (fieldId === undefined) return message;
  return (
    <a
      href={`#${fieldId}`}
      onClick={(event) => {
        event.preventDefault();
        focusField(fieldId);
      }}
    >
      {message}
    </a>
  );
}

/** Brings a field into view and gives it the focus. */
export function focusField(id: string): void {
  const field = document.getElementById(id);
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}
