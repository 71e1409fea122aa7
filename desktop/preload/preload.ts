/**
 * What a page of the desktop client reaches: named functions, each bound to its one message, and nothing else. Contexts are isolated, so
 * that the page gets copies, which are frozen; no function takes the name of a channel.
 */
import { contextBridge, ipcRenderer } from 'electron';
import type { ConnectionDoor, DesktopBridge, OutboxDoor } from '#bridge/desktop-bridge.ts';
import {
  channelOf,
  CONNECTION_META,
  eventChannelOf,
  NOTICE_META,
  SERVER_ARGUMENT,
  type AnswerOf,
  type ArgsOf,
  type ConnectionInfo,
  type MessageName,
  type PageEvents,
  type ServersBridge,
} from '#bridge/messages.ts';
import { PAGE_KEY_CHANNEL, withPageKey } from '#bridge/page-key.ts';
import type { UploadDoor } from '#bridge/uploads.ts';
import { createWebBridge } from '#bridge/web-bridge.ts';

const PLATFORMS: Record<string, DesktopBridge['platform']> = { win32: 'windows', darwin: 'macos' };

const send = <N extends MessageName>(name: N, ...args: ArgsOf<N>): Promise<AnswerOf<N>> =>
  ipcRenderer.invoke(channelOf(name), ...args) as Promise<AnswerOf<N>>;

/** A refused message is a fault of ours: the page learns nothing, the log of main has it. */
const forget = (sent: Promise<unknown>): void => void sent.catch(() => undefined);

function listen<N extends keyof PageEvents>(name: N, listener: (content: PageEvents[N]) => void): () => void {
  const hear = (_event: unknown, content: PageEvents[N]): void => listener(content);
  ipcRenderer.on(eventChannelOf(name), hear);
  return () => void ipcRenderer.off(eventChannelOf(name), hear);
}

const uploads: UploadDoor = {
  send: async (upload, onProgress) => {
    const stop = listen('uploadProgress', (progress) => {
      if (progress.Id === upload.Id) onProgress(progress);
    });
    try {
      return await send('upload', upload);
    } finally {
      stop();
    }
  },
  cancel: (id) => forget(send('cancelUpload', id)),
};

/** Main looks for the server; the page begins with what stands in it, and hears what comes of it later. */
function createConnection(): { connection: ConnectionDoor; canQueue: () => boolean } {
  const listeners = new Set<() => void>();
  let told: ConnectionInfo | null = null;
  const current = (): ConnectionInfo => (told ??= connectionInPage());
  listen('connection', (next) => {
    told = next;
    for (const listener of listeners) listener();
  });
  const connection: ConnectionDoor = {
    disables: true,
    state: () => current().State,
    isReadable: () => current().IsReadable,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    noticed: () => undefined,
    look: () => forget(send('lookForServer')),
  };
  return { connection, canQueue: () => current().CanQueue };
}

const outboxOf = (canQueue: () => boolean): OutboxDoor => ({
  isOffered: true,
  canQueue,
  list: () => send('listOutbox'),
  add: (start) => send('queueStart', start),
  startNow: (id) => send('startQueued', id),
  remove: (id) => send('removeQueued', id),
  edit: (id) => send('editQueued', id),
  formOf: (id) => send('formOfQueued', id),
  onChange: (listener) => listen('outbox', listener),
});

/** To be called once the page is there. */
function connectionInPage(): ConnectionInfo {
  const text = metaOf(CONNECTION_META);
  return text ? (JSON.parse(text) as ConnectionInfo) : { State: 'online', IsReadable: false, CanQueue: false };
}

/** Null where the page has none of the name. */
const metaOf = (name: string): string | null =>
  document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? null;

let pageKey = '';

/** Asked for at the first call, when main knows the page as the one that this window shows. */
const addressOf = (path: string): string =>
  `/${withPageKey(path, (pageKey ||= ipcRenderer.sendSync(PAGE_KEY_CHANNEL) as string))}`;

function createPortalBridge(): DesktopBridge {
  // The page's own store, clipboard and address are the same here; only what leaves the window goes through main.
  const { connection, canQueue } = createConnection();
  const web = createWebBridge('/', connection, addressOf);
  return {
    ...web,
    // A window that is closed in the train is opened again at work.
    drafts: web.shared,
    outbox: outboxOf(canQueue),
    uploads,
    fileDrag: { fetch: (path) => send('fetchForDrag', `/${path}`), begin: (id) => forget(send('dragFile', id)) },
    platform: PLATFORMS[process.platform] ?? 'linux',
    notice: () => metaOf(NOTICE_META) ?? '',
    isSecure: true,
    // Pages of this program have addresses that nobody else can open.
    sharedAddress: (path) => new URL(path, decodeURIComponent(argumentOf(SERVER_ARGUMENT))).href,
    leaveFor: (_url, path) => forget(send('signInElsewhere', path ?? '/')),
    handOver: (url) => forget(send('handOver', url)),
    speak: (language) => forget(send('speak', language)),
    openExternal: (url) => forget(send('openExternal', url)),
    onNotice: (listener) => listen('notice', listener),
  };
}

const argumentOf = (name: string): string =>
  process.argv.find((argument) => argument.startsWith(name))?.slice(name.length) ?? '';

const serversBridge: ServersBridge = {
  listServers: () => send('listServers'),
  addServer: (address) => send('addServer', address),
  openServer: (id) => send('openServer', id),
  countWaiting: (id) => send('countWaiting', id),
  removeServer: (id) => send('removeServer', id),
  signInWaiting: () => send('signInWaiting'),
  openBrowserAgain: () => send('openBrowserAgain'),
  cancelSignIn: () => send('cancelSignIn'),
  findInPage: (text, isForward) => send('findInPage', text, isForward),
  closeFind: () => send('closeFind'),
};

const { protocol, host } = window.location;
if (protocol === 'runsheet:' && host === 'app') contextBridge.exposeInMainWorld('runsheet', createPortalBridge());
if (protocol === 'runsheet:' && host === 'servers') contextBridge.exposeInMainWorld('runsheetServers', serversBridge);
