/** Workflows in a real browser: drawn with the mouse and with the keyboard alone, saved, run and looked at. */
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousViolations } from './support/axe.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser({ hasTouch: true })]);
  await firstSignIn(browser.page, portal, PASSWORD);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
});

async function expectGoodScreen(name: string): Promise<void> {
  const { page } = browser;
  const pictures = process.env['PICTURES'];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousViolations(browser)).toEqual([]);
    if (!pictures) continue;
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 1200 });
      await page.screenshot({ path: join(pictures, `workflows-${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  await expectToFit(browser, 360);
}

async function makeChecklist(name: string): Promise<void> {
  const { page } = browser;
  await page.goto(`${portal.address}/checklists/new`);
  await page.getByLabel('Checklist Name').fill(name);
  await page.getByLabel('Schema').selectOption('Samples');
  for (const activity of ['Loan schedule', 'FX exposure report']) {
    await page.getByRole('combobox', { name: 'Add Activity' }).fill(activity);
    await page.getByRole('option', { name: activity }).first().click();
    await page.getByRole('listitem').filter({ hasText: activity }).first().waitFor();
  }
  await page.getByRole('button', { name: 'Map by Name' }).click();
  await page.getByText('All inputs are mapped').waitFor();
  await page.getByRole('button', { name: 'Create Checklist' }).click();
  await page.getByText('Checklist created').waitFor();
}

async function openMenu(name: string, entry: string): Promise<void> {
  const { page } = browser;
  await page.getByRole('button', { name: `Menu of ${name}` }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

const list = (): Locator => browser.page.getByRole('region', { name: 'Steps' });
const panel = (): Locator => browser.page.getByRole('region', { name: 'Selected step' });
const stepButton = (name: string): Locator => list().getByRole('button', { name, exact: true });
const stepNames = (): Promise<string[]> => list().getByRole('rowheader').getByRole('button').allInnerTexts();
const row = (name: string): Locator =>
  list()
    .getByRole('row')
    .filter({ has: browser.page.getByRole('button', { name, exact: true }) });
const faults = (): Locator => browser.page.getByRole('list', { name: 'Faults' });
const nothingWrong = (): Promise<void> => browser.page.getByText('Nothing keeps it from being saved.').waitFor();

test('a checklist becomes a workflow, once somebody has said so', async () => {
  const { page } = browser;
  await makeChecklist('Month-end close');
  await openMenu('Month-end close', 'Edit as workflow');
  await page.getByText('it can no longer be changed or run as a').waitFor();
  await expectGoodScreen('become');
  await page.getByRole('button', { name: 'Edit as workflow', exact: true }).click();
  await page.getByRole('heading', { name: 'Edit Workflow - Month-end close' }).waitFor();
  await list().waitFor();
  expect(await stepNames()).toEqual(['Loan schedule', 'FX exposure report']);
  await nothingWrong();
  await expect.poll(() => page.getByRole('button', { name: 'Save Workflow' }).isDisabled()).toBe(true);
});

test('a decision and a failure edge are put in with the mouse; what is missing is said at the step, and in a list', async () => {
  const { page } = browser;
  await stepButton('Loan schedule').click();
  await page.getByRole('button', { name: 'Add Decision' }).click();
  expect(await stepNames()).toEqual(['Loan schedule', 'Decision', 'FX exposure report']);
  await row('Decision').getByText('A decision must have a condition').waitFor();
  await faults().getByText('A decision must have a condition').waitFor();
  await panel().getByText('A decision must have a condition').waitFor();
  await expectGoodScreen('fault');

  await panel().getByLabel('Name', { exact: true }).fill('Is it much?');
  await panel().getByRole('button', { name: 'Add a value' }).click();
  await panel().getByLabel('Source of value 1').selectOption({ label: 'Loan schedule: Total Interest' });
  expect(await panel().getByLabel('Name of value 1').inputValue()).toBe('Total Interest');
  await panel().getByRole('button', { name: 'Edit Condition' }).click();
  const dialog = page.getByRole('dialog', { name: 'Condition of Is it much?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await panel().getByLabel('Condition', { exact: true }).fill('[Total Interest] > ');
  await panel().getByText('Condition is invalid').first().waitFor();
  await panel().getByLabel('Condition', { exact: true }).fill('[Total Interest] > 10');
  await nothingWrong();

  await stepButton('FX exposure report').click();
  await panel().getByLabel('Step 1 that it comes after').selectOption({ label: 'Is it much?' });
  expect(await panel().getByLabel('When, of step 1 that it comes after').inputValue()).toBe('yes');
  await page.getByRole('combobox', { name: 'Add Activity' }).fill('Sales commission');
  await page.getByRole('option', { name: 'Sales commission' }).click();
  await row('Sales commission').waitFor();
  await panel().getByLabel('Step 1 that it comes after').selectOption({ label: 'FX exposure report' });
  await panel().getByLabel('When, of step 1 that it comes after').selectOption({ label: 'failed' });
  await faults().getByText('Its failure stops the workflow, so that no step after it can begin on failure').click();
  expect(await panel().getByRole('heading').innerText()).toBe('FX exposure report');
  await panel().getByLabel('If it fails').selectOption('Handled');
  await nothingWrong();
  await stepButton('Sales commission').click();
  await panel().getByLabel('Bonus Rate').selectOption({ label: 'New input: Bonus Rate' });
  await page.getByRole('textbox', { name: 'Name of input', exact: false }).last().waitFor();
  await row('Sales commission').getByText('1 of 4 mapped').waitFor();
  await nothingWrong();
  await expectGoodScreen('editor');
});

test('changes are taken back and done again, and no work is left without a question', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Remove Sales commission' }).click();
  expect(await stepNames()).toEqual(['Loan schedule', 'Is it much?', 'FX exposure report']);
  await faults().getByText('no step comes after it on failure').waitFor();
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

test('it is saved as the next version, and not over what somebody else has saved meanwhile', async () => {
  const { page, context } = browser;
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByLabel('Change Description').fill('With a decision');
  await page.getByRole('button', { name: 'Save Workflow' }).click();
  await page.getByText('Saved as version 2').first().waitFor();
  await page.getByText('Version 2, with no changes').waitFor();

  await other.getByRole('button', { name: 'Duplicate Loan schedule' }).click();
  await other.getByText('Nothing keeps it from being saved.').waitFor();
  await other.getByRole('button', { name: 'Save Workflow' }).click();
  await other.getByText('Somebody else has saved this workflow since you opened it').waitFor();
  await other.getByText('With a decision').waitFor();
  // What was edited is still there.
  await other.getByRole('button', { name: 'Loan schedule (2)', exact: true }).waitFor();
  await other.getByRole('button', { name: 'Drop mine and open version 2' }).click();
  await other.getByRole('button', { name: 'Is it much?', exact: true }).waitFor();
  await other.getByRole('button', { name: 'Loan schedule (2)', exact: true }).waitFor({ state: 'detached' });
  await other.close();
  expect(browser.errors).toEqual([]);
});

test('another one is drawn with the keyboard alone', async () => {
  const { page } = browser;
  const { keyboard } = page;
  await makeChecklist('By keys');
  await openMenu('By keys', 'Edit as workflow');
  await page.getByText('it can no longer be changed or run as a').waitFor();
  await tabTo('Edit as workflow');
  await keyboard.press('Enter');
  await list().waitFor();
  await tabTo('Loan schedule');
  await keyboard.press('ArrowDown');
  expect(await focusedLabel()).toBe('FX exposure report');
  await keyboard.press('Alt+ArrowUp');
  expect(await stepNames()).toEqual(['FX exposure report', 'Loan schedule']);
  expect(await focusedLabel()).toBe('FX exposure report');
  await keyboard.press('Enter');
  expect(await focusedLabel()).toBe('FX exposure report');
  await tabTo('Name');
  await keyboard.press('Control+A');
  await keyboard.type('Report');
  await keyboard.press('Escape');
  expect(await stepNames()).toEqual(['Report', 'Loan schedule']);
  expect(await focusedLabel()).toBe('Report');
  await keyboard.press('Delete');
  expect(await stepNames()).toEqual(['Loan schedule']);
  await keyboard.press('Control+Z');
  expect(await stepNames()).toEqual(['Report', 'Loan schedule']);
  await nothingWrong();
  await tabTo('Save Workflow');
  await keyboard.press('Enter');
  await page.getByText('Saved as version 2').first().waitFor();
});

/** The label or text of what has the focus. */
const focusedLabel = (): Promise<string> =>
  browser.page.evaluate(() => {
    const focused = document.activeElement as HTMLElement | null;
    const labels = (focused as HTMLInputElement | null)?.labels;
    return focused?.ariaLabel ?? labels?.[0]?.innerText ?? focused?.innerText ?? '';
  });

async function tabTo(label: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if ((await focusedLabel()).trim() === label) return;
    await browser.page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${label}, but to ${await focusedLabel()}`);
}
