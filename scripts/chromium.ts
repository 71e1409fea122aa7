/** Finds the Chromium that browser tests and pictures use, and installs Debian's where it may. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Chromium without a window around the page. It saves a sixth of the processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const WHOLE = [
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

/** Pages of the browser's own that it would prepare beside each window: they cost more processor time than a start without them. */
const OWN_PAGES = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'];
/** What Playwright switches off: of this argument Chromium takes the last one alone. */
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

/** Keeps the browser off every network but the page's own, and off what no test looks at. */
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

/** What Playwright hands over by itself and people do not have: without it scrollbars take their room, and cover what is too small for them. */
export const SCROLLBARS_HIDDEN = ['--hide-scrollbars'];

interface ChromiumOptions {
  install: boolean;
  /** Whether the headless shell is enough. It is taken first then. */
  isShellEnough?: boolean;
}

/** The path of Chromium; null, with a line on what to install, where there is none. */
export function chromiumPath({ install, isShellEnough = false }: ChromiumOptions): string | null {
  const candidates = [
    ...(process.env['RUNSHEET_TEST_CHROMIUM'] ? [process.env['RUNSHEET_TEST_CHROMIUM']] : []),
    ...(isShellEnough ? [HEADLESS_SHELL] : []),
    ...WHOLE,
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
