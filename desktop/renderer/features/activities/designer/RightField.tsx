import { useState } from 'react';
import type { Mark } from '#shared/contract/designs.ts';
import { said, t } from '#renderer/language/translate.ts';
import { SuggestedField } from '#renderer/ui/SuggestedField.tsx';
import { withOption } from './marks.ts';
import { findRight, mayBeHidden, rightIssue, suggestedRights, type VisibleRights } from './right-issue.ts';

interface RightFieldProps {
  mark: Mark;
  /** Undefined if they are not known. */
  rights: VisibleRights | undefined;
  onChange: (mark: Mark, burst?: string) => void;
}

const MAX_NAME = 60;

/** The right that people need to change the value of an input. */
export function RightField({ mark, rights, onChange }: RightFieldProps) {
  // While a name is typed, it is not yet one of a right.
  const [isTyping, setTyping] = useState(false);
  const name = mark.Options.HasAccess ?? '';
  return (
    <div onFocus={() => setTyping(true)} onBlur={() => setTyping(false)}>
      <SuggestedField
        label={t('Right needed to change the value')}
        value={name}
        maxLength={MAX_NAME}
        suggestions={suggestedRights(rights)}
        helper={helperOf(name, rights, isTyping)}
        error={isTyping ? null : rightIssue(name, rights)}
        onChange={(text) => onChange(withOption(mark, 'HasAccess', text), 'HasAccess')}
      />
    </div>
  );
}

function helperOf(name: string, rights: VisibleRights | undefined, isTyping: boolean): string {
  const description = findRight(name, rights)?.Description ?? '';
  if (description !== '') return said(description);
  return !isTyping && mayBeHidden(name, rights)
    ? t('You do not hold a right {name}. If there is no such right, only administrators can change the value.', {
        name: name.trim(),
      })
    : t('People without this right can see the input but not change it.');
}
