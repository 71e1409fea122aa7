/** The program without a window, where the person wants that: its sign among those of the system, and its start with the session. */
import { app, Menu, Tray } from 'electron';
import { say } from './language.ts';
import { setLoginStart } from './login-start.ts';

let tray: Tray | null = null;

/** Whether the program can be found again when its last window was closed. */
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

/** Nothing is changed where the program was not installed: a copy of the source is no program of the system. */
export async function startAtLogin(isWanted: boolean): Promise<void> {
  if (!app.isPackaged) return;
  if (process.platform === 'linux') await setLoginStart(app.getPath('appData'), process.execPath, isWanted);
  else app.setLoginItemSettings({ openAtLogin: isWanted });
}
