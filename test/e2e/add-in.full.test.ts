/** A program on this computer, simulated by the client in scripts/, gets its own session from a signed-in browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { beginAddInLogin, type AddInLogin, type AddInSession } from '#server/cli/browser-login.ts';
import { seriousViolations } from './support/axe.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';
const SUCCESS =
  'Login successful. Please click Continue in the Login Window in Excel. This page will close automatically.';
const FAILURE = 'Login failed. Please go back to Excel and retry. This page will close automatically.';

let portal: Portal;
let browser: Browser;
const logins: AddInLogin[] = [];

beforeAll(async () => {
  [portal, browser] = await Promise.all([
    startPortal({ RUNSHEET_BASE_PATH: '/portal', RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
  ]);
  await firstSignIn(browser.page, portal, PASSWORD);
});
afterAll(async () => {
  for (const login of logins) login.close();
  await browser.close();
  await portal.stop();
  expect(browser.errors).toEqual([]);
});

async function begin(): Promise<AddInLogin> {
  const login = await beginAddInLogin(portal.address, 'excel');
  logins.push(login);
  // A failing login is checked later and must not count as unhandled rejection.
  login.session.catch(() => undefined);
  return login;
}

/** Opens a separate window, as the program does. */
async function openWindow(address: string): Promise<Page> {
  const opened = browser.context.waitForEvent('page');
  await browser.page.evaluate((url) => void window.open(url), address);
  return opened;
}

async function nameOf({ access_token }: AddInSession): Promise<unknown> {
  const answer = await fetch(`${portal.address.replace(/\/$/, '')}/api/users/profile`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: '[]',
  });
  return ((await answer.json()) as { result: { UserName: string } }).result.UserName;
}

test('the browser brings the code by going to the program, which leads it back; the window closes', async () => {
  const login = await begin();
  const page = await openWindow(login.address);
  await page.getByRole('heading', { name: 'Sign in to excel' }).waitFor();
  expect(page.url()).not.toMatch(/challenge|state/);
  await page.getByText('wants to sign in as Administrator').waitFor();
  expect(await seriousViolations({ ...browser, page })).toEqual([]);
  await expectToFit({ page }, 360);
  const closed = page.waitForEvent('close');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(SUCCESS).waitFor();
  expect(page.url()).not.toMatch(/code/);
  expect(await nameOf(await login.session)).toBe('admin');
  await closed;
});

test('who is not signed in does so first; a code can be carried by hand', async () => {
  const login = await begin();
  const other = await openBrowser();
  const { page } = other;
  const { port } = new URL(login.address.replace(/.*excel%3A(\d+).*/, 'http://127.0.0.1:$1'));
  await page.goto(login.address.replace(`%3A${port}`, ''));
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('heading', { name: 'Sign in to excel' }).waitFor();
  expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show code' }).click();
  const code = await page.locator('code').textContent();
  expect(await seriousViolations(other)).toEqual([]);
  await expectToFit(other, 360);
  expect(await nameOf(await login.redeem(` ${code}\n`))).toBe('admin');
  await expect(login.redeem(code!)).rejects.toThrow('no longer valid');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Activities' }).waitFor();
  expect(other.errors).toEqual([]);
  await other.close();
});

test('a program that gets no session says so in the browser, as does an invalid request', async () => {
  const login = await begin();
  const page = await openWindow(login.address);
  // Someone without the proof key was faster: the code is used up.
  await page.route('http://127.0.0.1:*/?code=*', async (route) => {
    const Code = new URL(route.request().url()).searchParams.get('code');
    await fetch(new URL('api/addin/token', `${portal.address.replace(/\/*$/, '')}/`), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Code, Verifier: 'x'.repeat(43) }),
    });
    await route.continue();
  });
  const closed = page.waitForEvent('close');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(FAILURE).waitFor();
  await expect(login.session).rejects.toThrow('no longer valid');
  await closed;

  const wrong = await browser.context.newPage();
  // Keeps the window open for the check.
  await wrong.addInitScript('window.close = () => undefined');
  await wrong.goto(`${portal.address}?c=excel:80&challenge=x`);
  await wrong.getByText(FAILURE).waitFor();
  expect(await seriousViolations({ ...browser, page: wrong })).toEqual([]);
  await wrong.close();
});

test('a call to the program without its state is not listened to', async () => {
  const login = await begin();
  const [, port] = /excel%3A(\d+)/.exec(login.address)!;
  const at = `http://127.0.0.1:${port}/`;
  expect((await fetch(`${at}?code=stolen`)).status).toBe(404);
  expect((await fetch(`${at}?code=stolen&state=guess`, { method: 'POST' })).status).toBe(404);
});
