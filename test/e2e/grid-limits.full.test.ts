/**
 * Limits of the columns of an input grid, reported when a cell is left: before a start, and with the typed value still
 * there.
 */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { until } from '#test/support/until.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PARTS: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: { formula: 'SUM(Parts[Count])', value: 9 },
        D1: 'Code',
        E1: 'Count',
        F1: 'Size',
        D2: 'aa',
        E2: 4,
        F2: 'S',
        D3: 'bb',
        E3: 5,
        F3: 'M',
      },
      tables: [{ name: 'Parts', ref: 'D1:F3', columns: ['Code', 'Count', 'Size'] }],
      validations: [
        {
          ref: 'D2:D3',
          type: 'textLength',
          operator: 'greaterThanOrEqual',
          formula1: '2',
          error: 'Two letters at least',
        },
        { ref: 'E2:E3', type: 'whole', operator: 'between', formula1: '1', formula2: '100' },
        { ref: 'F2:F3', type: 'list', formula1: '"S,M,L"' },
      ],
    },
  ],
  names: { in_Parts: 'Parts', out_Sum: 'S!$A$1' },
};

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  const parts = await publish(browser, portal, { Name: 'Parts list', workbook: PARTS });
  await browser.page.goto(`${portal.address}/activities/run/${parts}`);
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const grid = (): Locator => browser.page.getByRole('grid', { name: 'Parts' });
const cell = (row: number, col: number): Locator => grid().locator(`[data-row="${row}"][data-col="${col}"]`);
const textOf = (row: number, col: number): Promise<string> => cell(row, col).locator('.rs-input-grid-text').innerText();
const issueButton = (text: string): Locator => browser.page.getByRole('button', { name: text, exact: true });
const isMarked = async (row: number, col: number): Promise<boolean> =>
  (await cell(row, col).getAttribute('aria-invalid')) === 'true';

async function type(row: number, col: number, text: string, end = 'Enter'): Promise<void> {
  await cell(row, col).click();
  await browser.page.keyboard.type(text);
  await browser.page.keyboard.press(end);
}

const COUNT = 'Value in column Count must be between 1 and 100 (row 1)';
const WHOLE = 'Value in column Count must be a whole number (row 2)';

test('a value beyond the limits of its column is marked with the reason as soon as the cell is left, and stays', async () => {
  const { page } = browser;
  await type(0, 1, '101');
  await issueButton(COUNT).waitFor();
  expect(await isMarked(0, 1)).toBe(true);
  expect(await textOf(0, 1)).toBe('101');
  await type(1, 1, '2.5', 'Tab');
  await issueButton(WHOLE).waitFor();
  await type(0, 2, 'XXL', 'Tab');
  await page.getByRole('button', { name: /column Size.*\(row 1\)$/ }).waitFor();
  expect(await textOf(0, 2)).toBe('XXL');
  await cell(1, 0).click();
  await page.keyboard.type('x');
  // Leaves the cell with the pointer.
  await page.getByRole('heading', { level: 1 }).click();
  await issueButton('Two letters at least (row 2)').waitFor();
  expect(await textOf(1, 0)).toBe('x');
  expect(await isMarked(1, 2)).toBe(false);
  await expectGoodScreen(browser, 'grid-limits');
});

test('what is corrected or undone is no longer marked; what is filled and redone is', async () => {
  const { page } = browser;
  await type(1, 1, '7');
  await issueButton(WHOLE).waitFor({ state: 'detached' });
  await issueButton(COUNT).waitFor();
  await page.keyboard.press('Control+z');
  await issueButton(WHOLE).waitFor();
  await page.keyboard.press('Control+y');
  await issueButton(WHOLE).waitFor({ state: 'detached' });
  await cell(0, 1).click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+d');
  await issueButton('Value in column Count must be between 1 and 100 (row 2)').waitFor();
  await until('the second cell is marked', () => isMarked(1, 1));
});
