/** System notifications. */
import { app, Notification } from 'electron';
import type { Notifier } from './ports.ts';

/**
 * Time within which a system that shows a notification confirms it. A system that refuses it may report nothing, such
 * as macOS for an unsigned program.
 */
const CONFIRMATION_TIMEOUT_MS = 3000;

/** Windows uses this id to start the program when a user clicks a notification of an earlier process. */
const ACTIVATOR = '{0E5BB3C8-6C1D-4C55-9C53-6D2A54C0B7A1}';

/** References are held until notifications disappear: if the object is collected, clicks are lost. */
const shown = new Set<Notification>();

export const notifier: Notifier = {
  show: ({ title, body, onClick }, onMissing = () => undefined) => {
    if (!Notification.isSupported()) return onMissing();
    const message = new Notification({ title, body });
    shown.add(message);
    const timer = setTimeout(onMissing, CONFIRMATION_TIMEOUT_MS);
    const settle = (): void => clearTimeout(timer);
    message.on('show', settle);
    message.on('click', onClick);
    message.on('failed', () => {
      settle();
      onMissing();
    });
    for (const end of ['click', 'close', 'failed'] as const) message.on(end as 'close', () => shown.delete(message));
    message.show();
  },
};

/**
 * Must be called before the first notification. On Windows, it handles clicks on notifications of an earlier process,
 * which start the program if it is not running.
 */
export function handleEarlierNotifications(onClick: () => void): void {
  if (process.platform !== 'win32') return;
  app.setToastActivatorCLSID(ACTIVATOR);
  Notification.handleActivation(() => {
    // Notifications of this process handle their own clicks.
    if (shown.size === 0) onClick();
  });
}
