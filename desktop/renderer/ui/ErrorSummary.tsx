import { Callout } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { useEffect, useRef } from 'react';
import { said } from '#renderer/language/translate.ts';

export interface FieldIssue {
  /** The id passed to the FormField; the entry then links to it. */
  fieldId?: string;
  message: string;
}

export interface ErrorSummaryProps {
  /** The sentence at the top, such as 'Please correct the errors shown.'; nothing is shown while it is null. */
  title: string | null;
  issues?: readonly FieldIssue[];
  /**
   * Number of submissions, from 1. The summary takes the focus once after each failed submission, and never while the
   * user corrects the form.
   */
  attempt: number;
}

/** Summarizes all problems that prevent sending a form. */
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

/** Scrolls a field into view and focuses it. */
export function focusField(id: string): void {
  const field = document.getElementById(id);
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}
