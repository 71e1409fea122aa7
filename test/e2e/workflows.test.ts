/** Workflows in a real browser: drawn with the mouse and with the keyboard only, saved, run and viewed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { focusedLabel, tabTo } from './support/keyboard.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { workflowScreens, type WorkflowScreens } from './support/workflow-screens.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;
let screens: WorkflowScreens;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser({ hasTouch: true })]);
  await firstSignIn(browser.page, portal, PASSWORD);
  screens = workflowScreens(browser, portal);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, `workflows-${name}`, { isWholePage: true });

test('a checklist becomes a workflow, once somebody has said so', async () => {
  const { page } = browser;
  const { makeChecklist, openMenu, showList, node, stepNames, nothingWrong } = screens;
  await makeChecklist('Month-end close');
  await openMenu('Month-end close', 'Edit as workflow');
  await page.getByText('you can no longer change or run it as a').waitFor();
  await expectGoodScreen('become');
  await page.getByRole('button', { name: 'Edit as workflow', exact: true }).click();
  await page.getByRole('heading', { name: 'Edit workflow - Month-end close' }).waitFor();
  await node('FX exposure report').waitFor();
  await showList();
  expect(await stepNames()).toEqual(['Loan schedule', 'FX exposure report']);
  await nothingWrong();
  await expect.poll(() => page.getByRole('button', { name: 'Save workflow' }).isDisabled()).toBe(true);
});

test('a decision and a failure edge are put in with the mouse; what is missing is said at the step, and in a list', async () => {
  const { page } = browser;
  const { panel, stepButton, stepNames, row, problems, addStep, nothingWrong } = screens;
  await stepButton('Loan schedule').click();
  await addStep('Decision');
  expect(await stepNames()).toEqual(['Loan schedule', 'Decision', 'FX exposure report']);
  await row('Decision').getByText('A decision must have a condition').waitFor();
  await problems().getByText('A decision must have a condition').waitFor();
  await panel().getByText('A decision must have a condition').waitFor();
  await expectGoodScreen('fault');

  await panel().getByLabel('Name', { exact: true }).fill('Is it much?');
  await panel().getByRole('button', { name: 'Add a value' }).click();
  await panel().getByLabel('Source of value 1').selectOption({ label: 'Loan schedule: Total Interest' });
  expect(await panel().getByLabel('Name of value 1').inputValue()).toBe('Total Interest');
  await panel().getByRole('button', { name: 'Edit condition' }).click();
  const dialog = page.getByRole('dialog', { name: 'Condition of Is it much?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await panel().getByLabel('Condition', { exact: true }).fill('[Total Interest] > ');
  await panel().getByText('Condition is invalid').first().waitFor();
  await panel().getByLabel('Condition', { exact: true }).fill('[Total Interest] > 10');
  await nothingWrong();

  await stepButton('FX exposure report').click();
  await panel().getByLabel('Preceding step 1', { exact: true }).selectOption({ label: 'Is it much?' });
  expect(await panel().getByLabel('Condition for preceding step 1').inputValue()).toBe('yes');
  await addStep('Sales commission');
  await row('Sales commission').waitFor();
  await panel().getByLabel('Preceding step 1', { exact: true }).selectOption({ label: 'FX exposure report' });
  await panel().getByLabel('Condition for preceding step 1').selectOption({ label: 'failed' });
  await problems().getByText('Its failure stops the workflow, so no step can follow it on failure').click();
  expect(await panel().getByRole('heading').innerText()).toBe('FX exposure report');
  await panel().getByLabel('If it fails').selectOption('Handled');
  await nothingWrong();
  await stepButton('Sales commission').click();
  await panel().getByLabel('Bonus Rate').selectOption({ label: 'New input: Bonus Rate' });
  await row('Sales commission').getByText('1 of 4 mapped').waitFor();
  await nothingWrong();
  await expectGoodScreen('editor');
});

fullSetTest('changes are taken back and done again, and no work is left without a question', async () => {
  const { page } = browser;
  const { stepNames, row, problems, removeStep } = screens;
  await removeStep('Sales commission');
  expect(await stepNames()).toEqual(['Loan schedule', 'Is it much?', 'FX exposure report']);
  await problems().getByText('no step follows it on failure').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row('Sales commission').getByText('1 of 4 mapped').waitFor();
  await page.keyboard.press('Control+Y');
  await row('Sales commission').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Z');
  await row('Sales commission').waitFor();
  await page.getByRole('link', { name: 'Activities', exact: true }).first().click();
  await page.getByText('Your work is not saved! Are you sure you want to leave?').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
});

test('it is saved as the next version, and never over what somebody else has saved', async () => {
  const { page, context } = browser;
  const other = await context.newPage();
  await other.goto(page.url());
  // Wait for version 1 now: once the next version exists, the page would show that one.
  await other.getByText('Version 1, with no changes').waitFor();
  const description = page.getByLabel('Change Description');
  await description.pressSequentially('x');
  // Takes back what was typed there, and no change of the graph.
  await description.press('Control+z');
  await expect.poll(() => description.inputValue()).toBe('');
  expect(await screens.row('Sales commission').getByText('1 of 4 mapped').count()).toBe(1);
  await description.fill('With a decision');
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await page.getByText('Saved as version 2').first().waitFor();
  await page.getByText('Version 2, with no changes').waitFor();

  await other.getByRole('button', { name: 'Duplicate Loan schedule' }).click();
  await other.getByText('Ready to save.').waitFor();
  await other.getByRole('button', { name: 'Save workflow' }).click();
  await other.getByText('Another user saved this workflow after you opened it').waitFor();
  await other.getByText('With a decision').waitFor();
  const theirs = other.getByRole('region', { name: 'Changes' });
  await theirs.getByRole('row', { name: 'Is it much?' }).getByText('Added').waitFor();
  await theirs.getByText('changed by you too').first().waitFor({ state: 'detached' });
  // The edits are still there.
  await other.getByRole('button', { name: 'Loan schedule (2)', exact: true }).waitFor();
  await other.getByRole('button', { name: 'Discard mine and open version 2' }).click();
  await other.getByRole('button', { name: 'Is it much?', exact: true }).waitFor();
  await other.getByRole('button', { name: 'Loan schedule (2)', exact: true }).waitFor({ state: 'detached' });
  await other.getByText('Version 2, with no changes').waitFor();
  // What was discarded is not lost either.
  await other.getByRole('button', { name: 'Undo' }).click();
  await other.getByRole('button', { name: 'Loan schedule (2)', exact: true }).waitFor();
  await other.close();
  expect(browser.errors).toEqual([]);
});

test('it is run, and its steps are looked at as a list and as a drawing', async () => {
  const { page } = browser;
  const { openMenu, list, node } = screens;
  await openMenu('Edit workflow - Month-end close', 'Run Now');
  await page.getByText('This checklist has never been run before!').waitFor();
  await page.getByLabel('Bonus Rate', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await list().waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/workflows\/runstatus\/\d+\/$/);
  await page.getByText('The run was successful').waitFor();
  await list().getByText('Yes: [Total Interest] > 10').waitFor();
  await node('FX exposure report, Succeeded').waitFor();
  await node('Sales commission, Cancelled').waitFor();
  await expectGoodScreen('status');
  await openMenu('Month-end close', 'Run Now');
  await page.getByText('The checklist cannot be run because it has been edited as a workflow').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/checklists\/run\/\d+\/$/);
  await expectGoodScreen('edited-as-workflow');
  await page.getByRole('link', { name: 'Run the workflow' }).click();
  await page.getByRole('button', { name: 'Start' }).waitFor();
  await page.getByRole('link', { name: 'Last run' }).click();
  // Selecting a step may scroll the drawing; the second click of a double click would then miss it.
  const report = node('FX exposure report, Succeeded');
  await report.click();
  await report.locator('.is-selected').waitFor();
  await report.dblclick();
  await page.getByRole('heading', { name: 'FX exposure report' }).waitFor();
  await page.getByRole('link', { name: 'Part of Month-end close' }).click();
  await list().waitFor();
  expect(browser.errors).toEqual([]);
});

fullSetTest('another one is drawn with the keyboard alone', async () => {
  const { page } = browser;
  const { makeChecklist, openMenu, list, panel, stepNames, node, problems, nothingWrong } = screens;
  const { keyboard } = page;
  await makeChecklist('By keys');
  await openMenu('By keys', 'Edit as workflow');
  await page.getByText('you can no longer change or run it as a').waitFor();
  await tabTo(page, 'Edit as workflow');
  await keyboard.press('Enter');
  await tabTo(page, 'List');
  await keyboard.press('Enter');
  await list().waitFor();
  await tabTo(page, 'Loan schedule');
  await keyboard.press('ArrowDown');
  expect(await focusedLabel(page)).toBe('FX exposure report');
  await keyboard.press('Alt+ArrowUp');
  expect(await stepNames()).toEqual(['FX exposure report', 'Loan schedule']);
  expect(await focusedLabel(page)).toBe('FX exposure report');
  await keyboard.press('Enter');
  expect(await focusedLabel(page)).toBe('FX exposure report');
  await tabTo(page, 'Name');
  await keyboard.press('Control+A');
  await keyboard.type('Report');
  await keyboard.press('Escape');
  expect(await stepNames()).toEqual(['Report', 'Loan schedule']);
  expect(await focusedLabel(page)).toBe('Report');
  for (const [key, name] of [
    ['ArrowDown', 'Loan schedule'],
    ['ArrowUp', 'Report'],
  ] as const) {
    await keyboard.press(key);
    await expect.poll(() => panel().getByRole('heading').innerText()).toBe(name);
    expect(await focusedLabel(page)).toBe(name);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
  }
  await keyboard.press('Delete');
  await page.getByText('Remove the step Report?').waitFor();
  await tabTo(page, 'Remove');
  await keyboard.press('Enter');
  await expect.poll(() => focusedLabel(page)).toBe('Loan schedule');
  expect(await stepNames()).toEqual(['Loan schedule']);
  await keyboard.press('Control+Z');
  expect(await stepNames()).toEqual(['Report', 'Loan schedule']);

  await tabTo(page, 'Add step', { key: 'Shift+Tab' });
  await keyboard.press('Enter');
  await tabTo(page, 'Decision');
  await keyboard.press('Enter');
  await expect.poll(() => focusedLabel(page)).toBe('Decision');
  await problems().getByText('A decision must have a condition').waitFor();
  await tabTo(page, 'Add a value');
  await keyboard.press('Enter');
  await panel().getByLabel('Name of value 1').waitFor();
  await tabTo(page, 'Condition');
  await keyboard.type('Amount > ');
  await panel().getByText('Condition is invalid').first().waitFor();
  await keyboard.type('1000');
  await nothingWrong();

  await tabTo(page, 'Decision', { key: 'Shift+Tab' });
  await keyboard.press('Home');
  expect(await focusedLabel(page)).toBe('Report');
  await keyboard.press('Enter');
  await tabTo(page, 'Condition for preceding step 1');
  await keyboard.type('failed');
  const stopped = 'Loan schedule: Its failure stops the workflow, so no step can follow it on failure';
  await problems().getByText('no step can follow it on failure').waitFor();
  await tabTo(page, stopped, { key: 'Shift+Tab' });
  await keyboard.press('Enter');
  expect(await focusedLabel(page)).toBe('Loan schedule');
  await tabTo(page, 'If it fails');
  await keyboard.type('Handled');
  await nothingWrong();
  await tabTo(page, 'Save workflow');
  await keyboard.press('Enter');
  await page.getByText('Saved as version 2').first().waitFor();

  await tabTo(page, 'Menu of Edit workflow - By keys', { key: 'Shift+Tab' });
  await keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Run Now' }).waitFor();
  await tabTo(page, 'Run Now');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Start' }).waitFor();
  await tabTo(page, 'Start');
  await keyboard.press('Enter');
  await page.getByText('The run was successful').waitFor();
  await list().getByText('Yes: Amount > 1000').waitFor();
  await node('Loan schedule, Succeeded').focus();
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Loan schedule' }).waitFor();
  expect(browser.errors).toEqual([]);
});
