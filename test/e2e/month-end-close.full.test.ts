/**
 * A month-end close with the mouse. It is created from the sample activities with a decision and an approval. It runs,
 * fails at its third step, is fixed, resumed and approved by another user, and all its files are downloaded.
 * month-end-keys.full.test.ts does the same with only the keyboard.
 */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tick } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import {
  ACTIVITIES,
  breakReport,
  PASSED_OUTPUTS,
  fixedReport,
  SHOWN,
  signInBoth,
  statementFiles,
  uploadVersion,
  WHY,
} from './support/month-end.ts';
import { openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const NAME = 'Month-end close';

let portal: Portal;
let author: Browser;
let approver: Browser;

beforeAll(async () => {
  [portal, author, approver] = await Promise.all([startPortal(), openBrowser(), openBrowser()]);
  await signInBoth(author, approver, portal);
});

afterAll(async () => {
  await Promise.all([author.close(), approver.close()]);
  await portal.stop();
});

const expectGoodScreen = (browser: Browser, name: string) =>
  expectGoodScreenOf(browser, `close-${name}`, { isWholePage: true });

const steps = (): Locator => author.page.getByRole('region', { name: 'Steps' });
const panel = (): Locator => author.page.getByRole('region', { name: 'Selected step' });
const stepButton = (name: string): Locator => steps().getByRole('button', { name, exact: true });
const nothingWrong = (): Promise<void> => author.page.getByText('Ready to save.').waitFor();
/** A row of the run's page. */
const stepRow = (name: string): Locator => steps().getByRole('row').filter({ hasText: name }).first();

/** Attaches the files that the form requires; all other inputs have values. */
async function chooseFiles(): Promise<void> {
  const { page } = author;
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  for (const [index, file] of (await statementFiles()).entries()) {
    await page.locator('input[type=file]').nth(index).setInputFiles(file);
    await page.getByText(file.name, { exact: true }).nth(0).waitFor();
  }
}

test('it is created from a checklist of the samples', async () => {
  const { page } = author;
  await breakReport(author, portal);
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
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await steps().waitFor();
  await nothingWrong();
});

async function addStep(kind: 'Decision' | 'Approval'): Promise<void> {
  await author.page.getByRole('button', { name: 'Add step', exact: true }).click();
  await author.page.getByRole('dialog').getByRole('button', { name: kind, exact: true }).click();
}

test('outputs are handed on, a decision asks whether anything is overdue, and somebody has to approve it', async () => {
  const { page } = author;
  await stepButton('Month-end report').click();
  for (const [input, label] of PASSED_OUTPUTS) await panel().getByLabel(input).selectOption({ label });
  await stepButton('Loan schedule').click();
  await addStep('Decision');
  await panel().getByLabel('Name', { exact: true }).fill('Is anything overdue?');
  await panel().getByRole('button', { name: 'Add a value' }).click();
  await panel().getByLabel('Source of value 1').selectOption({ label: 'Invoice reconciliation: Overdue' });
  await panel().getByLabel('Condition', { exact: true }).fill('Overdue > 0');
  await addStep('Approval');
  await panel().getByLabel('Name', { exact: true }).fill('Approve what is overdue');
  await panel().getByLabel('Search roles and people').fill('lovelace');
  await tick(panel().getByLabel('Ada Lovelace (ada)'));
  await panel().getByLabel('Text', { exact: true }).fill('Invoices are overdue: look at the list.');
  for (const [index, label] of SHOWN.entries()) {
    await panel().getByRole('button', { name: 'Add a value' }).click();
    await panel()
      .getByLabel(`Source of value ${index + 1}`)
      .selectOption({ label });
  }
  // Numbers are typed digit by digit. An invalid number is reported but does not block other edits.
  await panel().getByLabel('Expires after (hours)').pressSequentially('48');
  await panel().getByLabel('Required approvals').fill('0');
  await panel().getByText('A whole number from 1 to 100').waitFor();
  await panel().getByLabel('Required approvals').fill('1');
  await panel().getByLabel('When it expires').selectOption({ label: 'It fails' });
  await stepButton('Month-end report').click();
  await panel().getByLabel('Preceding step 1', { exact: true }).selectOption({ label: 'Is anything overdue?' });
  await panel().getByLabel('Condition for preceding step 1').selectOption({ label: 'no' });
  await panel().getByRole('button', { name: 'Add a preceding step' }).click();
  await panel().getByLabel('Preceding step 2', { exact: true }).selectOption({ label: 'Approve what is overdue' });
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
  // There is no newer version to resume with.
  expect(await page.getByRole('button', { name: 'Resume with latest versions' }).count()).toBe(0);
  await expectGoodScreen(author, 'failed');
});

test('its workbook is fixed, and it resumes from there until somebody has to approve', async () => {
  const { page } = author;
  const run = page.url();
  await steps().getByRole('link', { name: 'FX exposure report' }).click();
  await page.getByRole('button', { name: 'Menu of FX exposure report' }).click();
  await page.getByRole('menuitem', { name: 'Edit Activity' }).click();
  await uploadVersion(author, await fixedReport(), 'Takes the rates as they are');
  await page.goto(run);
  await page.getByRole('button', { name: 'Resume with latest versions' }).waitFor();
  await expectGoodScreen(author, 'resume');
  await page.getByRole('button', { name: 'Resume with latest versions' }).click();
  await page.getByRole('link', { name: 'Resumes an earlier run' }).waitFor();
  await page.getByText('Waits for Ada Lovelace').waitFor({ timeout: 60_000 });
  expect(await stepRow('Sales commission').innerText()).toContain('Reused from an earlier run');
  await expectGoodScreen(author, 'waits');
});

test('another person looks at the list and approves, and it runs to its end', async () => {
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
    const number = ['01', '02', '03', '04', '07'][index];
    expect(zip).toContain(`${number} ${activity}/`);
  }
  await page.getByRole('button', { name: `Menu of ${NAME}` }).click();
  await page.getByRole('menuitem', { name: 'View All Runs' }).click();
  await page.getByRole('gridcell', { name: 'Failed' }).waitFor();
  await page.getByRole('gridcell', { name: 'Succeeded with warnings' }).waitFor();
  await expectGoodScreen(author, 'history');
});
