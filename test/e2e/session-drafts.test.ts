/**
 * Input typed before a session ended automatically: stored encrypted, restored for the same user, and not accessible to
 * another one.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { fallAsleep } from './support/inactivity.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const ADMIN_PASSWORD = 'Newcomer-Pass-1';
const INITIAL_PASSWORD = 'Given-Horse-7';
const OWN_PASSWORD = 'Own-Horse-8';
const RESTORED = 'What you entered earlier is back.';
/** With its point, the text cannot be part of the times and the encrypted data that the browser stores. */
const TYPED = '.4321';

/** Has no inputs, as required for a schedule. */
const REPORT: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1+1', value: 2 } } }],
  names: { out_Result: 'S!$B$1' },
};

let portal: Portal;
let browser: Browser;
let second: Browser;

beforeAll(async () => {
  [portal, browser, second] = await Promise.all([startPortal(), openBrowser(), openBrowser()]);
  const { page } = browser;
  await firstSignIn(page, portal, ADMIN_PASSWORD);
  await page.goto(`${portal.address}/newuser/`);
  await page.getByLabel('User Name').fill('vera');
  await page.getByLabel('First name').fill('Vera');
  await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
  await page.getByLabel('Confirm Password').fill(INITIAL_PASSWORD);
  await page.getByText('Administrator: has every right').click();
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('New user created').waitFor();
});

afterAll(async () => {
  await Promise.all([browser.close(), second.close()]);
  await portal.stop();
});

async function enter({ page }: Browser, userName: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(userName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Returns everything that the browser stores for the portal. */
const readStorage = ({ page }: Browser): Promise<string> =>
  page.evaluate(() => JSON.stringify([window.localStorage, window.sessionStorage]));

test('it comes back after a sign-in as the same person, and nobody could read it in between', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/run/3/`);
  const typed = page.getByLabel('Bonus Rate');
  await typed.fill(TYPED);
  await page.waitForFunction(() => Object.keys(window.sessionStorage).some((key) => key.includes('run-form.')));
  expect(await readStorage(browser)).not.toContain(TYPED);
  await fallAsleep(browser);
  expect(await readStorage(browser)).not.toContain(TYPED);
  await enter(browser, 'Admin', ADMIN_PASSWORD);
  await page.getByText(RESTORED).waitFor();
  expect(await typed.inputValue()).toMatch(/^(0\.4321|43\.21 ?%)$/);
});

fullSetTest('a session that the server ends in the middle of typing loses nothing either', async () => {
  const { page } = browser;
  const typed = page.getByLabel('Bonus Rate');
  await second.page.goto(portal.address);
  await enter(second, portal.userName, ADMIN_PASSWORD);
  await second.page.getByRole('heading', { name: 'Activities' }).waitFor();
  await second.page.goto(`${portal.address}/sessions`);
  const logOutEverywhere = second.page.getByRole('button', { name: 'Log out on all devices' });
  await logOutEverywhere.waitFor();
  await typed.fill('.5432');
  await logOutEverywhere.click();
  await second.page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
  await second.page.getByRole('button', { name: 'Log out', exact: true }).click();
  await second.page.getByRole('button', { name: 'Login' }).waitFor();
  // The page notices it without user action, at the latest by its event stream.
  await page.getByRole('button', { name: 'Login' }).waitFor();
  await enter(browser, portal.userName, ADMIN_PASSWORD);
  await page.getByText(RESTORED).waitFor();
  expect(await typed.inputValue()).toMatch(/^(0\.5432|54\.32 ?%)$/);
});

fullSetTest('another person at the same window sees nothing of it, and it is still there for the first', async () => {
  const { page } = browser;
  await fallAsleep(browser);
  await enter(browser, 'vera', INITIAL_PASSWORD);
  await page.getByLabel('New Password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByLabel('Confirm New Password').fill(OWN_PASSWORD);
  await page.getByRole('button', { name: 'Change' }).click();
  const typed = page.getByLabel('Bonus Rate');
  await typed.waitFor();
  expect(await typed.inputValue()).not.toContain('54');
  expect(await page.getByText(RESTORED).count()).toBe(0);
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Login' }).waitFor();
  await enter(browser, portal.userName, ADMIN_PASSWORD);
  await page.getByRole('heading', { name: 'Activities' }).waitFor();
  await page.goto(`${portal.address}/activities/run/3/`);
  await page.getByText(RESTORED).waitFor();
  expect(await typed.inputValue()).toMatch(/^(0\.5432|54\.32 ?%)$/);
  await expectNothingSerious(browser);
  // An intentional logout leaves nothing behind.
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Login' }).waitFor();
  expect(await readStorage(browser)).not.toContain('run-form.admin');
  expect(browser.errors).toEqual([]);
});

/** The typed values differ from everything else that the browser stores. */
const FORMS: readonly { path: string; label: string; typed: string; form?: string }[] = [
  { path: '/activities/edit/3/', form: 'Preset Values', label: 'Bonus Rate', typed: '0.987654' },
  { path: '/activities/schedule/edit/{report}', label: 'Retry Attempts', typed: '7654321' },
  { path: '/activities/runretention/edit/{report}', label: 'Run Retention Period', typed: '8765432' },
  { path: '/newuser/', label: 'First name', typed: 'Walter' },
  { path: '/edituser/2/', label: 'Last name', typed: 'Verdi' },
  { path: '/rights/new', label: 'Name', typed: 'Closes the books' },
];

fullSetTest('nor is anything else lost that was typed and not saved, but for passwords', async () => {
  const { page } = browser;
  await enter(browser, portal.userName, ADMIN_PASSWORD);
  await page.getByRole('heading', { name: 'Activities' }).waitFor();
  const report = await publish(browser, portal, { Name: 'Report', workbook: REPORT });
  for (const { path, form, label, typed } of FORMS) {
    await page.goto(portal.address + path.replace('{report}', String(report)));
    const scope = form ? page.getByRole('form', { name: form }) : page.getByRole('main');
    const field = scope.getByLabel(label).first();
    await field.fill(typed);
    await field.blur();
    const shown = await field.inputValue();
    const password = page.getByLabel('Password', { exact: true });
    if (path === '/newuser/') await password.fill(INITIAL_PASSWORD);
    await fallAsleep(browser);
    expect(await readStorage(browser)).not.toContain(typed);
    await enter(browser, portal.userName, ADMIN_PASSWORD);
    await page.getByText(RESTORED).waitFor();
    expect([path, await field.inputValue()]).toEqual([path, shown]);
    if (path === '/newuser/') expect(await password.inputValue()).toBe('');
  }
  expect(browser.errors).toEqual([]);
});
