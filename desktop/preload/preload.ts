/**
 * The functions that a page of the desktop client can call. Each is bound to exactly one message. With context
 * isolation, pages get frozen copies, and no function accepts a channel name.
 */
import { contextBridge, ipcRenderer } from 'electron';
import type { ConnectionDoor, DesktopBridge, OutboxDoor } from '#bridge/desktop-bridge.ts';
import {
  channelOf,
  CONNECTION_META,
  eventChannelOf,
  NOTICE_META,
  LANGUAGE_ARGUMENT,
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

/** A refused message is a bug in the client: the page gets no details, and the main process logs it. */
const forget = (sent: Promise<unknown>): void => void sent.catch(() => undefined);

function listen<N extends keyof PageEvents>(name: N, listener: (content: PageEvents[N]) => void): () => void {
  const onEvent = (_event: unknown, content: PageEvents[N]): void => listener(content);
  ipcRenderer.on(eventChannelOf(name), onEvent);
  return () => void ipcRenderer.off(eventChannelOf(name), onEvent);
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

/** The main process polls the server. The page starts with the state embedded in it and receives changes as events. */
function createConnection(): { connection: ConnectionDoor; canQueue: () => boolean } {
  const listeners = new Set<() => void>();
  let info: ConnectionInfo | null = null;
  const current = (): ConnectionInfo => (info ??= connectionInPage());
  listen('connection', (next) => {
    info = next;
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
    poll: () => forget(send('lookForServer')),
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

/** Must be called only after the document exists. */
function connectionInPage(): ConnectionInfo {
  const text = metaOf(CONNECTION_META);
  return text ? (JSON.parse(text) as ConnectionInfo) : { State: 'online', IsReadable: false, CanQueue: false };
}

/** Returns null if the page has no such element. */
const metaOf = (name: string): string | null =>
  document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? null;

let pageKey = '';

/** Requested on the first call, because the main process then knows the page shown in this window. */
const addressOf = (path: string): string =>
  `/${withPageKey(path, (pageKey ||= ipcRenderer.sendSync(PAGE_KEY_CHANNEL) as string))}`;

function createPortalBridge(): DesktopBridge {
  // Storage, clipboard and address work as in a browser; only actions that leave the window go through the main
  // process.
  const { connection, canQueue } = createConnection();
  const web = createWebBridge('/', connection, addressOf);
  return {
    ...web,
    // Drafts survive closing the window, so that users can continue later.
    drafts: web.shared,
    outbox: outboxOf(canQueue),
    uploads,
    fileDrag: { fetch: (path) => send('fetchForDrag', `/${path}`), begin: (id) => forget(send('dragFile', id)) },
    platform: PLATFORMS[process.platform] ?? 'linux',
    notice: () => metaOf(NOTICE_META) ?? '',
    isSecure: true,
    // The addresses of pages in this client cannot be opened elsewhere.
    sharedAddress: (path) => new URL(path, decodeURIComponent(argumentOf(SERVER_ARGUMENT))).href,
    leaveFor: (_url, path) => forget(send('signInElsewhere', path ?? '/')),
    leaveForProgram: (url) => forget(send('handOver', url)),
    speak: (language) => forget(send('speak', language)),
    openExternal: (url) => forget(send('openExternal', url)),
    onNotice: (listener) => listen('notice', listener),
  };
}

const argumentOf = (name: string): string =>
  process.argv.find((argument) => argument.startsWith(name))?.slice(name.length) ?? '';

const serversBridge: ServersBridge = {
  language: argumentOf(LANGUAGE_ARGUMENT) === 'de' ? 'de' : 'en',
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
