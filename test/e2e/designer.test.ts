/**
 * A workbook without marks becomes an activity: its author marks cells in the browser, tries the form, publishes and
 * runs it.
 */
import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, signIn, startPortal, visit, type Browser, type Portal } from './support/portal.ts';

const PASSWORD = 'Designer-Pass-1';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const QUOTE: WorkbookSpec = {
  sheets: [
    {
      name: 'Quote',
      cells: {
        A1: 'Quote for garden furniture, with everything that is delivered',
        A3: 'Amount:',
        B3: { value: 1200, style: 1 },
        A4: 'Discount',
        B4: { value: 0.05, style: 2 },
        A5: 'Total',
        B5: { formula: 'B3*(1-B4)', value: 1140, style: 1 },
        D1: 'Merged over two columns',
        D3: 1234567.89,
      },
      merges: ['D1:E1'],
    },
    { name: 'Rates', state: 'hidden', cells: { A1: 'Rate', B1: 0.2 } },
  ],
  formats: ['#,##0.00', '0.0%'],
};

let portal: Portal;
let browser: Browser;
/** An activity that one test creates and the next one changes. */
let published = '';

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser({ width: 1440 })]);
  await firstSignIn(browser.page, portal, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

async function openFile(name: string, workbook: WorkbookSpec): Promise<void> {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/new/`);
  const buffer = Buffer.from(await buildWorkbook(workbook));
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: XLSX, buffer });
  await grid().waitFor();
}

const grid = () => browser.page.getByRole('grid', { name: /^Sheet/ });
/** Finds a cell by its accessible name, which starts with its address. */
const cell = (address: string) => grid().getByRole('gridcell', { name: new RegExp(`^${address}, `) });
const saved = () => browser.page.getByText('Saved', { exact: true });
const list = (name: 'Inputs' | 'Outputs') => browser.page.getByRole('region', { name, exact: true });
const mark = (role: 'Inputs' | 'Outputs', name: string) =>
  list(role).getByRole('button', { name: new RegExp(`^${name} `) });

test('what is likely is marked at once; cells are marked with the mouse, tried, published and run', async () => {
  const { page } = browser;
  await openFile('garden-quote.xlsx', QUOTE);
  await cell('B3').getByText('1,200.00').waitFor();
  expect(await cell('B4').textContent()).toBe('5.0%');
  expect(await cell('D1').getAttribute('aria-colspan')).toBe('2');
  await page.getByRole('tab', { name: /Rates/ }).waitFor();

  await mark('Inputs', 'Amount').waitFor();
  await mark('Inputs', 'Discount').waitFor();
  await mark('Outputs', 'Total').waitFor();
  for (const address of ['B3', 'B4', 'B5']) {
    await cell(address).click();
    await page.getByRole('button', { name: 'Remove the mark', exact: true }).first().click();
  }
  await page.getByText('Mark an input or an output first').waitFor();
  for (const [address, role] of [
    ['B3', 'Input'],
    ['B4', 'Input'],
    ['B5', 'Output'],
  ] as const) {
    await cell(address).click();
    await page.getByRole('button', { name: role, exact: true }).click();
  }
  await mark('Inputs', 'Amount').waitFor();
  await mark('Inputs', 'Discount').waitFor();
  await mark('Outputs', 'Total').waitFor();
  await saved().waitFor();
  expect(await cell('B4').getAttribute('aria-label')).toBe('B4, 5.0%, input Discount');
  await expectGoodScreen(browser, 'designer-marked', { isWholePage: true });

  await page.getByRole('button', { name: 'Try', exact: true }).click();
  const form = page.getByRole('form', { name: 'Form to try' });
  await form.getByLabel('Amount').fill('2000');
  await form.getByRole('button', { name: 'Try' }).click();
  await form.getByRole('region', { name: 'Result' }).getByText('1,900.00').waitFor();
  await expectGoodScreen(browser, 'designer-tried', { isWholePage: true });

  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByText('New activity created').waitFor();
  await page.getByRole('region', { name: 'Next steps' }).getByRole('button', { name: 'Run it' }).click();
  await page.getByLabel('Amount').fill('100');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('95.00', { exact: true }).waitFor();
  expect(browser.errors).toEqual([]);
});

test('the keyboard alone marks, names, undoes and publishes', async () => {
  const { page } = browser;
  await openFile('keys.xlsx', QUOTE);
  await page.getByRole('button', { name: 'Output', exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toMatch(/^A1, Quote/);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await list('Inputs').getByText('Select the cells that people fill in').waitFor();
  await page.keyboard.press('Control+Home');
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toMatch(/^B3, 1,200\.00/);
  await page.keyboard.press('i');
  await mark('Inputs', 'Amount').waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('mark-name');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Price');
  await mark('Inputs', 'Price').waitFor();
  await cell('B3').focus();
  await page.keyboard.press('Control+ArrowDown');
  await page.keyboard.press('o');
  await mark('Outputs', 'Total').waitFor();
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('i');
  await page.getByText(/These cells overlap with Total/).waitFor();
  await page.keyboard.press('Delete');
  await list('Outputs').getByText('Select the cells that hold results').waitFor();
  await page.keyboard.press('Control+z');
  await mark('Outputs', 'Total').waitFor();
  await page.keyboard.press('Control+PageDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('A1, Rate');
  await saved().waitFor();
  await page.getByLabel('Activity Name').fill('By keys');
  await page.getByRole('button', { name: 'Create Activity' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('New activity created').waitFor();
  const link = await page.getByRole('link', { name: 'By keys' }).first().getAttribute('href');
  published = /activities\/(?:run\/)?(\d+)/.exec(link ?? '')?.[1] ?? '';
  expect(browser.errors).toEqual([]);
});

test('the version in use is marked in another way', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/edit/${published}/`);
  await page.getByRole('button', { name: 'Edit inputs and outputs' }).click();
  await mark('Inputs', 'Price').click();
  await page.getByLabel('Description', { exact: true }).first().fill('Before the discount');
  await saved().waitFor();
  await page.getByLabel('Change Description').fill('Says what the price is');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();
  await visit(page, `${portal.address}/activities/run/${published}/`);
  await page.getByText('Before the discount').waitFor();
  expect(browser.errors).toEqual([]);
});

test('a new file without marks takes those of the last version, and the author decides about the others', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/edit/${published}/`);
  const [quote] = QUOTE.sheets;
  const renamed = { sheets: [{ ...quote!, cells: { ...quote!.cells, A3: 'Principal' } }], formats: QUOTE.formats! };
  const buffer = Buffer.from(await buildWorkbook(renamed));
  await page.locator('input[type=file]').setInputFiles({ name: 'renamed.xlsx', mimeType: XLSX, buffer });
  const carried = page.getByRole('region', { name: 'Marks of the last version' });
  await carried.getByText('One mark has not moved.').waitFor();
  await mark('Outputs', 'Total').waitFor();
  await page.getByLabel('Change Description').fill('Another label');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Choose the new cells for the marks of the last version').waitFor();
  await carried.getByRole('button', { name: 'Use this location' }).click();
  await mark('Inputs', 'Price').waitFor();
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();
  await visit(page, `${portal.address}/activities/run/${published}/`);
  await page.getByText('Before the discount').waitFor();
  expect(browser.errors).toEqual([]);
});

test('a design survives a reload, and is among the unfinished workbooks', async () => {
  const { page } = browser;
  await openFile('later.xlsx', QUOTE);
  await mark('Inputs', 'Discount').waitFor();
  await cell('B4').click();
  await page.keyboard.press('Delete');
  await mark('Inputs', 'Discount').waitFor({ state: 'detached' });
  await saved().waitFor();
  expect(page.url()).toMatch(/\?design=\d+$/);
  await page.reload();
  await mark('Inputs', 'Amount').waitFor();
  expect(await mark('Inputs', 'Discount').count()).toBe(0);
  await page.getByRole('button', { name: 'Add input Discount' }).click();
  await mark('Inputs', 'Discount').waitFor();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByRole('button', { name: 'Continue with later.xlsx' }).click();
  await mark('Inputs', 'Discount').waitFor();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByRole('button', { name: 'Delete later.xlsx' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Continue with later.xlsx' }).waitFor({ state: 'detached' });
  expect(browser.errors).toEqual([]);
});

test('another file begins another design, and the author can return to the earlier one', async () => {
  const { page } = browser;
  const choose = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: XLSX, buffer });
  const goBack = page.getByRole('button', { name: /^Continue with/ });
  await openFile('first.xlsx', QUOTE);
  await cell('B4').click();
  await page.keyboard.press('Delete');
  await mark('Inputs', 'Discount').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await choose('second.xlsx', Buffer.from(await buildWorkbook(QUOTE)));
  await mark('Inputs', 'Discount').waitFor();
  await page.getByRole('button', { name: 'Continue with first.xlsx' }).click();
  await page.getByText('first.xlsx', { exact: true }).waitFor();
  await mark('Inputs', 'Amount').waitFor();
  expect(await mark('Inputs', 'Discount').count()).toBe(0);

  await visit(page, `${portal.address}/activities/edit/${published}/`);
  await page.getByRole('button', { name: 'Edit inputs and outputs' }).click();
  await mark('Outputs', 'Total').click();
  await page.getByRole('button', { name: 'Remove the mark', exact: true }).first().click();
  await mark('Outputs', 'Total').waitFor({ state: 'detached' });
  await choose('notes.xlsx', Buffer.from('no workbook'));
  await page
    .getByText(/cannot be read/)
    .first()
    .waitFor();
  expect(await grid().count()).toBe(0);
  await goBack.click();
  await mark('Inputs', 'Price').waitFor();
  expect(await mark('Outputs', 'Total').count()).toBe(0);
  await page.getByRole('button', { name: 'Discard the marks' }).click();
  const message = 'The design could not be deleted now.';
  await page.route('**/api/designs/*/delete', (route) => route.fulfill({ status: 500, json: { message } }));
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByText(message).waitFor();
  await mark('Inputs', 'Price').waitFor();
  await page.unroute('**/api/designs/*/delete');
  await page.getByRole('button', { name: 'Discard the marks' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await grid().waitFor({ state: 'detached' });
  expect(await goBack.count()).toBe(0);
  expect(browser.errors).toEqual([]);
});

test('the kinds of columns are changed in the summary of a marked workbook, and in the panel', async () => {
  const { page } = browser;
  const cells = {
    A1: 'Item',
    B1: 'Price',
    A2: 'Chair',
    B2: 20,
    A3: 'Table',
    B3: 45,
    B5: { formula: 'SUM(B2:B3)', value: 65 },
  };
  const names = { in_Lines: 'Data!$A$1:$B$3', out_Sum: 'Data!$B$5' };
  const buffer = Buffer.from(await buildWorkbook({ sheets: [{ name: 'Data', cells }], names }));
  await visit(page, `${portal.address}/activities/new/`);
  await page.locator('input[type=file]').setInputFiles({ name: 'lines.xlsx', mimeType: XLSX, buffer });
  const chips = page.locator('.rs-column-chips').first();
  const kindOf = (column: string) => chips.getByRole('combobox', { name: column, exact: true });
  await expect.poll(() => kindOf('Price').inputValue()).toBe('Number');
  expect(await kindOf('First row').inputValue()).toBe('TRUE');
  await Promise.all([page.waitForResponse(/\/marks$/), kindOf('Price').selectOption('Text')]);
  expect(await kindOf('Price').inputValue()).toBe('Text');
  await expectGoodScreen(browser, 'designer-chips', { isWholePage: true });
  await page.getByRole('button', { name: 'Edit inputs and outputs' }).click();
  await mark('Inputs', 'Lines').click();
  expect(await kindOf('Price').inputValue()).toBe('Text');
  await kindOf('Item').selectOption('Date');
  await kindOf('Price').selectOption('Number');
  await saved().waitFor();
  expect([await kindOf('Item').inputValue(), await kindOf('Price').inputValue()]).toEqual(['Date', 'Number']);
  expect(browser.errors).toEqual([]);
});

test('problems are shown at the mark, and keep the author from publishing', async () => {
  const { page } = browser;
  await openFile('problem.xlsx', QUOTE);
  await cell('D1').click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('i');
  await page
    .getByRole('tab', { name: /Problems/ })
    .getByText('1')
    .waitFor();
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByText('The workbook has a problem to fix').waitFor();
  await page
    .getByRole('tabpanel')
    .getByText(/merged/)
    .waitFor();
  await expectGoodScreen(browser, 'designer-problems', { isWholePage: true });
  expect(browser.errors).toEqual([]);
});

fullSetTest('a finger that is held selects a range, and one that moves at once scrolls', async () => {
  const touch = await openBrowser({ hasTouch: true, width: 1100 });
  const { page } = touch;
  await signIn(page, portal, PASSWORD);
  await page.goto(`${portal.address}/activities/new/`);
  const buffer = Buffer.from(await buildWorkbook(QUOTE));
  await page.locator('input[type=file]').setInputFiles({ name: 'touch.xlsx', mimeType: XLSX, buffer });
  const range = page.locator('.rs-selection-line strong');
  const middleOf = async (address: string) => {
    const box = (await page.getByRole('gridcell', { name: new RegExp(`^${address}, `) }).boundingBox())!;
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  };
  await range.filter({ hasText: /^A1$/ }).waitFor();
  const client = await page.context().newCDPSession(page);
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const [from, to] = [await middleOf('A3'), await middleOf('B5')];
  await finger('touchStart', ...from);
  await range.filter({ hasText: /^A3$/ }).waitFor();
  await finger('touchMove', ...to);
  await range.filter({ hasText: /^A3:B5$/ }).waitFor();
  await finger('touchEnd');

  const [x, y] = await middleOf('A9');
  await finger('touchStart', x, y);
  for (let step = 1; step <= 10; step += 1) await finger('touchMove', x, y - step * 10);
  await finger('touchEnd');
  const scrolled = () => page.locator('.rs-sheet-scroller').evaluate((box) => box.scrollTop);
  await expect.poll(scrolled).toBeGreaterThan(0);
  expect(await range.textContent()).toBe('A3:B5');
  expect(touch.errors).toEqual([]);
  await touch.close();
});

fullSetTest('of 100,000 rows only those in sight are in the page, and few frames draw any', async () => {
  const { page } = browser;
  const cells: WorkbookSpec['sheets'][number]['cells'] = {};
  for (let row = 1; row <= 100_000; row += 1) {
    cells[`A${row}`] = `Row ${row}`;
    cells[`B${row}`] = row * 1.5;
  }
  await openFile('long.xlsx', { sheets: [{ name: 'Long', cells }] });
  await cell('A1').getByText('Row 1').waitFor();
  const { cells: count, drawings } = await page.evaluate(async () => {
    const box = document.querySelector('.rs-sheet-scroller')!;
    let drawings = 0;
    const observer = new MutationObserver(() => (drawings += 1));
    observer.observe(box, { subtree: true, childList: true });
    for (let frame = 0; frame < 100; frame += 1) {
      box.scrollTop += 40;
      await new Promise((done) => requestAnimationFrame(done));
    }
    observer.disconnect();
    return { drawings, cells: box.querySelectorAll('.rs-cell').length };
  });
  // 200 rows pass in 100 frames, and eight rows are added at a time. Each section of cells is drawn again once it has
  // been loaded.
  expect(drawings).toBeLessThan(60);
  expect(count).toBeLessThan(3000);
  await page.evaluate(() => {
    const box = document.querySelector('.rs-sheet-scroller')!;
    // Blank rows follow the last one.
    box.scrollTop = 99_990 * 20;
  });
  await cell('A100000').getByText('Row 100000').waitFor();
});
