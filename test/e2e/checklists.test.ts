/** Checklists in a real browser: created with the mouse and with the keyboard only, mapped, run, watched, rerun. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { expectNote, outcome, tick } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { startPortalProcess } from './support/portal-process.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([
    isFullSet ? startPortalProcess() : startPortal(),
    openBrowser({ hasTouch: true }),
  ]);
  await firstSignIn(browser.page, portal, PASSWORD);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, `checklists-${name}`);

async function add(...names: string[]): Promise<void> {
  const { page } = browser;
  for (const name of names) {
    await page.getByRole('combobox', { name: 'Add activity' }).fill(name);
    await page.getByRole('option', { name }).first().click();
    await activities().filter({ hasText: name }).waitFor();
  }
}

const activities = (): Locator =>
  browser.page.getByRole('list', { name: 'Activities in the order in which they run' }).getByRole('listitem');

const order = async (): Promise<string[]> =>
  (await activities().locator('strong').allInnerTexts()).map((text) => text.trim());

test('a checklist is made with the mouse, and nothing half-done is saved', async () => {
  const { page } = browser;
  await page.getByRole('main').getByRole('button', { name: 'New checklist' }).click();
  await page.getByRole('heading', { name: 'New checklist' }).waitFor();
  await page.getByRole('button', { name: 'Create checklist' }).click();
  await page.getByRole('link', { name: 'Checklist name must be provided.' }).waitFor();
  await page.getByText('Checklist must contain at least one activity.').waitFor();

  await page.getByLabel('Checklist name').fill('x'.repeat(120));
  expect(await page.getByLabel('Checklist name').inputValue()).toHaveLength(100);
  await page.getByText('You can enter at most 100 characters').waitFor();
  await page.getByLabel('Checklist name').fill('Month-end close');
  await page.getByLabel('Schema').selectOption('Samples');
  await page.getByLabel('Description').fill('What is done on the last day of a month');
  await page.getByLabel('Group').fill('Closing');
  const orderField = page.getByLabel('Order', { exact: true });
  for (const [typed, note] of [
    ['two', 'Order must be a number'],
    ['3000000000', 'Order must be between -2,147,483,646 and 2,147,483,646'],
    ['1.5', 'Rounded to 2'],
    ['-4', ''],
    ['', ''],
  ] as const) {
    await orderField.fill(typed);
    await expectNote(orderField, note);
  }
  await add('Sales commission', 'Loan schedule', 'FX exposure report');
  await expect.poll(order).toEqual(['Sales commission', 'Loan schedule', 'FX exposure report']);

  await page.getByRole('button', { name: 'Move Sales commission down' }).click();
  await expect.poll(order).toEqual(['Loan schedule', 'Sales commission', 'FX exposure report']);
  await drag(page.getByRole('button', { name: 'Move FX exposure report', exact: true }), 'Loan schedule');
  await expect.poll(order).toEqual(['FX exposure report', 'Loan schedule', 'Sales commission']);
  await page.getByRole('button', { name: 'Remove Sales commission' }).click();
  await expect.poll(order).toEqual(['FX exposure report', 'Loan schedule']);

  await page.getByRole('link', { name: 'Activities', exact: true }).first().click();
  await page.getByText('Your work is not saved! Are you sure you want to leave?').waitFor();
  await page.getByRole('button', { name: 'Stay' }).click();
});

/** Drags an activity by its handle above another one with the mouse. */
async function drag(handle: Locator, above: string): Promise<void> {
  const { page } = browser;
  const from = (await handle.boundingBox())!;
  const to = (await activities().filter({ hasText: above }).boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 30, { steps: 4 });
  await page.mouse.move(to.x + 20, to.y + 4, { steps: 2 });
  await page.mouse.up();
}

test('inputs are mapped to names: one name asks once, for values of one type', async () => {
  const { page } = browser;
  const choose = (label: string): Promise<void> => tick(page.getByRole('checkbox', { name: `Select ${label}` }));
  await page.getByRole('button', { name: 'Map Selected', exact: true }).click();
  await page.getByText('Select inputs first.').waitFor();
  await choose('Amount of Loan schedule');
  await choose('First Payment of Loan schedule');
  await page.getByLabel('Input Name', { exact: true }).fill('Both');
  await page.getByRole('button', { name: 'Map Selected', exact: true }).click();
  await page.getByText('Inputs of different types cannot be mapped to the same name').waitFor();
  await tick(page.getByRole('checkbox', { name: 'Select First Payment of Loan schedule' }), false);
  await page.getByLabel('Input Name', { exact: true }).fill('x'.repeat(31));
  await page.getByRole('button', { name: 'Map Selected', exact: true }).click();
  await page.getByText('exceed the character length limit of 30').waitFor();
  await page.getByLabel('Input Name', { exact: true }).fill('Sum');
  await page.getByRole('button', { name: 'Map Selected', exact: true }).click();
  const orderOfSum = page.getByLabel('Order of Sum (Amount of Loan schedule)');
  expect(await orderOfSum.inputValue()).toBe('1');
  await orderOfSum.fill('first');
  await expectNote(orderOfSum, 'Order must be a number');
  await orderOfSum.fill('1');

  await choose('First Payment of Loan schedule');
  await page.getByLabel('Input Name', { exact: true }).fill('sum');
  await page.getByRole('button', { name: 'Map Selected', exact: true }).click();
  await page.getByText('This name has already been mapped to inputs of another type').waitFor();
  await page.getByRole('button', { name: 'Create checklist' }).click();
  await page.getByText('All inputs must be mapped.').waitFor();
  await expectGoodScreen('new');

  await tick(page.getByRole('checkbox', { name: 'Select First Payment of Loan schedule' }), false);
  await choose('Term in Years of Loan schedule');
  await page.getByLabel('Input Name', { exact: true }).fill('Sum');
  await page.getByRole('button', { name: 'Map Selected', exact: true }).click();
  await page.getByLabel('Order of Sum (Term in Years of Loan schedule)').fill('7');
  expect(await page.getByLabel('Order of Sum (Amount of Loan schedule)').inputValue()).toBe('7');
  const renamed = page.getByLabel('Input name of Term in Years of Loan schedule');
  await renamed.fill('Total');
  await renamed.press('Enter');
  expect(await page.getByLabel('Input name of Amount of Loan schedule').inputValue()).toBe('Total');
  await choose('Term in Years of Loan schedule');
  await page.getByRole('button', { name: 'Unmap selected' }).click();
  await page.getByRole('button', { name: 'Map by name' }).click();
  await page.getByText('All inputs are mapped').waitFor();
  await page.getByRole('button', { name: 'Create checklist' }).click();
  await page.getByText('Checklist created').waitFor();
  await page.getByRole('button', { name: 'Menu of Month-end close' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/activities/');
});

test('it stands in the Checklists section of its group, is found, and edited', async () => {
  const { page } = browser;
  await page.getByLabel('Search activities').fill('month-end');
  // The samples also have a checklist in such a section until the list is filtered.
  await page.getByRole('link', { name: 'Loan schedule' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Checklists/ }).waitFor();
  await expectGoodScreen('list');
  await page.getByRole('button', { name: 'Menu of Month-end close' }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await page.getByRole('heading', { name: 'Edit checklist - Month-end close' }).waitFor();
  await expect.poll(order).toEqual(['FX exposure report', 'Loan schedule']);
  expect(await page.getByLabel('Input name of Amount of Loan schedule').inputValue()).toBe('Total');
  await page.getByLabel('Description').fill('What is done at the end of a month');
  await expectGoodScreen('edit');
  await page.getByRole('button', { name: 'Update checklist' }).click();
  await page.getByText('Checklist updated').waitFor();
  expect(browser.errors).toEqual([]);
});

fullSetTest('another one is made with the keyboard alone', async () => {
  const { page } = browser;
  const { keyboard } = page;
  await page.goto(`${portal.address}/checklists/new`);
  await page.getByRole('heading', { name: 'New checklist' }).waitFor();
  await page.getByLabel('Checklist name').focus();
  await keyboard.type('By keys');
  await tabTo('Add activity');
  for (const name of ['loan', 'fx']) {
    await keyboard.type(name);
    await page.getByRole('listbox', { name: 'Activities to add' }).getByRole('option').first().waitFor();
    await keyboard.press('Enter');
    await activities()
      .filter({ hasText: new RegExp(name, 'i') })
      .waitFor();
  }
  await keyboard.press('Escape');
  await tabTo('Move FX exposure report', 'Shift+Tab');
  await keyboard.press('ArrowUp');
  await expect.poll(order).toEqual(['FX exposure report', 'Loan schedule']);
  await page.getByRole('status').filter({ hasText: 'FX exposure report is now 1 of 2' }).waitFor({ state: 'attached' });
  expect(await focusedLabel()).toBe('Move FX exposure report');
  await tabTo('Select all');
  await keyboard.press('Space');
  await tabTo('Map by name', 'Shift+Tab');
  await keyboard.press('Enter');
  await page.getByText('All inputs are mapped').waitFor();
  await tabTo('Create checklist');
  await keyboard.press('Enter');
  await page.getByText('Checklist created').waitFor();
  await page.getByRole('button', { name: 'Menu of By keys' }).waitFor();
});

/** Returns the label or text of the focused element. */
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

fullSetTest('activities are put in order with a finger', async () => {
  const { page, context } = browser;
  await page.goto(`${portal.address}/checklists/new`);
  await add('Sales commission', 'Loan schedule');
  const from = (await page.getByRole('button', { name: 'Move Loan schedule', exact: true }).boundingBox())!;
  const to = (await activities().first().boundingBox())!;
  const touch = await context.newCDPSession(page);
  const at = (x: number, y: number) => ({ touchPoints: [{ x, y }] });
  const x = from.x + from.width / 2;
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(x, from.y + from.height / 2) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x, to.y + 20) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x, to.y + 5) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await touch.detach();
  await expect.poll(order).toEqual(['Loan schedule', 'Sales commission']);
  await page.getByRole('link', { name: 'Activities', exact: true }).first().click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Activities', level: 1 }).waitFor();
  expect(browser.errors).toEqual([]);
});

test('it is run with its own inputs, watched step by step, and found in its history', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/`);
  await page.getByRole('link', { name: 'Month-end close' }).click();
  await page.getByRole('heading', { name: 'Month-end close', exact: true }).waitFor();
  await page.getByText('This checklist has never been run before!').waitFor();
  await page.getByText('What is done at the end of a month').waitFor();
  await page.getByLabel('Total', { exact: true }).fill('none');
  await expectGoodScreen('run');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Please correct the errors shown.').waitFor();
  await page.getByLabel('Total', { exact: true }).fill('90,000');
  await page.getByLabel('Term in Years', { exact: true }).fill('10');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('region', { name: 'Steps' }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/checklists\/runstatus\/\d+\/$/);
  await page.getByText('The run was successful').waitFor();
  await page.getByText('2 steps: 2 succeeded').waitFor();
  await expectGoodScreen('status');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const status = page.url();
  await page.getByRole('region', { name: 'Steps' }).getByRole('link', { name: 'Loan schedule' }).click();
  await page.getByRole('heading', { name: 'Loan schedule' }).waitFor();
  await page.getByRole('link', { name: 'Part of Month-end close' }).click();
  await page.getByRole('region', { name: 'Steps' }).waitFor();
  expect(page.url()).toBe(status);

  await page.getByRole('button', { name: 'Menu of Month-end close' }).click();
  await page.getByRole('menuitem', { name: 'View All Runs' }).click();
  await page.getByRole('heading', { name: 'Checklist - Month-end close' }).waitFor();
  await page.getByRole('columnheader', { name: 'Total' }).waitFor();
  await page
    .getByRole('gridcell', { name: '90000' })
    .or(page.getByRole('gridcell', { name: '90,000' }))
    .waitFor();
  await expectGoodScreen('history');
  await page.getByRole('gridcell', { name: 'Succeeded' }).getByRole('link').click();
  await page.getByText('The run was successful').waitFor();
});

fullSetTest('it is run again with what it was run with before', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Run Again', exact: true }).click();
  await page.getByRole('link', { name: /^Last run/ }).waitFor();
  await expect.poll(() => page.getByLabel('Total', { exact: true }).inputValue()).toContain('90');
  await expect.poll(() => page.getByLabel('Term in Years', { exact: true }).inputValue()).toBe('10');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.goto(`${portal.address}/activities/`);
  const tile = page.getByRole('listitem').filter({ hasText: 'Month-end close' });
  await tile.getByText('Succeeded').waitFor();
  await tile.getByRole('button', { name: 'Menu of Month-end close' }).click();
  for (const entry of ['Run', 'View Last Run', 'View All Runs', 'Edit'])
    await page.getByRole('menuitem', { name: entry, exact: true }).waitFor();
  await page.getByRole('menuitem', { name: 'View Last Run' }).click();
  await page.getByText('The run was successful').waitFor();
  expect(browser.errors).toEqual([]);
});

fullSetTest('it is cancelled as a whole, and goes on with what had not succeeded', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/`);
  // The activity is part of the sample database, which is filled in the background.
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return page.getByText('Payment reconciliation').count();
    })
    .toBeGreaterThan(0);
  await page.goto(`${portal.address}/checklists/new`);
  await page.getByLabel('Checklist name').fill('Reconcile');
  await page.getByLabel('Schema').selectOption('Samples');
  await add('FX exposure report', 'Payment reconciliation', 'Loan schedule');
  await page.getByRole('button', { name: 'Map by name' }).click();
  await page.getByRole('button', { name: 'Create checklist' }).click();
  await page.getByText('Checklist created').waitFor();

  await page.getByRole('link', { name: 'Reconcile', exact: true }).click();
  await page.getByLabel('First Month', { exact: true }).fill('1/Jan/2026');
  await page.getByLabel('Last Month', { exact: true }).fill('1/Aug/2026');
  await page.getByRole('button', { name: 'Start' }).click();
  const steps = page.getByRole('region', { name: 'Steps' });
  // The step before it also runs for a moment.
  await steps.getByRole('row').filter({ hasText: 'Payment reconciliation' }).getByText('Running').waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await outcome(page, 'The run was cancelled').waitFor();
  await page.getByText('3 steps: 1 succeeded, 2 cancelled').waitFor();
  await expectGoodScreen('cancelled');
  const cancelled = page.url();

  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('link', { name: 'Resumes an earlier run' }).waitFor();
  expect(page.url()).not.toBe(cancelled);
  await page.getByText('The run was successful').waitFor({ timeout: 60_000 });
  await page.getByText('3 steps: 3 succeeded').waitFor();
  await expectGoodScreen('resumed');
  expect(browser.errors).toEqual([]);
});
