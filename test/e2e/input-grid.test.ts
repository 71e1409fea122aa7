/** The input grid as Excel users expect it, with a real mouse and a real keyboard. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '#test/support/until.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { inputGrid, ORDERS } from './support/input-grid.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

let portal: Portal;
let browser: Browser;
let orders: number;

const { grid, cell, keys, click, untilColumn, dragHandle, selectCells, paste, openMenu, filterBy, openForm } =
  inputGrid(() => browser.page);

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

describe('a paste', () => {
  test('leaves out blank rows, and says how many example rows follow, which one click removes and another brings back', async () => {
    const { page } = browser;
    await click(cell(0, 0));
    await paste('Mine\t1\t2/1/2026\r\n\t\t\r\nOther\t2\t2/1/2026\r\n\t\t\r\n');
    await page.getByText('Pasted 2 rows of 3 columns. 1 blank row was skipped.').waitFor();
    await untilColumn(0, ['Mine', 'Other', 'Box', 'Box']);
    await page.getByText('2 example rows of the workbook follow the pasted rows.').waitFor();
    await page.getByRole('button', { name: 'Remove the example rows' }).click();
    await untilColumn(0, ['Mine', 'Other']);
    await page.getByText('2 example rows were removed.').waitFor();
    await page.getByRole('status').filter({ hasText: 'were removed' }).getByRole('button', { name: 'Undo' }).click();
    await untilColumn(0, ['Mine', 'Other', 'Box', 'Box']);
    await page.getByText('2 example rows of the workbook follow the pasted rows.').waitFor();
    await click(cell(0, 0));
    await keys('Control+z');
    await untilColumn(0, ['Item 1', 'Item 2', 'Box', 'Box']);
    expect(await page.getByText('of the workbook follow').count()).toBe(0);
  });
});

describe('the fill handle', () => {
  test('continues numbers, dates and texts, and Ctrl+Z and Ctrl+Y undo and redo it', async () => {
    await selectCells(cell(0, 0), cell(1, 2));
    await dragHandle(cell(1, 2), cell(3, 2));
    await untilColumn(0, ['Item 1', 'Item 2', 'Item 3', 'Item 4']);
    await untilColumn(1, ['10', '20', '30', '40']);
    await untilColumn(2, ['31/Jan/2026', '28/Feb/2026', '31/Mar/2026', '30/Apr/2026']);
    await keys('Control+z');
    await untilColumn(1, ['10', '20', '5', '7']);
    await keys('Control+y');
    await untilColumn(1, ['10', '20', '30', '40']);
  });
});

test('Ctrl+D fills down and Ctrl+R to the right', async () => {
  await selectCells(cell(0, 1), cell(2, 1));
  await keys('Control+d');
  await untilColumn(1, ['10', '10', '10', '7']);
  await click(cell(0, 2));
  await keys('Control+r');
  await untilColumn(2, ['10/Jan/1900', '28/Feb/2026', '31/Mar/2026', '30/Apr/2026']);
});

test('rows are put in and taken out by keys and by buttons, and come back', async () => {
  const tools = browser.page.getByRole('toolbar', { name: 'Tools of Orders' });
  await click(cell(1, 0));
  await keys('Control++');
  await untilColumn(0, ['Item 1', '', 'Item 2', 'Box', 'Box']);
  await keys('Control+z');
  await selectCells(cell(1, 0), cell(2, 0));
  await tools.getByRole('button', { name: 'Delete rows' }).click();
  await untilColumn(0, ['Item 1', 'Box']);
  await tools.getByRole('button', { name: 'Undo' }).click();
  await untilColumn(0, ['Item 1', 'Item 2', 'Box', 'Box']);
  await click(cell(0, 0));
  await tools.getByRole('button', { name: 'Insert rows' }).click();
  await untilColumn(0, ['', 'Item 1', 'Item 2', 'Box', 'Box']);
});

test('the line under the grid says sum, average, count, least and greatest of the selected cells', async () => {
  await selectCells(cell(0, 1), cell(3, 1));
  const line = browser.page.getByRole('status', { name: 'Selected cells' });
  await until('the sum', async () => (await line.innerText()).includes('Sum: 42'));
  expect(await line.innerText()).toMatch(/Average: 10.5\s+Count: 4\s+Min: 5\s+Max: 20\s+Sum: 42/);
});

describe('while a filter hides rows', () => {
  test('what is sorted, filled, pasted and deleted leaves them as they are', async () => {
    const { page } = browser;
    await filterBy('Name', 'Box');
    await untilColumn(1, ['5', '7']);
    await page.getByText('2 of 4 rows shown', { exact: true }).waitFor();

    await openMenu('Amount');
    await page.getByRole('button', { name: 'Sort largest to smallest' }).click();
    await untilColumn(1, ['7', '5']);
    await click(cell(2, 1));
    await paste('70\n50\n');
    await untilColumn(1, ['70', '50']);
    await selectCells(cell(2, 1), cell(3, 1));
    await keys('Control+d');
    await untilColumn(1, ['70', '70']);
    await click(cell(3, 0));
    await keys('Control+-');
    await untilColumn(1, ['70']);

    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await untilColumn(1, ['10', '20', '70']);
    await keys('Control+z', 'Control+z', 'Control+z', 'Control+z', 'Control+z', 'Control+z');
    await untilColumn(1, ['10', '20', '5', '7']);
  });
});

test('Ctrl+F finds cells and goes from one to the next', async () => {
  const { page } = browser;
  await click(cell(0, 0));
  await keys('Control+f');
  await page.getByLabel('Find in cells').fill('box');
  await keys('Enter');
  await page.getByText('1 of 2', { exact: true }).waitFor();
  await keys('Enter');
  await page.getByText('2 of 2', { exact: true }).waitFor();
  await keys('Escape');
  await until('the grid has the focus', () => grid().evaluate((element) => element === document.activeElement));
  expect(await grid().getAttribute('aria-activedescendant')).toMatch(/-3-0$/);
});

test('what was pasted and is wrong is marked and listed, and a click on it goes to the cell', async () => {
  const { page } = browser;
  await click(cell(0, 0));
  await paste('a\t1\t1/1/2026\nb\tmany\t2/1/2026\nc\t3\tnever\n');
  const wrong = page.getByRole('button', { name: 'Value in column Amount must be a number (row 2)' });
  await wrong.waitFor();
  expect(await cell(1, 1).getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: /^Value in column Due .* \(row 3\)$/ }).click();
  expect(await grid().getAttribute('aria-activedescendant')).toMatch(/-2-2$/);
  await wrong.click();
  expect(await grid().getAttribute('aria-activedescendant')).toMatch(/-1-1$/);
  await page.keyboard.type('2');
  await keys('Enter');
  await wrong.waitFor({ state: 'detached' });
  await expectGoodScreen(browser, 'input-grid');

  // Only Start moves the focus to the summary. Later problems stay at their cells.
  const summary = page.getByRole('alert').filter({ hasText: 'Please correct the errors shown.' });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await summary.and(page.locator(':focus')).waitFor();
  await click(cell(2, 2));
  await page.keyboard.type('3/1/2026');
  await keys('Enter');
  await summary.waitFor({ state: 'detached' });
  await click(cell(0, 1));
  await page.keyboard.type('few');
  await keys('Enter');
  await page.getByRole('button', { name: 'Value in column Amount must be a number (row 1)' }).waitFor();
  await page.keyboard.type('4');
  await keys('Enter');
  await untilColumn(1, ['few', '4', '3', '7']);
  expect(await summary.count()).toBe(0);

  await openMenu('Name');
  await page.getByRole('dialog').waitFor();
  await expectGoodScreen(browser, 'column-menu');
  await keys('Escape');
});
