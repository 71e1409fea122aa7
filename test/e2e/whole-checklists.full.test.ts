/** Runs of checklists as a whole: failed, retained for some days, purged. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const WHY = 'The debit of the ledger differs from its credit by 1,234,567.89: look at the postings of the last day';

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

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  await publish(browser, portal, { Name: 'Collect', workbook: workbook(true) });
  await publish(browser, portal, { Name: 'Balance', workbook: workbook(false) });
  await publish(browser, portal, { Name: 'Report', workbook: workbook(true) });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

async function runChecklist(checklist: string, activities: readonly string[]): Promise<void> {
  const { page } = browser;
  await visit(page, `${portal.address}/checklists/new`);
  await page.getByLabel('Checklist name').fill(checklist);
  await page.getByLabel('Schema').selectOption('General');
  for (const name of activities) {
    await page.getByRole('combobox', { name: 'Add activity' }).fill(name);
    await page.getByRole('option', { name }).first().click();
    await page.getByRole('listitem').filter({ hasText: name }).waitFor();
  }
  await page.getByRole('button', { name: 'Create checklist' }).click();
  await page.getByRole('link', { name: checklist, exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run failed').waitFor();
}

test('a failed checklist says first what failed and why, and offers to resume', async () => {
  const { page } = browser;
  await runChecklist('Close', ['Collect', 'Balance', 'Report']);
  await page.getByText('3 steps: 1 succeeded, 1 failed, 1 cancelled').waitFor();
  const rows = page.getByRole('region', { name: 'Steps' }).getByRole('row');
  await rows.nth(1).filter({ hasText: 'Balance' }).getByText(WHY).waitFor();
  await rows.nth(3).getByText('Not run').first().waitFor();
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  // The workbooks of the activities that ran.
  await page.getByRole('button', { name: 'Download all' }).waitFor();
  await expectGoodScreen(browser, 'failed-checklist');
});

test('runs are kept as long as its page says', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Menu of Close' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByText('Runs are retained forever.').waitFor();
  await expectGoodScreen(browser, 'checklist-plans');
  await page.getByRole('button', { name: 'Edit the run retention' }).click();
  await page.getByLabel('Run Retention Period').fill('a month');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByText('Run Retention Period must be a number').first().waitFor();
  await expectGoodScreen(browser, 'checklist-retention');
  await page.getByLabel('Run Retention Period').fill('30');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByText('Run Retention Period: 30 days').waitFor();
});

test('it is started by its schedule', async () => {
  const { page } = browser;
  await page.getByText('No schedule starts it.').waitFor();
  await page.getByRole('button', { name: 'Edit the run schedule' }).click();
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByText('Select Schedule Time').first().waitFor();
  await page.getByLabel('Schedule Type').selectOption('Daily');
  await page.getByLabel('Schedule Time').fill('02:30');
  await page.getByLabel('Schedule Time').press('Tab');
  await page.getByLabel('Retry Attempts').fill('2');
  await page.getByLabel('Retry Interval').fill('15');
  await expectGoodScreen(browser, 'checklist-schedule');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByText('Daily at 02:30').waitFor();
  await expectGoodScreen(browser, 'checklist-scheduled');
  await page
    .getByRole('link', { name: 'More schedules' })
    .or(page.getByRole('button', { name: 'More schedules' }))
    .click();
  await page.getByRole('button', { name: 'Add schedule' }).click();
  const form = page.getByRole('form', { name: 'Schedule' });
  await form.getByLabel('Name', { exact: true }).fill('Month end');
  await form.getByLabel('Schedule Type').selectOption('MonthlyLastDay');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText(/^Monthly on the last day at 06:00 \(/).waitFor();
  await page.getByRole('link', { name: 'Close', exact: true }).click();
  await page.getByText('Daily at 02:30').waitFor();
});

test('a run is purged whole, alone or with all that are older than a day', async () => {
  const { page } = browser;
  await runChecklist('Twice', ['Balance', 'Report']);
  await page.getByRole('button', { name: 'Menu of Twice' }).click();
  await page.getByRole('menuitem', { name: 'Purge this run' }).click();
  await page.getByText('Delete this run of Twice with the runs of its steps').waitFor();
  await page.getByRole('button', { name: 'Purge Everything' }).click();
  await page.getByText('1 run(s) affected').waitFor();
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`${portal.address}/activities/purgeRunData?date=${tomorrow}`);
  await page.getByRole('heading', { name: 'Checklists and workflows' }).waitFor();
  await expectGoodScreen(browser, 'checklist-purge');
  await page.getByRole('checkbox', { name: 'Select Close' }).check({ force: true });
  await page.getByRole('button', { name: /^Purge checklist runs/ }).click();
  await page.getByRole('button', { name: 'Purge', exact: true }).click();
  await page.getByRole('heading', { name: 'Checklists and workflows' }).waitFor({ state: 'detached' });
  expect(browser.errors).toEqual([]);
});
