/** Entry point of the program: creates the real implementations and passes them to the client. */
import { rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  powerMonitor,
  protocol,
  shell as systemShell,
  type IpcMainInvokeEvent,
} from 'electron';
import { channelOf, MESSAGES } from '#bridge/messages.ts';
import { PAGE_KEY_CHANNEL } from '#bridge/page-key.ts';
import type { Language } from '#shared/contract/auth.ts';
import { ownPath } from '#shared/rules/own-path.ts';
import { createCallsToOpen } from './calls-to-open.ts';
import { createClient, type Client } from './client.ts';
import type { ClientWindow } from './client-windows.ts';
import { deepLinkAmong, deepLinkPath } from './deep-link.ts';
import { createDoor, isPage, type Sender } from './door.ts';
import { createDownloads } from './electron-downloads.ts';
import { setMenu } from './electron-menu.ts';
import { handleEarlierNotifications, notifier } from './electron-notifier.ts';
import { createNet } from './electron-net.ts';
import { eraseSession, flushSession, sessionOf } from './electron-session.ts';
import { agreesToFetch, createSpellChecker } from './electron-spelling.ts';
import { prepare } from './electron-stores.ts';
import { createTray, isTrayShown, startAtLogin } from './electron-tray.ts';
import { createWindows, type ElectronWindows } from './electron-windows.ts';
import { listenForHandoffs } from './handoff-listener.ts';
import { HANDOFF_FILE } from './handoff-request.ts';
import { languageOf, speak } from './language.ts';
import { isAllowed, type Policy } from './policy.ts';
import { systemClock, type Files, type Log, type Power, type Shell } from './ports.ts';
import { APP_ORIGIN, SCHEME, SERVERS_ORIGIN } from './portal-protocol.ts';
import type { StoredPreferences } from './preferences.ts';
import { spellingOf, type Spelling } from './spelling.ts';
import { isPackaged, refusedSwitch } from './switches.ts';

const folders = { renderer: join(__dirname, 'renderer'), servers: join(__dirname, 'servers') };

const ICON = join(__dirname, 'servers/tray.png');

const log: Log = (text, error) => {
  const cause = error instanceof Error ? `: ${error.message}` : '';
  process.stderr.write(`${new Date().toISOString()} ${text}${cause}\n`);
};

const shell: Shell = {
  openExternal: async (url) => {
    // Never opens files, programs or custom schemes of other programs.
    if (!/^https?:\/\//i.test(url)) throw new Error('not an address of the web');
    await systemShell.openExternal(url);
  },
};

const power: Power = {
  onWake: (listener) => {
    powerMonitor.on('resume', listener);
    return () => void powerMonitor.off('resume', listener);
  },
};

const spellChecker = createSpellChecker();
const callsToOpen = createCallsToOpen();

async function start(prepared: ReturnType<typeof prepare>): Promise<void> {
  // An existing folder may be accessible to other users of the computer.
  await chmod(app.getPath('userData'), 0o700);
  const { stores, policy, accounts, places: windowBounds, preferences } = await prepared;
  const { files } = stores;
  let client: Client;
  let refreshMenu = (): void => undefined;
  const downloads = createDownloads(notifier, {
    onSaved: () => refreshMenu(),
    onMissing: (contents, Title, Body) => {
      if (!contents.isDestroyed()) windows.windowOf(contents)?.publish('notice', { Title, Body, Path: null });
    },
  });
  const windows: ElectronWindows = createWindows({
    preload: join(__dirname, 'preload.cjs'),
    dragIcon: ICON,
    folders,
    windowBounds,
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
    flush: flushSession,
    ...stores,
    shell,
    notifier,
    clock: systemClock,
    power,
    log,
    folders,
    policy,
    runMessages: () => preferences.get().runMessages,
    onLanguage: (language) => saveLanguage(preferences, language) && refreshMenu(),
  });
  const actions = (): ReturnType<typeof menuActions> =>
    menuActions(client, windows, downloads.last() === null ? null : downloads.showLast);
  listen(client, windows);
  // The window and the menu are created while this waits for the keychain and the server.
  const path = deepLinkAmong(process.argv) ?? '/';
  const opened = client.start(path);
  const last = accounts.last();
  if (last && isAllowed(policy, last.address)) windows.early.begin(last, APP_ORIGIN + ownPath(path));
  refreshMenu = offerMenu(actions, preferences, policy);
  const offered = policy.handOff ? offerSessionHandoffs(client, files) : Promise.resolve();
  offered.catch((error: unknown) => log('no program can ask for a session', error));
  await opened;
  windows.early.drop();
  callsToOpen.follow((link) => comeForward(client, windows, link));
}

/** Shows the menu and applies the chosen actions. Returns a function that refreshes it. */
function offerMenu(
  actions: () => ReturnType<typeof menuActions>,
  preferences: StoredPreferences,
  policy: Policy,
): () => void {
  const tray = createTray(ICON, () => actions().comeForward());
  const spelling = (): Spelling => spellingOf(process.platform, policy, preferences.get().spelling);
  const refresh = (): void => {
    // The language used last by pages, otherwise that of the system.
    speak(preferences.get().language ?? languageOf(app.getPreferredSystemLanguages()));
    tray.translate();
    setMenu({ ...actions(), preferences, spelling: spelling(), agreesToFetch, onPreference: apply });
  };
  const apply = (): void => {
    const { keepInTray, startAtLogin: isWanted } = preferences.get();
    tray.show(keepInTray);
    spellChecker.apply(spelling());
    startAtLogin(isWanted).catch((error: unknown) => log('start at login failed', error));
    refresh();
  };
  apply();
  return refresh;
}

/** Returns whether the language has changed. */
function saveLanguage(preferences: StoredPreferences, language: Language): boolean {
  if (language === preferences.get().language) return false;
  preferences.change({ language }).catch((error: unknown) => log('the language could not be kept', error));
  return true;
}

/** Other programs find the listener through a file that exists while the program runs. */
async function offerSessionHandoffs(client: Client, files: Files): Promise<void> {
  const { endpoint } = await listenForHandoffs((request) => client.sessionHandoffs.show(request));
  await files.write(HANDOFF_FILE, JSON.stringify(endpoint));
  app.on('will-quit', () => rmSync(join(app.getPath('userData'), HANDOFF_FILE), { force: true }));
}

function listen(client: Client, windows: ElectronWindows): void {
  const door = createDoor(client.handlers, log);
  for (const name of Object.keys(MESSAGES)) {
    ipcMain.handle(channelOf(name), (event: IpcMainInvokeEvent, ...args: unknown[]) =>
      door(name, senderOf(event, windows), args),
    );
  }
  ipcMain.on(PAGE_KEY_CHANNEL, (event) => {
    const { url, isMainFrame } = senderOf(event, windows);
    event.returnValue = isMainFrame && isPage(url, 'app') ? windows.newPageKey(event.sender) : '';
    // Changes published while the page was loading went to the previous page.
    const window = windows.windowOf(event.sender);
    if (window?.portal) window.publish('connection', window.portal.connectionInfo());
  });
}

function senderOf(
  { sender, senderFrame }: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  windows: ElectronWindows,
): Sender<ClientWindow> {
  const isMainFrame = senderFrame !== null && senderFrame === sender.mainFrame;
  return { caller: windows.windowOf(sender), url: senderFrame?.url ?? '', isMainFrame };
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
    find: (window: BrowserWindow) => windows.find(window),
    comeForward: () => comeForward(client, windows, null),
    showDownload,
    licences: () => void windows.open(null, `${SERVERS_ORIGIN}/licences.html`),
  };
}

// Must run before anything else, and before Chromium opens a debugging interface.
const refused = isPackaged(__dirname) ? refusedSwitch(process.argv.slice(1), process.platform) : null;
if (refused !== null) {
  const why = `It was started with ${refused}, which this program does not allow. Start it without that, such as from the menu of programs.`;
  dialog.showErrorBox('Runsheet cannot start', why);
  app.exit(1);
}
// For example if the connection is lost during a response. Electron would show each error in a dialog and block until
// it is closed.
process.on('uncaughtException', (error) => log('an unexpected error', error));
protocol.registerSchemesAsPrivileged([
  {
    scheme: SCHEME,
    // codeCache lets V8 cache the compiled scripts of pages.
    privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
  },
]);
app.enableSandbox();
// Prevents Electron from creating a default menu that is never shown.
Menu.setApplicationMenu(null);
app.setAppUserModelId('org.runsheet.desktop');
if (app.isPackaged) app.setAsDefaultProtocolClient(SCHEME);
// Only one instance may run: two would overwrite each other's files and tokens.
if (refused === null && app.requestSingleInstanceLock()) {
  // Registered immediately, because macOS reports the link that started the program before any other event.
  app.on('second-instance', (_event, args) => callsToOpen.take(deepLinkAmong(args)));
  app.on('open-url', (event, link) => {
    event.preventDefault();
    callsToOpen.take(deepLinkPath(link));
  });
  app.on('activate', () => callsToOpen.take(null));
  handleEarlierNotifications(() => callsToOpen.take(null));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !isTrayShown()) app.quit();
  });
  const prepared = prepare();
  prepared.catch(() => undefined);
  void app
    .whenReady()
    .then(() => start(prepared))
    .catch((error: unknown) => {
      log('the program could not start', error);
      dialog.showErrorBox('Runsheet cannot start', (error as Error).message);
      app.exit(1);
    });
} else app.quit();
