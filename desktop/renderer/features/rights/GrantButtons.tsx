import { Button } from '@blueprintjs/core';
import type { AccessValue, GrantChange } from '#shared/contract/right-grants.ts';
import { t } from '#renderer/language/translate.ts';

interface GrantButtonsProps {
  /** To whom: 'the role Clerks'. */
  holder: string;
  explicit: AccessValue;
  isBusy: boolean;
  onChange: (change: GrantChange) => void;
}

const CHANGES = [
  { change: 'grant', text: t('Grant'), is: 1, preposition: 'to' },
  { change: 'deny', text: t('Deny'), is: -1, preposition: 'to' },
  { change: 'delete', text: t('Delete'), is: 0, preposition: 'of' },
] as const;

/** Grant, deny, or say nothing; what is so already cannot be chosen. */
export function GrantButtons({ holder, explicit, isBusy, onChange }: GrantButtonsProps) {
  return CHANGES.map(({ change, text, is, preposition }) => (
    <Button
      key={change}
      size="small"
      variant="minimal"
      text={text}
      aria-label={`${text} ${preposition} ${holder}`}
      disabled={isBusy || explicit === is}
      onClick={() => onChange(change)}
    />
  ));
}
