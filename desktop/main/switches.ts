/**
 * Switches of the command line with which a packaged client does not start. Chromium and V8 obey many of them: some open the program to a
 * debugger, load code into it or change where it connects. A changed shortcut can set them. It must not expose the sessions in the keychain,
 * so only switches that are known to be harmless are allowed.
 */

/** How the program draws, and what screen readers and packages of Linux need. */
const ALLOWED = new Set([
  // Windows, where it starts the program for a click on a message.
  'embedding',
  'toastactivated',
  'class',
  'disable-gpu',
  'disable-gpu-compositing',
  'disable-software-rasterizer',
  'enable-wayland-ime',
  'force-color-profile',
  'force-device-scale-factor',
  'force-prefers-reduced-motion',
  'force-renderer-accessibility',
  'gtk-version',
  'high-dpi-support',
  'lang',
  'ozone-platform',
  'ozone-platform-hint',
  'use-gl',
  'wayland-text-input-version',
]);

/** What macOS adds when a program is opened in its Finder. */
const OF_FINDER = /^-psn_\d+_\d+$/;

/** As Chromium reads them: with one or two hyphens, on Windows also with a slash and in any case. */
const SWITCH = { windows: /^(?:--?|\/)([^=]*)/, others: /^--?([^=]*)/ };

/**
 * The first switch that is not allowed, as it was given; null where there is none.
 * @param args without the program itself
 */
export function refusedSwitch(args: readonly string[], platform: NodeJS.Platform): string | null {
  const isWindows = platform === 'win32';
  const pattern = isWindows ? SWITCH.windows : SWITCH.others;
  const isRefused = (argument: string): boolean => {
    const name = pattern.exec(argument)?.[1];
    if (name === undefined || (platform === 'darwin' && OF_FINDER.test(argument))) return false;
    return !ALLOWED.has(isWindows ? name.toLowerCase() : name);
  };
  return args.find(isRefused) ?? null;
}

/** A package's program lies in an archive, which its Electron alone loads (fuse onlyLoadAppFromAsar): nobody who starts it can change that. */
export const isPackaged = (folder: string): boolean => /[\\/]app\.asar$/.test(folder);
