import { Button } from '@blueprintjs/core';
import type { AccessValue, GrantChange } from '#shared/contract/right-grants.ts';
import { t } from '#renderer/language/translate.ts';

interface GrantButtonsProps {
  /** Who holds the right: 'the role Clerks'. */
  holder: string;
  explicit: AccessValue;
  isBusy: boolean;
  onChange: (change: GrantChange) => void;
}

const CHANGES = [
  { change: 'grant', text: t('Grant'), is: 1, to: (holder: string) => t('Grant to {holder}', { holder }) },
  { change: 'deny', text: t('Deny'), is: -1, to: (holder: string) => t('Deny to {holder}', { holder }) },
  { change: 'delete', text: t('Delete'), is: 0, to: (holder: string) => t('Delete for {holder}', { holder }) },
] as const;

/** Buttons to grant, deny or reset. The current state cannot be chosen. */
export function GrantButtons({ holder, explicit, isBusy, onChange }: GrantButtonsProps) {
  return CHANGES.map(({ change, text, is, to }) => (
    <Button
      key={change}
      size="small"
      variant="minimal"
      text={text}
      aria-label={to(holder)}
      disabled={isBusy || explicit === is}
      onClick={() => onChange(change)}
    />
  ));
}
