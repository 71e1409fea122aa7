/** The history of all activities, as people use it who watch over many runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  const { page } = browser;
  await firstSignIn(page, portal, 'Newcomer-Pass-1');
  for (const rate of ['2', '9']) {
    await visit(page, `${portal.address}/activities/run/3/`);
    await page.getByLabel('Bonus Rate').fill(`${rate} %`);
    await page.getByLabel('Bonus Rate').press('Control+Enter');
    await page.getByText('The run was successful').waitFor();
  }
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

test('runs of the night are found with one click, ticked, and compared', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/runhistory`);
  await page.getByRole('button', { name: 'Since yesterday 18:00' }).click();
  await page.waitForURL(/period=evening/);
  const boxes = page.getByRole('checkbox', { name: /^Choose run/ });
  await boxes.first().waitFor();
  await expectGoodScreen(browser, 'operator-list');
  await boxes.first().check({ force: true });
  await boxes.nth(1).check({ force: true });
  await page.getByText('2 runs chosen').waitFor();
  expect(await page.getByRole('button', { name: 'Retry', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { name: 'Compare runs - Sales commission' }).waitFor();
});

test('a search by the text of an error finds only failures, and the timeline says the same as its table', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/runhistory?search=open`);
  await page.getByLabel('Text of the error').fill('no such error');
  await page.getByLabel('Text of the error').press('Enter');
  await page.getByText('No runs match the search').waitFor();
  await page.getByRole('link', { name: 'Failures by reason' }).click();
  await page.getByText('No failed runs match the search').waitFor();
  await expectGoodScreen(browser, 'operator-reasons');
  await visit(page, `${portal.address}/activities/runhistory?view=timeline`);
  await page.getByText('Show the day as a table').click();
  await page.getByRole('row', { name: /^Sales commission 2 / }).waitFor();
  await expectGoodScreen(browser, 'operator-timeline');
});

test('compact rows show more runs, and stay compact after a reload', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/runhistory`);
  const rowHeight = async () => (await page.getByRole('gridcell').first().boundingBox())?.height;
  await page.getByRole('gridcell').first().waitFor();
  const comfortable = await rowHeight();
  await page.getByRole('button', { name: /^User menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Compact rows' }).click();
  await expect.poll(rowHeight).toBe(28);
  expect(comfortable).toBe(35);
  await page.reload();
  await expect.poll(rowHeight).toBe(28);
  expect(browser.errors).toEqual([]);
});
