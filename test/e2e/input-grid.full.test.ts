/** More of the input grid: other ways to fill, sorting, column widths, and 50,000 rows. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '#test/support/until.ts';
import { inputGrid, ORDERS } from './support/input-grid.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

let portal: Portal;
let browser: Browser;
let orders: number;

const {
  grid,
  cell,
  keys,
  middleOf,
  handleAt,
  click,
  untilColumn,
  dragHandle,
  selectCells,
  paste,
  openMenu,
  filterBy,
  openForm,
} = inputGrid(() => browser.page);

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser({ hasTouch: true })]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  orders = await publish(browser, portal, { Name: 'Orders of a day', workbook: ORDERS });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});
beforeEach(() => openForm(portal, orders));

describe('the fill handle', () => {
  test('copies a number, and counts with Ctrl', async () => {
    await click(cell(0, 1));
    await dragHandle(cell(0, 1), cell(2, 1));
    await untilColumn(1, ['10', '10', '10', '7']);
    await keys('Control+z');
    await click(cell(3, 0));
    await click(cell(0, 1));
    await dragHandle(cell(0, 1), cell(3, 1), { ctrl: true });
    await untilColumn(1, ['10', '11', '12', '13']);
  });

  test('held below the grid adds rows', async () => {
    const { mouse } = browser.page;
    await selectCells(cell(0, 1), cell(1, 1));
    await mouse.move(...(await handleAt(cell(1, 1))));
    await mouse.down();
    const box = (await grid().boundingBox())!;
    await mouse.move(box.x + 200, box.y + 480, { steps: 4 });
    await grid().evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          const checkHeight = (): void =>
            element.scrollHeight > 600 ? resolve() : void requestAnimationFrame(checkHeight);
          checkHeight();
        }),
    );
    await mouse.up();
    await until('there are rows', async () => Number(await grid().getAttribute('aria-rowcount')) > 12);
    await browser.page.getByText(/^Filled \d+ cells\.$/).waitFor();
  });

  test('is dragged by a finger', async () => {
    const { page } = browser;
    await page.touchscreen.tap(...(await middleOf(cell(0, 1))));
    await grid().locator('textarea').waitFor();
    await page.keyboard.type('4');
    const [x, y] = await handleAt(cell(0, 1));
    const [, bottom] = await middleOf(cell(3, 1));
    const cdp = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
    await touch('touchStart', y);
    for (const part of [0.3, 0.6, 1]) await touch('touchMove', y + (bottom - y) * part);
    await touch('touchEnd');
    await untilColumn(1, ['4', '4', '4', '4']);
  });

  test('fills down to where the column beside it ends with a double-click', async () => {
    await click(cell(1, 1));
    await browser.page.mouse.dblclick(...(await handleAt(cell(1, 1))));
    await untilColumn(1, ['10', '20', '20', '20']);
  });
});

test('a column is sorted from its header', async () => {
  const { page } = browser;
  await openMenu('Amount');
  await page.getByRole('button', { name: 'Sort smallest to largest' }).click();
  await untilColumn(1, ['5', '7', '10', '20']);
  await untilColumn(0, ['Box', 'Box', 'Item 1', 'Item 2']);
  await keys('Control+z');
  await untilColumn(1, ['10', '20', '5', '7']);
});

describe('while a filter hides rows', () => {
  test('rows between that are hidden are passed by, and it is said', async () => {
    await filterBy('Amount', '0');
    await untilColumn(1, ['10', '20']);
    await browser.page.getByRole('button', { name: 'Clear all filters' }).click();
    await openMenu('Amount');
    const menu = browser.page.getByRole('dialog', { name: 'Sort and filter Amount' });
    await menu.locator('label', { hasText: /^20$/ }).click();
    await menu.locator('label', { hasText: /^5$/ }).click();
    await menu.getByRole('button', { name: 'Filter', exact: true }).click();
    await untilColumn(1, ['10', '7']);
    await click(cell(0, 1));
    await paste('1\n2\n');
    await browser.page.getByText('Pasted 2 rows of 1 column. Rows hidden by the filter were not changed.').waitFor();
    await browser.page.getByRole('button', { name: 'Clear all filters' }).click();
    await untilColumn(1, ['1', '20', '5', '2']);
  });
});

test('a column is made wider at its edge, and stays at the left', async () => {
  const { page } = browser;
  const head = grid().getByRole('columnheader', { name: /^Name/ });
  const before = (await head.boundingBox())!;
  const edge = head.locator('.rs-grid-edge');
  await page.mouse.move(...(await middleOf(edge)));
  await page.mouse.down();
  await page.mouse.move(before.x + before.width + 80, before.y + 10, { steps: 4 });
  await page.mouse.up();
  await until('it is wider', async () => (await head.boundingBox())!.width > before.width + 60);
  await click(cell(0, 0));
  await keys('Control+z');
  await until('it is as before', async () => (await head.boundingBox())!.width === before.width);

  await page.setViewportSize({ width: 700, height: 700 });
  await openMenu('Name');
  await page.getByRole('button', { name: 'Freeze' }).click();
  await openMenu('Due');
  for (let times = 0; times < 12; times += 1) await page.getByRole('button', { name: 'Wider' }).click();
  await keys('Escape');
  await grid().evaluate((element) => element.scrollTo({ left: 300 }));
  await until('it is scrolled', () => grid().evaluate((element) => element.scrollLeft > 50));
  const box = (await grid().boundingBox())!;
  expect((await cell(0, 0).boundingBox())!.x).toBeGreaterThanOrEqual(box.x);
  expect((await head.boundingBox())!.x).toBe((await cell(0, 0).boundingBox())!.x);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('50,000 rows are pasted, gone through, filled and sorted', async () => {
  const { page } = browser;
  await click(cell(0, 0));
  await paste(
    Array.from({ length: 49_000 }, (_, row) => `Row ${row}\t${row % 100}\t${46_000 + (row % 300)}`).join('\n'),
  );
  await until('the rows are there', async () => (await grid().getAttribute('aria-rowcount')) === '49002');
  await keys('Control+Home', 'ArrowRight', 'PageDown', 'ArrowDown');
  expect(await grid().getAttribute('aria-activedescendant')).toMatch(/-1$/);
  await openMenu('Amount');
  await page.getByRole('button', { name: 'Sort largest to smallest' }).click();
  await page.getByText('Sorted.').waitFor();
  await keys('Control+Home');
  expect(await cell(0, 1).textContent()).toBe('99');
  await keys('Control+f');
  await page.getByLabel('Find in cells').fill('Row 48999');
  // Presses Enter while the search is still running.
  await keys('Enter');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await keys('Escape');
});
