/** Watching a run: by the page's event stream alone, by polling alone, and after the stream was cut. */
import type { Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { stepSheet } from '#test/support/step-portal.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

let portal: Portal;
let browser: Browser;
let activity: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  const cells = { A1: { value: 1 }, A3: { formula: 'A1*10', value: 10 } };
  const steps = stepSheet([{ Step: 'Rate', Action: 'Prompt', Cell: 'S!A1', Message: 'Which rate?' }]);
  const workbook = { sheets: [{ name: 'S', cells }, steps], names: { out_Ten: 'S!$A$3' } };
  activity = await publish(browser, portal, { Name: 'Asking', workbook });
});
afterEach(() => browser.page.unrouteAll({ behavior: 'ignoreErrors' }));
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const ASKED = '**/api/activities/status/*';
const STREAM = '**/api/events*';
const isAsking = (request: Request): boolean => request.method() === 'POST';

async function start(): Promise<void> {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/run/${activity}/`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/runstatus/);
}

async function answer(): Promise<void> {
  const { page } = browser;
  await page.getByLabel('Which rate?').fill('4');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('The run was successful').waitFor();
}

test('the question of a run, and its end, come through the stream, without polling', async () => {
  const { page } = browser;
  await page.route(ASKED, (route) => (isAsking(route.request()) ? route.abort() : route.continue()));
  await start();
  await answer();
});

test('where there is no stream, the page asks', async () => {
  await browser.page.route(STREAM, (route) => route.abort());
  await start();
  await answer();
});

test('a stream that was cut comes back, and reports what happened in between', async () => {
  const { page } = browser;
  await start();
  await page.getByLabel('Which rate?').waitFor();
  await page.route(ASKED, (route) => (isAsking(route.request()) ? route.abort() : route.continue()));
  const back = page.waitForResponse((response) => response.url().includes('/api/events') && response.ok());
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  // When a page becomes visible again, it opens a new stream, as after a cut.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await back;
  await answer();
  expect(browser.errors).toEqual([]);
});

test('the timeline of all runs is fetched again after a cut: it shows what was started in between', async () => {
  const { page } = browser;
  const isTimeline = (url: string): boolean => url.includes('/api/activities/runhistory/timeline');
  const opened = page.waitForResponse((response) => response.url().includes('/api/events') && response.ok());
  await page.goto(`${portal.address}/activities/runhistory?view=timeline`);
  await page.waitForResponse((response) => isTimeline(response.url()) && response.ok());
  await opened;
  await page.route(STREAM, (route) => route.abort());
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const other = await page.context().newPage();
  await other.goto(`${portal.address}/activities/run/${activity}/`);
  await other.getByRole('button', { name: 'Start' }).click();
  await other.getByLabel('Which rate?').waitFor();
  const again = page.waitForResponse((response) => isTimeline(response.url()) && response.ok());
  await page.unroute(STREAM);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await again;
  await other.close();
});
