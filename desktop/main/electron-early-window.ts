/**
 * The window of the account that is about to be opened: Chromium makes it, and starts the process of its page, while the keychain and the
 * server are asked. Its page is answered once the account is there; nobody sees the window before.
 */
import type { BrowserWindow } from 'electron';
import type { AccountPortal } from './account-portal.ts';
import type { Account } from './accounts.ts';
import { serve } from './electron-session.ts';

export interface EarlyWindow {
  begin: (account: Account, url: string) => void;
  /** The window that was begun for the account at this address, once; null where there is none. */
  take: (portal: AccountPortal, url: string) => BrowserWindow | null;
  /** Closes one that nobody took. */
  drop: () => void;
}

interface Begun {
  browser: BrowserWindow;
  accountId: string;
  url: string;
  opened: (portal: AccountPortal) => void;
}

export function createEarlyWindow(create: (account: Account) => BrowserWindow): EarlyWindow {
  let begun: Begun | null = null;
  return {
    begin: (account, url) => {
      let opened: Begun['opened'] = () => undefined;
      const portal = new Promise<AccountPortal>((resolve) => (opened = resolve));
      serve(account, async (request) => (await portal).handle(request));
      const browser = create(account);
      begun = { browser, accountId: account.id, url, opened };
      void browser.loadURL(url).catch(() => undefined);
    },
    take: (portal, url) => {
      if (begun?.accountId !== portal.account.id || begun.url !== url || begun.browser.isDestroyed()) return null;
      const { browser, opened } = begun;
      begun = null;
      opened(portal);
      return browser;
    },
    drop: () => {
      begun?.browser.destroy();
      begun = null;
    },
  };
}
