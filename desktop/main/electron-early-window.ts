/**
 * Creates the window of the account that is about to be opened while the keychain and the server respond, so that
 * Chromium and its page process start in parallel. Requests of its page wait until the account is open; the window
 * stays invisible until then.
 */
import type { BrowserWindow } from 'electron';
import type { AccountPortal } from './account-portal.ts';
import type { Account } from './accounts.ts';
import { serve } from './electron-session.ts';

export interface EarlyWindow {
  begin: (account: Account, url: string) => void;
  /** Returns the window created for the account at this address, once; null if there is none. */
  take: (portal: AccountPortal, url: string) => BrowserWindow | null;
  /** Closes the window if nobody took it. */
  drop: () => void;
}

interface LoadingWindow {
  browser: BrowserWindow;
  accountId: string;
  url: string;
  opened: (portal: AccountPortal) => void;
}

export function createEarlyWindow(create: (account: Account) => BrowserWindow): EarlyWindow {
  let loading: LoadingWindow | null = null;
  return {
    begin: (account, url) => {
      let opened: LoadingWindow['opened'] = () => undefined;
      const portal = new Promise<AccountPortal>((resolve) => (opened = resolve));
      serve(account, async (request) => (await portal).handle(request));
      const browser = create(account);
      loading = { browser, accountId: account.id, url, opened };
      void browser.loadURL(url).catch(() => undefined);
    },
    take: (portal, url) => {
      if (loading?.accountId !== portal.account.id || loading.url !== url || loading.browser.isDestroyed()) return null;
      const { browser, opened } = loading;
      loading = null;
      opened(portal);
      return browser;
    },
    drop: () => {
      loading?.browser.destroy();
      loading = null;
    },
  };
}
