/**
 * The real windows. Their pages run in a sandbox, can navigate only within the portal, and access the computer only
 * through the preload script.
 */
import { BrowserWindow, dialog, screen, type WebContents } from 'electron';
import { eventChannelOf, LANGUAGE_ARGUMENT, SERVER_ARGUMENT } from '#bridge/messages.ts';
import type { AccountPortal } from './account-portal.ts';
import type { Account } from './accounts.ts';
import type { ClientWindow, Windows } from './client-windows.ts';
import { isPage } from './door.ts';
import { createEarlyWindow, type EarlyWindow } from './electron-early-window.ts';
import { createFindBars } from './electron-find.ts';
import { showContextMenu } from './electron-context-menu.ts';
import { serve, sessionOf } from './electron-session.ts';
import type { OpenPage } from './open-pages.ts';
import { say, spokenLanguage } from './language.ts';
import type { Shell } from './ports.ts';
import { createPortalProtocol } from './portal-protocol.ts';
import type { WindowBoundsStore } from './window-bounds.ts';

export interface WindowsDeps {
  preload: string;
  /** Icon of a dragged file. */
  dragIcon: string;
  folders: { renderer: string; servers: string };
  windowBounds: WindowBoundsStore;
  shell: Shell;
  /** Called for a page of the portal that should open in an additional window. */
  onNewWindow: (portal: AccountPortal, path: string) => void;
}

export interface ElectronWindows extends Windows {
  early: Pick<EarlyWindow, 'begin' | 'drop'>;
  windowOf(contents: WebContents): ClientWindow | null;
  focused(): ClientWindow | null;
  /** Returns the key of the page that the window now shows, and marks its previous page as left. */
  newPageKey(contents: WebContents): string;
  /** Shows the search bar for the page of the window. */
  find(browser: BrowserWindow): void;
}

/** Same text as the pages use within the portal. */
const UNSAVED = 'Your work is not saved! Are you sure you want to leave?';

/** Returns the path of a portal page without a trailing slash. */
const pathOf = (url: string): string => (url === '' ? '' : new URL(url).pathname.replace(/\/$/, ''));

const SIZE = { width: 1280, height: 860 };
const SERVERS_SIZE = { width: 640, height: 620 };

export function createWindows(deps: WindowsDeps): ElectronWindows {
  const known = new Map<BrowserWindow, ClientWindow>();
  const pages = new Map<BrowserWindow, OpenPage>();
  const early = createEarlyWindow((account) => createBrowserWindow(deps, account));
  const bars = createFindBars(deps.preload, (contents) => confine(contents, deps, null));
  const { renderer: rendererFolder, servers: serversFolder } = deps.folders;
  /** Serves the program's own pages, whose session is created with their first window. */
  const serveOwn = (): void => serve(null, createPortalProtocol({ rendererFolder, serversFolder, portal: null }));

  function open(portal: AccountPortal | null, url: string): ClientWindow {
    if (portal) serve(portal.account, (request) => portal.handle(request));
    else serveOwn();
    const earlyBrowser = portal && early.take(portal, url);
    const browser = earlyBrowser ?? createBrowserWindow(deps, portal?.account ?? null);
    const window = windowIn(browser, portal, deps);
    known.set(browser, window);
    browser.on('closed', () => {
      known.delete(browser);
      pages.get(browser)?.leave();
      pages.delete(browser);
    });
    keepBounds(browser, deps.windowBounds, portal);
    confine(browser.webContents, deps, portal);
    if (!earlyBrowser) window.load(url);
    return window;
  }

  const windowOf = (contents: WebContents): ClientWindow | null => {
    const browser = BrowserWindow.fromWebContents(contents);
    return browser ? (known.get(browser) ?? bars.barOf(contents)) : null;
  };
  return {
    open,
    early,
    list: () => [...known.values()],
    windowOf,
    newPageKey: (contents) => {
      const browser = BrowserWindow.fromWebContents(contents);
      const page = (browser && known.get(browser)?.portal?.openPage()) ?? null;
      if (!browser || !page) return '';
      pages.get(browser)?.leave();
      pages.set(browser, page);
      return page.key;
    },
    focused: () => known.get(BrowserWindow.getFocusedWindow()!) ?? null,
    find: (browser) => {
      if (!known.has(browser)) return;
      serveOwn();
      bars.open(browser);
    },
  };
}

function windowIn(browser: BrowserWindow, portal: AccountPortal | null, { dragIcon }: WindowsDeps): ClientWindow {
  return {
    portal,
    load: (address) => void browser.loadURL(address).catch(() => undefined),
    focus: () => {
      if (browser.isMinimized()) browser.restore();
      browser.show();
      browser.focus();
    },
    close: () => browser.close(),
    drag: (file) => browser.webContents.startDrag({ file, icon: dragIcon }),
    publish: (name, content) => {
      if (!browser.isDestroyed()) browser.webContents.send(eventChannelOf(name), content);
    },
    isShowing: (path) => browser.isFocused() && pathOf(browser.webContents.getURL()) === path,
  };
}

function createBrowserWindow({ preload, windowBounds }: WindowsDeps, account: Account | null): BrowserWindow {
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
  const bounds = account ? windowBounds.find(account.id, screens) : null;
  const browser = new BrowserWindow({
    ...(bounds ?? (account ? SIZE : SERVERS_SIZE)),
    minWidth: 360,
    minHeight: 400,
    show: false,
    title: 'Runsheet',
    webPreferences: {
      preload,
      session: sessionOf(account),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      // The session determines whether spelling is actually checked (electron-spelling.ts).
      spellcheck: true,
      additionalArguments: [
        SERVER_ARGUMENT + encodeURIComponent(account?.address ?? ''),
        LANGUAGE_ARGUMENT + spokenLanguage(),
      ],
    },
  });
  if (bounds?.isMaximized) browser.maximize();
  browser.once('ready-to-show', () => browser.show());
  return browser;
}

function keepBounds(browser: BrowserWindow, windowBounds: WindowBoundsStore, portal: AccountPortal | null): void {
  if (!portal) return;
  browser.on('close', () => {
    const bounds = { ...browser.getNormalBounds(), isMaximized: browser.isMaximized() };
    void windowBounds.save(portal.account.id, bounds).catch(() => undefined);
  });
}

/**
 * Restricts a window to the portal's pages, whatever a page attempts; external https addresses open in the system
 * browser.
 */
function confine(contents: WebContents, { shell, onNewWindow }: WindowsDeps, portal: AccountPortal | null): void {
  const openOutside = (url: string): void => {
    if (url.startsWith('https://')) void shell.openExternal(url);
  };
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame) {
      if (isPage(event.url, 'app') && isPage(contents.getURL(), 'app')) return;
      event.preventDefault();
      openOutside(event.url);
    } else if (!/^https?:\/\//.test(event.url) && event.url !== 'about:blank') {
      event.preventDefault();
    }
  });
  // Otherwise Chromium would silently stay on the page, and the window could not even be closed.
  contents.on('will-prevent-unload', (event) => {
    const buttons = [say('Stay'), say('Leave')];
    const asked = { type: 'warning' as const, message: say(UNSAVED), buttons, defaultId: 0, cancelId: 0 };
    if (dialog.showMessageBoxSync(asked) === 1) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (portal && isPage(url, 'app')) {
      const { pathname, search } = new URL(url);
      onNewWindow(portal, pathname + search);
    } else openOutside(url);
    return { action: 'deny' };
  });
  contents.on('context-menu', (_event, params) => showContextMenu(contents, params));
}
