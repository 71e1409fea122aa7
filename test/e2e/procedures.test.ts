/** Activities of stored procedures in a real browser: made, run with a pasted table, watched, cancelled, changed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { outcome } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, type Browser, type Portal } from './support/portal.ts';
import { startPortalProcess } from './support/portal-process.ts';

const PASSWORD = 'Newcomer-Pass-1';

let ledger: TestDatabase;
let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  ledger = await testDatabase({ migrated: false, isPostgres: true });
  await ledger.knex.raw(`create schema books`);
  await ledger.knex.raw(
    `create function books.close_day(day date) returns table (account text, amount numeric(12,2)) language sql as $$ select 'Cash', 12.50 $$`,
  );
  await ledger.knex.raw(`create procedure books.anything(variadic list integer[]) language plpgsql as $$ begin end $$`);
  await ledger.knex.raw(
    `create procedure books.answers(inout first refcursor) language plpgsql as $$ begin
      open first for select 7 as number, 'seven' as word; raise notice 'opened'; end $$`,
  );
  await ledger.knex.raw(`create type books.share as (account text, amount numeric)`);
  await ledger.knex.raw(
    `create procedure books.book_amount(amount numeric, shares books.share[], inout booked text default '') language plpgsql as $$ begin
      booked := amount || ' in ' || (select string_agg(s.amount::text, ' and ') from unnest(shares) s); end $$`,
  );
  const RUNSHEET_CONNECTIONS = JSON.stringify({ Ledger: { url: ledger.url, procedureSchemas: ['books'] } });
  [portal, browser] = await Promise.all([startPortalProcess({ RUNSHEET_CONNECTIONS }), openBrowser()]);
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await firstSignIn(browser.page, portal, PASSWORD);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await ledger.drop();
});

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, `procedures-${name}`);

async function paste(text: string): Promise<void> {
  await browser.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await browser.page.keyboard.press('Control+V');
}

async function beginActivity(name: string, search: string): Promise<void> {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill(name);
  await page.getByLabel('Type', { exact: true }).selectOption('StoredProcedure');
  await page.getByRole('combobox', { name: 'Stored procedure' }).fill(search);
  await page.getByRole('option').filter({ hasText: search }).click();
}

async function createActivity(): Promise<void> {
  const { page } = browser;
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByText('Activity created', { exact: true }).waitFor();
}

const field = (name: string) => browser.page.getByRole('textbox', { name, exact: true });

const cell = (grid: string, row: number, col: number) =>
  browser.page.getByRole('grid', { name: grid }).locator(`[role="gridcell"][data-row="${row}"][data-col="${col}"]`);

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
  await page.getByRole('link', { name: 'Table Views' }).first().click();
  await page.getByText('on shop.orders').waitFor();
});

test('a procedure is found by a part of its name, told of, and made an activity', async () => {
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
  await page.getByText('2 of 5 are asked for').waitFor();
  await page.getByText('Table of 5 columns').click();
  await page.getByText('unit_price Number · numeric(10,2)').waitFor();
  await page.getByLabel('Display name of lines').fill('Order Lines');
  await expectGoodScreen('new');

  await page.getByRole('link', { name: 'Activities', exact: true }).first().click();
  await page.getByText('Your work is not saved!').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  await createActivity();
});

test('it runs with a table pasted from Excel, and says which lines it leaves out', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'My import' }).first().click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByText('Order Lines', { exact: true }).first().waitFor();
  await page
    .getByRole('grid', { name: 'Order Lines' })
    .locator('[role="gridcell"][data-row="0"][data-col="0"]')
    .click();
  await paste(
    '1\t01/10/2026\tDesk\t2\t100\r\n97\t01/10/2026\tShelf\t1\t50\r\n2\t02/10/2026\tOffice chair\t3\t289.5\r\n',
  );
  await expect.poll(() => cell('Order Lines', 2, 2).innerText()).toBe('Office chair');
  await expectGoodScreen('run');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('Line 2 is rejected: Harbour Studios 97 gets no deliveries').waitFor();
  await expect.poll(() => page.locator('main').innerText()).toMatch(/imported\s+2\s+rejected\s+1/);
  await expectGoodScreen('status');
});

fullSetTest('a number of more digits than Excel keeps is typed, pasted and booked with all of them', async () => {
  const { page } = browser;
  await beginActivity('Book', 'book_amount');
  await createActivity();
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Book', exact: true }).first().click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await field('amount').fill('12,345,678,901,234,567,890.12');
  await field('amount').blur();
  await expect.poll(() => field('amount').inputValue()).toBe('12345678901234567890.12');
  await cell('shares', 0, 0).click();
  await paste('Cash\t1,234.50\r\nBank\t1234567890123456789.25\r\n');
  await expect.poll(() => cell('shares', 1, 1).innerText()).toBe('1234567890123456789.25');
  expect(await cell('shares', 0, 1).innerText()).toBe('1234.5');
  await expectGoodScreen('many-digits');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('12345678901234567890.12 in 1234.5 and 1234567890123456789.25').first().waitFor();
});

test('a slow one is watched as it speaks, and cancelled', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Payment reconciliation' }).first().click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await field('First Month').fill('1/Jan/2026');
  await field('Last Month').fill('1/Oct/2026');
  await page.getByText('Specify value explicitly').click();
  await field('Pause').fill('2');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('2026-01: 6506 orders checked, 106 not paid in full').waitFor();
  await page.getByText('2026-02: 5916 orders checked').waitFor();
  expect(await page.getByText('The run was').count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await outcome(page, 'The run was cancelled').waitFor();
  await page.getByText('2026-01: 6506 orders checked').waitFor();
  expect(await page.getByText('2026-10:').count()).toBe(0);
});

fullSetTest('a function answers a table, with a currency picked from the database', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Revenue by region' }).first().click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await field('First Day').fill('1/Aug/2026');
  await field('Last Day').fill('30/Sep/2026');
  await page.getByText('Specify value explicitly').first().click();
  await page.getByRole('combobox', { name: 'Reporting Currency' }).fill('CH');
  await page.getByRole('option', { name: 'CHF' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('Central Europe').first().waitFor();
  await page.getByText('10 rows').waitFor();
});

fullSetTest('what cannot be taken says why, and a trial run tells results that the database does not', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill('Anything');
  await page.getByLabel('Type', { exact: true }).selectOption('StoredProcedure');
  const chooser = page.getByRole('combobox', { name: 'Stored procedure' });
  await chooser.fill('anything');
  const refused = page.getByRole('option').filter({ hasText: 'anything' });
  await refused.getByText('list is VARIADIC, which takes any number of values').waitFor();
  expect(await refused.getAttribute('aria-disabled')).toBe('true');
  await expectGoodScreen('refused');
  await refused.click({ force: true });
  await chooser.press('ArrowDown');
  await chooser.press('Enter');
  expect(await chooser.inputValue()).toBe('anything');
  await chooser.fill('Ledger: books.anything(integer[])');
  await page.getByText('This procedure cannot become an activity').waitFor();
  await page.getByText(/list/).last().waitFor();

  await beginActivity('Answers', 'answers');
  await page.getByText('A trial run does.').first().waitFor();
  await page.getByRole('button', { name: 'Trial run…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Trial run' });
  await dialog.getByText('is taken back afterwards').waitFor();
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText('number (Number), word (Text)').waitFor();
  await dialog.getByText('opened').waitFor();
  await expectGoodScreen('trial');
  await dialog.getByRole('button', { name: 'Use these results' }).click();
  await page.getByLabel('Display name of Result1').fill('Numbers');
  expect(await page.getByLabel('Name of column 2 of Result1').inputValue()).toBe('word');
  await createActivity();
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Answers' }).first().click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('Numbers').first().waitFor();
  await page.getByText('seven').first().waitFor();
});

test('a procedure that has changed is told of, and updated; its versions are compared', async () => {
  const { page } = browser;
  await beginActivity('Close the day', 'close_day');
  await page.getByText('account (Text), amount (Number)').waitFor();
  await createActivity();
  await ledger.knex.raw('drop function books.close_day(date)');
  await ledger.knex.raw(
    `create function books.close_day(day date) returns table (account text, amount numeric(12,2), currency text) language sql as
      $$ select 'Cash', 12.50, 'EUR' $$`,
  );
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Close the day' }).first().click();
  await page.getByRole('button', { name: 'Menu of Close the day' }).click();
  expect(await page.getByRole('menuitem', { name: 'View All Versions' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByText('The procedure has changed since version 1').waitFor();
  await page.getByLabel('Description').first().fill('Written before the update');
  await expectGoodScreen('drift');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByText('Version 2 is of the procedure as it is now').waitFor();
  expect(await page.getByText('The procedure has changed since').count()).toBe(0);
  expect(await page.getByLabel('Description').first().inputValue()).toBe('Written before the update');

  await page.locator('summary').filter({ hasText: 'day' }).click();
  await page.getByLabel('Display name of day').fill('Closing Day');
  await page.getByLabel('Change Description').fill('A better name');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();

  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Close the day' }).first().click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await field('Closing Day').waitFor();
  await page.getByRole('button', { name: 'Menu of Close the day' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('link', { name: 'Version history' }).click();
  await page.getByText('A better name').waitFor();
  await expectGoodScreen('versions');
  await page.getByRole('button', { name: 'Menu of version 1' }).click();
  expect(await page.getByRole('menuitem', { name: 'Purge from here' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Changes since then' }).click();
  await page.getByText('Procedure', { exact: true }).first().waitFor();
  expect(await page.getByText('was purged').count()).toBe(0);
  await expectGoodScreen('changes');
  expect(browser.errors).toEqual([]);
});
