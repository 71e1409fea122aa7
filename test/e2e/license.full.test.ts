/** A portal that needs a licence: without one nothing runs, and the administrator installs one. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNothingSerious } from './support/good-screen.ts';
import { openFromMenu } from './support/menu.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

let folder: string;
let portal: Portal;
let browser: Browser;

const DAY_MS = 86_400_000;
const day = (fromToday: number): string => new Date(Date.now() + fromToday * DAY_MS).toISOString().slice(0, 10);

const issue = (...args: string[]): string =>
  execFileSync(process.execPath, ['scripts/issue-license.ts', ...args], { encoding: 'utf8' }).trim();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-vendor-'));
  const [name = '', value = ''] = issue('new-vendor', join(folder, 'vendor.pem')).split(/=(.*)/s);
  [portal, browser] = await Promise.all([startPortal({ [name]: value }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await rm(folder, { recursive: true });
});

async function runSample(outcome: string): Promise<void> {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Sales commission' }).click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByLabel('Bonus Rate').press('Control+Enter');
  await page.getByText(outcome).first().waitFor();
}

test('without a licence the top bar says so, and a run is disallowed', async () => {
  await browser.page.getByText('Invalid Licence').waitFor();
  await runSample('The run was disallowed because of an invalid or expired license');
});

test('an expired key is refused and stays in the field, a valid one is taken although its lines are broken', async () => {
  const { page } = browser;
  await openFromMenu(page, 'Administration', 'Renew License');
  await page.getByText('There is no valid license yet.').waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Enter the new key').waitFor();
  await page.getByLabel('New Key').fill(issue(join(folder, 'vendor.pem'), 'Miller Ltd', day(-2)));
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('The license of this key has expired').waitFor();
  expect(await page.getByLabel('New Key').inputValue()).not.toBe('');
  await expectNothingSerious(browser);
  const key = issue(join(folder, 'vendor.pem'), 'Miller Ltd', day(10));
  await page.getByLabel('New Key').fill(`${key.slice(0, 40)}\n${key.slice(40)}`);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Licensed to Miller Ltd until').first().waitFor();
  // It ends within 15 days and is therefore shown in red.
  await page.getByRole('banner').getByText('Miller Ltd').locator('.rs-danger-text').waitFor();
  await runSample('The run was successful');
});
