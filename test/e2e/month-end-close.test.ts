/**
 * A month-end close as people meet it: drawn from the sample activities with a decision and an approval, once with the mouse and once with the
 * keyboard alone; run, broken at its third step, mended, resumed, approved by somebody else, and all its files fetched.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { makeWorkbook } from '../../scripts/make-samples.ts';
import { fxExposure } from '../../scripts/samples/fx-exposure.ts';
import { addTable } from '../../scripts/samples/layout.ts';
import { seriousViolations } from './support/axe.ts';
import { tick } from './support/controls.ts';
import { focusedLabel, tabTo } from './support/keyboard.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, startPortal, telling, type Browser, type Portal } from './support/portal.ts';

const GIVEN_PASSWORD = 'Given-Password-1';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SAMPLES = new URL('../../samples/files/', import.meta.url);
const WHY = 'The rates of the last day of the month are missing';
const ACTIVITIES = [
  'Invoice reconciliation',
  'Sales commission',
  'FX exposure report',
  'Loan schedule',
  'Month-end report',
];
/** What the report takes of the others: a table of them. */
const HANDED_ON = [
  ['Received', 'Invoice reconciliation: Received'],
  ['Commission', 'Sales commission: To Pay'],
  ['Loss at Shock', 'FX exposure report: Loss at Shock'],
  ['Open Items', 'Invoice reconciliation: Exceptions'],
] as const;
const pictures = process.env['PICTURES'];

let portal: Portal;
let author: Browser;
let approver: Browser;

beforeAll(async () => {
  [portal, author, approver] = await Promise.all([startPortal(), openBrowser(), openBrowser()]);
  await firstSignIn(author.page, portal, 'Newcomer-Pass-1');
  await addAda();
});

afterAll(async () => {
  await Promise.all([author.close(), approver.close()]);
  await portal.stop();
});

async function addAda(): Promise<void> {
  const { page } = author;
  await telling(page, async () => {
    await page.goto(`${portal.address}/newuser/`);
    await page.getByLabel('User Name').fill('ada');
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Password', { exact: true }).fill(GIVEN_PASSWORD);
    await page.getByLabel('Confirm Password').fill(GIVEN_PASSWORD);
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('New user created').waitFor();
  });
  await firstSignIn(approver.page, { ...portal, userName: 'ada', password: GIVEN_PASSWORD }, 'Chosen-Password-2');
}

async function expectGoodScreen(browser: Browser, name: string): Promise<void> {
  const { page } = browser;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousViolations(browser)).toEqual([]);
    if (!pictures) continue;
    for (const width of [360, 1024, 1440]) {
      await page.setViewportSize({ width, height: 1600 });
      await page.screenshot({ path: join(pictures, `close-${name}-${width}-${colorScheme}.png`) });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  await expectToFit(browser, 360);
  expect(browser.errors).toEqual([]);
}

/** The sample activity with a check that fails; the one that comes with the portal mends it. */
const brokenReport = (): Promise<Uint8Array> =>
  makeWorkbook(createRunsheetEngine(), (workbook) => {
    fxExposure(workbook);
    workbook.addWorksheet('Checks').getCell('A1').value = { formula: '1=2', date1904: false };
    const sheet = workbook.getWorksheet('Portal')!;
    const columns = ['Step', 'Action', 'Cell', 'Message'].map((name) => ({ name }));
    addTable(sheet, 'PortalSteps', { row: sheet.rowCount + 2, col: 1 }, columns, [
      ['Rates', 'Check', 'Checks!A1', WHY],
    ]);
  });

/** As a new version of the activity whose page the browser shows. */
async function uploadVersion(bytes: Uint8Array, why: string): Promise<void> {
  const { page } = author;
  await page.getByRole('button', { name: 'Change File' }).waitFor();
  const file = { name: 'fx-exposure.xlsx', mimeType: XLSX, buffer: Buffer.from(bytes) };
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByLabel('Change Description').fill(why);
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();
}

async function breakReport(): Promise<void> {
  const { page } = author;
  await page.goto(`${portal.address}/activities/`);
  const link = page.getByRole('link', { name: 'FX exposure report', exact: true });
  const id = /\/activities\/(\d+)/.exec((await link.getAttribute('href')) ?? '')![1];
  await page.goto(`${portal.address}/activities/edit/${id}/`);
  await uploadVersion(await brokenReport(), 'Checks the rates');
}

const steps = (): Locator => author.page.getByRole('region', { name: 'Steps' });
const panel = (): Locator => author.page.getByRole('region', { name: 'Selected step' });
const stepButton = (name: string): Locator => steps().getByRole('button', { name, exact: true });
const nothingWrong = (): Promise<void> => author.page.getByText('Nothing keeps it from being saved.').waitFor();
/** A row of the page of a run. */
const stepRow = (name: string): Locator => steps().getByRole('row').filter({ hasText: name }).first();

/** Puts the files in where the form asks for them; all else has a value of its own. */
async function chooseFiles(): Promise<void> {
  const { page } = author;
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  for (const [index, name] of ['invoices-2026-10.csv', 'bank-2026-10.csv'].entries()) {
    const buffer = await readFile(new URL(name, SAMPLES));
    await page.locator('input[type=file]').nth(index).setInputFiles({ name, mimeType: 'text/csv', buffer });
    await page.getByText(name, { exact: true }).nth(0).waitFor();
  }
}

describe('with the mouse', () => {
  const NAME = 'Month-end close';

  test('it is made of a checklist of the samples', async () => {
    const { page } = author;
    await breakReport();
    await page.goto(`${portal.address}/checklists/new`);
    await page.getByLabel('Checklist name').fill(NAME);
    await page.getByLabel('Schema').selectOption('Samples');
    for (const activity of ACTIVITIES) {
      await page.getByRole('combobox', { name: 'Add activity' }).fill(activity);
      await page.getByRole('option', { name: activity }).first().click();
      await page.getByRole('listitem').filter({ hasText: activity }).first().waitFor();
    }
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Map by name' }).click();
    await page.getByText('All inputs are mapped').waitFor();
    await page.getByRole('button', { name: 'Create checklist' }).click();
    await page.getByText('Checklist created').waitFor();
    await page.getByRole('button', { name: `Menu of ${NAME}` }).click();
    await page.getByRole('menuitem', { name: 'Edit as workflow', exact: true }).click();
    await page.getByRole('button', { name: 'Edit as workflow', exact: true }).click();
    await steps().waitFor();
    await nothingWrong();
  });

  test('outputs are handed on, a decision asks whether anything is overdue, and somebody has to approve it', async () => {
    const { page } = author;
    await stepButton('Month-end report').click();
    for (const [input, label] of HANDED_ON) await panel().getByLabel(input).selectOption({ label });
    await stepButton('Loan schedule').click();
    await page.getByRole('button', { name: 'Add decision' }).click();
    await panel().getByLabel('Name', { exact: true }).fill('Is anything overdue?');
    await panel().getByRole('button', { name: 'Add a value' }).click();
    await panel().getByLabel('Source of value 1').selectOption({ label: 'Invoice reconciliation: Overdue' });
    await panel().getByLabel('Condition', { exact: true }).fill('Overdue > 0');
    await page.getByRole('button', { name: 'Add approval' }).click();
    await panel().getByLabel('Name', { exact: true }).fill('Approve what is overdue');
    await panel().getByLabel('Search roles and people').fill('lovelace');
    await tick(panel().getByLabel('Ada Lovelace (ada)'));
    await panel().getByLabel('Text', { exact: true }).fill('Invoices are overdue: look at the list.');
    for (const [index, label] of ['Invoice reconciliation: Overdue', 'Invoice reconciliation: Exceptions'].entries()) {
      await panel().getByRole('button', { name: 'Add a value' }).click();
      await panel()
        .getByLabel(`Source of value ${index + 1}`)
        .selectOption({ label });
    }
    // Numbers, typed digit by digit; what is not one is said, and keeps nothing else from being edited.
    await panel().getByLabel('Expires after hours').pressSequentially('48');
    await panel().getByLabel('How many have to approve').fill('0');
    await panel().getByText('A whole number from 1 to 100').waitFor();
    await panel().getByLabel('How many have to approve').fill('1');
    await panel().getByLabel('When it has expired').selectOption({ label: 'It fails' });
    await stepButton('Month-end report').click();
    await panel()
      .getByLabel('Step 1 that it comes after', { exact: true })
      .selectOption({ label: 'Is anything overdue?' });
    await panel().getByLabel('When, of step 1 that it comes after').selectOption({ label: 'no' });
    await panel().getByRole('button', { name: 'Add a step before it' }).click();
    await panel()
      .getByLabel('Step 2 that it comes after', { exact: true })
      .selectOption({ label: 'Approve what is overdue' });
    await nothingWrong();
    await expectGoodScreen(author, 'editor');
    await page.getByRole('button', { name: 'Save workflow' }).click();
    await page.getByText('Saved as version 2').first().waitFor();
  });

  test('it stops at its third step, and says why', async () => {
    const { page } = author;
    await page.getByRole('button', { name: `Menu of Edit workflow - ${NAME}` }).click();
    await page.getByRole('menuitem', { name: 'Run Now' }).click();
    await chooseFiles();
    await expectGoodScreen(author, 'form');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('The run failed').waitFor({ timeout: 60_000 });
    await page.getByText('7 steps: 2 succeeded, 1 failed, 4 cancelled').waitFor();
    await steps().getByText(WHY).waitFor();
    // Nothing newer is there to resume it with.
    expect(await page.getByRole('button', { name: 'Resume with latest versions' }).count()).toBe(0);
    await expectGoodScreen(author, 'failed');
  });

  test('its workbook is mended, and it goes on from there until somebody has to approve', async () => {
    const { page } = author;
    const run = page.url();
    await steps().getByRole('link', { name: 'FX exposure report' }).click();
    await page.getByRole('button', { name: 'Menu of FX exposure report' }).click();
    await page.getByRole('menuitem', { name: 'Edit Activity' }).click();
    await uploadVersion(await readFile(new URL('fx-exposure.xlsx', SAMPLES)), 'Takes the rates as they are');
    await page.goto(run);
    await page.getByRole('button', { name: 'Resume with latest versions' }).waitFor();
    await expectGoodScreen(author, 'resume');
    await page.getByRole('button', { name: 'Resume with latest versions' }).click();
    await page.getByRole('link', { name: 'Goes on with an earlier run' }).waitFor();
    await page.getByText('Waits for Ada Lovelace').waitFor({ timeout: 60_000 });
    expect(await stepRow('Sales commission').innerText()).toContain('Kept from an earlier run');
    await expectGoodScreen(author, 'waits');
  });

  test('another person looks at the list and approves, and it goes on to its end', async () => {
    const { page } = approver;
    await page.goto(`${portal.address}/approvals`);
    await page.getByRole('link', { name: 'Approve what is overdue' }).click();
    await page.getByRole('gridcell', { name: 'R-2004' }).waitFor();
    await expectGoodScreen(approver, 'approval');
    await page.getByLabel('Comment').fill('Agrees with the ledger');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('You have approved it').waitFor();
    await author.page.getByText('The run succeeded with warnings').waitFor({ timeout: 60_000 });
    await author.page.getByText('7 steps: 7 succeeded').waitFor();
    await stepRow('Approve what is overdue').getByText('Agrees with the ledger').waitFor();
    await expectGoodScreen(author, 'ended');
  });

  test('the files of all steps come as one, those of the kept ones with them; its runs are listed', async () => {
    const { page } = author;
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all' }).click(),
    ]);
    const zip = (await readFile(await file.path())).toString('latin1');
    for (const [index, activity] of ACTIVITIES.entries()) {
      const place = ['01', '02', '03', '04', '07'][index];
      expect(zip).toContain(`${place} ${activity}/`);
    }
    await page.getByRole('button', { name: `Menu of ${NAME}` }).click();
    await page.getByRole('menuitem', { name: 'View All Runs' }).click();
    await page.getByRole('gridcell', { name: 'Failed' }).waitFor();
    await page.getByRole('gridcell', { name: 'Succeeded with warnings' }).waitFor();
    await expectGoodScreen(author, 'history');
  });
});

describe('with the keyboard alone', () => {
  const NAME = 'Close by keys';
  const press = (key: string): Promise<void> => author.page.keyboard.press(key);
  const go = (label: string, how: Parameters<typeof tabTo>[2] = {}): Promise<void> => tabTo(author.page, label, how);
  const back = (label: string): Promise<void> => go(label, { key: 'Shift+Tab' });
  /** Over what stands in the field. */
  async function type(text: string): Promise<void> {
    await press('Control+A');
    await author.page.keyboard.type(text);
  }
  /** In the list that has the focus. */
  async function choose(text: string): Promise<void> {
    const chosen = (): Promise<string | undefined> =>
      author.page.evaluate(() => (document.activeElement as HTMLSelectElement).selectedOptions[0]?.text);
    await press('Home');
    for (let presses = 0; (await chosen()) !== text; presses += 1) {
      if (presses > 60) throw new Error(`there is no ${text} in the list, but ${await chosen()}`);
      await press('ArrowDown');
    }
  }

  test('it is made of a checklist', async () => {
    const { page } = author;
    await breakReport();
    await page.goto(`${portal.address}/checklists/new`);
    await page.getByLabel('Checklist name').waitFor();
    await go('Checklist name', { isBeginning: true });
    await type(NAME);
    await go('Schema', { isBeginning: true });
    await choose('Samples');
    await go('Add activity');
    for (const activity of ACTIVITIES) {
      await type(activity);
      await page.getByRole('option', { name: activity }).first().waitFor();
      await press('Enter');
      await page.getByRole('listitem').filter({ hasText: activity }).first().waitFor();
    }
    await press('Escape');
    await go('Map by name');
    await press('Enter');
    await page.getByText('All inputs are mapped').waitFor();
    await go('Create checklist');
    await press('Enter');
    await page.getByText('Checklist created').waitFor();
    await go(`Menu of ${NAME}`);
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Edit as workflow' }).waitFor();
    await go('Edit as workflow');
    await press('Enter');
    await page.getByText('it can no longer be changed or run as a').waitFor();
    await go('Edit as workflow');
    await press('Enter');
    await steps().waitFor();
    await nothingWrong();
  });

  test('its outputs, its decision and its approval are put in', async () => {
    const { page } = author;
    await go(ACTIVITIES[0]!);
    await press('End');
    expect(await focusedLabel(page)).toBe('Month-end report');
    await press('Enter');
    for (const [input, source] of HANDED_ON) {
      await go(input, { isBeginning: true });
      await choose(source);
    }
    await press('Escape');
    expect(await focusedLabel(page)).toBe('Month-end report');
    await press('ArrowUp');
    expect(await focusedLabel(page)).toBe('Loan schedule');
    await back('Add decision');
    await press('Enter');
    await panel().getByText('A decision must have a condition').waitFor();
    await go('Name');
    await type('Is anything overdue?');
    await go('Add a value');
    await press('Enter');
    await back('Source of value 1');
    await choose('Invoice reconciliation: Overdue');
    await go('Condition');
    await type('Overdue > 0');
    await press('Escape');
    expect(await focusedLabel(page)).toBe('Is anything overdue?');
    await back('Add approval');
    await press('Enter');
    await panel().getByText('An approval must say what is to be approved').waitFor();
    await go('Name');
    await type('Approve what is overdue');
    await go('Search roles and people');
    await type('lovelace');
    await panel().getByLabel('Ada Lovelace (ada)').waitFor({ state: 'attached' });
    await go('Ada Lovelace (ada)');
    await press('Space');
    await go('Text');
    await type('Invoices are overdue: look at the list.');
    for (const [index, source] of ['Invoice reconciliation: Overdue', 'Invoice reconciliation: Exceptions'].entries()) {
      await go('Add a value');
      await press('Enter');
      await back(`Source of value ${index + 1}`);
      await choose(source);
    }
    await go('Expires after hours');
    await type('48');
    await press('Escape');
    await press('End');
    await press('Enter');
    await go('Step 1 that it comes after');
    await choose('Is anything overdue?');
    await go('When, of step 1 that it comes after');
    await choose('no');
    await go('Add a step before it');
    await press('Enter');
    await back('Step 2 that it comes after');
    await choose('Approve what is overdue');
    await nothingWrong();
    await go('Save workflow');
    await press('Enter');
    await page.getByText('Saved as version 2').first().waitFor();
  });
});
