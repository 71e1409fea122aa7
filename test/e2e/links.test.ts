/** Outputs of a run that become inputs of another activity: created, followed and deleted in a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { tick } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;
/** Id of each activity by its name. */
const ids: Record<string, number> = {};

const ROWS = { D1: 'Item', E1: 'Count', D2: 'bolt', E2: 3, D3: 'nut', E3: 5, D4: 'cog', E4: 8 };

const PLAN: WorkbookSpec = {
  sheets: [
    { name: 'S', cells: { A1: 2, B1: { formula: 'A1*8', value: 16 }, ...ROWS } },
    stepSheet([{ Step: 'Say', Action: 'Log', Message: 'planned' }]),
  ],
  names: { in_Base: 'S!$A$1', out_Total: 'S!$B$1', out_Rows: 'S!$D$1:$E$4' },
};
/** Lacks the output that links use, and the step. */
const PLAN_WITHOUT: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 2, ...ROWS } }],
  names: { in_Base: 'S!$A$1', out_Rows: 'S!$D$1:$E$4' },
};
const ORDER: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: { A1: 1, B1: { formula: 'A1+SUM(Lines[Count])', value: 17 }, ...ROWS },
      tables: [{ name: 'Lines', ref: 'D1:E4', columns: ['Item', 'Count'] }],
    },
  ],
  names: { in_Amount: 'S!$A$1', in_Lines: 'Lines', out_Sum: 'S!$B$1' },
};
const COPY: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1', value: 1 } } }],
  names: { in_Amount: 'S!$A$1', out_Same: 'S!$B$1' },
};

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, name, { isWholePage: true });

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
  for (const [Name, workbook] of Object.entries({ Plan: PLAN, Order: ORDER, Copy: COPY })) {
    ids[Name] = await publish(browser, portal, { Name, workbook });
  }
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

async function chooseTarget(activity: string): Promise<void> {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/edit/${ids['Plan']}/`);
  await page.getByRole('button', { name: 'ADD a linkage' }).click();
  await page.getByLabel('Target Schema').fill('General');
  await page.getByLabel('Target Activity').fill(activity);
}

const linkName = () => browser.page.getByRole('form', { name: 'Linkage' }).getByLabel(/^Name/);

const addressOfRun = async (): Promise<string> => {
  const { page } = browser;
  await page.getByText('The run was successful').waitFor();
  return page.url();
};
let planRun = '';

test('a link needs a name, and takes the outputs that fit', async () => {
  const { page } = browser;
  await chooseTarget('Order');
  await page.getByRole('button', { name: 'SAVE' }).click();
  await page.getByText('Error: Linkage name must be provided.').waitFor();
  await linkName().fill('Send to order');
  await tick(page.getByLabel('Amount', { exact: true }));
  await tick(page.getByLabel('Lines', { exact: true }));
  const sources = await page.getByLabel('Source of Lines').locator('option').allTextContents();
  expect(sources).toEqual(['No source', 'Rows']);
  await tick(page.getByLabel('User can edit Count of Lines'));
  await expectGoodScreen('linkage');
  await page.getByRole('button', { name: 'SAVE' }).click();
  await page.getByText('Save linkage?').waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Edit linkage' }).waitFor();
  await expect.poll(() => page.getByLabel('User can edit Count of Lines').isChecked()).toBe(true);
  expect(await page.getByLabel('User can edit Item of Lines').isChecked()).toBe(false);
});

test('the rows that a filter leaves go into the form, where only what may be changed can be', async () => {
  const { page } = browser;
  await chooseTarget('Copy');
  await linkName().fill('Copy total');
  await tick(page.getByLabel('Amount', { exact: true }));
  await page.getByRole('button', { name: 'SAVE' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('heading', { name: 'Edit linkage' }).waitFor();

  await visit(page, `${portal.address}/activities/run/${ids['Plan']}/`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  planRun = await addressOfRun();
  await page.getByRole('searchbox', { name: /Rows/ }).fill('cog');
  await page.getByRole('grid', { name: 'Output Rows' }).getByText('bolt').waitFor({ state: 'detached' });
  await expectGoodScreen('linked-activities');
  await page.getByRole('button', { name: 'Send to order', exact: true }).click();
  await page.getByRole('heading', { name: 'Order', exact: true }).waitFor();
  const grid = page.getByRole('grid', { name: 'Lines' });
  await grid.getByText('cog').waitFor();
  expect(await grid.getByText('bolt').count()).toBe(0);
  expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('16');
  expect(await page.getByLabel('Amount', { exact: true }).isEditable()).toBe(false);
  await expectGoodScreen('linked-form');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await addressOfRun();
  await page.getByRole('link', { name: 'With outputs of an earlier run' }).waitFor();
  await page.getByText('24', { exact: true }).waitFor();
});

fullSetTest('a table without rows asks first, and a link that leaves nothing open starts at once', async () => {
  const { page } = browser;
  await page.goto(planRun);
  await page.getByRole('searchbox', { name: /Rows/ }).fill('nothing like this');
  await page.getByRole('grid', { name: 'Output Rows' }).getByText('bolt').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send to order', exact: true }).click();
  await page.getByText('No rows selected in Rows. Proceed?').waitFor();
  await page.getByRole('button', { name: 'NO', exact: true }).click();
  await page.getByText('No rows selected in Rows. Proceed?').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Copy total', exact: true }).click();
  await page.getByRole('heading', { name: /^Copy Run \d+$/ }).waitFor();
  const copied = await addressOfRun();

  await page.goto(planRun);
  await page.getByRole('button', { name: 'Runs of Copy total' }).click();
  await page.getByRole('menuitem', { name: 'View last linked run' }).click();
  await page.waitForURL(copied);
  await page.goto(planRun);
  await page.getByRole('button', { name: 'Runs of Copy total' }).click();
  await page.getByRole('menuitem', { name: 'View all linked runs' }).click();
  await page.getByText('Runs started by the linkage Copy total').waitFor();
  await page.getByRole('heading', { name: 'Activity History - Copy' }).waitFor();
  await expectGoodScreen('linked-history');
});

fullSetTest('the form of a link opened by its address alone says that it cannot be', async () => {
  // Uses a new window, because this one remembers which rows were chosen.
  const page = await browser.context.newPage();
  const runId = /runstatus\/(\d+)/.exec(planRun)![1];
  // The form of the second linkage was never opened; otherwise the window would remember its rows.
  await page.goto(`${portal.address}/activities/run/${ids['Copy']}/link/2/${runId}/`);
  await page.getByText('An error occurred. Please try again').waitFor();
  await page.close();
});

fullSetTest('a new version that lacks what links take says which, and which steps are gone', async () => {
  const { page } = browser;
  const buffer = await buildWorkbook(PLAN_WITHOUT);
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  await page.goto(`${portal.address}/activities/edit/${ids['Plan']}/`);
  await page.locator('input[type=file]').setInputFiles({ name: 'Plan.xlsx', mimeType, buffer });
  await page.getByLabel('Change Description').fill('No total any more');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  const incompatibility = (link: string) => `The linkage '${link}' uses an output that this version does not have`;
  const dialog = page.getByRole('region', { name: 'Next steps' });
  await dialog.getByText(incompatibility('Send to order')).waitFor();
  await dialog.getByText(incompatibility('Copy total')).waitFor();
  await dialog.getByRole('button', { name: 'What changed' }).click();
  await page.getByRole('heading', { name: 'Version changes - Plan' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('No longer fits this version').waitFor();
  await page.getByText(incompatibility('Send to order')).waitFor();
  const removed = (title: string) =>
    page
      .locator('.rs-changes section')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
      .getByRole('listitem')
      .allTextContents();
  expect(await removed('Outputs')).toEqual(['Removed Total']);
  expect(await removed('Steps')).toEqual(['Removed Say']);
  await expectGoodScreen('misfits');
});

fullSetTest('a link is deleted after a question', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/edit/${ids['Plan']}/`);
  await page.getByRole('heading', { name: 'Linkages' }).waitFor();
  await expectGoodScreen('linkages');
  await page.getByRole('button', { name: 'Delete linkage Copy total' }).click();
  await page.getByRole('dialog', { name: 'Warning' }).getByText('Delete this linkage?').waitFor();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Linkage Deleted').waitFor();
  await page.getByRole('button', { name: 'Delete linkage Copy total' }).waitFor({ state: 'detached' });
  expect(browser.errors).toEqual([]);
});
