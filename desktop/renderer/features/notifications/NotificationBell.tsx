import { Button, PopoverNext } from '@blueprintjs/core';
import { Notifications } from '@blueprintjs/icons';
import { NOTIFICATION_COUNT_MAX } from '#shared/contract/notifications.ts';
import { t } from '#renderer/language/translate.ts';
import { NotificationItems } from './NotificationItems.tsx';
import { useNotifications } from './use-notifications.ts';
import './notifications.css';

/** The bell in the top bar: shows the number of new notifications and toggles a list of them. */
export function NotificationBell() {
  const query = useNotifications();
  const count = query.data?.pages[0]?.Unread ?? 0;
  const shown = count >= NOTIFICATION_COUNT_MAX ? `${NOTIFICATION_COUNT_MAX - 1}+` : String(count);
  return (
    <PopoverNext
      placement="bottom-end"
      content={<NotificationItems query={query} />}
      onOpening={() => void query.refetch()}
    >
      <Button
        variant="minimal"
        className="rs-bell"
        icon={<Notifications />}
        aria-label={count === 0 ? t('Notifications') : t('Notifications: {shown}', { shown })}
        aria-haspopup="dialog"
      >
        {count > 0 && (
          <span className="rs-bell-count" aria-hidden="true">
            {shown}
          </span>
        )}
      </Button>
    </PopoverNext>
  );
}
