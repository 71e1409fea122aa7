/** Notifications about an account: shown by the system or, if it shows none, by the account's pages. */
import type { PageEvents } from '#bridge/messages.ts';
import type { Windows } from './client-windows.ts';
import type { Notifier } from './ports.ts';

export interface NotifierDeps {
  notifier: Notifier;
  windows: Windows;
}

/** @param id id of the account */
export function notifierOf({ notifier, windows }: NotifierDeps, id: string): Notifier {
  return {
    show: (message) => {
      const { title: Title, body: Body, path: Path = null } = message;
      notifier.show(message, () => publishToPages(windows, id, 'notice', { Title, Body, Path }));
    },
  };
}

export function publishToPages<N extends keyof PageEvents>(
  windows: Windows,
  id: string,
  name: N,
  content: PageEvents[N],
): void {
  for (const window of windows.list()) if (window.portal?.account.id === id) window.publish(name, content);
}
