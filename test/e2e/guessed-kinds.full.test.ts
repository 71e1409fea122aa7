/** A workbook whose cells do not show the expected type of value: the report of its upload, and running it again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { seriousViolations } from './support/axe.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const BOOK: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Region',
        B1: 'Units',
        A2: 'North',
        A3: 'South',
        D1: { formula: 'SUM(B2:B3)' },
        D2: { formula: 'EDATE(F1,1)' },
      },
    },
    {
      name: 'Portal',
      cells: { A1: 'Name', B1: 'Specification', A2: 'Regions', B2: 'Display,Required' },
      tables: [{ name: 'PortalInputs', ref: 'A1:B2', columns: ['Name', 'Specification'] }],
    },
  ],
  names: { in_Regions: 'S!$A$1:$B$3', in_From: 'S!$F$1', out_Total: 'S!$D$1', out_Due: 'S!$D$2' },
};

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const cell = (row: number, col: number) =>
  browser.page.getByRole('grid', { name: 'Regions' }).locator(`[data-row="${row}"][data-col="${col}"]`);

test('the report of an upload names each kind that was taken from a formula, and why', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill('Regions');
  await page.getByLabel('Schema').selectOption('General');
  const buffer = await buildWorkbook(BOOK);
  await page.locator('input[type=file]').setInputFiles({ name: 'Regions.xlsx', mimeType: XLSX, buffer });
  await page.getByRole('button', { name: 'Create Activity' }).click();
  const report = page.getByRole('region', { name: 'Next steps' });
  const rows = report.getByRole('group', { name: 'Findings' }).locator('tbody tr');
  await rows.first().waitFor();
  const texts = await rows.allInnerTexts();
  expect(texts).toHaveLength(4);
  expect(texts[0]).toContain(
    "The input 'Regions' (Units) is treated as a Number, because the formula in S!D1 uses it as a number",
  );
  expect(texts[1]).toContain(
    "The input 'From' is treated as a Date, because the formula in S!D2 uses it as a date (EDATE)",
  );
  expect(texts[3]).toContain("The output 'Due' is treated as a Date, because its formula results in a date");
  expect(await seriousViolations(browser)).toEqual([]);
  await report.getByRole('button', { name: 'Run it' }).click();
  await page.waitForURL(/\/activities\/run\//);
});

test('running again shows columns that are only shown as the first form does', async () => {
  const { page } = browser;
  await cell(0, 1).click();
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  expect(await cell(0, 0).innerText()).toBe('North');
  await page.getByRole('textbox', { name: 'From' }).fill('31/Jan/2026');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('28/Feb/2026').first().waitFor();
  await page.getByRole('button', { name: 'Run Again' }).click();
  await page.waitForURL(/\/again\//);
  await cell(0, 0).waitFor();
  const shown = () => Promise.all([cell(0, 0), cell(0, 1), cell(1, 0), cell(1, 1)].map((one) => one.innerText()));
  await expect.poll(shown).toEqual(['North', '20', 'South', '3']);
});
