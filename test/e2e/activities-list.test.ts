/**
 * The activities as a table: search, filters, sorting and favourites with mouse, keyboard and touch; and two thousand
 * of them.
 */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityList } from '#shared/contract/activities.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { photograph } from './support/pictures.ts';
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

const table = ({ page }: Browser = browser): Locator => page.getByRole('table', { name: 'Activities' });
const names = (of: Browser = browser): Promise<string[]> => table(of).locator('.rs-list-link').allInnerTexts();

test('few activities are tiles; who chooses the table finds it again after a reload', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/`);
  await page.getByRole('button', { name: 'Expand All' }).waitFor();
  // On a slow machine this text appears after the list and moves the buttons.
  await page.getByText('Run an activity').first().waitFor();
  expect(await table().count()).toBe(0);
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await table().waitFor();
  expect(await page.getByRole('button', { name: 'Expand All' }).count()).toBe(0);
  await page.reload();
  await table().waitFor();
  await expectGoodScreen(browser, 'list');
});

test('a favourite comes first, and stays so', async () => {
  const { page } = browser;
  const before = await names();
  const last = before.at(-1)!;
  const star = page.getByRole('button', { name: `Favourite: ${last}` });
  await Promise.all([page.waitForResponse(/\/activities\/favourite/), star.click()]);
  await expect.poll(async () => (await names())[0]).toBe(last);
  await page.reload();
  await table().waitFor();
  await expect.poll(async () => (await names())[0]).toBe(last);
  expect(await star.getAttribute('aria-pressed')).toBe('true');
  await page.getByLabel('Show', { exact: true }).selectOption({ label: 'My favourites' });
  await page.getByText(/^1 of \d+$/).waitFor();
  await expect.poll(() => names()).toEqual([last]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText(/^\d+ in total$/).waitFor();
});

test('sort, filter and search stand in the address, together', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL(/sort=name/);
  // The header toggles from the sort order shown, which may update after the address.
  await table().locator('th[aria-sort=ascending]').waitFor();
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL(/sort=-name/);
  // The rows update slightly after the address.
  const sorted = (await names()).toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true, sensitivity: 'base' }));
  await expect.poll(() => names()).toEqual(sorted);
  await page.getByLabel('Outcome of the last run').selectOption({ label: 'Not run yet' });
  await page.getByRole('searchbox', { name: 'Search activities' }).fill('commission');
  await page.waitForURL(/q=commission/);
  await page.getByText(/^1 of \d+$/).waitFor();
  expect(page.url()).toMatch(/sort=-name.*state=never|state=never.*sort=-name/);
  await page.reload();
  await page.getByText(/^1 of \d+$/).waitFor();
  await expect.poll(() => names()).toEqual(['Sales commission']);
  await page.getByRole('link', { name: 'Sales commission', exact: true }).click();
  await page.getByRole('heading', { name: 'Sales commission', level: 1 }).waitFor();
  await page.goBack();
  await page.getByText(/^1 of \d+$/).waitFor();
});

fullSetTest('the menu of a row is that of its tile, and arrows go from name to name', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Menu of Sales commission' }).click();
  const entries = () => page.getByRole('menuitem').allInnerTexts();
  await expect.poll(entries).toEqual(['Run Now', 'View All Runs', 'View All Versions', 'Edit']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText(/^\d+ in total$/).waitFor();
  const [first, second] = await names();
  await page.getByRole('link', { name: first!, exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(second);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: first!, level: 1 }).waitFor();
  expect(browser.errors).toEqual([]);
});

/** Replaces the server's activities by more than most portals have. */
async function withMany({ page }: Browser, count: number): Promise<void> {
  await page.route(/\/api\/activities$/, async (route) => {
    const answer = await route.fetch();
    const { result } = (await answer.json()) as { result: ActivityList };
    const [model] = result.Activities;
    const Activities = Array.from({ length: count }, (_, index) => ({
      ...model!,
      Id: index + 1,
      Name: `Activity ${index + 1} ${index % 7 === 0 ? 'with quite a long name' : ''}`.trim(),
      Description: 'What it is for, at some length, so that the line ends before the text does '.repeat(2),
      Group: `Group ${index % 40}`,
      LastRun:
        index % 3 === 0
          ? {
              Id: index + 1,
              QueueTime: new Date(Date.now() - index * 3e6).toISOString(),
              Status: index % 2 ? 'Failed' : 'Succeeded',
              UserFullName: 'Ada Lovelace',
            }
          : null,
    }));
    await route.fulfill({ json: { result: { ...result, Activities } } });
  });
}

fullSetTest('two thousand activities are a table by themselves, of which few rows are drawn', async () => {
  const many = await openBrowser();
  const { page } = many;
  await signIn(page, portal, PASSWORD);
  await withMany(many, 2000);
  await page.goto(`${portal.address}/activities/`);
  await table(many).waitFor();
  const drawn = () => table(many).locator('tbody tr').count();
  expect(await drawn()).toBeLessThan(90);
  expect(await table(many).getAttribute('aria-rowcount')).toMatch(/^20\d\d$/);
  await photograph(page, 'list-2000');
  const frames = await page.evaluate(async () => {
    const main = document.querySelector('#main')!;
    const gaps: number[] = [];
    let before = performance.now();
    for (let round = 0; round < 120; round += 1) {
      main.scrollBy(0, 700);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      gaps.push(performance.now() - before);
      before = performance.now();
    }
    return gaps.sort((a, b) => a - b);
  });
  process.stdout.write(
    `2,000 activities: a frame while scrolling took ${frames[60]!.toFixed(0)} ms in the middle, ${frames.at(-1)!.toFixed(0)} at most\n`,
  );
  await page.waitForFunction(() => {
    document.querySelector('#main')!.scrollTo(0, 1e6);
    const [...rows] = document.querySelectorAll('.rs-list tbody tr[aria-rowindex]');
    return (
      rows.at(-1)?.getAttribute('aria-rowindex') === document.querySelector('.rs-list')?.getAttribute('aria-rowcount')
    );
  });
  expect(await drawn()).toBeLessThan(90);
  await page.getByRole('searchbox', { name: 'Search activities' }).fill('Activity 1999');
  await table(many).getByRole('link', { name: 'Activity 1999', exact: true }).waitFor();
  expect(many.errors).toEqual([]);
  await many.close();
});

fullSetTest('a finger favours, and opens an activity', async () => {
  const touch = await openBrowser({ hasTouch: true, width: 360 });
  const { page } = touch;
  await signIn(page, portal, PASSWORD);
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('button', { name: 'Table', exact: true }).tap();
  const star = page.getByRole('button', { name: 'Favourite: Loan schedule' });
  await Promise.all([page.waitForResponse(/\/activities\/favourite/), star.tap()]);
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  await table(touch).getByRole('link', { name: 'Sales commission', exact: true }).tap();
  await page.waitForURL(/\/activities\/3\/$/);
  expect(touch.errors).toEqual([]);
  await touch.close();
});
