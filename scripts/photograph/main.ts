/**
 * Photographs all screens with the data of the large seed, in both themes and at three widths, and checks them with
 * axe:
 *
 *   npm run photograph                       writes into build/out/photographs
 *   npm run photograph -- FOLDER run-form    only the screens whose name contains one of the words
 *
 * LANGUAGE_OF_SCREENS=de-DE selects German. index.html in the folder shows the pictures side by side. Exits with 1 if
 * axe finds a serious problem, a page is wider than its window, or a page writes an error to the console.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { startBenchPortal, type BenchPortal } from '../bench/portal.ts';
import { CHROMIUM_ARGS, chromiumPath, SCROLLBARS_HIDDEN } from '../chromium.ts';
import { buildRenderer } from '../../build/renderer-build.ts';
import { storeSession } from '../bench/store-session.ts';
import { indexPage } from './index-page.ts';
import { fillLarge } from './large-seed.ts';
import { inboxFolder } from './seed-automation.ts';
import { screensOf, type Screen } from './screens.ts';

const WIDTHS = [1440, 1024, 360] as const;
const THEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
const DEFAULT_FOLDER = fileURLToPath(new URL('../../build/out/photographs', import.meta.url));

const [folder = DEFAULT_FOLDER, ...words] = process.argv.slice(2);
const locale = process.env['LANGUAGE_OF_SCREENS'] ?? 'en-GB';

/** Evaluated in the page. True if no placeholder stands for content that is still being fetched. */
const IS_LOADED = `document.querySelector('h1, form:not(.rs-not-loaded)') !== null && document.querySelector('.bp6-skeleton, .bp6-spinner, [aria-busy=true]') === null`;
const UNTIL_QUIET = `new Promise((resolve) => {
  let timer = setTimeout(resolve, 400);
  new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(resolve, 400); }).observe(document.body, { childList: true, subtree: true });
  setTimeout(resolve, 5000);
})`;
/** Evaluated in the page. True if the page has switched to the theme. */
const isPainted = (theme: (typeof THEMES)[number]): string =>
  `document.body.classList.contains('bp6-dark') === ${theme === 'dark'}`;
const NEXT_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Evaluated in the page. Pixels by which the content exceeds the page, or the scroll area below the top bar. */
const WIDER_BY = `Math.max(document.documentElement.scrollWidth - window.innerWidth,
  ...[...document.querySelectorAll('main')].map((main) => main.scrollWidth - main.clientWidth))`;

interface Finding {
  id: string;
  impact: string | null;
  nodes: { target: string[]; failureSummary: string }[];
}

async function contextFor(browser: Browser, portal: BenchPortal, isSignedIn: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce', bypassCSP: true });
  if (isSignedIn) await context.addInitScript(storeSession, portal.headers.authorization.replace('Bearer ', ''));
  return context;
}

/** Waits until no placeholder is left and nothing has changed for a while. */
async function untilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(IS_LOADED);
  await page.evaluate(UNTIL_QUIET);
}

/** Returns the problems of the screen in its current state. */
async function problemsOf(page: Page, axe: string): Promise<string[]> {
  const run = `(async () => { ${axe}; return (await axe.run(document, { resultTypes: ['violations'] })).violations; })()`;
  const problems = (await page.evaluate<Finding[]>(run))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`);
  const wide = await page.evaluate<number>(WIDER_BY);
  return wide > 0 ? [...problems, `wider than the window by ${wide} pixels`] : problems;
}

async function photograph(page: Page, address: string, screen: Screen, axe: string): Promise<string[]> {
  const problems: string[] = [];
  const onConsole = (message: { type(): string; text(): string }): void => {
    const isError = message.type() === 'error' && !message.text().startsWith('Failed to load resource');
    if (isError) problems.push(`console: ${message.text()}`);
  };
  page.on('console', onConsole);
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
  await page.emulateMedia({ colorScheme: THEMES[0] });
  await page.goto(address + screen.path);
  await untilLoaded(page);
  if (screen.open) {
    await screen.open(page);
    await untilLoaded(page);
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(isPainted(colorScheme));
      await page.evaluate(NEXT_FRAMES);
      await page.screenshot({
        path: join(folder, `${screen.name}-${width}-${colorScheme}.png`),
        animations: 'disabled',
      });
      const found = width === 1024 ? [] : await problemsOf(page, axe);
      problems.push(...found.map((problem) => `${width} ${colorScheme}: ${problem}`));
    }
  }
  page.off('console', onConsole);
  return problems;
}

async function main(): Promise<number> {
  const executablePath = chromiumPath({ install: false });
  if (!executablePath) return 2;
  await mkdir(folder, { recursive: true });
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  buildRenderer({ quiet: true });
  const portal = await startBenchPortal({
    samples: true,
    staticFolders: [`Inbox=${inboxFolder()}`],
    connections: { Ledger: { url: 'postgres://nobody@127.0.0.1:1/none' } },
  });
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS, ignoreDefaultArgs: SCROLLBARS_HIDDEN });
  try {
    const seed = await fillLarge(portal);
    const isWanted = ({ name }: Screen): boolean => words.length === 0 || words.some((word) => name.includes(word));
    const screens = screensOf(seed).filter(isWanted);
    const inside = await (await contextFor(browser, portal, true)).newPage();
    const outside = await (await contextFor(browser, portal, false)).newPage();
    for (const page of [inside, outside]) page.setDefaultTimeout(20_000);
    let isGood = true;
    for (const screen of screens) {
      const page = screen.isSignedIn === false ? outside : inside;
      const problems = await photograph(page, portal.address, screen, axe).catch((error: unknown) => [String(error)]);
      console.log([screen.name, ...problems.map((problem) => `  ${problem}`)].join('\n'));
      isGood &&= problems.length === 0;
    }
    await writeFile(join(folder, 'index.html'), indexPage(screens, WIDTHS, THEMES));
    return isGood ? 0 : 1;
  } finally {
    await browser.close();
    await portal.stop();
  }
}

process.exitCode = await main();
