import { Cross, Minus, Tick } from '@blueprintjs/icons';
import type { AccessValue } from '#shared/contract/right-grants.ts';
import { t } from '#renderer/language/translate.ts';

const LOOKS = {
  1: { Icon: Tick, intent: 'success', text: t('Granted') },
  0: { Icon: Minus, intent: 'none', text: t('None') },
  [-1]: { Icon: Cross, intent: 'danger', text: t('Denied') },
} as const;

/** 'Granted', 'Denied' or 'None'. */
export const accessText = (access: AccessValue): string => LOOKS[access].text;

/** Access as an icon and a word. */
export function AccessMark({ access }: { access: AccessValue }) {
  const { Icon, intent, text } = LOOKS[access];
  return (
    <span className={`rs-status rs-status-${intent}`}>
      <Icon size={14} title={false} />
      {text}
    </span>
  );
}

/** Tick or cross, with the word: of a row of the security matrix. */
export const accessOf = (isGranted: boolean): AccessValue => (isGranted ? 1 : -1);
