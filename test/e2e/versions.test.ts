/** A workbook is replaced: the changes, the incompatibilities, and restoring the previous version. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';

let portal: Portal;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  [portal, browser, folder] = await Promise.all([
    startPortal(),
    openBrowser(),
    mkdtemp(join(tmpdir(), 'runsheet-versions-')),
  ]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

async function workbook({ formula, input }: { formula: string; input: string }): Promise<Buffer> {
  const book = new exceljs.Workbook();
  const rates = book.addWorksheet('Rates');
  rates.getCell('A1').value = 0;
  rates.getCell('A2').value = { formula: '1/A1', result: { error: '#DIV/0!' } };
  const sheet = book.addWorksheet('Price');
  sheet.getCell('A1').value = 100;
  sheet.getCell('B1').value = { formula, result: 0 };
  const filled = `${formula.replaceAll(/A(\d)/g, '$A$$$1')}+ROW()`;
  for (let row = 3; row < 20; row++) sheet.getCell(`B${row}`).value = { formula: filled, result: 0 };
  book.definedNames.add('Price!$A$1', `in_${input}`);
  book.definedNames.add('Price!$B$1', 'out_Gross');
  return Buffer.from(await book.xlsx.writeBuffer());
}

async function choose(content: { formula: string; input: string }): Promise<void> {
  const file = join(folder, 'price.xlsx');
  await writeFile(file, await workbook(content));
  await browser.page.locator('input[type=file]').setInputFiles(file);
}

let activity = '';

test('an error that reaches an output names the cell where it arose', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/new/`);
  await page.getByLabel('Activity Name').fill('Price');
  await page.getByLabel('Schema').selectOption('General');
  await choose({ formula: 'A1*Rates!A2', input: 'Amount' });
  await page.getByRole('button', { name: 'Create Activity' }).click();
  await page.getByRole('region', { name: 'Next steps' }).getByRole('button', { name: 'Run it' }).click();
  await page.getByRole('button', { name: 'Start' }).waitFor();
  activity = /run\/(\d+)/.exec(page.url())?.[1] ?? '';
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText("(=A1*Rates!A2). It originates in cell A2 of sheet 'Rates': =1/A1").first().waitFor();
});

test('a new version shows what changed, cell by cell, and which preset it has lost', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/edit/${activity}/`);
  await page.getByLabel('Amount', { exact: true }).fill('50');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await choose({ formula: 'A1*1.19', input: 'Net' });
  await page.getByLabel('Change Description').fill('No rates any more');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  const dialog = page.getByRole('region', { name: 'Next steps' });
  await dialog.getByText("The input 'Amount' has a preset value but no longer exists").waitFor();
  await dialog.getByRole('button', { name: 'What changed' }).click();
  await page.getByRole('heading', { name: 'Version changes - Price' }).waitFor();
  await page.getByText('2 inputs, 2 names and 18 formulas differ.').waitFor();
  await page.getByRole('gridcell', { name: 'B3:B19' }).waitFor();
  await expectGoodScreen(browser, 'version-changes');
});

fullSetTest('an older version is made the newest again', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'All versions' }).click();
  await page.getByRole('button', { name: 'Menu of version 1' }).click();
  await page.getByRole('menuitem', { name: 'Changes since then' }).click();
  await page.getByText('18 formulas differ').waitFor();
  await page.getByRole('button', { name: 'All versions' }).click();
  await page.getByRole('button', { name: 'Menu of version 1' }).click();
  await page.getByRole('menuitem', { name: 'Roll back to this version' }).click();
  await page.getByLabel('Reason').fill('Rates are needed');
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
  await page.getByText('Version 3 is now the same as version 1').waitFor();
  await page.getByRole('button', { name: 'All versions' }).click();
  await page.getByText('Rolled back to version 1: Rates are needed').waitFor();
  expect(browser.errors).toEqual([]);
});

test('a person who saves after somebody else is warned, loses nothing, and decides', async () => {
  const { page } = browser;
  const address = `${portal.address}/activities/edit/${activity}/`;
  await page.goto(address);
  await page.getByLabel('Description', { exact: true }).fill('Mine');
  const other = await page.context().newPage();
  await other.goto(address);
  await other.getByLabel('Description', { exact: true }).fill('Theirs');
  await other.getByRole('button', { name: 'Update Activity' }).click();
  await other.getByText('Activity updated').waitFor();
  await other.close();
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Another user changed this activity after you opened it').waitFor();
  expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('Mine');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();
});
