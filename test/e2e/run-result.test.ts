/** The result of a run: figures first, whole on paper, with real values on the clipboard, and usable with a thumb. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { readPdf } from '#test/support/read-pdf.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { print } from './support/print.ts';
import { publish } from './support/publish.ts';
import { openDetails } from './support/run-page.ts';

const COLUMNS = 100;
const ROWS = 12;

/** 'A' for 0, 'AA' for 26. */
const letters = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : letters(Math.floor(at / 26) - 1) + letters(at % 26);

function wideCells(): Record<string, CellSpec> {
  const cells: Record<string, CellSpec> = {};
  for (let col = 0; col < COLUMNS; col += 1) {
    cells[`${letters(col)}10`] = col === 0 ? 'Branch' : `Month ${col}`;
    for (let row = 0; row < ROWS; row += 1)
      cells[`${letters(col)}${row + 11}`] =
        col === 0 ? `B-${row + 1}` : { formula: `$B$1*${row + col}`, value: 2 * (row + col) };
  }
  return cells;
}

const PLAN: WorkbookSpec = {
  formats: ['dd/mm/yyyy'],
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Rate',
        B1: 2,
        A2: 'Total',
        B2: { formula: 'B1*617.25', value: 1234.5 },
        A3: 'Due',
        B3: { formula: 'DATE(2026,1,5)', value: 46027, style: 1 },
        ...wideCells(),
      },
    },
  ],
  names: {
    in_Rate: 'S!$B$1',
    out_Total: 'S!$B$2',
    out_Due: 'S!$B$3',
    out_Plan: `S!$A$10:$${letters(COLUMNS - 1)}$${ROWS + 10}`,
  },
};

/** Divides by zero as long as nobody enters another number. */
const QUOTIENT: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 7, B1: { formula: '1/(A1-7)', error: '#DIV/0!' } } }],
  names: { in_Count: 'S!$A$1', out_Share: 'S!$B$1' },
};

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser({ hasTouch: true })]);
  const { page } = browser;
  await firstSignIn(page, portal, 'Newcomer-Pass-1');
  const plan = await publish(browser, portal, { Name: 'Plan of a year', workbook: PLAN });
  await page.goto(`${portal.address}/activities/run/${plan}`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run was successful').waitFor();
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const topOf = async (element: Locator): Promise<number> => (await element.boundingBox())!.y;

test('a result comes first and says how far it can be trusted; phases and log are one line below', async () => {
  const { page } = browser;
  const figure = page.getByText('1234.5', { exact: true }).or(page.getByText('1,234.5', { exact: true }));
  expect(await figure.evaluate((element) => Number.parseInt(getComputedStyle(element).fontSize, 10))).toBe(28);
  const details = page.getByRole('button', { name: 'Details', exact: true });
  expect(await topOf(figure)).toBeLessThan(await topOf(details));
  expect(await page.getByRole('list', { name: 'Phases of the run' }).count()).toBe(0);
  await page.getByRole('link', { name: /^All 1,\d{3} formulas match Excel's saved values$/ }).waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await page.getByRole('button', { name: 'Edit and run again' }).waitFor();
  const inputs = page.getByRole('button', { name: 'Inputs' });
  expect((await inputs.boundingBox())!.x).toBeGreaterThan((await figure.boundingBox())!.x + 300);
  await page.getByRole('button', { name: 'Plot Plan' }).click();
  await page.getByRole('region', { name: 'Plan', exact: true }).getByRole('list', { name: 'Lines of Plan' }).waitFor();
  await expectGoodScreen(browser, 'run-result', { isWholePage: true });
  await page.reload();
  await page.getByRole('list', { name: 'Lines of Plan' }).waitFor();
  await openDetails(page);
  await page.getByRole('list', { name: 'Phases of the run' }).waitFor();
  await expectGoodScreen(browser, 'run-result-details', { isWholePage: true });
  await page.getByRole('button', { name: 'Plot Plan' }).click();
});

test('100 columns are printed whole, in parts that fit the sheet, with what the run says about itself', async () => {
  const { page } = browser;
  const former = page.viewportSize()!;
  await page.setViewportSize({ width: 718, height: 900 });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const tables = page.locator('.rs-printed-table');
  const heads = await tables.evaluateAll((all) =>
    all.map((table) => [...table.querySelectorAll('th')].map((cell) => cell.textContent)),
  );
  expect(heads.length).toBeGreaterThan(5);
  expect(heads.every((head) => head[0] === 'Branch')).toBe(true);
  expect(heads.flatMap((head) => head.slice(1))).toEqual(
    Array.from({ length: COLUMNS - 1 }, (_, at) => `Month ${at + 1}`),
  );
  expect(await tables.evaluateAll((all) => all.every((table) => table.getBoundingClientRect().right <= 718))).toBe(
    true,
  );
  const facts = page.locator('.rs-printed-facts');
  const number = /runstatus\/(\d+)/.exec(page.url())![1]!;
  await expect
    .poll(() => facts.innerText())
    .toMatch(new RegExp(`Run number\\s+${number}\\s+Version\\s+1\\s+Run by\\s+\\S`));
  expect(await facts.innerText()).toMatch(/All 1,\d{3} formulas match Excel's saved values/);
  await page.getByText('Rate', { exact: true }).first().waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: null });
  const { rows, pages } = await print(page, 'run-result');
  expect(rows).toBe(heads.length * (ROWS + 1));
  expect(pages).toBeGreaterThan(2);
  await page.setViewportSize(former);
});

test('the PDF file has all columns, the inputs and the plots that the page shows', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Plot Plan' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PDF', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Plan of a year \d+\.pdf$/);
  const text = readPdf(await readFile(await download.path()))
    .pages.join('\n')
    .replaceAll(/\s+/g, ' ');
  for (let col = 1; col < COLUMNS; col += 1) expect(text).toMatch(new RegExp(`\\bMonth ${col}\\b`));
  for (const part of ['Total', 'Rate|2', 'Plot of Plan', 'Page 1 of ']) expect(text).toContain(part);
  await page.getByRole('button', { name: 'Plot Plan' }).click();
});

test('what is copied has real values for spreadsheets, and texts as the person reads them', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Copy the result' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  await page.context().grantPermissions(['clipboard-read']);
  const [html, text] = await page.evaluate(async () => {
    // The types of the DOM do not have this argument yet.
    const clipboard: { read(formats: { unsanitized: string[] }): Promise<ClipboardItems> } = navigator.clipboard;
    const [item] = await clipboard.read({ unsanitized: ['text/html'] });
    return Promise.all(['text/html', 'text/plain'].map(async (type) => (await item!.getType(type)).text()));
  });
  expect(html).toContain('x:num="1234.5"');
  expect(html).toContain('<td>2026-01-05</td>');
  expect(html!.match(/<tr>/g)).toHaveLength(2 + 1 + 1 + ROWS);
  expect(text!.split('\n')[0]).toMatch(/^Total\t1,?234\.5$/);
  expect(text).toMatch(/\nPlan\nBranch\tMonth 1\t/);
});

test('a run that went wrong says why in its first line, and its log is open', async () => {
  const { page } = browser;
  const quotient = await publish(browser, portal, { Name: 'Quotient', workbook: QUOTIENT });
  await page.goto(`${portal.address}/activities/run/${quotient}`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const state = page.getByRole('status').filter({ hasText: 'The run succeeded with warnings' });
  await state.getByText("Output 'Share' has the error #DIV/0!").waitFor();
  await page
    .getByRole('region', { name: 'Log', exact: true })
    .getByText("Output 'Share' has the error #DIV/0!")
    .waitFor();
  await expectGoodScreen(browser, 'run-warned', { isWholePage: true });
  await page.goBack();
});

test('on a phone the result is above everything, and buttons are large enough for fingers', async () => {
  const { page } = browser;
  await page.setViewportSize({ width: 390, height: 844 });
  const primary = page.getByRole('button', { name: 'Run Again', exact: true });
  const result = page.getByText('Total', { exact: true });
  await expect
    .poll(async () => (await topOf(result)) < (await topOf(page.getByText('The run was successful'))))
    .toBe(true);
  await expect.poll(async () => (await topOf(primary)) > (await topOf(result))).toBe(true);
  expect((await primary.boundingBox())!.width).toBeGreaterThan(330);
  const sizes = await page
    .locator('.rs-run .bp6-button:visible')
    .evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)),
    );
  expect(sizes.length).toBeGreaterThan(6);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
  expect(browser.errors).toEqual([]);
});
