/** Table views in a real browser: created, filtered, sorted, counted, saved as a file, changed. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';
const HOSTILE = `o'r"d[e]r</option><script>`;

let shop: TestDatabase;
let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  shop = await testDatabase({ migrated: false, isPostgres: true });
  await shop.knex.raw(
    `create table orders (id int primary key, customer varchar(80), amount numeric(12,2), placed date, "long ""name"" of a column" text)`,
  );
  await shop.knex.raw(`insert into orders select n, 'Customer ' || (n % 9), n * 1234.5, date '2026-01-01' + n % 30,
    case when n = 7 then '<b>bold</b> & ' || repeat('long ', 60) end from generate_series(1, 250) n`);
  await shop.knex.raw(`create table "${HOSTILE.replaceAll('"', '""')}" (id int primary key)`);
  const RUNSHEET_CONNECTIONS = JSON.stringify({ Shop: { url: shop.url } });
  [portal, browser] = await Promise.all([
    startPortal({ RUNSHEET_CONNECTIONS, RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
  ]);
  await firstSignIn(browser.page, portal, PASSWORD);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await shop.drop();
});

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, `table-views-${name}`);

const cell = (row: number, col: number) =>
  browser.page.locator(`[role="gridcell"][data-row="${row}"][data-col="${col}"]`);

test('what is typed of a new view stays while the list of tables comes late and without its table', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/tableviews/new`);
  const table = page.getByLabel('Table', { exact: true });
  await table.selectOption({ label: 'public.orders' });
  await page.getByLabel('View name').fill('Typed before');
  // The server is unreachable for a moment, and so is the connection of the table.
  await page.route('**/api/**', (route) => route.abort('connectionrefused'));
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.getByRole('status').filter({ hasText: 'The server cannot be reached.' }).waitFor();
  const typed = Promise.withResolvers<void>();
  await page.route('**/api/tableviews/tables', async (route) => {
    await typed.promise;
    await route.fulfill({ json: { result: { Items: [], Messages: ['The connection Shop cannot be reached'] } } });
  });
  await page.unroute('**/api/**');
  const asked = page.waitForRequest('**/api/tableviews/tables');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await asked;
  await page.getByLabel('View name').fill('Typed meanwhile');
  typed.resolve();
  await page.getByText('The connection Shop cannot be reached').waitFor();
  expect(await page.getByLabel('View name').inputValue()).toBe('Typed meanwhile');
  expect(await table.locator('option:checked').innerText()).toBe('public.orders');
  await page.unroute('**/api/tableviews/tables');
  await page.getByRole('link', { name: 'Activities', exact: true }).first().click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('link', { name: 'Data', exact: true }).first().waitFor();
});

test('a view is created for a table, and leaving it unsaved asks first', async () => {
  const { page } = browser;
  await page.getByRole('link', { name: 'Data', exact: true }).first().click();
  await page.getByText('No table views yet').waitFor();
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'Create New Table View' }).waitFor();
  await page.getByLabel('Table', { exact: true }).selectOption({ label: `public.${HOSTILE}` });
  await page.getByLabel('Display name of id').waitFor();
  await page.getByLabel('Table', { exact: true }).selectOption({ label: 'public.orders' });
  await page.getByLabel('Display name of customer').fill('Customer');
  expect(await page.getByLabel('Type of customer').inputValue()).toBe('Number');
  await page.getByLabel('Type of customer').selectOption('Text');
  await page.getByLabel('Type of placed').selectOption('Date');
  await page.getByLabel('Display format of amount').fill('#,##0.00');
  await page
    .getByRole('row', { name: /amount/ })
    .getByText('1,234.50 · 2,469.00 · 3,703.50')
    .waitFor();
  await page.getByRole('button', { name: 'Move customer up' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('View name must be provided').first().waitFor();
  await expectGoodScreen('new');

  await page.getByRole('link', { name: 'Activities', exact: true }).first().click();
  await page.getByText('Your work is not saved!').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByLabel('View name').fill('x'.repeat(40));
  expect(await page.getByLabel('View name').inputValue()).toBe('x'.repeat(30));
  await page.getByText('You can enter at most 30 characters').waitFor();
  await page.getByLabel('View name').fill('Orders of the shop');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('on public.orders').waitFor();
  expect(new URL(page.url()).pathname).toBe('/tableviews');
  await page.getByLabel('Search table views').fill('nothing like it');
  await page.getByText("Nothing found for 'nothing like it'").waitFor();
  await page.getByLabel('Search table views').fill('shop');
  await page.getByText('on public.orders').waitFor();
  await expectGoodScreen('list');
});

test('it is run, filtered, sorted and counted, and its address says how', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Run Orders of the shop on public.orders' }).click();
  await page.getByRole('heading', { name: 'Orders of the shop on public.orders' }).waitFor();
  await expect.poll(() => cell(0, 0).innerText()).toBe('Customer 1');
  expect(await cell(0, 2).innerText()).toBe('1,234.50');
  expect(await cell(0, 3).innerText()).toBe('2/Jan/2026');
  await expectGoodScreen('run');

  await page.getByRole('columnheader', { name: 'amount' }).getByRole('button').click();
  await page.getByRole('columnheader', { name: 'amount' }).getByRole('button').click();
  await expect.poll(() => cell(0, 1).innerText()).toBe('250');
  await page.getByRole('columnheader', { name: 'Customer' }).getByRole('button').click();
  await page.getByText('Sorted by Customer, then amount (descending)').waitFor();
  await expect.poll(() => cell(0, 1).innerText()).toBe('243');

  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Value of filter 1').fill('er 3');
  await expect.poll(() => cell(0, 0).innerText()).toBe('Customer 3');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Column of filter 2').selectOption('amount');
  await page.getByLabel('Comparison of filter 2').selectOption('greater');
  await page.getByLabel('Value of filter 2').fill('many');
  await page.getByText('The filter of amount must be a number').waitFor();
  await page.getByLabel('Value of filter 2').fill('250000');
  await expect.poll(() => cell(0, 1).innerText()).toBe('246');
  await page.getByRole('button', { name: 'Count rows' }).click();
  await page.getByText('5 rows').waitFor();
  await expectGoodScreen('filtered');

  await page.reload();
  await expect.poll(() => cell(0, 1).innerText()).toBe('246');
  expect(await page.getByLabel('Value of filter 2').inputValue()).toBe('250000');
});

test('filters, order and columns are saved as a personal view, which is chosen, changed, renamed and deleted', async () => {
  const { page } = browser;
  const menu = async (entry: string | RegExp): Promise<void> => {
    await page.getByRole('button', { name: /^My view/ }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  const heads = () => page.getByRole('columnheader').allInnerTexts();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('checkbox', { name: 'placed' }).click({ force: true });
  await page.getByRole('button', { name: 'Columns (4 of 5)' }).waitFor();
  await expectGoodScreen('columns');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await heads()).join()).not.toContain('placed');
  await menu('Save as my view…');
  const dialog = page.getByRole('dialog', { name: 'Save as my view' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Name must be provided').waitFor();
  await dialog.getByLabel('Name').fill('Large <b>orders</b> of 3');
  await expectGoodScreen('own-view-name');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'My view: Large <b>orders</b> of 3' }).waitFor();

  await page.getByRole('link', { name: 'Data', exact: true }).first().click();
  await page.getByRole('button', { name: 'Run Orders of the shop on public.orders' }).click();
  await expect.poll(() => cell(0, 0).innerText()).toBe('Customer 1');
  expect(await page.getByLabel('Value of filter 1').count()).toBe(0);
  await menu('Large <b>orders</b> of 3');
  await expect.poll(() => cell(0, 1).innerText()).toBe('246');
  expect(await page.getByLabel('Value of filter 2').inputValue()).toBe('250000');
  await page.getByText('Sorted by Customer, then amount (descending)').waitFor();
  expect((await heads()).join()).not.toContain('placed');

  await page.getByLabel('Value of filter 2').fill('300000');
  await expect.poll(() => cell(0, 1).innerText()).toBe('246');
  await expect.poll(() => page.url()).toContain('300000');
  await page.getByRole('button', { name: /^My view/ }).click();
  await expectGoodScreen('own-views');
  await page.getByRole('menuitem', { name: /^Save changes to/ }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await menu(/^Rename/);
  await page.getByRole('dialog').getByLabel('Name').fill('Largest of 3');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'My view: Largest of 3' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'My view: Largest of 3' }).waitFor();
  expect(await page.getByLabel('Value of filter 2').inputValue()).toBe('300000');
  await menu(/^Delete/);
  await page.getByText('Your view “Largest of 3” was deleted').waitFor();
  await page.getByRole('button', { name: 'My views', exact: true }).waitFor();
  await page.getByLabel('Value of filter 2').fill('250000');
  await page.getByRole('button', { name: 'Columns (4 of 5)' }).click();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).toContain('250000');
});

test('a file has the filter that was typed just before it is asked for', async () => {
  const { page } = browser;
  const value = page.getByLabel('Value of filter 2');
  const asked = page.waitForRequest('**/api/tableviews/export/**');
  const download = page.waitForEvent('download');
  await value.fill('300000');
  await page.getByRole('button', { name: 'Export to CSV' }).click();
  expect((await asked).postData()).toContain('300000');
  await download;
  await value.fill('250000');
  await expect.poll(() => page.url()).toContain('250000');
});

test('what is filtered is saved as a file, and rows are copied', async () => {
  const { page, context } = browser;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export to CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Orders of the shop.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(6);
  expect(lines[1]).toBe('Customer 3,246,303687.00,2026-01-07,');
  const [workbook] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export to Excel' }).click(),
  ]);
  expect(workbook.suggestedFilename()).toBe('Orders of the shop.xlsx');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await cell(0, 1).click();
  await expect.poll(() => cell(0, 1).evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Control+c');
  await page.getByText('Copied').waitFor();
  expect((await page.evaluate(() => navigator.clipboard.readText())).trim()).toBe('246');
});

fullSetTest('further rows come as one scrolls, and a changed view shows its columns', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Remove filter 1' }).click();
  await page.getByRole('button', { name: 'Remove filter 1' }).click();
  await expect.poll(() => cell(0, 1).innerText()).toBe('243');
  await page.getByRole('button', { name: 'Load More' }).click();
  await page.getByRole('button', { name: 'Load More' }).click();
  await page.getByRole('button', { name: 'Load More' }).waitFor({ state: 'detached' });
  await cell(0, 1).click();
  await page.keyboard.press('Control+End');
  await expect.poll(() => cell(249, 1).innerText()).toBe('8');

  await page.getByRole('button', { name: 'Menu of Orders of the shop on public.orders' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('heading', { name: 'Edit Table View - public.orders' }).waitFor();
  expect(await page.getByLabel('View name').isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: 'customer' }).uncheck({ force: true });
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByRole('button', { name: 'Run Orders of the shop on public.orders' }).click();
  await expect.poll(() => cell(0, 0).innerText()).toBe('1');
  await expectGoodScreen('changed');
});

fullSetTest('a condition put together by choosing leaves the rows for which it holds', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Add condition' }).click();
  const dialog = page.getByRole('dialog');
  const comparison = (number: number) => dialog.getByRole('group', { name: `Comparison ${number}` });
  await comparison(1).getByLabel('Operator').selectOption('>');
  await comparison(1).getByRole('combobox', { name: 'Value' }).fill('248');
  await dialog.getByRole('button', { name: 'Add comparison' }).click();
  await dialog.getByLabel('Condition: how its parts are joined').selectOption('or');
  await comparison(2).getByRole('combobox', { name: 'Value' }).fill('5');
  // The list of values closes when its field loses the focus.
  await dialog.getByRole('button', { name: 'OK' }).focus();
  await expect.poll(() => page.locator('.rs-picker').count()).toBe(0);
  await expectGoodScreen('condition-editor');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await page.getByText('id > 248 OR id = 5').waitFor();
  await expect.poll(() => cell(0, 0).innerText()).toBe('5');
  await page.getByRole('button', { name: 'Count rows' }).click();
  await page.getByText('3 rows').waitFor();
  await expectGoodScreen('condition');
  await page.reload();
  await page.getByText('id > 248 OR id = 5').waitFor();
  await page.getByRole('button', { name: 'Remove condition' }).click();
  await expect.poll(() => cell(0, 0).innerText()).toBe('1');
});

test('two changes made before the page is drawn again are both kept', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const column = page.getByRole('checkbox', { name: 'placed' });
  const head = page.getByRole('columnheader', { name: 'id' }).getByRole('button');
  await column.waitFor({ state: 'attached' });
  const pressed = await Promise.all([column.elementHandle(), head.elementHandle()]);
  await page.evaluate((elements) => {
    for (const element of elements) (element as HTMLElement).click();
  }, pressed);
  await expect.poll(() => new URL(page.url()).searchParams.getAll('sort')[0]).toBe('+id');
  await page.getByRole('button', { name: /^Columns \(\d of \d\)$/ }).waitFor();
  await page.keyboard.press('Escape');
});

fullSetTest('a column that is pasted into a filter becomes the list of its values', async () => {
  const { page, context } = browser;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Column of filter 1').selectOption('id');
  await page.getByLabel('Comparison of filter 1').selectOption('in');
  await page.evaluate(() => navigator.clipboard.writeText('7\r\n12\r\n250\r\n'));
  await page.getByLabel('Value of filter 1').press('Control+v');
  await expect.poll(() => page.getByLabel('Value of filter 1').inputValue()).toBe('7; 12; 250');
  await expect.poll(() => cell(2, 0).innerText()).toBe('250');
  await page.getByRole('button', { name: 'Remove filter 1' }).click();
  await expect.poll(() => cell(0, 0).innerText()).toBe('1');
});

fullSetTest('a filter that somebody no longer waits for is ended in the database', async () => {
  const { page } = browser;
  const waiting = async (): Promise<number> => {
    const sql = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return ((await shop.knex.raw(sql)) as { rows: { n: number }[] }).rows[0]!.n;
  };
  const writer = await shop.knex.transaction();
  await writer.raw('lock table orders in access exclusive mode');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Value of filter 1').fill('5');
  await expect.poll(waiting).toBe(1);
  await page.getByText('Loading the rows…').waitFor();
  await page.getByRole('link', { name: 'Data', exact: true }).first().click();
  await expect.poll(waiting).toBe(0);
  await writer.rollback();
  await page.getByRole('button', { name: 'Run Orders of the shop on public.orders' }).click();
  await expect.poll(() => cell(0, 0).innerText()).toBe('1');
});

fullSetTest('a view has the rows of its condition alone, and is deleted after a question', async () => {
  const { page } = browser;
  await page.goto(page.url().replace('/run/', '/edit/'));
  await page.getByRole('heading', { name: 'Edit Table View - public.orders' }).waitFor();
  await page.getByLabel('Row condition').fill('id = many');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByText('Not Supported').first().waitFor();
  await page.getByLabel('Row condition').fill("customer = 'Customer 4' AND id < 20");
  await expectGoodScreen('row-condition');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByRole('button', { name: 'Run Orders of the shop on public.orders' }).click();
  await expect.poll(() => cell(1, 0).innerText()).toBe('13');
  await page.getByRole('button', { name: 'Count rows' }).click();
  await page.getByText('2 rows').waitFor();

  await page.goto(page.url().replace('/run/', '/edit/'));
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Its table does not change.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No table views yet').waitFor();
  expect(browser.errors).toEqual([]);
});
