/** Running without a window, if the user wants that: tray icon, and start at login. */
import { app, Menu, Tray } from 'electron';
import { say } from './language.ts';
import { setLoginStart } from './login-start.ts';

let tray: Tray | null = null;

/** Returns whether the program stays accessible after its last window was closed. */
export const isTrayShown = (): boolean => tray !== null;

export function createTray(icon: string, onOpen: () => void): { show(isWanted: boolean): void; translate(): void } {
  const setMenu = (): void =>
    tray?.setContextMenu(
      Menu.buildFromTemplate([
        { label: say('Open Runsheet'), click: onOpen },
        { role: 'quit', label: say('Quit') },
      ]),
    );
  return {
    translate: setMenu,
    show: (isWanted) => {
      if (!isWanted) {
        tray?.destroy();
        tray = null;
      } else if (!tray) {
        tray = new Tray(icon);
        tray.setToolTip('Runsheet');
        setMenu();
        tray.on('click', onOpen);
      }
    },
  };
}

/** Changes nothing if the program is not installed, as when it runs from source. */
export async function startAtLogin(isWanted: boolean): Promise<void> {
  if (!app.isPackaged) return;
  if (process.platform === 'linux') await setLoginStart(app.getPath('appData'), process.execPath, isWanted);
  else app.setLoginItemSettings({ openAtLogin: isWanted });
}
