/** One Chromium per process of tests, and a fresh context in it for everyone who opens a browser. */
import { chromium, type Browser as Chromium, type BrowserContext, type Page } from 'playwright-core';
import type { RunnerTask } from 'vitest';
import { isFullSet } from '#test/support/test-set.ts';
import { CHROMIUM_ARGS, chromiumPath, SCROLLBARS_HIDDEN } from '../../../scripts/chromium.ts';
import { takeLogLines } from './portal-logs.ts';

const SHOWN_ON_FAILURE = 3000;

export interface Browser {
  page: Page;
  context: BrowserContext;
  /** What the pages threw, and the errors and warnings of their consoles, other than answers of 4xx the test provoked. */
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

/** Playwright ends it with this process. */
function sharedChromium(): Promise<Chromium> {
  launched ??= launchChromium();
  return launched;
}

async function launchChromium(): Promise<Chromium> {
  const executablePath = chromiumPath({ install: false, isShellEnough: !isFullSet });
  if (!executablePath) throw new Error('Chromium is missing');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS, ignoreDefaultArgs: SCROLLBARS_HIDDEN });
  // One that crashed fails the test at hand only.
  browser.once('disconnected', () => (launched = undefined));
  return browser;
}

/** What tests bring about: answers of 4xx that they provoke, and pages that `visit` leaves while something is not saved. */
const EXPECTED = ['Failed to load resource', 'You are trying to use a blocker on a POP navigation'];

/** A context without cookies, storage or cached files, as a person's browser on a new machine. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const context = await (
    await sharedChromium()
  ).newContext({
    colorScheme: options.colorScheme ?? 'light',
    // What is half faded in has half its contrast, and what moves is clicked in vain.
    reducedMotion: 'reduce',
    viewport: { width: options.width ?? 1280, height: 900 },
    acceptDownloads: true,
    hasTouch: options.hasTouch ?? false,
    ...(options.locale === undefined ? {} : { locale: options.locale }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // Has file dialogs handed over from now on: were Chromium told only when a key is pressed, a busy page would open its own before it hears of it.
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

/** Without it a failure that only happens elsewhere would say no more than what was waited for in vain. */
export async function tellIfFailed({ task }: { task: Readonly<RunnerTask> }): Promise<void> {
  if (task.result?.state !== 'fail') return;
  for (const { context, errors } of openBrowsers) {
    for (const page of context.pages()) process.stderr.write(`${task.name}: ${await whatIsShown(page)}\n`);
    if (errors.length > 0) process.stderr.write(`${task.name}: the pages reported\n${errors.join('\n')}\n`);
  }
  const logged = takeLogLines();
  if (logged !== '') process.stderr.write(`${task.name}: the server logged\n${logged}\n`);
}

/** Closes what a file left open, such as after a failed beforeAll. */
export async function closeBrowsers(): Promise<void> {
  await Promise.all([...openBrowsers].map((browser) => browser.close()));
}

async function whatIsShown(page: Page): Promise<string> {
  const text = await page.evaluate(() => document.body.innerText).catch(String);
  return `${page.url()} showed\n${text.slice(0, SHOWN_ON_FAILURE)}`;
}

/** For work in beforeAll, after whose failure no test runs: tells what the page showed. */
export async function telling<T>(page: Page, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(await whatIsShown(page), { cause: error });
  }
}

const UNKNOWN_PATH = '/no-such-page-of-a-test';

/**
 * Shows the page at an address: within a portal that is open already as a link does, which takes half of what loading it takes. The page is a fresh
 * one even where it was shown before, without the short messages of the pages before it: a test that waits for one would take an old one for it.
 * What has to be loaded, such as after a change of the server, goes by `page.goto`.
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

/** By the cross of each; its button of an action comes before that. */
const closeMessages = (page: Page): Promise<void> =>
  page.locator('.bp6-toast').evaluateAll((messages) => {
    for (const message of messages) [...message.querySelectorAll('button')].at(-1)?.click();
  });
