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

/** Shows an access value as an icon and a word. */
export function AccessMark({ access }: { access: AccessValue }) {
  const { Icon, intent, text } = LOOKS[access];
  return (
    <span className={`rs-status rs-status-${intent}`}>
      <Icon size={14} title={false} />
      {text}
    </span>
  );
}

/** Returns the access value for a row of the security matrix, which shows a tick or a cross. */
export const accessOf = (isGranted: boolean): AccessValue => (isGranted ? 1 : -1);
