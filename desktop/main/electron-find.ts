/** The bar for finding text in a page: a small window over the page's own, so that it finds nothing in itself. */
import { BrowserWindow, type Result, type WebContents } from 'electron';
import type { Found } from '#bridge/messages.ts';
import type { ClientWindow, Finder } from './client-windows.ts';
import { sessionOf } from './electron-session.ts';
import { SERVERS_ORIGIN } from './portal-protocol.ts';

export interface FindBars {
  /** Shows the bar over a window, or goes to the one that is there. */
  open(over: BrowserWindow): void;
  /** The bar whose page this is; null for any other. */
  barOf(contents: WebContents): ClientWindow | null;
}

const SIZE = { width: 380, height: 48 };
const MARGIN = 12;
const NOTHING: Found = { Count: 0, Active: 0 };

/** @param confine keeps the page of the bar where it is */
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
    const place = (): void => placeOver(bar, over);
    const close = (): void => window.close();
    over.on('move', place).on('resize', place);
    over.webContents.on('did-navigate', close);
    bar.on('closed', () => {
      bars.delete(over);
      if (over.isDestroyed()) return;
      over.off('move', place).off('resize', place);
      over.webContents.off('did-navigate', close);
      over.webContents.stopFindInPage('keepSelection');
      over.focus();
    });
    place();
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
    },
  });
  bar.once('ready-to-show', () => bar.show());
  return bar;
}

/** At the upper right of the page, or as far as a narrow window has room. */
function placeOver(bar: BrowserWindow, over: BrowserWindow): void {
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
  tell: () => undefined,
  isShowing: () => false,
});

function createFinder(contents: WebContents, close: () => void): Finder {
  let last = '';
  let giveUp = (): void => undefined;
  return {
    find: (text, forward) => {
      // Of a search that another has taken the place of, no end is told.
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
          contents.off('found-in-page', hear);
          resolve(found);
        };
        const hear = (_event: unknown, { requestId, finalUpdate, matches, activeMatchOrdinal }: Result): void => {
          if (requestId === id && finalUpdate) end({ Count: matches, Active: activeMatchOrdinal });
        };
        giveUp = () => end(NOTHING);
        contents.on('found-in-page', hear);
      });
    },
    close,
  };
}
