import { t } from '#renderer/language/translate.ts';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { useDecideAccess } from './use-decide-access.ts';

interface DecideButtonsProps {
  requestId: number;
  /** Full name of the person who asked, or the message that names them. */
  who: string;
  size?: 'small' | 'medium';
}

/** The buttons that grant and decline a request for access. */
export function DecideButtons({ requestId, who, size = 'medium' }: DecideButtonsProps) {
  const { isBusy, decide } = useDecideAccess(requestId);
  const shared = { size, disabled: isBusy };
  return (
    <span className="rs-access-buttons">
      <ServerButton
        {...shared}
        intent="primary"
        text={t('Grant')}
        aria-label={t('Grant: {who}', { who })}
        onClick={() => void decide(true)}
      />
      <ServerButton
        {...shared}
        text={t('Decline')}
        aria-label={t('Decline: {who}', { who })}
        onClick={() => void decide(false)}
      />
    </span>
  );
}
