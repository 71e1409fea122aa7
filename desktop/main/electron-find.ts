/**
 * The search bar for text in a page: a small separate window on top, so that the search does not find the bar's own
 * text.
 */
import { BrowserWindow, type Result, type WebContents } from 'electron';
import { LANGUAGE_ARGUMENT, type Found } from '#bridge/messages.ts';
import type { ClientWindow, Finder } from './client-windows.ts';
import { sessionOf } from './electron-session.ts';
import { spokenLanguage } from './language.ts';
import { SERVERS_ORIGIN } from './portal-protocol.ts';

export interface FindBars {
  /** Shows the bar on top of a window, or focuses an existing bar. */
  open(over: BrowserWindow): void;
  /** Returns the bar that shows this page; null for any other page. */
  barOf(contents: WebContents): ClientWindow | null;
}

const SIZE = { width: 380, height: 48 };
const MARGIN = 12;
const NOTHING: Found = { Count: 0, Active: 0 };

/** @param confine prevents the page of the bar from navigating */
export function createFindBars(preload: string, confine: (contents: WebContents) => void): FindBars {
  const bars = new Map<BrowserWindow, { bar: BrowserWindow; window: ClientWindow }>();
  const open = (over: BrowserWindow): void => {
    const there = bars.get(over);
    if (there) return there.window.focus();
    const bar = createBar(over, preload);
    confine(bar.webContents);
    const window = windowOf(
      bar,
      createFinder(over.webContents, () => bar.close()),
    );
    bars.set(over, { bar, window });
    const reposition = (): void => positionOver(bar, over);
    const close = (): void => window.close();
    over.on('move', reposition).on('resize', reposition);
    over.webContents.on('did-navigate', close);
    bar.on('closed', () => {
      bars.delete(over);
      if (over.isDestroyed()) return;
      over.off('move', reposition).off('resize', reposition);
      over.webContents.off('did-navigate', close);
      over.webContents.stopFindInPage('keepSelection');
      over.focus();
    });
    reposition();
    window.load(`${SERVERS_ORIGIN}/find`);
  };
  return {
    open,
    barOf: (contents) => [...bars.values()].find(({ bar }) => bar.webContents === contents)?.window ?? null,
  };
}

function createBar(parent: BrowserWindow, preload: string): BrowserWindow {
  const bar = new BrowserWindow({
    ...SIZE,
    parent,
    frame: false,
    show: false,
    resizable: false,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    skipTaskbar: true,
    title: 'Find',
    webPreferences: {
      preload,
      session: sessionOf(null),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      additionalArguments: [LANGUAGE_ARGUMENT + spokenLanguage()],
    },
  });
  bar.once('ready-to-show', () => bar.show());
  return bar;
}

/** Places the bar at the upper right of the page, narrower if the window has little room. */
function positionOver(bar: BrowserWindow, over: BrowserWindow): void {
  const { x, y, width } = over.getContentBounds();
  const own = Math.min(SIZE.width, width - 2 * MARGIN);
  bar.setBounds({ x: x + width - own - MARGIN, y: y + MARGIN, width: own, height: SIZE.height });
}

const windowOf = (bar: BrowserWindow, finder: Finder): ClientWindow => ({
  portal: null,
  finder,
  load: (address) => void bar.loadURL(address).catch(() => undefined),
  focus: () => bar.focus(),
  close: () => bar.close(),
  drag: () => undefined,
  publish: () => undefined,
  isShowing: () => false,
});

function createFinder(contents: WebContents, close: () => void): Finder {
  let last = '';
  let giveUp = (): void => undefined;
  return {
    find: (text, forward) => {
      // Chromium does not report the end of a search that another search replaced.
      giveUp();
      const isNew = text !== last;
      last = text;
      if (text === '') {
        contents.stopFindInPage('clearSelection');
        return Promise.resolve(NOTHING);
      }
      return new Promise((resolve) => {
        const id = contents.findInPage(text, { forward, findNext: isNew });
        const end = (found: Found): void => {
          contents.off('found-in-page', onFound);
          resolve(found);
        };
        const onFound = (_event: unknown, { requestId, finalUpdate, matches, activeMatchOrdinal }: Result): void => {
          if (requestId === id && finalUpdate) end({ Count: matches, Active: activeMatchOrdinal });
        };
        giveUp = () => end(NOTHING);
        contents.on('found-in-page', onFound);
      });
    },
    close,
  };
}
