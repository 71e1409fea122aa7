import { useState } from 'react';
import type { Mark, RequiredRight } from '#shared/contract/designs.ts';
import { said, t } from '#renderer/language/translate.ts';
import { SuggestedField } from '#renderer/ui/SuggestedField.tsx';
import { withOption } from './marks.ts';
import { rightIssue, suggestedRights } from './right-issue.ts';

interface RightFieldProps {
  mark: Mark;
  /** The rights that exist; undefined if they are not known. */
  rights: readonly RequiredRight[] | undefined;
  onChange: (mark: Mark, burst?: string) => void;
}

const MAX_NAME = 60;

/** The right that people need to change the value of an input. */
export function RightField({ mark, rights, onChange }: RightFieldProps) {
  // While a name is typed, it is not yet one of a right.
  const [isTyping, setTyping] = useState(false);
  const name = mark.Options.HasAccess ?? '';
  const chosen = rights?.find(({ Name }) => Name === name.trim());
  return (
    <div onFocus={() => setTyping(true)} onBlur={() => setTyping(false)}>
      <SuggestedField
        label={t('Right needed to change the value')}
        value={name}
        maxLength={MAX_NAME}
        suggestions={suggestedRights(rights)}
        helper={
          chosen && chosen.Description !== ''
            ? said(chosen.Description)
            : t('People without this right can see the input but not change it.')
        }
        error={isTyping ? null : rightIssue(name, rights)}
        onChange={(text) => onChange(withOption(mark, 'HasAccess', text), 'HasAccess')}
      />
    </div>
  );
}
