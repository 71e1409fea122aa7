/** A run that starts other runs, as shown in the browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunState } from '#shared/contract/runs.ts';
import { billing, INVOICE } from '#test/support/start-workbooks.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const LONG = 'Kunstmann & Söhne Vermögensverwaltungsgesellschaft mit beschränkter Haftung';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  await publish(browser, portal, { Name: 'Invoice', workbook: INVOICE, hasSimultaneousRuns: true });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

/** Simulates a page that polls too rarely: it sees the state of its run only after the runs it started have ended. */
async function hideRunningFrom(page: Page): Promise<void> {
  await page.route(/\/api\/events/, (route) => route.abort());
  await page.route(/\/api\/activities\/status\/\d+/, async (route) => {
    let response = await route.fetch();
    const isRunning = async (): Promise<boolean> =>
      ((await response.json()) as { result: RunState }).result.RunningChildRuns > 0;
    while (await isRunning()) response = await route.fetch();
    await route.fulfill({ response });
  });
}

test('a run lists what it started, links there and back, and runs again what failed alone', async () => {
  const { page } = browser;
  const workbook = billing([
    ['Ann', 10],
    [LONG, -5],
    ['Cy', 30],
    ['Dee', 40],
  ]);
  const activity = await publish(browser, portal, { Name: 'Billing', workbook, hasSimultaneousRuns: true });
  await hideRunningFrom(page);
  await page.goto(`${portal.address}/activities/run/${activity}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/runstatus/);
  await page.getByText('Runs started by this run: 3 successful, 1 failed').waitFor();
  const started = page.getByRole('region', { name: 'Bill all' });
  await started.getByText('The amount is negative').waitFor();
  // Runs that are still running come last, until they end.
  await expect.poll(() => started.getByRole('link').allTextContents()).toEqual([LONG, 'Ann', 'Cy', 'Dee']);
  await expectGoodScreen(browser, 'started-runs', { isWholePage: true });
  await started.getByRole('button', { name: 'Retry failed' }).click();
  await page.getByText('One run is retried').waitFor();
  await started.getByText('attempt 2').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByText('Runs started by this run: 3 successful, 1 failed').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    started.getByRole('button', { name: 'Rows.csv' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Bill all \d+ Rows\.csv$/);
  await expectGoodScreen(browser, 'started-runs-retried', { isWholePage: true });
  await started.getByRole('link', { name: 'Cy' }).click();
  await page.getByRole('heading', { name: 'Invoice', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Started by Billing' }).click();
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
});
