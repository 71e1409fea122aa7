/** Workflows edited by forgetful users, on slow networks, by touch, and with the maximum number of steps. */
import { Buffer } from 'node:buffer';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGoodScreen } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser({ hasTouch: true })]);
  const { page } = browser;
  await firstSignIn(page, portal, 'Newcomer-Pass-1');
  const link = page.getByRole('link', { name: 'Monthly close', exact: true });
  const id = /\/run\/(\d+)/.exec((await link.getAttribute('href')) ?? '')![1];
  await page.goto(`${portal.address}/workflows/edit/${id}/?view=list`);
  await steps().waitFor();
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const steps = (): Locator => browser.page.getByRole('region', { name: 'Steps' });
const panel = (): Locator => browser.page.getByRole('region', { name: 'Selected step' });
const stepButton = (name: string): Locator => steps().getByRole('button', { name, exact: true });
const node = (name: string): Locator =>
  browser.page.getByRole('region', { name: 'Diagram' }).locator(`.react-flow__node[aria-label^="${name}"]`);
async function removeStep(name: string): Promise<void> {
  await browser.page.getByRole('button', { name: `Remove ${name}` }).click();
  await browser.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
}
const nothingWrong = (): Promise<void> => browser.page.getByText('Ready to save.').waitFor();

/** Lets no activity be fetched until the returned function is called. */
async function holdActivities(): Promise<() => void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await browser.page.route('**/api/activities/details/*', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test('what is edited while an activity is still being fetched is not lost when it is chosen', async () => {
  const { page } = browser;
  const release = await holdActivities();
  await stepButton('Plan the loan').click();
  await panel().getByRole('combobox', { name: 'Another activity' }).fill('FX exposure');
  await panel().getByRole('option', { name: 'FX exposure report' }).click();
  await page.keyboard.press('Escape');
  await stepButton('Plan the loan').click();
  await panel().getByLabel('Name', { exact: true }).fill('Plan every loan');
  await stepButton('Plan every loan').waitFor();
  release();
  await panel().locator('output').filter({ hasText: 'FX exposure report' }).waitFor();
  await stepButton('Plan every loan').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await panel().locator('output').filter({ hasText: 'Loan schedule' }).waitFor();
  await nothingWrong();
});

test('an activity that is still being fetched is added once, and not at all if the dialog was closed', async () => {
  const { page } = browser;
  const names = (): Promise<string[]> => steps().getByRole('rowheader').getByRole('button').allInnerTexts();
  const before = await names();
  const release = await holdActivities();
  const choose = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Add step', exact: true }).click();
    await page.getByRole('combobox', { name: 'Run an activity' }).fill('Sales commission');
    await page.getByRole('option', { name: 'Sales commission' }).dblclick();
  };
  await choose();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await choose();
  release();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await stepButton('Sales commission').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  expect(await names()).toEqual(expect.arrayContaining(before));
  expect((await names()).length).toBe(before.length + 1);
  await removeStep('Sales commission');
  await nothingWrong();
});

test('an input that is renamed takes nothing over from another one on the way', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Workflow', exact: true }).click();
  const field = page.getByLabel('Name of input 6');
  expect(await field.inputValue()).toBe('Quarter End');
  await field.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Quarter Start');
  await page.getByText("An input 'Quarter Start' already exists").waitFor();
  await page.keyboard.type(' of Sales');
  await page.keyboard.press('Enter');
  await stepButton('Work out commission').click();
  const source = (name: string): Promise<string | undefined> =>
    panel()
      .getByLabel(name)
      .evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.text);
  expect([await source('Quarter Start'), await source('Quarter End')]).toEqual([
    'Quarter Start',
    'Quarter Start of Sales',
  ]);
  await nothingWrong();
});

test('who saves twice in haste saves once, and who takes changes back after that saves what was there before', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Save workflow' }).dblclick();
  await page.getByText('Saved as version 2').first().waitFor();
  await page.getByText('Version 2, with no changes').waitFor();
  for (const name of ['Plan every loan', 'Work out commission']) await stepButton(name).waitFor();
  while (await page.getByRole('button', { name: 'Undo' }).isEnabled())
    await page.getByRole('button', { name: 'Undo' }).click();
  await stepButton('Plan the loan').waitFor();
  await nothingWrong();
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await page.getByText('Saved as version 3').first().waitFor();
});

test('where a step is removed that others take from, none of them takes something else without a word', async () => {
  const { page } = browser;
  await removeStep('Reconcile invoices');
  const problems = page.getByRole('list', { name: 'Problems' });
  for (const taken of ['Received', 'Open Items', 'Overdue']) {
    await problems.getByText(`'${taken}' uses an output of a step that does not exist`).first().waitFor();
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await nothingWrong();
  await page.getByText('Version 3, with no changes').waitFor();
});

test('on a phone a step is opened by a finger, in the list and in the diagram', async () => {
  const { page } = browser;
  await page.setViewportSize({ width: 390, height: 800 });
  await stepButton('Report the month').tap();
  await expect.poll(() => panel().getByRole('heading').innerText()).toBe('Report the month');
  await page.getByRole('dialog', { name: 'Selected step' }).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Diagram', exact: true }).click();
  const invoices = node('Reconcile invoices');
  await invoices.waitFor();
  await page.getByRole('button', { name: 'Show all steps' }).click();
  await invoices.tap();
  await invoices.locator('.is-selected').waitFor();
  await invoices.tap();
  await expect.poll(() => panel().getByRole('heading').innerText()).toBe('Reconcile invoices');
  await page.getByRole('dialog', { name: 'Selected step' }).getByRole('button', { name: 'Close' }).click();
  await expectToFit(browser, 360);
  await page.setViewportSize({ width: 1280, height: 900 });
});

/** A workflow with the maximum number of steps, three side by side. */
function largeFile(): Buffer {
  const inputs = ['Amount', 'Interest Rate', 'Term in Years', 'Payment Frequency', 'First Payment'];
  const Steps = Array.from({ length: 200 }, (_, index) => ({
    Kind: 'Activity',
    Key: `s${index}`,
    Name: `Plan loan ${index + 1}`,
    After: index < 3 ? [] : [{ Step: `s${index - 3}`, When: 'success' }],
    Join: 'AllSucceeded',
    OnFailure: 'Stop',
    Inputs: inputs.map((Name) => ({ Input: Name, From: { Kind: 'Input', Name } })),
    Activity: { Schema: 'Samples', Name: 'Loan schedule' },
  }));
  const file = { Format: 'runsheet-workflow', FormatVersion: 1, Name: 'Two hundred loans', Description: '', Group: '' };
  return Buffer.from(JSON.stringify({ ...file, Inputs: inputs.map((Name) => ({ Name })), Steps }));
}

test('among two hundred steps one is found by its name, and stands in the list and in the diagram', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/`);
  await page.getByRole('main').getByRole('button', { name: 'Import workflow' }).click();
  const file = { name: 'loans.json', mimeType: 'application/json', buffer: largeFile() };
  await page.getByLabel('File of a workflow').setInputFiles(file);
  await page.getByLabel('Schema').selectOption('Samples');
  await page.getByRole('button', { name: 'Import workflow' }).click();
  await page.getByRole('heading', { name: 'Edit workflow - Two hundred loans' }).waitFor();
  await node('Plan loan 1').first().waitFor();
  await page.getByRole('img', { name: 'All steps' }).waitFor();
  await page.getByLabel('Find step').fill('loan 150');
  await expect.poll(() => panel().getByRole('heading').innerText()).toBe('Plan loan 150');
  await node('Plan loan 150').waitFor();
  // Visible without scrolling the page, in both views.
  await expect.poll(() => node('Plan loan 150').boundingBox().then(isInWindow)).toBe(true);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await expect.poll(() => stepButton('Plan loan 150').boundingBox().then(isInWindow)).toBe(true);
  await page.getByRole('button', { name: 'Diagram', exact: true }).click();
  await page.getByLabel('Find step').fill('loan 19');
  await page.getByText('1 of 12').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('2 of 12').waitFor();
  await expect.poll(() => panel().getByRole('heading').innerText()).toBe('Plan loan 119');
  await expectGoodScreen(browser, 'author-large', { isWholePage: true });
});

const isInWindow = (box: { y: number; height: number } | null): boolean =>
  box !== null && box.y >= 0 && box.y + box.height <= 900;
