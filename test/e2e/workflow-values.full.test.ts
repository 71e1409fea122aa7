/** Constants and formulas as values of steps, in a real browser: entered, checked, saved, run and viewed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { workflowScreens, type WorkflowScreens } from './support/workflow-screens.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;
let screens: WorkflowScreens;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
  screens = workflowScreens(browser, portal);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const expectGoodScreen = (name: string) =>
  expectGoodScreenOf(browser, `workflow-values-${name}`, { isWholePage: true });

test('an input takes a formula over earlier steps; a wrong one says why', async () => {
  const { page } = browser;
  const { makeChecklist, openMenu, showList, panel, stepButton, problems, nothingWrong } = screens;
  await makeChecklist('Values', ['Loan schedule', 'Sales commission']);
  await openMenu('Values', 'Edit as workflow');
  await page.getByRole('button', { name: 'Edit as workflow', exact: true }).click();
  await showList();
  await stepButton('Sales commission').click();
  const source = panel().getByLabel(/^Bonus Rate/);
  await source.selectOption({ label: 'Formula' });
  const formula = panel().getByLabel('Formula for Bonus Rate');
  expect(await formula.inputValue()).toBe('Inputs.[Bonus Rate]');
  await formula.fill('=SUMM(1)');
  await problems().getByText('There is no function SUMM. Check its spelling').waitFor();
  await expectGoodScreen('wrong');
  await formula.fill('=/1000000');
  await formula.press('Home');
  await formula.press('ArrowRight');
  await panel().getByLabel('Value to insert into the formula').selectOption('[Loan schedule].[Total Interest]');
  await panel().getByRole('button', { name: 'Insert', exact: true }).click();
  await expect.poll(() => formula.inputValue()).toBe('=[Loan schedule].[Total Interest]/1000000');
  await nothingWrong();
  await expectGoodScreen('formula');
});

test('formulas follow the names of steps, and changes of them are undone', async () => {
  const { page } = browser;
  const { panel, stepButton, nothingWrong } = screens;
  await stepButton('Loan schedule').click();
  await panel().getByLabel('Name', { exact: true }).fill('Loan');
  await stepButton('Sales commission').click();
  const formula = panel().getByLabel('Formula for Bonus Rate');
  expect(await formula.inputValue()).toBe('=[Loan].[Total Interest]/1000000');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => formula.inputValue()).toBe('=[Loan schedule].[Total Interest]/1000000');
  await nothingWrong();
});

test('the page of the run shows the value with its formula', async () => {
  const { page } = browser;
  const { openMenu } = screens;
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await page.getByText('Saved as version 2').first().waitFor();
  await openMenu('Edit workflow - Values', 'Run Now');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('link', { name: 'Sales commission' }).first().click();
  await page.getByText('The run was successful').waitFor();
  await page.getByRole('button', { name: 'Inputs' }).click();
  await page.getByText('=[Loan schedule].[Total Interest]/1000000').waitFor();
  await expectGoodScreen('run');
  expect(browser.errors).toEqual([]);
});
