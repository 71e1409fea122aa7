import { Disable, TickCircle } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';

interface EnabledMarkProps {
  isOn: boolean;
  /** The words; 'Enabled' and 'Disabled' where absent. */
  words?: readonly [on: string, off: string];
}

/** Whether a user or a role counts, as an icon and a word. */
export function EnabledMark({ isOn, words = [t('Enabled'), t('Disabled')] }: EnabledMarkProps) {
  const Icon = isOn ? TickCircle : Disable;
  return (
    <span className={`rs-status rs-status-${isOn ? 'success' : 'none'}`}>
      <Icon size={14} title={false} />
      {isOn ? words[0] : words[1]}
    </span>
  );
}
