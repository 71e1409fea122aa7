/**
 * The procedures of the sample database in a real browser, on the program of `npm start`: listed, turned into an
 * activity, run, watched, cancelled.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDetails } from './support/run-page.ts';
import { outcome } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, type Browser, type Portal } from './support/portal.ts';
import { startPortalProcess } from './support/portal-process.ts';
import { cell, createActivity, field, openForm, paste } from './support/procedures.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortalProcess(), openBrowser()]);
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await firstSignIn(browser.page, portal, PASSWORD);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, `sample-procedures-${name}`);

test('the samples of the database appear beside those of workbooks', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/`);
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return page.getByText('Payment reconciliation').count();
    })
    .toBeGreaterThan(0);
  for (const name of ['Loan schedule', 'Revenue by region', 'Import orders'])
    await page.getByText(name).first().waitFor();
  await page.getByRole('link', { name: 'Data', exact: true }).first().click();
  await page.getByText('on shop.orders').waitFor();
});

test('a procedure is found by a part of its name, described, and made an activity', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill('My import');
  await page.getByLabel('Type', { exact: true }).selectOption('StoredProcedure');
  await page.getByRole('combobox', { name: 'Stored procedure' }).waitFor();
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByText('Select stored procedure').first().waitFor();

  await page.getByRole('combobox', { name: 'Stored procedure' }).fill('orders');
  await page.getByText('Samples: shop', { exact: true }).waitFor();
  await page.getByRole('option', { name: 'Samples: shop.import_orders(shop.order_line[], text)' }).click();
  await page.getByText('The form asks for 2 of 5 parameters').waitFor();
  await page.getByText('Table of 5 columns').click();
  await page.getByText('unit_price Number · numeric(10,2)').waitFor();
  await page.getByLabel('Display name of lines').fill('Order Lines');
  await expectGoodScreen('new');

  await page.getByRole('link', { name: 'Activities', exact: true }).first().click();
  await page.getByText('Your work is not saved!').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  await createActivity(page);
});

test('it runs with a table pasted from Excel, and says which lines it leaves out', async () => {
  const { page } = browser;
  await openForm(page, portal.address, 'My import');
  await page.getByText('Order Lines', { exact: true }).first().waitFor();
  await cell(page, 'Order Lines', 0, 0).click();
  await paste(
    page,
    '1\t01/10/2026\tDesk\t2\t100\r\n97\t01/10/2026\tShelf\t1\t50\r\n2\t02/10/2026\tOffice chair\t3\t289.5\r\n',
  );
  await expect.poll(() => cell(page, 'Order Lines', 2, 2).innerText()).toBe('Office chair');
  await expectGoodScreen('run');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await openDetails(page);
  await page.getByText('Line 2 is rejected: Harbour Studios 97 gets no deliveries').waitFor();
  await expect.poll(() => page.locator('main').innerText()).toMatch(/imported\s+2\s+rejected\s+1/);
  await expectGoodScreen('status');
});

test('a slow one is watched as it speaks, and cancelled', async () => {
  const { page } = browser;
  await openForm(page, portal.address, 'Payment reconciliation');
  await field(page, 'First Month').fill('1/Jan/2026');
  await field(page, 'Last Month').fill('1/Oct/2026');
  await page.getByText('Specify value explicitly').click();
  await field(page, 'Pause').fill('2');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('2026-01: 6506 orders checked, 106 not paid in full').waitFor();
  await page.getByText('2026-02: 5916 orders checked').waitFor();
  expect(await page.getByText('The run was').count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await outcome(page, 'The run was cancelled').waitFor();
  await page.getByText('2026-01: 6506 orders checked').waitFor();
  expect(await page.getByText('2026-10:').count()).toBe(0);
});

test('a function answers a table, with a currency picked from the database', async () => {
  const { page } = browser;
  await openForm(page, portal.address, 'Revenue by region');
  await field(page, 'First Day').fill('1/Aug/2026');
  await field(page, 'Last Day').fill('30/Sep/2026');
  await page.getByText('Specify value explicitly').first().click();
  await page.getByRole('combobox', { name: 'Reporting Currency' }).fill('CH');
  await page.getByRole('option', { name: 'CHF' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('Central Europe').first().waitFor();
  await page.getByText('10 rows').waitFor();
});
