/** Workflows drawn from nothing in the diagram, with the mouse and the keyboard, and copies of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, visit, type Browser, type Portal } from './support/portal.ts';
import { workflowScreens, type WorkflowScreens } from './support/workflow-screens.ts';

let portal: Portal;
let browser: Browser;
let screens: WorkflowScreens;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser({ hasTouch: true })]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  screens = workflowScreens(browser, portal);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, `new-workflows-${name}`, { isWholePage: true });

const focusedNode = (): Promise<string | null> =>
  browser.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);

/** Focuses a step of the diagram and waits until it is selected. */
async function focusNode(name: string): Promise<void> {
  await screens.node(name).focus();
  await browser.page.keyboard.press(' ');
  await screens.node(name).locator('.is-selected').waitFor();
}

test('a workflow begins empty, and its steps are added and mapped in the diagram', async () => {
  const { page } = browser;
  const { node, panel, addStep, chooseStep, problems, nothingWrong } = screens;
  await visit(page, `${portal.address}/workflows/new`);
  await problems().getByText('A workflow must contain at least one step.').waitFor();
  await page.getByLabel('Workflow name').fill('Quarterly close');
  await page.getByLabel('Schema').selectOption('Samples');
  await addStep('Loan schedule');
  await node('Loan schedule').waitFor();
  await panel().getByRole('button', { name: 'Map the 5 remaining inputs by name' }).click();
  await nothingWrong();
  // The plus below the selected step.
  await page.getByRole('button', { name: 'Add a step after Loan schedule' }).click();
  await chooseStep('FX exposure report');
  await node('FX exposure report').waitFor();
  await panel()
    .getByRole('button', { name: /^Map the \d remaining inputs by name/ })
    .click();
  await page.getByRole('button', { name: 'Add a step between Loan schedule and FX exposure report' }).click();
  await chooseStep('Approval');
  await node('Approval').waitFor();
  await problems().getByText('An approval must say what is to be approved').waitFor();
  await page
    .locator('.react-flow__edge[aria-label^="FX exposure report after Approval"]')
    .waitFor({ state: 'attached' });
  await expectGoodScreen('diagram');
});

test('with the keyboard, the arrows go along the edges, Insert adds, and Delete asks and can be undone', async () => {
  const { page } = browser;
  const { node, panel, chooseStep, confirmRemoval, nothingWrong } = screens;
  const { keyboard } = page;
  await focusNode('Loan schedule');
  await keyboard.press('ArrowDown');
  expect(await focusedNode()).toMatch(/^Approval/);
  await keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Approval');
  await keyboard.press('Escape');
  await expect.poll(focusedNode).toMatch(/^Approval/);
  await keyboard.press('Delete');
  await confirmRemoval('Approval');
  await expect.poll(focusedNode).toMatch(/^FX exposure report/);
  await page
    .locator('.react-flow__edge[aria-label^="FX exposure report after Loan schedule"]')
    .waitFor({ state: 'attached' });
  await nothingWrong();
  await keyboard.press('Control+Z');
  await node('Approval').waitFor();
  await keyboard.press('Control+Y');
  await node('Approval').waitFor({ state: 'detached' });
  await keyboard.press('Home');
  expect(await focusedNode()).toMatch(/^Loan schedule/);
  await keyboard.press('Insert');
  await chooseStep('Decision');
  await expect.poll(focusedNode).toMatch(/^Decision/);
  expect(await panel().getByRole('heading', { level: 2 }).innerText()).toBe('Decision');
  await keyboard.press('Control+Z');
  await nothingWrong();
});

/** Drags from the lower point of a step onto another step. */
async function drawEdge(from: string, to: string): Promise<void> {
  const { page } = browser;
  const start = (await screens.node(from).locator('.react-flow__handle-bottom').boundingBox())!;
  const end = (await screens.node(to).boundingBox())!;
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 3, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
}

fullSetTest('an edge is drawn onto a step; one that would wait for itself is refused with the reason', async () => {
  const { page } = browser;
  const { node, chooseStep } = screens;
  await drawEdge('FX exposure report', 'Loan schedule');
  await page.getByText('so the two steps would wait for each other').waitFor();
  await focusNode('FX exposure report');
  await page.keyboard.press('Insert');
  await chooseStep('Decision');
  await node('Decision').waitFor();
  await drawEdge('Loan schedule', 'Decision');
  await page.locator('.react-flow__edge[aria-label^="Decision after Loan schedule"]').waitFor({ state: 'attached' });
  const pane = (await page.locator('.react-flow__pane').boundingBox())!;
  const point = (await node('Decision').locator('.react-flow__handle-bottom').boundingBox())!;
  await page.mouse.move(point.x + 3, point.y + 3);
  await page.mouse.down();
  await page.mouse.move(pane.x + 20, pane.y + 60, { steps: 8 });
  await page.mouse.up();
  await page.getByRole('dialog', { name: 'Add a step after Decision' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await node('Decision').waitFor({ state: 'detached' });
});

test('a reload loses nothing; nothing is stored before it is created', async () => {
  const { page } = browser;
  const { node, nothingWrong } = screens;
  page.once('dialog', (dialog) => void dialog.accept());
  // What is typed is stored shortly after the last keystroke.
  await expect
    .poll(() => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('workflow.new')).length))
    .toBe(1);
  await page.reload();
  await node('FX exposure report').waitFor();
  expect(await page.getByLabel('Workflow name').inputValue()).toBe('Quarterly close');
  await nothingWrong();
  const name = page.getByLabel('Workflow name');
  await name.fill('');
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await page.getByText('Workflow name must be provided.').waitFor();
  await name.fill('Quarterly close');
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await page.getByRole('heading', { name: 'Edit workflow - Quarterly close' }).waitFor();
  await page.getByText('Version 1, with no changes').waitFor();
  await node('FX exposure report').waitFor();
});

test('it is duplicated, and a template fills a new one', async () => {
  const { page } = browser;
  const { openMenu, node, list, showList, stepNames, nothingWrong } = screens;
  await openMenu('Edit workflow - Quarterly close', 'Duplicate workflow');
  await page.getByRole('heading', { name: 'New workflow' }).waitFor();
  expect(await page.getByLabel('Workflow name').inputValue()).toBe('Quarterly close (copy)');
  await node('FX exposure report').waitFor();
  await nothingWrong();
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await page.getByRole('heading', { name: 'Edit workflow - Quarterly close (copy)' }).waitFor();
  await visit(page, `${portal.address}/workflows/new`);
  await page.getByLabel('Copy the steps of').selectOption({ label: 'Monthly close (Samples)' });
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await node('Reconcile invoices').waitFor();
  await nothingWrong();
  await showList();
  expect((await stepNames()).length).toBeGreaterThan(5);
  await page.getByRole('button', { name: 'Undo' }).click();
  await list().getByText('No steps yet.').waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await nothingWrong();
});

test('on a phone the list comes first, and a step opens as a sheet over the window', async () => {
  const { page } = browser;
  const { stepButton, panel } = screens;
  await page.setViewportSize({ width: 390, height: 800 });
  await stepButton('Report the month').tap();
  const sheet = page.getByRole('dialog', { name: 'Selected step' });
  await sheet.waitFor();
  await expect.poll(() => panel().getByRole('heading', { level: 2 }).innerText()).toBe('Report the month');
  expect(await sheet.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 800 });
  await expectGoodScreen('sheet');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await sheet.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(browser.errors).toEqual([]);
});
