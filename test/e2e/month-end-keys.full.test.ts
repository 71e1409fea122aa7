/**
 * A month-end close with only the keyboard: created, run, failed at its third step, fixed, resumed, approved by another
 * user, all files downloaded.
 */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { focusedLabel, tabTo } from './support/keyboard.ts';
import {
  ACTIVITIES,
  breakReport,
  PASSED_OUTPUTS,
  fixedReport,
  SHOWN,
  signInBoth,
  statementFiles,
  WHY,
  type ChosenFile,
} from './support/month-end.ts';
import { openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const NAME = 'Close by keys';
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

const steps = (): Locator => author.page.getByRole('region', { name: 'Steps' });
const panel = (): Locator => author.page.getByRole('region', { name: 'Selected step' });
const nothingWrong = (): Promise<void> => author.page.getByText('Ready to save.').waitFor();
const press = (key: string): Promise<void> => author.page.keyboard.press(key);
const go = (label: string, how: Parameters<typeof tabTo>[2] = {}): Promise<void> => tabTo(author.page, label, how);
const back = (label: string): Promise<void> => go(label, { key: 'Shift+Tab' });

/** Replaces the text in the field. */
async function type(text: string): Promise<void> {
  await press('Control+A');
  await author.page.keyboard.type(text);
}

/** Chooses an item of the focused list. */
async function choose(text: string): Promise<void> {
  const chosen = (): Promise<string | undefined> =>
    author.page.evaluate(() => (document.activeElement as HTMLSelectElement).selectedOptions[0]?.text);
  await press('Home');
  for (let presses = 0; (await chosen()) !== text; presses += 1) {
    if (presses > 60) throw new Error(`there is no ${text} in the list, but ${await chosen()}`);
    await press('ArrowDown');
  }
}

/** Chooses an entry of a menu on the page. */
async function chooseEntry(menu: string, entry: string): Promise<void> {
  await go(`Menu of ${menu}`);
  await press('Enter');
  await author.page.getByRole('menuitem', { name: entry, exact: true }).waitFor();
  await go(entry);
  await press('Enter');
}

/** Chooses a file in the system dialog that the focused element opens. */
async function chooseFile(file: ChosenFile): Promise<void> {
  const [dialog] = await Promise.all([author.page.waitForEvent('filechooser'), press('Enter')]);
  await dialog.setFiles(file);
}

test('it is created from a checklist', async () => {
  const { page } = author;
  await breakReport(author, portal);
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
  await chooseEntry(NAME, 'Edit as workflow');
  await page.getByText('you can no longer change or run it as a').waitFor();
  await go('Edit as workflow');
  await press('Enter');
  await go('List');
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
  for (const [input, source] of PASSED_OUTPUTS) {
    await go(input, { isBeginning: true });
    await choose(source);
  }
  await press('Escape');
  expect(await focusedLabel(page)).toBe('Month-end report');
  await press('ArrowUp');
  expect(await focusedLabel(page)).toBe('Loan schedule');
  await back('Add step');
  await press('Enter');
  await go('Decision');
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
  await back('Add step');
  await press('Enter');
  await go('Approval');
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
  for (const [index, source] of SHOWN.entries()) {
    await go('Add a value');
    await press('Enter');
    await back(`Source of value ${index + 1}`);
    await choose(source);
  }
  await go('Expires after (hours)');
  await type('48');
  await press('Escape');
  await press('End');
  await press('Enter');
  await go('Preceding step 1');
  await choose('Is anything overdue?');
  await go('Condition for preceding step 1');
  await choose('no');
  await go('Add a preceding step');
  await press('Enter');
  await back('Preceding step 2');
  await choose('Approve what is overdue');
  await nothingWrong();
  await go('Save workflow');
  await press('Enter');
  await page.getByText('Saved as version 2').first().waitFor();
});

test('it is run, and stops at its third step', async () => {
  const { page } = author;
  await chooseEntry(`Edit workflow - ${NAME}`, 'Run Now');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  for (const [index, file] of (await statementFiles()).entries()) {
    await go(['Invoice File', 'Bank File'][index]!, { isBeginning: true });
    await chooseFile(file);
    await page.getByText(file.name, { exact: true }).first().waitFor();
  }
  await go('Start');
  await press('Enter');
  await page.getByText('The run failed').waitFor({ timeout: 60_000 });
  await steps().getByText(WHY).waitFor();
});

test('its workbook is fixed, and it resumes from there until somebody has to approve', async () => {
  const { page } = author;
  const run = page.url();
  await go('FX exposure report');
  await press('Enter');
  await page.getByRole('heading', { name: 'FX exposure report' }).waitFor();
  await chooseEntry('FX exposure report', 'Edit Activity');
  await page.getByRole('button', { name: 'Change File' }).waitFor();
  await go('Change File');
  await chooseFile(await fixedReport());
  await page.getByLabel('Change Description').waitFor();
  await go('Change Description');
  await type('Takes the rates as they are');
  await go('Update Activity');
  await press('Enter');
  await page.getByText('Activity updated').waitFor();
  await page.goto(run);
  await page.getByRole('button', { name: 'Resume with latest versions' }).waitFor();
  await go('Resume with latest versions');
  await press('Enter');
  await page.getByRole('link', { name: 'Resumes an earlier run' }).waitFor();
  await page.getByText('Waits for Ada Lovelace').waitFor({ timeout: 60_000 });
});

test('another person approves, and all files come as one', async () => {
  const { page } = approver;
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('link', { name: /^Runs \d+ waiting/ }).waitFor();
  await tabTo(page, 'Activities');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Status of Running Activities' }).waitFor();
  await tabTo(page, 'Approvals', { isBeginning: true });
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Approve what is overdue' }).waitFor();
  await tabTo(page, 'Approve what is overdue');
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: 'R-2004' }).waitFor();
  await tabTo(page, 'Comment', { isBeginning: true });
  await page.keyboard.type('Agrees with the ledger');
  await tabTo(page, 'Approve');
  await page.keyboard.press('Enter');
  await page.getByText('You have approved it').waitFor();
  await author.page.getByText('7 steps: 7 succeeded').waitFor({ timeout: 60_000 });
  await go('Download all');
  const [file] = await Promise.all([author.page.waitForEvent('download'), press('Enter')]);
  const zip = (await readFile(await file.path())).toString('latin1');
  for (const activity of ACTIVITIES) expect(zip).toContain(`${activity}/`);
  expect([...author.errors, ...approver.errors]).toEqual([]);
});
