/** The Electron that tests of the desktop client run on. */
import { execFileSync } from 'node:child_process';

/** The path of its executable; '' where none is named. */
export const TEST_ELECTRON = process.env['RUNSHEET_TEST_ELECTRON'] ?? '';

/** Why nothing of the real client can be tried here; '' where it can. */
export function whyNoElectron(): string {
  if (TEST_ELECTRON === '') return 'no runtime: RUNSHEET_TEST_ELECTRON names no Electron';
  if (process.platform !== 'linux') return 'no runtime: the suite knows Linux alone so far';
  return hasCommand('Xvfb') ? '' : 'no runtime: Xvfb is missing';
}

export const hasKeychain = (): boolean => hasCommand('gnome-keyring-daemon') && hasCommand('dbus-run-session');

/** Of messages, on a screen that nobody sees. */
export const hasMessages = (): boolean => hasCommand('dunst') && hasCommand('dunstctl');

/** Of a keyboard, on a screen that nobody sees. */
export const hasKeys = (): boolean => hasCommand('xdotool');

function hasCommand(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
