import { createConnectionWatch, type ConnectionState } from './connection.ts';
import type { ConnectionDoor, DesktopBridge, OutboxDoor, TextStore } from './desktop-bridge.ts';

const PREFIX = 'runsheet.';

/**
 * Implements the bridge in a browser. The token is in localStorage instead of sessionStorage, because users open runs
 * in new tabs, and all tabs must share one session, its renewals and its end.
 */
export function createWebBridge(
  basePath = new URL('./', document.baseURI).pathname,
  connection = createWebConnection(basePath),
  addressOf = (path: string): string => basePath + path,
): DesktopBridge {
  return {
    platform: 'web',
    basePath,
    notice: () => '',
    isSecure: window.isSecureContext && typeof crypto.subtle?.encrypt === 'function',
    shared: createTextStore(() => window.localStorage),
    window: createTextStore(() => window.sessionStorage),
    drafts: createTextStore(() => window.sessionStorage),
    connection,
    outbox: NO_OUTBOX,
    uploads: null,
    fileDrag: null,
    onSharedChange,
    exclusively: async (name, work) => {
      if (navigator.locks) await navigator.locks.request(PREFIX + name, work);
      else await work();
    },
    addressOf,
    sharedAddress: (path) => new URL(path, document.baseURI).href,
    download: (path) => clickLink(addressOf(path), { download: '' }),
    restartAt: (path) => window.location.assign(basePath + path),
    leaveFor,
    leaveForProgram,
    closeWindow: () => window.close(),
    rewriteAddress: (search) => window.history.replaceState(null, '', window.location.pathname + search),
    speak: () => undefined,
    openExternal: (url) => clickLink(url, { target: '_blank', rel: 'noopener noreferrer' }),
    copyText,
    onNotice: () => () => undefined,
  };
}

/** Browsers cannot protect an encryption key for waiting starts. */
const NO_OUTBOX: OutboxDoor = {
  isOffered: false,
  canQueue: () => false,
  list: async () => [],
  add: async () => ({ Problem: 'Nothing is kept here' }),
  startNow: async () => undefined,
  remove: async () => undefined,
  edit: async () => false,
  formOf: async () => null,
  onChange: () => () => undefined,
};

const PROBE_MS = 5000;

/** Statuses that say nothing about the server: proxies send them in its place. */
const OF_PROXIES = [502, 503, 504];

function createWebConnection(basePath: string): ConnectionDoor {
  const probe = async (): Promise<ConnectionState> => {
    try {
      const signal = AbortSignal.timeout(PROBE_MS);
      const { status } = await fetch(`${basePath}api/health`, {
        cache: 'no-store',
        credentials: 'same-origin',
        signal,
      });
      return OF_PROXIES.includes(status) ? 'unreachable' : 'online';
    } catch {
      return navigator.onLine ? 'unreachable' : 'offline';
    }
  };
  const after = (milliseconds: number, work: () => void): (() => void) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  };
  // A page learns the server's state from its event stream; polling every 30 seconds by many pages would cause
  // unnecessary load.
  const watch = createConnectionWatch({ probe, after, pollsWhenQuiet: false });
  // These events fire when the network appears or disappears, and after the computer wakes up.
  for (const sign of ['online', 'offline']) window.addEventListener(sign, () => watch.poll());
  return {
    disables: false,
    state: watch.state,
    isReadable: () => false,
    onChange: watch.onChange,
    noticed: watch.noticed,
    poll: watch.poll,
  };
}

/** Keys have a prefix because a browser uses one store for all applications on a host. */
function createTextStore(find: () => Storage): TextStore {
  const forgetful = new Map<string, string>();
  return {
    get: (key) => {
      try {
        return find().getItem(PREFIX + key);
      } catch {
        return forgetful.get(key) ?? null;
      }
    },
    set: (key, value) => {
      try {
        if (value === null) find().removeItem(PREFIX + key);
        else find().setItem(PREFIX + key, value);
      } catch {
        if (value === null) forgetful.delete(key);
        else forgetful.set(key, value);
      }
    },
  };
}

function onSharedChange(listener: (key: string) => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key?.startsWith(PREFIX)) listener(event.key.slice(PREFIX.length));
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

function leaveFor(url: string): void {
  if (!/^https?:\/\//i.test(url)) throw new Error('not an address of the web');
  window.location.assign(url);
}

function leaveForProgram(url: string): void {
  if (!/^http:\/\/127\.0\.0\.1:\d{4,5}\/\?/.test(url)) throw new Error('not a program of this computer');
  // Browsers let a page close its window only if the window's history has no other entry.
  window.location.replace(url);
}

/** Uses a link instead of location.assign, so that a failing download does not replace the page. */
function clickLink(href: string, attributes: { download?: string; target?: string; rel?: string }): void {
  const link = document.createElement('a');
  link.href = href;
  Object.assign(link, attributes);
  document.body.append(link);
  link.click();
  link.remove();
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Browsers hide navigator.clipboard on plain http, but this deprecated command still works there. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'rs-visually-hidden';
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}
