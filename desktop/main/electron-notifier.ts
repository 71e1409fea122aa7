/** Messages of the system. */
import { app, Notification } from 'electron';
import type { Notifier } from './ports.ts';

/** A system that shows a message says so before; one that refuses it, as macOS does for a program that is not signed, may say nothing. */
const PATIENCE_MS = 3000;

/** By which Windows starts the program for a click on a message of an earlier one. */
const ACTIVATOR = '{0E5BB3C8-6C1D-4C55-9C53-6D2A54C0B7A1}';

/** Held until they are gone: a message whose object was collected hears no click. */
const shown = new Set<Notification>();

export const notifier: Notifier = {
  show: ({ title, body, onClick }, onMissing = () => undefined) => {
    if (!Notification.isSupported()) return onMissing();
    const message = new Notification({ title, body });
    shown.add(message);
    const timer = setTimeout(onMissing, PATIENCE_MS);
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

/** To be called before the first message. On Windows a click on a message of an earlier start comes here, and starts the program where it does not run. */
export function hearOlderMessages(onClick: () => void): void {
  if (process.platform !== 'win32') return;
  app.setToastActivatorCLSID(ACTIVATOR);
  Notification.handleActivation(() => {
    // Those of this start hear it themselves.
    if (shown.size === 0) onClick();
  });
}
