import { app, dialog, Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { CONTRACT_VERSION } from '#shared/contract/headers.ts';
import { say } from './language.ts';
import type { StoredPreferences, RunMessagesWanted } from './preferences.ts';
import type { Spelling } from './spelling.ts';

export interface MenuActions {
  newWindow: () => void;
  servers: () => void;
  back: () => void;
  forward: () => void;
  find: (window: BrowserWindow) => void;
  /** Null if nothing has been downloaded yet. */
  showDownload: (() => void) | null;
  licences: () => void;
  preferences: StoredPreferences;
  spelling: Spelling;
  /** Asks the user for consent if the dictionaries must be fetched from a third-party server. */
  agreesToFetch: () => Promise<boolean>;
  /** Applies a changed preference. */
  onPreference: () => void;
}

const isMac = process.platform === 'darwin';

/** Additional keys for the zoom roles: plus on keyboards where it requires Shift, and the numeric keypad. */
const OTHER_ZOOM_KEYS: MenuItemConstructorOptions[] = (
  [
    ['zoomIn', '='],
    ['zoomIn', 'numadd'],
    ['zoomOut', 'numsub'],
    ['resetZoom', 'num0'],
  ] as const
).map(([role, key]) => ({ role, accelerator: `CmdOrCtrl+${key}`, visible: false }));

/** Sets the menu of all windows. Entries that have no effect are disabled. */
export function setMenu(actions: MenuActions): void {
  const about: MenuItemConstructorOptions = { label: say('About Runsheet'), click: () => void showAbout() };
  const licences: MenuItemConstructorOptions = { label: say('Licenses'), click: actions.licences };
  const file: MenuItemConstructorOptions[] = [
    { label: say('New Window'), accelerator: 'CmdOrCtrl+N', click: actions.newWindow },
    { label: say('Servers…'), accelerator: 'CmdOrCtrl+Shift+S', click: actions.servers },
    { type: 'separator' },
    { label: say('Print…'), accelerator: 'CmdOrCtrl+P', click: (_item, window) => printPage(window as BrowserWindow) },
    { label: say('Show Last Download'), enabled: actions.showDownload !== null, click: () => actions.showDownload?.() },
    { type: 'separator' },
    { role: 'close', label: say('Close Window') },
    ...(isMac ? [] : [{ role: 'quit' as const, label: say('Quit'), accelerator: 'Ctrl+Q' }]),
  ];
  const edit: MenuItemConstructorOptions[] = [
    { role: 'undo', label: say('Undo') },
    { role: 'redo', label: say('Redo') },
    { type: 'separator' },
    { role: 'cut', label: say('Cut') },
    { role: 'copy', label: say('Copy') },
    { role: 'paste', label: say('Paste') },
    { role: 'selectAll', label: say('Select All') },
    { type: 'separator' },
    {
      label: say('Find…'),
      accelerator: 'CmdOrCtrl+F',
      click: (_item, window) => {
        if (window) actions.find(window as BrowserWindow);
      },
    },
  ];
  const view: MenuItemConstructorOptions[] = [
    { label: say('Back'), accelerator: isMac ? 'Cmd+[' : 'Alt+Left', click: actions.back },
    { label: say('Forward'), accelerator: isMac ? 'Cmd+]' : 'Alt+Right', click: actions.forward },
    { role: 'reload', label: say('Reload') },
    { type: 'separator' },
    { role: 'resetZoom', label: say('Actual Size') },
    { role: 'zoomIn', label: say('Zoom In') },
    { role: 'zoomOut', label: say('Zoom Out') },
    ...OTHER_ZOOM_KEYS,
    { type: 'separator' },
    { role: 'togglefullscreen', label: say('Full Screen') },
  ];
  const own: MenuItemConstructorOptions = {
    label: app.name,
    submenu: [about, licences, { type: 'separator' }, { role: 'quit', label: say('Quit') }],
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [own] : []),
      { label: say('File'), submenu: file },
      { label: say('Edit'), submenu: edit },
      { label: say('View'), submenu: view },
      { label: say('Options'), submenu: optionsOf(actions) },
      { role: 'windowMenu', label: say('Window') },
      ...(isMac ? [] : [{ role: 'help' as const, label: say('Help'), submenu: [about, licences] }]),
    ]),
  );
}

const RUN_MESSAGES: [RunMessagesWanted, string][] = [
  ['all', 'All Runs'],
  ['long', 'Problems, and Runs of More Than a Minute'],
  ['problems', 'Problems Only'],
];

const OPTIONS: ['startAtLogin' | 'keepInTray', string][] = [
  ['startAtLogin', 'Start at Login'],
  ['keepInTray', 'Keep Running Without a Window'],
];

function optionsOf(actions: MenuActions): MenuItemConstructorOptions[] {
  const { preferences, onPreference, spelling } = actions;
  const options: MenuItemConstructorOptions[] = OPTIONS.map(([name, label]) => ({
    label: say(label),
    type: 'checkbox' as const,
    checked: preferences.get()[name],
    click: ({ checked }) => {
      preferences.change({ [name]: checked }).then(onPreference, onPreference);
    },
  }));
  return [runMessagesOption(actions), ...options, ...(spelling.isOffered ? [spellingOption(actions)] : [])];
}

function runMessagesOption({ preferences, onPreference }: MenuActions): MenuItemConstructorOptions {
  return {
    label: say('Notifications About Runs'),
    submenu: RUN_MESSAGES.map(([runMessages, label]) => ({
      label: say(label),
      type: 'radio' as const,
      checked: preferences.get().runMessages === runMessages,
      click: () => {
        preferences.change({ runMessages }).then(onPreference, onPreference);
      },
    })),
  };
}

function spellingOption({
  preferences,
  onPreference,
  spelling,
  agreesToFetch,
}: MenuActions): MenuItemConstructorOptions {
  const choose = async (wanted: boolean): Promise<void> => {
    const isAgreed = !wanted || spelling.dictionaries !== null || (await agreesToFetch());
    await preferences.change({ spelling: wanted && isAgreed });
  };
  return {
    label: say('Check Spelling'),
    type: 'checkbox',
    checked: spelling.isOn,
    click: ({ checked }) => {
      choose(checked).then(onPreference, onPreference);
    },
  };
}

/** The page's print styles determine the output; cancelling the dialog is not an error. */
function printPage(window: BrowserWindow | undefined): void {
  window?.webContents.print({}, () => undefined);
}

async function showAbout(): Promise<void> {
  const { electron, chrome, node } = process.versions;
  await dialog.showMessageBox({
    type: 'info',
    title: say('About Runsheet'),
    message: `Runsheet ${app.getVersion()}`,
    detail: [
      `Contract ${CONTRACT_VERSION}`,
      `Electron ${electron}, Chromium ${chrome}, Node ${node}`,
      say('Licensed under Apache-2.0.'),
    ].join('\n'),
    buttons: ['OK'],
  });
}
