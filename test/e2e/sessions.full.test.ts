/** A user's own sessions: listed, and ended one by one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNothingSerious } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;
let second: Browser;

beforeAll(async () => {
  [portal, browser, second] = await Promise.all([
    startPortal({ RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
    openBrowser({ colorScheme: 'dark' }),
  ]);
  await firstSignIn(browser.page, portal, PASSWORD);
});
afterAll(async () => {
  await Promise.all([browser.close(), second.close()]);
  await portal.stop();
});

test('a session left open elsewhere is seen, and ended from here', async () => {
  const { page } = browser;
  const login = second.page.getByRole('button', { name: 'Login' });
  await second.page.goto(portal.address);
  await second.page.getByLabel('Username').fill(portal.userName);
  await second.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await login.click();
  await second.page.getByRole('heading', { name: 'Activities' }).waitFor();

  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sessions' }).click();
  await page.getByText('this session').waitFor();
  const end = page.getByRole('button', { name: /^End the session of Chrome on Linux since/ });
  expect(await end.count()).toBe(1);
  await second.page.goto(`${portal.address}/sessions`);
  await second.page.getByText('this session').waitFor();
  for (const each of [browser, second]) {
    await photograph(each.page, `sessions-${each === browser ? 'light' : 'dark'}`);
    await expectNothingSerious(each);
    await expectToFit(each, 360);
  }
  await end.click();
  await page.getByText(/^Chrome on Linux at .* is logged out\.$/).waitFor();
  // Someone who finds the page open does not know the password.
  const password = page.getByLabel('Password', { exact: true });
  const confirm = page.getByRole('button', { name: 'End', exact: true }).last();
  await password.fill('a guess');
  await confirm.click();
  await page.getByText('The password is wrong').waitFor();
  await expectNothingSerious(browser);
  await photograph(page, 'sessions-proof');
  await password.fill(PASSWORD);
  await confirm.click();
  await page.getByText('The session has ended').waitFor();
  await end.waitFor({ state: 'detached' });
  // The other page notices it at the next heartbeat of its event stream.
  await login.waitFor();
  expect(await page.getByRole('button', { name: 'End all others' }).isDisabled()).toBe(true);
  expect(browser.errors).toEqual([]);
});
