/** The steps of a user who has just installed the portal, from the first sign-in to a number they can trust. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Browser, type Portal } from './support/portal.ts';
import { firstSignInByForm, signInByForm } from './support/sign-in.ts';
import { startPortalProcess } from './support/portal-process.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  [portal, browser, folder] = await Promise.all([
    startPortalProcess(),
    openBrowser(),
    mkdtemp(join(tmpdir(), 'runsheet-newcomer-')),
  ]);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

/** 1.19 times amount times quantity. One saved result is wrong, as in a workbook saved without recalculation. */
async function priceWorkbook(): Promise<Buffer> {
  const workbook = new exceljs.Workbook();
  const sheet = workbook.addWorksheet('Price');
  sheet.getCell('A1').value = 'Amount';
  sheet.getCell('B1').value = 100;
  sheet.getCell('A2').value = 'Quantity';
  sheet.getCell('B2').value = 2;
  sheet.getCell('B3').value = { formula: 'B1*B2', result: 200 };
  sheet.getCell('B4').value = { formula: 'ROUND(B3*1.19,2)', result: 238 };
  sheet.getCell('B5').value = { formula: 'B1+1', result: 5 };
  // The text as Excel shows it with a decimal comma.
  sheet.getCell('B6').value = { formula: 'B1/8&" kg"', result: '12,5 kg' };
  workbook.definedNames.add('Price!$B$1', 'in_Amount');
  workbook.definedNames.add('Price!$B$2', 'in_Quantity');
  workbook.definedNames.add('Price!$B$4', 'out_Gross');
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

test('signs in, changes the password and finds the samples', async () => {
  await firstSignInByForm(browser.page, portal, PASSWORD);
  for (const name of ['Loan schedule', 'Invoice reconciliation', 'Sales commission', 'FX exposure report']) {
    await browser.page.getByRole('link', { name, exact: true }).waitFor();
  }
});

test('sees what to do first', async () => {
  const welcome = browser.page.getByRole('region', { name: 'Welcome' });
  for (const step of ['Run an activity', 'Publish your own', 'Invite someone']) await welcome.getByText(step).waitFor();
});

test('runs a sample and sees its numbers', async () => {
  const { page } = browser;
  await page.getByRole('link', { name: 'Loan schedule' }).click();
  await page.getByRole('button', { name: 'Run Now' }).first().click();
  await page.getByLabel('Amount').fill('120,000');
  await page.getByLabel('Interest Rate').fill('0 %');
  await page.getByLabel('Term in Years').fill('10');
  await page.keyboard.press('Control+Enter');
  await page.getByText('The run was successful').waitFor();
  // Without interest, the loan is repaid in equal parts.
  await page.getByText('1,000.00', { exact: true }).first().waitFor();
  await page.getByText('120 rows').waitFor();
});

test('uploads a workbook and reads how faithfully it is calculated', async () => {
  const { page } = browser;
  const file = join(folder, 'price.xlsx');
  await writeFile(file, await priceWorkbook());
  await page.goto(`${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill('Price');
  await page.getByLabel('Schema').selectOption('General');
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByText('New activity created').waitFor();

  const report = page.getByRole('region', { name: 'Next steps' });
  await report.getByText('4 formulas were recalculated').waitFor();
  await report
    .getByText('Region of the workbook: German (Germany), detected from the values saved in the file.')
    .waitFor();
  await report.getByText('1 gives a different value. No output depends on it.').waitFor();
  for (const text of ['B5', '5', '101', 'B1+1']) await report.getByText(text, { exact: true }).first().waitFor();
  await report.getByRole('button', { name: 'Run it' }).click();
});

test('runs it, downloads the result and finds the right number in it', async () => {
  const { page } = browser;
  await page.getByLabel('Quantity').fill('three');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Value must be a number').first().waitFor();
  await page.getByLabel('Quantity').fill('3');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('357', { exact: true }).waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Excel', exact: true }).click(),
  ]);
  const saved = join(folder, 'result.xlsx');
  await download.saveAs(saved);
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(saved);
  const sheet = workbook.getWorksheet('Price')!;
  expect(sheet.getCell('B2').value).toBe(3);
  expect(sheet.getCell('B4').value).toMatchObject({ formula: 'ROUND(B3*1.19,2)', result: 357 });
});

test('finds everything again after signing out and in', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Administrator' }).click();
  await page.getByRole('menuitem', { name: 'Log out', exact: true }).click();
  await page.getByRole('button', { name: 'Login' }).waitFor();
  await signInByForm(page, portal, PASSWORD);
  await page.goto(`${portal.address}/activities/runhistory`);
  await page.getByText('Price', { exact: true }).first().waitFor();
  expect(browser.errors).toEqual([]);
});
