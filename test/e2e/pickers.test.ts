/** Values picked from a database, and conditions built from parts, in the browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { tick } from './support/controls.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';

let shop: TestDatabase;
let portal: Portal;
let browser: Browser;
let activity: number;

const COLUMNS = ['Name', 'CellUsages', 'Picker', 'PickerSource'];
const INPUTS = [
  ['Country', 'Text', 'Database', 'Shop: select distinct country from customers'],
  ['Customer', 'Text', 'Database', 'Shop: select name from customers where country = @Country'],
  ['Product', 'Text', 'Database', '*Shop: select name, family from products'],
  ['Filter', 'Condition', 'Condition', 'Sales'],
];

const portalSheet: SheetSpec = {
  name: 'Portal',
  cells: Object.fromEntries(
    [COLUMNS, ...INPUTS].flatMap((row, y) => row.map((text, x) => [`${'ABCD'[x]}${y + 1}`, text] as const)),
  ),
  tables: [{ name: 'PortalInputs', ref: `A1:D${INPUTS.length + 1}`, columns: COLUMNS }],
};

const BOOK: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: { A1: 'CH', D1: 1, F1: 'Region', G1: 'Amount', F2: 'North', G2: 12, F3: 'South', G3: 5.5 },
      tables: [{ name: 'Sales', ref: 'F1:G3', columns: ['Region', 'Amount'] }],
    },
    portalSheet,
  ],
  names: {
    in_Country: 'S!$A$1',
    in_Customer: 'S!$A$2',
    in_Product: 'S!$A$3',
    in_Filter: 'S!$A$4',
    out_One: 'S!$D$1',
  },
};

const open = () => visit(browser.page, `${portal.address}/activities/run/${activity}`);
const field = (name: string) => browser.page.getByRole('combobox', { name, exact: true });
const options = () => browser.page.getByRole('option');

beforeAll(async () => {
  shop = await testDatabase({ migrated: false });
  await shop.knex.raw('create table customers (name text primary key, country text)');
  await shop.knex.raw(
    `insert into customers select 'Customer ' || to_char(n, 'FM00000'), (array['AT','CH'])[n % 2 + 1] from generate_series(1, 4000) n`,
  );
  await shop.knex.raw('create table products (name text, family text)');
  await shop.knex.raw(
    `insert into products values ('Bolt', 'Metal'), ('Nail', 'Metal'), ('Plank', 'Wood'), ('Something', null)`,
  );
  const connections = JSON.stringify({ Shop: { url: shop.url } });
  [portal, browser] = await Promise.all([
    startPortal({ RUNSHEET_CONNECTIONS: connections, RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
  ]);
  await firstSignIn(browser.page, portal, PASSWORD);
  activity = await publish(browser, portal, { Name: 'Pickers', workbook: BOOK });
});

afterAll(async () => {
  expect(browser.errors).toEqual([]);
  await browser.close();
  await portal.stop();
  await shop.drop();
});

describe('a database picker', () => {
  test('is searched, picked from by keys, and asked by the value of another input', async () => {
    await open();
    await field('Customer').click();
    await field('Customer').press('ArrowDown');
    await options().filter({ hasText: 'Customer 00001' }).waitFor();
    // Every other customer is Austrian.
    expect(await options().filter({ hasText: 'Customer 00002' }).count()).toBe(0);
    await field('Customer').fill('4000');
    await browser.page.getByText('No values').waitFor();
    await field('Customer').fill('399');
    await options().first().filter({ hasText: 'Customer 00399' }).waitFor();
    await field('Customer').press('ArrowDown');
    await field('Customer').press('Enter');
    expect(await field('Customer').inputValue()).toBe('Customer 00399');
  });

  test('a click opens the list and selects the text, and Enter takes the only match, also before its answer', async () => {
    await open();
    const country = field('Country');
    expect(await country.inputValue()).toBe('CH');
    await country.click();
    await options().filter({ hasText: 'AT' }).waitFor();
    const selected = () =>
      country.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd].join());
    expect(await selected()).toBe('0,2');
    // A second click places the caret.
    await country.click();
    expect(await selected()).not.toBe('0,2');
    await country.press('Escape');
    await country.click();
    let answer = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => (answer = resolve));
    await browser.page.route('**/activities/picker/**', async (route) => {
      await isHeld;
      await route.continue();
    });
    await browser.page.keyboard.type('a');
    await browser.page.keyboard.press('Enter');
    expect(await country.inputValue()).toBe('a');
    answer();
    await expect.poll(() => country.inputValue()).toBe('AT');
    await browser.page.unroute('**/activities/picker/**');
    await browser.page.getByRole('listbox').waitFor({ state: 'detached' });
    // Restores the form for the following tests.
    await country.fill('CH');
    await country.press('Escape');
  });

  test('picks what was pressed, though the answer to a search moves it from under the pointer', async () => {
    await open();
    const { mouse } = browser.page;
    await field('Customer').fill('0000');
    const pressed = options().filter({ hasText: 'Customer 00007' });
    await pressed.hover();
    await mouse.down();
    await field('Customer').press('7');
    await expect.poll(() => options().first().innerText()).toBe('Customer 00007');
    await mouse.up();
    expect(await field('Customer').inputValue()).toBe('Customer 00007');
  });

  fullSetTest('opens at the value that is filled in, and goes on both ways', async () => {
    await open();
    await field('Customer').fill('Customer 02001');
    await browser.page.keyboard.press('Escape');
    await browser.page.getByRole('button', { name: 'Show values' }).nth(1).click();
    const chosen = browser.page.getByRole('option', { selected: true });
    await chosen.filter({ hasText: 'Customer 02001' }).waitFor();
    const list = browser.page.locator('.rs-picker');
    await expect.poll(() => chosen.isVisible()).toBe(true);
    const before = await options().count();
    await list.evaluate((box) => box.scrollTo(0, 0));
    await expect.poll(() => options().count()).toBeGreaterThan(before);
    await options().filter({ hasText: 'Customer 01941' }).waitFor();
    // The item at the top is still visible: rows inserted above did not push it away.
    await expect.poll(() => list.evaluate((box) => box.scrollTop)).toBeGreaterThan(100);
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await options().filter({ hasText: 'Customer 02061' }).waitFor();
  });

  fullSetTest('shows groups, with a name for the blank one', async () => {
    await open();
    await field('Product').click();
    await field('Product').press('ArrowDown');
    await options().filter({ hasText: 'Plank' }).waitFor();
    const text = await browser.page.getByRole('listbox').innerText();
    expect(text.split('\n').filter(Boolean)).toEqual([
      'Miscellaneous (blank)',
      'Something',
      'Metal',
      'Bolt',
      'Nail',
      'Wood',
      'Plank',
    ]);
    await expectNothingSerious(browser);
    await expectToFit(browser, 360);
  });

  fullSetTest('refuses what is not among its values', async () => {
    await open();
    await field('Customer').fill('Customer 00002');
    await field('Product').fill('Anything');
    await browser.page.getByRole('button', { name: 'Start', exact: true }).click();
    await browser.page.getByText('Please correct the errors shown.').waitFor();
    await browser.page.getByText('Please choose a valid value.').first().waitFor();
    expect(await field('Customer').getAttribute('aria-invalid')).toBe('true');
    expect(await field('Product').getAttribute('aria-invalid')).toBeNull();
  });
});

describe('the condition editor', () => {
  const text = () => browser.page.getByRole('textbox', { name: 'Filter', exact: true });
  const dialog = () => browser.page.getByRole('dialog', { name: 'Condition of Filter' });

  test('makes a text of what is chosen, and shows a text again', async () => {
    const { page } = browser;
    await open();
    await page.getByRole('button', { name: 'Edit Filter' }).click();
    const first = dialog().getByRole('group', { name: 'Comparison 1', exact: true });
    await first.getByLabel('Operator').selectOption('IN');
    await first.getByLabel('Add value').click();
    await first.getByLabel('Add value').press('ArrowDown');
    await options().filter({ hasText: 'North' }).click();
    await first.getByText('1 items selected').waitFor();
    await dialog().getByRole('button', { name: 'Add group' }).first().click();
    const inner = dialog().getByRole('group', { name: 'Comparison 2.1' });
    await inner.getByLabel('Column').selectOption('Amount');
    await inner.getByLabel('Operator').selectOption('>=');
    await inner.getByRole('combobox', { name: 'Value' }).fill('ten');
    await page.keyboard.press('Escape');
    await tick(dialog().getByLabel('Group 2: NOT'));
    await dialog().getByRole('button', { name: 'OK' }).click();
    await dialog().getByText('Not Supported').waitFor();
    await inner.getByRole('combobox', { name: 'Value' }).fill('10');
    await inner.getByRole('combobox', { name: 'Value' }).press('Escape');
    await expectNothingSerious(browser);
    await expectToFit(browser, 360);
    await dialog().getByRole('button', { name: 'OK' }).click();
    await dialog().waitFor({ state: 'hidden' });
    expect(await text().inputValue()).toBe("Region IN ('North') AND NOT (Amount >= 10)");
    await page.getByRole('button', { name: 'Edit Filter' }).click();
    await dialog().getByText('1 items selected').waitFor();
    expect(await inner.getByRole('combobox', { name: 'Value' }).inputValue()).toBe('10');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  fullSetTest('a text that is no condition is reported, and a run starts with one that is', async () => {
    const { page } = browser;
    await open();
    await text().fill('Region =');
    await field('Customer').fill('Customer 00001');
    await page.keyboard.press('Escape');
    await field('Product').fill('Bolt');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Condition is invalid').first().waitFor();
    await text().fill("Region = 'North'");
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('The run was successful').waitFor();
  });
});
