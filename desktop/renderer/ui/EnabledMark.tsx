import { Disable, TickCircle } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';

interface EnabledMarkProps {
  isOn: boolean;
  /** Words to show; 'Enabled' and 'Disabled' by default. */
  words?: readonly [on: string, off: string];
}

/** Shows whether a user or a role is enabled, as an icon and a word. */
export function EnabledMark({ isOn, words = [t('Enabled'), t('Disabled')] }: EnabledMarkProps) {
  const Icon = isOn ? TickCircle : Disable;
  return (
    <span className={`rs-status rs-status-${isOn ? 'success' : 'none'}`}>
      <Icon size={14} title={false} />
      {isOn ? words[0] : words[1]}
    </span>
  );
}
