/** One Chromium per test process, with a fresh context for each opened browser. */
import { chromium, type Browser as Chromium, type BrowserContext, type Page } from 'playwright-core';
import type { RunnerTask } from 'vitest';
import { isFullSet } from '#test/support/test-set.ts';
import { CHROMIUM_ARGS, chromiumPath, SCROLLBARS_HIDDEN } from '../../../scripts/chromium.ts';
import { takeLogLines } from './portal-logs.ts';

const SHOWN_ON_FAILURE = 3000;

export interface Browser {
  page: Page;
  context: BrowserContext;
  /**
   * Exceptions of the pages, and errors and warnings in their consoles, except the 4xx responses that the test
   * provoked.
   */
  errors: string[];
  close(): Promise<void>;
}

export interface BrowserOptions {
  colorScheme?: 'light' | 'dark';
  width?: number;
  hasTouch?: boolean;
  locale?: string;
}

let launched: Promise<Chromium> | undefined;

/** Playwright closes it with this process. */
function sharedChromium(): Promise<Chromium> {
  launched ??= launchChromium();
  return launched;
}

async function launchChromium(): Promise<Chromium> {
  const executablePath = chromiumPath({ install: false, isShellEnough: !isFullSet });
  if (!executablePath) throw new Error('Chromium is missing');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS, ignoreDefaultArgs: SCROLLBARS_HIDDEN });
  // A crashed browser fails only the current test.
  browser.once('disconnected', () => (launched = undefined));
  return browser;
}

/** Messages provoked by tests: 4xx responses, and pages that `visit` leaves with unsaved changes. */
const EXPECTED = ['Failed to load resource', 'You are trying to use a blocker on a POP navigation'];

/** Opens a context without cookies, storage or cache, like a browser on a new machine. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const context = await (
    await sharedChromium()
  ).newContext({
    colorScheme: options.colorScheme ?? 'light',
    // Fading elements have lower contrast, and clicks on moving elements miss.
    reducedMotion: 'reduce',
    viewport: { width: options.width ?? 1280, height: 900 },
    acceptDownloads: true,
    hasTouch: options.hasTouch ?? false,
    ...(options.locale === undefined ? {} : { locale: options.locale }),
  });
  // Also for further windows and tabs; Playwright's default is half of it.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  // Intercepts file dialogs from the start. If Chromium were told only on a key press, a busy page could open its own
  // dialog first.
  page.on('filechooser', () => undefined);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const isReported = ['error', 'warning'].includes(message.type());
    if (isReported && !EXPECTED.some((text) => message.text().startsWith(text))) errors.push(message.text());
  });
  const browser: Browser = {
    page,
    context,
    errors,
    close: async () => {
      openBrowsers.delete(browser);
      await context.close();
    },
  };
  openBrowsers.add(browser);
  return browser;
}

const openBrowsers = new Set<Browser>();

/**
 * Prints what the pages show after a failure. Without this, a failure that occurs only elsewhere would name only the
 * condition that was not met.
 */
export async function reportIfFailed({ task }: { task: Readonly<RunnerTask> }): Promise<void> {
  if (task.result?.state !== 'fail') return;
  for (const { context, errors } of openBrowsers) {
    for (const page of context.pages()) process.stderr.write(`${task.name}: ${await whatIsShown(page)}\n`);
    if (errors.length > 0) process.stderr.write(`${task.name}: the pages reported\n${errors.join('\n')}\n`);
  }
  const logged = takeLogLines();
  if (logged !== '') process.stderr.write(`${task.name}: the server logged\n${logged}\n`);
}

/** Closes browsers that a file left open, for example after a failed beforeAll. */
export async function closeBrowsers(): Promise<void> {
  await Promise.all([...openBrowsers].map((browser) => browser.close()));
}

async function whatIsShown(page: Page): Promise<string> {
  const text = await page.evaluate(() => document.body.innerText).catch(String);
  return `${page.url()} showed\n${text.slice(0, SHOWN_ON_FAILURE)}`;
}

/** For work in beforeAll, after whose failure no test runs: prints what the page showed. */
export async function reportingPage<T>(page: Page, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(await whatIsShown(page), { cause: error });
  }
}

const UNKNOWN_PATH = '/no-such-page-of-a-test';

/**
 * Shows the page at an address. In a portal that is already open, it navigates like a link, which takes half the time
 * of a load. The page is fresh even if it was shown before. Toasts of earlier pages are closed, because a test that
 * waits for one could mistake an old one for it. Use `page.goto` if the page must be loaded, for example after a change
 * of the server.
 */
export async function visit(page: Page, address: string): Promise<void> {
  const { origin, href } = new URL(address);
  const isOpen = page.url().startsWith(`${origin}/`) && (await page.locator('#root > *').count()) > 0;
  if (!isOpen) {
    await page.goto(address);
    return;
  }
  const unknown = page.locator('.rs-empty > h1');
  await page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, UNKNOWN_PATH);
  await unknown.waitFor();
  await page.evaluate((path) => {
    history.replaceState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, href);
  await unknown.waitFor({ state: 'detached' });
  await closeMessages(page);
}

/** Closes each toast by its last button; an action button comes before it. */
const closeMessages = (page: Page): Promise<void> =>
  page.locator('.bp6-toast').evaluateAll((messages) => {
    for (const message of messages) [...message.querySelectorAll('button')].at(-1)?.click();
  });
