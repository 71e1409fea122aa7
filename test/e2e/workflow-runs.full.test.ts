/**
 * Runs of workflows in a real browser: failed, handled, retried and resumed; and what editors do afterwards: versions,
 * imports, the drawing.
 */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { tick } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';
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

const WHY = 'The debit of the ledger differs from its credit by 1,234,567.89';

/** A workbook that succeeds, or fails in its step. */
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

test('a failure that another step deals with is not hidden, and one that none deals with stops the run', async () => {
  const { page } = browser;
  const { makeChecklist, openMenu, showList, list, panel, stepButton, node, nothingWrong } = screens;
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
  // Retries from the page of the step, whose retry belongs to the workflow.
  const failed = page.url();
  await node('Balance, Failed').click();
  await node('Balance, Failed').locator('.is-selected').waitFor();
  await node('Balance, Failed').dblclick();
  await page.getByRole('heading', { name: /^Balance\b/ }).waitFor();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Retry: Balance' });
  await dialog.getByRole('button', { name: 'Only this step' }).click();
  await page.getByRole('link', { name: 'Resumes an earlier run' }).waitFor();
  expect(page.url()).not.toBe(failed);
  await page.getByText('The run failed').waitFor();
  await page.getByText('3 steps: 1 succeeded, 1 failed, 1 cancelled').waitFor();
  const alone = page.url();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect.poll(() => page.url()).not.toBe(alone);
  await page.getByRole('link', { name: 'Resumes an earlier run' }).waitFor();
  await list().getByText('Reused from an earlier run').waitFor();
  await page.getByText('The run failed').waitFor();

  await openMenu('Balances', 'Edit workflow');
  await showList();
  await stepButton('Correct').click();
  await panel().getByLabel('Condition for preceding step 1').selectOption({ label: 'failed' });
  await stepButton('Balance').click();
  await panel().getByLabel('If it fails').selectOption('Handled');
  await tick(panel().getByLabel('Run it again if a server is interrupted; running it twice does no harm'));
  await nothingWrong();
  await page.getByRole('button', { name: 'Save workflow' }).click();
  await page.getByText('Saved as version 2').first().waitFor();
  await openMenu('Edit workflow - Balances', 'Run Now');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run succeeded with warnings').waitFor();
  await node('Correct, Succeeded').waitFor();
  await expectGoodScreen('handled');
});

test('versions are looked at, compared, rolled back to, exported and imported', async () => {
  const { page } = browser;
  const { openMenu, showList, panel, stepButton, stepNames, nothingWrong } = screens;
  await openMenu('Balances', 'View All Versions');
  await page.getByRole('heading', { name: 'Balances Version History' }).waitFor();
  await page.getByRole('gridcell', { name: 'Created from the checklist' }).waitFor();
  await expectGoodScreen('versions');
  await page.getByRole('button', { name: 'Menu of version 1' }).click();
  await page.getByRole('menuitem', { name: 'Changes since then' }).click();
  const changed = page.getByRole('region', { name: 'Changes' });
  await changed.getByRole('row', { name: /Correct After .* on success .* on failure/ }).waitFor();
  await changed.getByRole('row', { name: 'Balance Run again if interrupted no yes' }).waitFor();
  await expectGoodScreen('changes');
  await page.getByRole('button', { name: 'All versions' }).click();
  await page.getByRole('gridcell', { name: '1', exact: true }).first().getByRole('link').click();
  await page.getByRole('heading', { name: 'Balances Version 1' }).waitFor();
  await showList();
  await stepButton('Balance').click();
  await expect.poll(() => panel().getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
  await expectGoodScreen('version');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
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
  await page.getByText('it is not valid JSON').first().waitFor();
  await expectGoodScreen('import');
  await page.getByLabel('File of a workflow').setInputFiles(await file.path());
  await page.getByLabel('Schema').selectOption('Samples');
  await page.getByLabel('Name').fill('Balances again');
  await page.getByRole('button', { name: 'Import workflow' }).click();
  await page.getByRole('heading', { name: 'Edit workflow - Balances again' }).waitFor();
  await nothingWrong();
  await showList();
  expect(await stepNames()).toEqual(['Collect', 'Balance', 'Correct']);
  expect(browser.errors).toEqual([]);
});

test('steps are connected, moved and removed in the drawing, with the mouse and with keys', async () => {
  const { page } = browser;
  const { panel, node, confirmRemoval } = screens;
  const { mouse, keyboard } = page;
  const edge = page.locator('.react-flow__edge[aria-label^="Correct after Collect"]');
  const handle = (name: string, side: 'top' | 'bottom'): Locator => node(name).locator(`.react-flow__handle-${side}`);
  const middle = async (of: Locator): Promise<[number, number]> => {
    const { x, y, width, height } = (await of.boundingBox())!;
    return [x + width / 2, y + height / 2];
  };
  await page.getByRole('button', { name: 'Diagram', exact: true }).click();
  await node('Collect').scrollIntoViewIfNeeded();
  await mouse.move(...(await middle(handle('Collect', 'bottom'))));
  await mouse.down();
  await mouse.move(...(await middle(handle('Correct', 'top'))), { steps: 8 });
  await mouse.up();
  await edge.waitFor({ state: 'attached' });

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
  await node('Balance').focus();
  await keyboard.press('Delete');
  await confirmRemoval('Balance');
  await node('Balance').waitFor({ state: 'detached' });
  await edge.waitFor({ state: 'attached' });
  await keyboard.press('Control+Z');
  await node('Balance').waitFor();
  expect(browser.errors).toEqual([]);
});
