/**
 * Command-line switches that prevent a packaged client from starting. Chromium and V8 support many switches that attach
 * a debugger, load code or redirect connections, and a modified shortcut can set them. To protect the sessions in the
 * keychain, only switches known to be harmless are allowed.
 */

/** Switches for rendering, screen readers and Linux packages. */
const ALLOWED = new Set([
  // Set by Windows when it starts the program for a click on a notification.
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

/** Added by macOS when a program is opened in Finder. */
const OF_FINDER = /^-psn_\d+_\d+$/;

/** Chromium's syntax: one or two hyphens; on Windows also a slash, and case-insensitive. */
const SWITCH = { windows: /^(?:--?|\/)([^=]*)/, others: /^--?([^=]*)/ };

/**
 * Returns the first switch that is not allowed, as given; null if there is none.
 * @param args arguments without the program itself
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

/**
 * A packaged program is loaded only from its archive by its own Electron (fuse onlyLoadAppFromAsar), so the caller
 * cannot circumvent this check.
 */
export const isPackaged = (folder: string): boolean => /[\\/]app\.asar$/.test(folder);
