/** The home page of an activity for an administrator and for a user who may only run it, with mouse and touch. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, signIn, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';
let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

test('an activity that never ran offers to be run, and is run from its home', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/3/`);
  await page.getByRole('heading', { name: 'Sales commission', level: 1 }).waitFor();
  await page.getByText('Not run yet').waitFor();
  expect(await page.title()).toContain('Sales commission');
  await expectGoodScreen(browser, 'home-new', { isWholePage: true });
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByLabel('Bonus Rate').fill('2 %');
  await page.getByLabel('Bonus Rate').press('Control+Enter');
  await page.getByText('The run was successful').waitFor();
});

test('its runs are a bar each, and a click on one opens the run', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/3/`);
  const bars = page.getByRole('img', { name: /^Durations and outcomes\. 1 ended run: 1 succeeded/ });
  await bars.waitFor();
  await page.getByRole('region', { name: 'Last runs' }).getByText('Succeeded').first().waitFor();
  await page.getByRole('region', { name: 'Versions' }).getByText('Version 1', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Inputs and outputs' }).getByText('Bonus Rate').first().waitFor();
  await page.getByRole('region', { name: 'Who may run it' }).getByText('admin').first().waitFor();
  await page.getByText('What you may do, and why').click();
  const rights = page.getByRole('list', { name: 'What you may do, and why' });
  await rights.getByText('Delete runs and their files').waitFor();
  expect(await rights.getByText('You are an administrator and therefore have every right.').count()).toBe(6);
  await expectGoodScreen(browser, 'home', { isWholePage: true });
  await bars.locator('[data-run]').first().click();
  await page.waitForURL(/\/activities\/runstatus\/\d+\//);
});

test('the tabs lead to every page of the activity, and the browser names it on each', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/3/`);
  const tabs = page.getByRole('navigation', { name: 'Sales commission' });
  const names = ['Overview', 'Run', 'Runs', 'Versions', 'Automate', 'Access', 'Tests', 'Settings'];
  await expect.poll(() => tabs.getByRole('link').allInnerTexts()).toEqual(names);
  await tabs.getByRole('link', { name: 'Automate' }).click();
  await page.getByRole('heading', { name: 'Activity Scheduler', level: 1 }).waitFor();
  expect(await tabs.locator('[aria-current=page]').allInnerTexts()).toEqual(['Automate']);
  const pages = page.getByRole('navigation', { name: 'Automate' });
  await pages.getByRole('link', { name: 'Triggers' }).click();
  await page.getByRole('heading', { name: 'Triggers', level: 1 }).waitFor();
  expect(await page.title()).toBe('Triggers - Sales commission · Runsheet');
  expect(await tabs.locator('[aria-current=true]').allInnerTexts()).toEqual(['Automate']);
  await expectGoodScreen(browser, 'activity-triggers');
  await tabs.getByRole('link', { name: 'Access' }).click();
  await page.getByRole('list', { name: 'What you may do, and why' }).getByText('Run activities').waitFor();
  await expectGoodScreen(browser, 'activity-access');
  // On a phone the tabs scroll within their row, and not the page.
  const size = page.viewportSize()!;
  await page.setViewportSize({ ...size, width: 360 });
  await expect.poll(() => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
  await page.setViewportSize(size);
  const star = page.getByRole('button', { name: 'Favourite: Sales commission' });
  await star.click();
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  await star.click();
  await page.getByRole('button', { name: 'Run Now' }).click();
  await page.getByRole('heading', { name: 'Sales commission', level: 1 }).waitFor();
  await page.getByLabel('Bonus Rate').waitFor();
});

fullSetTest(
  'with a finger alone a person finds an activity, fills in its form, starts it, reads the result and returns to an earlier run',
  async () => {
    const touch = await openBrowser({ hasTouch: true, width: 360 });
    const { page } = touch;
    await signIn(page, portal, PASSWORD);
    await page.getByRole('link', { name: 'Sales commission', exact: true }).tap();
    await page.getByRole('heading', { name: 'Sales commission', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Run Now' }).first().tap();
    await page.getByLabel('Bonus Rate').tap();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('3 %');
    await page.getByRole('button', { name: 'Work out', exact: true }).tap();
    await page.getByText('The run was successful').waitFor();
    const [, run] = /runstatus\/(\d+)/.exec(page.url())!;
    await page.goto(`${portal.address}/activities/3/`);
    await page.locator(`.rs-run-bar:not([data-run="${run}"])`).first().tap();
    await page.waitForURL(/\/activities\/runstatus\/\d+\//);
    expect(page.url()).not.toContain(`/runstatus/${run}`);
    await expectToFit(touch, 360);
    expect(touch.errors).toEqual([]);
    await touch.close();
  },
);

fullSetTest('the specified menu stands beside the title, and paths that are no number are not found', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/3/`);
  await page.getByRole('button', { name: 'Menu of Sales commission' }).click();
  const entries = () => page.getByRole('menuitem').allInnerTexts();
  await expect.poll(entries).toEqual(['Run Now', 'View Last Run', 'View All Runs', 'View All Versions', 'Edit']);
  await page.keyboard.press('Escape');
  for (const path of ['x', '0', '3.5']) {
    await page.goto(`${portal.address}/activities/${path}/`);
    await page.getByText('Page Not Found.').waitFor();
  }
  await page.goto(`${portal.address}/activities/999999/`);
  await page.getByText('There is no such activity').waitFor();
  expect(browser.errors).toEqual([]);
});

fullSetTest('its saved fields are shown', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/edit/3/`);
  await page.getByLabel('Description', { exact: true }).fill('What the sales people get');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.waitForURL(/\/activities\/$/);
  await page.goto(`${portal.address}/activities/3/`);
  await page.getByText('What the sales people get').waitFor();
});
