/** The program: makes the real parts and hands them to what decides. */
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  ipcMain,
  Notification,
  protocol,
  shell as systemShell,
  type IpcMainInvokeEvent,
} from 'electron';
import { channelOf, MESSAGES } from '#bridge/messages.ts';
import { loadAccounts } from './accounts.ts';
import { createClient, type Client } from './client.ts';
import { deepLinkAmong, deepLinkPath } from './deep-link.ts';
import { createDoor } from './door.ts';
import { createDownloads } from './electron-downloads.ts';
import { setMenu } from './electron-menu.ts';
import { createNet, eraseSession, sessionOf } from './electron-session.ts';
import { createWindows, type ElectronWindows } from './electron-windows.ts';
import { createKeychain, type KeyringModule } from './keychain.ts';
import { createFiles } from './node-files.ts';
import { systemClock, type Log, type Notifier, type Shell } from './ports.ts';
import { SCHEME } from './portal-protocol.ts';
import { loadWindowPlaces } from './window-places.ts';

const folders = { renderer: join(__dirname, 'renderer'), servers: join(__dirname, 'servers') };

const log: Log = (text, error) => {
  const cause = error instanceof Error ? `: ${error.message}` : '';
  process.stderr.write(`${new Date().toISOString()} ${text}${cause}\n`);
};

const shell: Shell = {
  openExternal: async (url) => {
    // Never a file, a program or a scheme that another program has registered.
    if (!/^https?:\/\//i.test(url)) throw new Error('not an address of the web');
    await systemShell.openExternal(url);
  },
};

/** Held until they are gone: a message whose object was collected hears no click. */
const shown = new Set<Notification>();
const notifier: Notifier = {
  show: ({ title, body, onClick }) => {
    if (!Notification.isSupported()) return false;
    const message = new Notification({ title, body });
    shown.add(message);
    message.on('click', onClick);
    for (const end of ['click', 'close', 'failed'] as const) message.on(end as 'close', () => shown.delete(message));
    message.show();
    return true;
  },
};

async function start(): Promise<void> {
  const files = createFiles(app.getPath('userData'));
  const [accounts, places] = await Promise.all([loadAccounts(files), loadWindowPlaces(files)]);
  let client: Client;
  const downloads = createDownloads(notifier, () => refreshMenu());
  const windows: ElectronWindows = createWindows({
    preload: join(__dirname, 'preload.cjs'),
    folders,
    places,
    shell,
    onNewWindow: (portal, path) => client.openWindow(portal, path),
  });
  client = createClient({
    accounts,
    windows: {
      list: windows.list,
      open: (portal, url) => {
        downloads.watch(sessionOf(portal?.account ?? null));
        return windows.open(portal, url);
      },
    },
    netOf: createNet,
    erase: eraseSession,
    // Loaded at its first use: where it does not fit the system, there is no keychain.
    secrets: createKeychain(() => require('@napi-rs/keyring') as KeyringModule),
    shell,
    notifier,
    files,
    clock: systemClock,
    log,
    folders,
  });
  const refreshMenu = (): void =>
    setMenu(menuActions(client, windows, downloads.last() === null ? null : downloads.showLast));
  refreshMenu();
  listen(client, windows);
  const path = deepLinkAmong(process.argv) ?? undefined;
  await client.start(path);
  app.on('second-instance', (_event, args) => comeForward(client, windows, deepLinkAmong(args)));
  app.on('open-url', (_event, link) => comeForward(client, windows, deepLinkPath(link)));
  app.on('activate', () => comeForward(client, windows, null));
}

function listen(client: Client, windows: ElectronWindows): void {
  const door = createDoor(client.handlers, log);
  for (const name of Object.keys(MESSAGES)) {
    ipcMain.handle(channelOf(name), ({ sender, senderFrame }: IpcMainInvokeEvent, ...args: unknown[]) => {
      const isMainFrame = senderFrame !== null && senderFrame === sender.mainFrame;
      return door(name, { caller: windows.windowOf(sender), url: senderFrame?.url ?? '', isMainFrame }, args);
    });
  }
}

function comeForward(client: Client, windows: ElectronWindows, path: string | null): void {
  const [window] = windows.list();
  if (path !== null || !window) void client.start(path ?? undefined);
  else window.focus();
}

function menuActions(client: Client, windows: ElectronWindows, showDownload: (() => void) | null) {
  const contents = () => BrowserWindow.getFocusedWindow()?.webContents;
  return {
    newWindow: () => {
      const portal = windows.focused()?.portal;
      if (portal) client.openWindow(portal, '/');
    },
    servers: () => client.openServers(),
    back: () => contents()?.goBack(),
    forward: () => contents()?.goForward(),
    showDownload,
  };
}

protocol.registerSchemesAsPrivileged([
  { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
]);
app.enableSandbox();
app.setAppUserModelId('org.runsheet.desktop');
if (app.isPackaged) app.setAsDefaultProtocolClient(SCHEME);
// One program, whatever is started: two would write over each other's files and tokens.
if (app.requestSingleInstanceLock()) {
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  void app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      log('the program could not start', error);
      app.exit(1);
    });
} else app.quit();
