/** Finds the Chromium for browser tests and pictures, and installs Debian's package if allowed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Chromium without a window around the page. It saves a sixth of the processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const FULL_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const WHAT_TO_DO = `The browser tests need Chromium, and none was found.
  Debian:            sudo apt-get install chromium-headless-shell, or chromium
  Ubuntu:            sudo apt-get install chromium
  elsewhere:         set RUNSHEET_TEST_CHROMIUM to the path of Chromium or Chrome`;

/**
 * Internal pages that the browser would prepare for each window. They cost more processor time than a start without
 * them.
 */
const OWN_PAGES = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'];
/**
 * Features that Playwright disables. Chromium uses only the last --disable-features argument, so the list must be
 * repeated here.
 */
const OFF_AS_PLAYWRIGHT_HAS_THEM = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'LensOverlay',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Arguments that restrict network access to the page's own requests, and disable features that no test needs. */
export const CHROMIUM_ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...OFF_AS_PLAYWRIGHT_HAS_THEM, ...OWN_PAGES].join(',')}`,
];

/**
 * Argument that Playwright adds by default, and that users' browsers do not have. Without it, scrollbars take up space
 * and cover elements that are too small for them.
 */
export const SCROLLBARS_HIDDEN = ['--hide-scrollbars'];

interface ChromiumOptions {
  install: boolean;
  /** True if the headless shell is sufficient. The shell is then preferred. */
  isShellEnough?: boolean;
}

/** Returns the path of Chromium. If there is none, prints what to install and returns null. */
export function chromiumPath({ install, isShellEnough = false }: ChromiumOptions): string | null {
  const candidates = [
    ...(process.env['RUNSHEET_TEST_CHROMIUM'] ? [process.env['RUNSHEET_TEST_CHROMIUM']] : []),
    ...(isShellEnough ? [HEADLESS_SHELL] : []),
    ...FULL_BROWSERS,
  ];
  const find = (): string | null => candidates.find((path) => existsSync(path)) ?? null;
  const found = find();
  if (found) return found;
  if (install && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium through apt for the browser tests …');
    apt(['update', '-qq']);
    apt(['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation']);
    const installed = find();
    if (installed) return installed;
  }
  console.error(WHAT_TO_DO);
  return null;
}

function apt(args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
}
