/**
 * What a page of the desktop client reaches: named functions, each bound to its one message, and nothing else. Contexts are isolated, so
 * that the page gets copies, which are frozen; no function takes the name of a channel.
 */
import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge } from '#bridge/desktop-bridge.ts';
import {
  channelOf,
  NOTICE_ARGUMENT,
  type AnswerOf,
  type ArgsOf,
  type MessageName,
  type ServersBridge,
} from '#bridge/messages.ts';
import { createWebBridge } from '#bridge/web-bridge.ts';

const PLATFORMS: Record<string, DesktopBridge['platform']> = { win32: 'windows', darwin: 'macos' };

const send = <N extends MessageName>(name: N, ...args: ArgsOf<N>): Promise<AnswerOf<N>> =>
  ipcRenderer.invoke(channelOf(name), ...args) as Promise<AnswerOf<N>>;

/** A refused message is a fault of ours: the page learns nothing, the log of main has it. */
const forget = (sent: Promise<unknown>): void => void sent.catch(() => undefined);

function createPortalBridge(): DesktopBridge {
  // The page's own store, clipboard and address are the same here; only what leaves the window goes through main.
  const web = createWebBridge('/');
  return {
    ...web,
    platform: PLATFORMS[process.platform] ?? 'linux',
    notice: decodeURIComponent(argumentOf(NOTICE_ARGUMENT)),
    isSecure: true,
    leaveFor: (_url, path) => forget(send('signInElsewhere', path ?? '/')),
    handOver: () => undefined,
    openExternal: (url) => forget(send('openExternal', url)),
    notify: async (title, body) => {
      try {
        return await send('notify', title, body);
      } catch {
        return false;
      }
    },
  };
}

const argumentOf = (name: string): string =>
  process.argv.find((argument) => argument.startsWith(name))?.slice(name.length) ?? '';

const serversBridge: ServersBridge = {
  listServers: () => send('listServers'),
  addServer: (address) => send('addServer', address),
  openServer: (id) => send('openServer', id),
  removeServer: (id) => send('removeServer', id),
  signInWaiting: () => send('signInWaiting'),
  openBrowserAgain: () => send('openBrowserAgain'),
  cancelSignIn: () => send('cancelSignIn'),
};

const { protocol, host } = window.location;
if (protocol === 'runsheet:' && host === 'app') contextBridge.exposeInMainWorld('runsheet', createPortalBridge());
if (protocol === 'runsheet:' && host === 'servers') contextBridge.exposeInMainWorld('runsheetServers', serversBridge);
