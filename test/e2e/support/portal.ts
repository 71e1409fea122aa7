/** The portal as its users have it: a server process on a data folder of its own, and a real Chromium in front of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterEach, type RunnerTask } from 'vitest';
import { CHROMIUM_ARGS, chromiumPath, SCROLLBARS_HIDDEN } from '../../../scripts/chromium.ts';
import { emptyFolder, startedFolder, type FirstWords } from './data-folder.ts';

const SHOWN_ON_FAILURE = 3000;
const START = fileURLToPath(new URL('../../../scripts/start.js', import.meta.url));

export interface Portal {
  address: string;
  userName: string;
  /** The once-only one that the first start printed. */
  password: string;
  stop(): Promise<void>;
}

/** What a first start does not look at: with these a portal may begin on what another first start left behind. */
const OF_NO_FIRST_START = new Set([
  'RUNSHEET_BASE_PATH',
  'RUNSHEET_CONNECTIONS',
  'RUNSHEET_MAIL_FROM',
  'RUNSHEET_PUBLIC_URL',
  'RUNSHEET_SIGN_IN_FILE',
  'RUNSHEET_SMTP_HOST',
  'RUNSHEET_SMTP_PORT',
  'RUNSHEET_SMTP_SECURITY',
  'RUNSHEET_STATIC_FOLDERS',
  'RUNSHEET_WEBHOOK_PRIVATE_ADDRESSES',
]);

/**
 * Starts `npm start`'s script on a data folder of its own, where nobody has signed in yet, and waits for its address. `settings` are
 * environment variables.
 */
export async function startPortal(settings: Record<string, string> = {}): Promise<Portal> {
  const { RUNSHEET_SAMPLES = 'true', ...others } = settings;
  const isAsAny = Object.keys(others).every((name) => OF_NO_FIRST_START.has(name));
  const { path, firstWords } = await (isAsAny ? startedFolder({ RUNSHEET_SAMPLES }, firstStart) : emptyFolder());
  const program = startProgram(path, settings);
  const address = await program.says('address');
  return {
    address,
    ...(firstWords ?? { userName: await program.says('userName'), password: await program.says('password') }),
    stop: async () => {
      await program.stop();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** With all samples, where there are any. */
async function firstStart(folder: string, settings: Record<string, string>): Promise<FirstWords> {
  const program = startProgram(folder, settings);
  const words = { userName: await program.says('userName'), password: await program.says('password') };
  await program.says(settings.RUNSHEET_SAMPLES === 'false' ? 'address' : 'samples');
  await program.stop();
  return words;
}

/** Whole lines: what is printed may come in pieces. */
const SAID = {
  address: /is at (http:\S+).*\n/,
  userName: /user name +(\S+).*\n/,
  password: /password +(\S+).*\n/,
  samples: /(published what shows the sample database).*\n/,
};

function startProgram(
  folder: string,
  settings: Record<string, string>,
): { says(what: keyof typeof SAID): Promise<string>; stop(): Promise<void> } {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, RUNSHEET_DATA_DIR: folder, RUNSHEET_PORT: '0', ...settings };
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collect(child);
  return {
    says: async (what) => (await output.says(SAID[what]))[1]!,
    stop: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function collect(child: ChildProcess): { says(pattern: RegExp): Promise<RegExpExecArray> } {
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close').then(() => 'ended' as const);
  return {
    async says(pattern) {
      for (let found = pattern.exec(text); ; found = pattern.exec(text)) {
        if (found) return found;
        const next = await Promise.race([once(child.stdout!, 'data'), ended]);
        if (next === 'ended' && !pattern.test(text))
          throw new Error(`The server ended without saying ${pattern}:\n${text}`);
      }
    },
  };
}

export interface Browser {
  page: Page;
  context: BrowserContext;
  /** Errors the pages threw and the console showed, other than answers of 4xx the test provoked. */
  errors: string[];
  close(): Promise<void>;
}

export async function openBrowser(
  options: { colorScheme?: 'light' | 'dark'; width?: number; hasTouch?: boolean; locale?: string } = {},
): Promise<Browser> {
  const executablePath = chromiumPath({ install: false });
  if (!executablePath) throw new Error('Chromium is missing');
  // Playwright makes the profile and removes it once all processes of the browser have ended.
  const context = await chromium.launchPersistentContext('', {
    executablePath,
    args: CHROMIUM_ARGS,
    ignoreDefaultArgs: SCROLLBARS_HIDDEN,
    colorScheme: options.colorScheme ?? 'light',
    // What is half faded in has half its contrast, and what moves is clicked in vain.
    reducedMotion: 'reduce',
    viewport: { width: options.width ?? 1280, height: 900 },
    acceptDownloads: true,
    hasTouch: options.hasTouch ?? false,
    ...(options.locale === undefined ? {} : { locale: options.locale }),
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(30_000);
  // Has file dialogs handed over from now on: were Chromium told only when a key is pressed, a busy page would open its own before it hears of it.
  page.on('filechooser', () => undefined);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
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
}

// Last of all: where a file closes its browser after each test, it has to tell before.
afterEach(tellIfFailed);

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

/** Signs in for the first time: the printed password has to be changed. */
export function firstSignIn(page: Page, portal: Portal, newPassword: string): Promise<void> {
  return telling(page, async () => {
    await page.goto(portal.address);
    await page.getByLabel('Username').fill(portal.userName);
    await page.getByLabel('Password', { exact: true }).fill(portal.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByLabel('New Password', { exact: true }).fill(newPassword);
    await page.getByLabel('Confirm New Password').fill(newPassword);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
  });
}

export function signIn(page: Page, portal: Portal, password: string): Promise<void> {
  return telling(page, async () => {
    await page.goto(`${portal.address}/login`);
    await page.getByLabel('Username').fill(portal.userName);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByRole('heading', { name: 'Activities' }).waitFor();
  });
}
