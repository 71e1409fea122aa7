/** Workflows in a real browser: drawn with the mouse and with the keyboard alone, saved, run and looked at. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { tick } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { focusedLabel, tabTo } from './support/keyboard.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

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

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, `workflows-${name}`, { isWholePage: true });

const WHY = 'The debit of the ledger differs from its credit by 1,234,567.89';

/** One that succeeds, or fails in its step. */
const workbook = (isRight: boolean): WorkbookSpec => ({
  sheets: [
    {
      name: 'S',
      cells: { A1: { formula: '1=1', value: true }, A2: { formula: isRight ? '1=1' : '1=2', value: isRight } },
    },
    stepSheet([{ Step: 'Balanced', Action: 'Check', Cell: 'S!A2', Message: WHY }]),
  ],
  names: { out_Right: 'S!$A$1' },
});

async function makeChecklist(name: string, activities = ['Loan schedule', 'FX exposure report']): Promise<void> {
  const { page } = browser;
  await visit(page, `${portal.address}/checklists/new`);
  await page.getByLabel('Checklist name').fill(name);
  await page.getByLabel('Schema').selectOption('Samples');
  for (const activity of activities) {
    await page.getByRole('combobox', { name: 'Add activity' }).fill(activity);
    await page.getByRole('option', { name: activity }).first().click();
    await page.getByRole('listitem').filter({ hasText: activity }).first().waitFor();
  }
  // The list of activities lies over what is below it.
  await page.keyboard.press('Escape');
  if (activities.includes('Loan schedule')) {
    await page.getByRole('button', { name: 'Map by name' }).click();
    await page.getByText('All inputs are mapped').waitFor();
  }
  await page.getByRole('button', { name: 'Create checklist' }).click();
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
/** In the drawing: by its name and what it says of itself. */
const node = (name: string): Locator =>
  browser.page.getByRole('region', { name: 'Drawing' }).locator(`.react-flow__node[aria-label^="${name}"]`);
const faults = (): Locator => browser.page.getByRole('list', { name: 'Faults' });
const nothingWrong = (): Promise<void> => browser.page.getByText('Nothing keeps it from being saved.').waitFor();

test('a checklist becomes a workflow, once somebody has said so', async () => {
  const { page } = browser;
  await makeChecklist('Month-end close');
  await openMenu('Month-end close', 'Edit as workflow');
  await page.getByText('it can no longer be changed or run as a').waitFor();
  await expectGoodScreen('become');
  await page.getByRole('button', { name: 'Edit as workflow', exact: true }).click();
  await page.getByRole('heading', { name: 'Edit workflow - Month-end close' }).waitFor();
  await list().waitFor();
  expect(await stepNames()).toEqual(['Loan schedule', 'FX exposure report']);
  await nothingWrong();
  await expect.poll(() => page.getByRole('button', { name: 'Save workflow' }).isDisabled()).toBe(true);
});

test('a decision and a failure edge are put in with the mouse; what is missing is said at the step, and in a list', async () => {
  const { page } = browser;
  await stepButton('Loan schedule').click();
  await page.getByRole('button', { name: 'Add decision' }).click();
  expect(await stepNames()).toEqual(['Loan schedule', 'Decision', 'FX exposure report']);
  await row('Decision').getByText('A decision must have a condition').waitFor();
  await faults().getByText('A decision must have a condition').waitFor();
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
  await panel().getByLabel('Step 1 that it comes after', { exact: true }).selectOption({ label: 'Is it much?' });
  expect(await panel().getByLabel('When, of step 1 that it comes after').inputValue()).toBe('yes');
  await page.getByRole('combobox', { name: 'Add activity' }).fill('Sales commission');
  await page.getByRole('option', { name: 'Sales commission' }).click();
  await row('Sales commission').waitFor();
  await panel().getByLabel('Step 1 that it comes after', { exact: true }).selectOption({ label: 'FX exposure report' });
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

fullSetTest('changes are taken back and done again, and no work is left without a question', async () => {
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
  // Before the next version is there, which it would show otherwise.
  await other.getByText('Version 1, with no changes').waitFor();
  await page.getByLabel('Change Description').fill('With a decision');
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await page.getByText('Saved as version 2').first().waitFor();
  await page.getByText('Version 2, with no changes').waitFor();

  await other.getByRole('button', { name: 'Duplicate Loan schedule' }).click();
  await other.getByText('Nothing keeps it from being saved.').waitFor();
  await other.getByRole('button', { name: 'Save workflow' }).click();
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

test('it is run, and its steps are looked at as a list and as a drawing', async () => {
  const { page } = browser;
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
  await node('FX exposure report, Succeeded').dblclick();
  await page.getByRole('heading', { name: 'FX exposure report' }).waitFor();
  await page.getByRole('link', { name: 'Part of Month-end close' }).click();
  await list().waitFor();
  expect(browser.errors).toEqual([]);
});

fullSetTest(
  'a failure that another step deals with is not hidden, and one that none deals with stops the run',
  async () => {
    const { page } = browser;
    for (const [name, isRight] of [
      ['Collect', true],
      ['Balance', false],
      ['Correct', true],
    ] as const) {
      await publish(browser, portal, { Name: name, workbook: workbook(isRight) });
    }
    await makeChecklist('Balances', ['Collect', 'Balance', 'Correct']);
    await openMenu('Balances', 'Edit as workflow');
    await page.getByRole('button', { name: 'Edit as workflow', exact: true }).click();
    await nothingWrong();
    await openMenu('Edit workflow - Balances', 'Run Now');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('The run failed').waitFor();
    await page.getByText('3 steps: 1 succeeded, 1 failed, 1 cancelled').waitFor();
    await list().getByRole('row').nth(1).getByText(WHY).waitFor();
    await node('Balance, Failed').waitFor();
    await expectGoodScreen('failed');
    // From the page of the step, whose retry belongs to the workflow.
    const failed = page.url();
    await node('Balance, Failed').dblclick();
    await page.getByRole('heading', { name: /^Balance\b/ }).waitFor();
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry: Balance' });
    await dialog.getByRole('button', { name: 'This step alone' }).click();
    await page.getByRole('link', { name: 'Goes on with an earlier run' }).waitFor();
    expect(page.url()).not.toBe(failed);
    await page.getByText('The run failed').waitFor();
    await page.getByText('3 steps: 1 succeeded, 1 failed, 1 cancelled').waitFor();
    const alone = page.url();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await expect.poll(() => page.url()).not.toBe(alone);
    await page.getByRole('link', { name: 'Goes on with an earlier run' }).waitFor();
    await list().getByText('Kept from an earlier run').waitFor();
    await page.getByText('The run failed').waitFor();

    await openMenu('Balances', 'Edit workflow');
    await stepButton('Correct').click();
    await panel().getByLabel('When, of step 1 that it comes after').selectOption({ label: 'failed' });
    await stepButton('Balance').click();
    await panel().getByLabel('If it fails').selectOption('Handled');
    await tick(panel().getByLabel('Run it again if a server is interrupted: it does no harm to run it twice'));
    await nothingWrong();
    await page.getByRole('button', { name: 'Save workflow' }).click();
    await page.getByText('Saved as version 2').first().waitFor();
    await openMenu('Edit workflow - Balances', 'Run Now');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('The run succeeded with warnings').waitFor();
    await node('Correct, Succeeded').waitFor();
    await expectGoodScreen('handled');
  },
);

fullSetTest('versions are looked at, compared, rolled back to, exported and imported', async () => {
  const { page } = browser;
  await openMenu('Balances', 'View All Versions');
  await page.getByRole('heading', { name: 'Balances Version History' }).waitFor();
  await page.getByRole('gridcell', { name: 'Made from the checklist' }).waitFor();
  await expectGoodScreen('versions');
  await page.getByRole('button', { name: 'Menu of version 1' }).click();
  await page.getByRole('menuitem', { name: 'Changes since then' }).click();
  const changed = page.getByRole('region', { name: 'Changes' });
  await changed.getByRole('row', { name: /Correct After .* on success .* on failure/ }).waitFor();
  await changed.getByRole('row', { name: 'Balance Run again if interrupted no yes' }).waitFor();
  await expectGoodScreen('changes');
  await page.getByRole('button', { name: 'All Versions' }).click();
  await page.getByRole('gridcell', { name: '1', exact: true }).first().getByRole('link').click();
  await page.getByRole('heading', { name: 'Balances Version 1' }).waitFor();
  await stepButton('Balance').click();
  await expect.poll(() => panel().getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
  await expectGoodScreen('version');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  await page.getByRole('button', { name: 'Roll back to this version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
  await page.getByRole('gridcell', { name: 'Rolled back to version 1' }).waitFor();

  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('main').getByRole('button', { name: 'Import workflow' }).click();
  await page.getByRole('heading', { name: 'Import workflow' }).waitFor();
  await page.getByRole('button', { name: 'Import workflow' }).click();
  await page.getByText('Please choose a file').waitFor();
  await page
    .getByLabel('File of a workflow')
    .setInputFiles({ name: 'no.json', mimeType: 'application/json', buffer: Buffer.from('no') });
  await page.getByRole('button', { name: 'Import workflow' }).click();
  await page.getByText('it is no JSON').first().waitFor();
  await expectGoodScreen('import');
  await page.getByLabel('File of a workflow').setInputFiles(await file.path());
  await page.getByLabel('Schema').selectOption('Samples');
  await page.getByLabel('Name').fill('Balances again');
  await page.getByRole('button', { name: 'Import workflow' }).click();
  await page.getByRole('heading', { name: 'Edit workflow - Balances again' }).waitFor();
  await nothingWrong();
  expect(await stepNames()).toEqual(['Collect', 'Balance', 'Correct']);
  expect(browser.errors).toEqual([]);
});

fullSetTest('steps are connected, moved and removed in the drawing, with the mouse and with keys', async () => {
  const { page } = browser;
  const { mouse, keyboard } = page;
  const handle = (name: string, side: 'top' | 'bottom'): Locator => node(name).locator(`.react-flow__handle-${side}`);
  const middle = async (of: Locator): Promise<[number, number]> => {
    const { x, y, width, height } = (await of.boundingBox())!;
    return [x + width / 2, y + height / 2];
  };
  await node('Collect').scrollIntoViewIfNeeded();
  await mouse.move(...(await middle(handle('Collect', 'bottom'))));
  await mouse.down();
  await mouse.move(...(await middle(handle('Correct', 'top'))), { steps: 8 });
  await mouse.up();
  await expect.poll(() => row('Correct').innerText()).toContain('Collect');

  const [x, y] = await middle(node('Correct'));
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x + 60, y + 20, { steps: 5 });
  await mouse.up();
  await page.getByRole('button', { name: 'Arrange' }).waitFor();
  expect(await panel().getByRole('heading').innerText()).toBe('Correct');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Arrange' }).waitFor({ state: 'detached' });

  await node('Balance').focus();
  await keyboard.press('Enter');
  await expect.poll(() => panel().getByRole('heading').innerText()).toBe('Balance');
  await keyboard.press('Delete');
  await row('Balance').waitFor({ state: 'detached' });
  await node('Balance').waitFor({ state: 'detached' });
  expect(await row('Correct').innerText()).toContain('Collect');
  await keyboard.press('Control+Z');
  await row('Balance').waitFor();
  expect(browser.errors).toEqual([]);
});

fullSetTest('another one is drawn with the keyboard alone', async () => {
  const { page } = browser;
  const { keyboard } = page;
  await makeChecklist('By keys');
  await openMenu('By keys', 'Edit as workflow');
  await page.getByText('it can no longer be changed or run as a').waitFor();
  await tabTo(page, 'Edit as workflow');
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
  expect(await stepNames()).toEqual(['Loan schedule']);
  await keyboard.press('Control+Z');
  expect(await stepNames()).toEqual(['Report', 'Loan schedule']);

  await tabTo(page, 'Add decision', { key: 'Shift+Tab' });
  await keyboard.press('Enter');
  await faults().getByText('A decision must have a condition').waitFor();
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
  await tabTo(page, 'When, of step 1 that it comes after');
  await keyboard.type('failed');
  const stopped = 'Loan schedule: Its failure stops the workflow, so that no step after it can begin on failure';
  await faults().getByText('no step after it can begin on failure').waitFor();
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
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Loan schedule' }).waitFor();
  expect(browser.errors).toEqual([]);
});
