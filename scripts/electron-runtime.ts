/** The Electron on which the tests of the desktop client run. */
import { execFileSync } from 'node:child_process';

/** Path of its executable; '' if none is configured. */
export const TEST_ELECTRON = process.env['RUNSHEET_TEST_ELECTRON'] ?? '';

/** Returns the reason why the real client cannot be tested here, or '' if it can. */
export function whyNoElectron(): string {
  if (TEST_ELECTRON === '') return 'no runtime: RUNSHEET_TEST_ELECTRON names no Electron';
  if (process.platform !== 'linux') return 'no runtime: the suite knows Linux alone so far';
  return hasCommand('Xvfb') ? '' : 'no runtime: Xvfb is missing';
}

export const hasKeychain = (): boolean => hasCommand('gnome-keyring-daemon') && hasCommand('dbus-run-session');

/** True if notifications can be tested on a virtual screen. */
export const hasMessages = (): boolean => hasCommand('dunst') && hasCommand('dunstctl');

/** True if key presses can be simulated on a virtual screen. */
export const hasKeys = (): boolean => hasCommand('xdotool');

function hasCommand(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
