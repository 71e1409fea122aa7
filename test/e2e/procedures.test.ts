/** Activities of stored procedures in a real browser: created, run with a pasted table, watched, cancelled, changed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { openDetails } from './support/run-page.ts';
import { outcome } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { beginActivity, cell, createActivity, field, openForm, paste } from './support/procedures.ts';

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
  await ledger.knex.raw(`create type books.order_line as (customer integer, product text, quantity integer)`);
  await ledger.knex.raw(
    `create procedure books.import_orders(lines books.order_line[], out imported integer, reference text default null)
      language plpgsql as $$ declare line books.order_line; begin
        imported := 0;
        foreach line in array lines loop
          if line.quantity > 0 then imported := imported + 1;
          else raise notice 'The line of % is rejected', line.product; end if;
        end loop; end $$`,
  );
  await ledger.knex.raw(
    `create procedure books.check_months(months integer) language plpgsql as $$ begin
      for month in 1..months loop
        raise notice 'Month % is checked', month;
        if month > 1 then perform pg_sleep(600); end if;
      end loop; end $$`,
  );
  await ledger.knex.raw(`create type books.share as (account text, amount numeric)`);
  await ledger.knex.raw(
    `create procedure books.book_amount(amount numeric, shares books.share[], inout booked text default '') language plpgsql as $$ begin
      booked := amount || ' in ' || (select string_agg(s.amount::text, ' and ') from unnest(shares) s); end $$`,
  );
  const RUNSHEET_CONNECTIONS = JSON.stringify({ Ledger: { url: ledger.url, procedureSchemas: ['books'] } });
  [portal, browser] = await Promise.all([
    startPortal({ RUNSHEET_CONNECTIONS, RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
  ]);
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await firstSignIn(browser.page, portal, PASSWORD);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await ledger.drop();
});

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, `procedures-${name}`);

test('a procedure is found by a part of its name, described, and made an activity', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill('My import');
  await page.getByLabel('Type', { exact: true }).selectOption('StoredProcedure');
  await page.getByRole('combobox', { name: 'Stored procedure' }).waitFor();
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByText('Select stored procedure').first().waitFor();

  await page.getByRole('combobox', { name: 'Stored procedure' }).fill('orders');
  await page.getByText('Ledger: books', { exact: true }).waitFor();
  await page.getByRole('option', { name: 'Ledger: books.import_orders(books.order_line[], text)' }).click();
  await page.getByText('The form asks for 2 of 3 parameters').waitFor();
  await page.getByText('Table of 3 columns').click();
  await page.getByText('quantity Number · integer').waitFor();
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
  await paste(page, '1\tDesk\t2\r\n97\tShelf\t0\r\n2\tOffice chair\t3\r\n');
  await expect.poll(() => cell(page, 'Order Lines', 2, 1).innerText()).toBe('Office chair');
  await expectGoodScreen('run');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await openDetails(page);
  await page.getByText('The line of Shelf is rejected').waitFor();
  await expect.poll(() => page.locator('main').innerText()).toMatch(/imported\s+2/);
  await expectGoodScreen('status');
});

test('a slow one is watched as it speaks, and cancelled', async () => {
  const { page } = browser;
  await beginActivity(page, portal.address, 'Check', 'check_months');
  await createActivity(page);
  await openForm(page, portal.address, 'Check');
  await field(page, 'months').fill('3');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Month 2 is checked').waitFor();
  expect(await page.getByText('The run was').count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await outcome(page, 'The run was cancelled').waitFor();
  await page.getByText('Month 1 is checked').waitFor();
  expect(await page.getByText('Month 3 is checked').count()).toBe(0);
});

fullSetTest('a number of more digits than Excel keeps is typed, pasted and booked with all of them', async () => {
  const { page } = browser;
  await beginActivity(page, portal.address, 'Book', 'book_amount');
  await createActivity(page);
  await openForm(page, portal.address, 'Book');
  await field(page, 'amount').fill('12,345,678,901,234,567,890.12');
  await field(page, 'amount').blur();
  await expect.poll(() => field(page, 'amount').inputValue()).toBe('12345678901234567890.12');
  await cell(page, 'shares', 0, 0).click();
  await paste(page, 'Cash\t1,234.50\r\nBank\t1234567890123456789.25\r\n');
  await expect.poll(() => cell(page, 'shares', 1, 1).innerText()).toBe('1234567890123456789.25');
  expect(await cell(page, 'shares', 0, 1).innerText()).toBe('1234.5');
  await expectGoodScreen('many-digits');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('12345678901234567890.12 in 1234.5 and 1234567890123456789.25').first().waitFor();
});

fullSetTest('what cannot be used says why, and a trial run finds results that are not described', async () => {
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

  await beginActivity(page, portal.address, 'Answers', 'answers');
  await page.getByText('Start a trial run to find out.').first().waitFor();
  await page.getByRole('button', { name: 'Trial run…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Trial run' });
  await dialog.getByText('its changes are rolled back afterwards').waitFor();
  await dialog.getByRole('button', { name: 'Run trial' }).click();
  await dialog.getByText('number (Number), word (Text)').waitFor();
  await dialog.getByText('opened').waitFor();
  await expectGoodScreen('trial');
  await dialog.getByRole('button', { name: 'Use these results' }).click();
  await page.getByLabel('Display name of Result1').fill('Numbers');
  expect(await page.getByLabel('Name of column 2 of Result1').inputValue()).toBe('word');
  await createActivity(page);
  await openForm(page, portal.address, 'Answers');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('Numbers').first().waitFor();
  await page.getByText('seven').first().waitFor();
});

fullSetTest('a changed procedure is reported and updated; its versions are compared', async () => {
  const { page } = browser;
  await beginActivity(page, portal.address, 'Close the day', 'close_day');
  await page.getByText('account (Text), amount (Number)').waitFor();
  await createActivity(page);
  await ledger.knex.raw('drop function books.close_day(date)');
  await ledger.knex.raw(
    `create function books.close_day(day date) returns table (account text, amount numeric(12,2), currency text) language sql as
      $$ select 'Cash', 12.50, 'EUR' $$`,
  );
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Close the day' }).first().click();
  // The list also has a menu of this name.
  await page.getByRole('heading', { level: 1, name: 'Close the day' }).waitFor();
  await page.getByRole('button', { name: 'Menu of Close the day' }).click();
  expect(await page.getByRole('menuitem', { name: 'View All Versions' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByText('The procedure has changed since version 1').waitFor();
  await page.getByLabel('Description').first().fill('Written before the update');
  await expectGoodScreen('drift');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByText('Version 2 matches the current procedure').waitFor();
  expect(await page.getByText('The procedure has changed since').count()).toBe(0);
  expect(await page.getByLabel('Description').first().inputValue()).toBe('Written before the update');

  await page.locator('summary').filter({ hasText: 'day' }).click();
  await page.getByLabel('Display name of day').fill('Closing Day');
  await page.getByLabel('Change Description').fill('A better name');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();

  await openForm(page, portal.address, 'Close the day');
  await field(page, 'Closing Day').waitFor();
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
