import { app, dialog, Menu, type MenuItemConstructorOptions } from 'electron';
import { CONTRACT_VERSION } from '#shared/contract/headers.ts';

export interface MenuActions {
  newWindow: () => void;
  servers: () => void;
  back: () => void;
  forward: () => void;
  /** Null where nothing was downloaded yet. */
  showDownload: (() => void) | null;
}

const isMac = process.platform === 'darwin';

/** The menu of all windows. Entries that can do nothing are disabled. */
export function setMenu(actions: MenuActions): void {
  const about: MenuItemConstructorOptions = { label: 'About Runsheet', click: () => void showAbout() };
  const file: MenuItemConstructorOptions[] = [
    { label: 'New Window', accelerator: 'CmdOrCtrl+N', click: actions.newWindow },
    { label: 'Servers …', accelerator: 'CmdOrCtrl+Shift+S', click: actions.servers },
    { type: 'separator' },
    { label: 'Show Last Download', enabled: actions.showDownload !== null, click: () => actions.showDownload?.() },
    { type: 'separator' },
    { role: 'close' },
    ...(isMac ? [] : [{ role: 'quit' as const }]),
  ];
  const view: MenuItemConstructorOptions[] = [
    { label: 'Back', accelerator: isMac ? 'Cmd+[' : 'Alt+Left', click: actions.back },
    { label: 'Forward', accelerator: isMac ? 'Cmd+]' : 'Alt+Right', click: actions.forward },
    { role: 'reload' },
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  const own: MenuItemConstructorOptions = {
    label: app.name,
    submenu: [about, { type: 'separator' }, { role: 'quit' }],
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [own] : []),
      { label: 'File', submenu: file },
      { role: 'editMenu' },
      { label: 'View', submenu: view },
      { role: 'windowMenu' },
      ...(isMac ? [] : [{ role: 'help' as const, submenu: [about] }]),
    ]),
  );
}

async function showAbout(): Promise<void> {
  const { electron, chrome, node } = process.versions;
  await dialog.showMessageBox({
    type: 'info',
    title: 'About Runsheet',
    message: `Runsheet ${app.getVersion()}`,
    detail: [
      `Contract ${CONTRACT_VERSION}`,
      `Electron ${electron}, Chromium ${chrome}, Node ${node}`,
      'Licensed under Apache-2.0.',
    ].join('\n'),
    buttons: ['OK'],
  });
}
