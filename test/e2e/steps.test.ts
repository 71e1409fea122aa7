/** A run that prompts and provides files, in the browser. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { expectGoodScreen, expectNothingSerious } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const ASKING: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: { value: 1 },
        A2: 'none',
        A3: { formula: 'A1*10', value: 10 },
        A4: 'file',
        A5: { formula: 'A2="hush"', value: false },
        C1: 'Item',
        D1: 'Amount',
        C2: '=1+1',
        D2: { formula: 'A1*2', value: 2 },
      },
      tables: [{ name: 'Items', ref: 'C1:D2', columns: ['Item', { name: 'Amount', formula: 'S!$A$1*2' }] }],
    },
    stepSheet([
      { Step: 'Rate', Action: 'Prompt', Cell: 'S!A1', Message: 'Which rate shall the report use?' },
      { Step: 'Word', Action: 'Prompt', Cell: 'S!A2', Message: 'The password of the month?', Type: 'Masked' },
      { Step: 'Right', Action: 'Check', Cell: 'S!A5', Message: 'That is not the password' },
      { Step: 'List', Action: 'Export', Output: 'File', Range: 'Items', FileName: 'Items at {Ten}.csv' },
    ]),
  ],
  names: { out_Ten: 'S!$A$3', out_File: 'S!$A$4' },
};

let portal: Portal;
let browser: Browser;
let activity: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  activity = await publish(browser, portal, { Name: 'Asking', workbook: ASKING });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

async function start(): Promise<void> {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/run/${activity}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/runstatus/);
}

/** Starts a second run as another program would; the form, which has no inputs, leads to the running one. */
async function startBesides(): Promise<number> {
  const text = await browser.page.evaluate<string>(`localStorage.getItem('runsheet.session')`);
  const { token } = JSON.parse(text) as { token: string };
  const answer = await fetch(`${portal.address.replace(/\/$/, '')}/api/activities/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ActivityId: activity, ActivityVersion: 1, UniqueId: null, Inputs: [] }),
  });
  return ((await answer.json()) as { result: { Id: number } }).result.Id;
}

const dialog = () => browser.page.getByRole('dialog', { name: /Time remaining: \d+:\d\d/ });

test('a run asks in a dialog, masked if required, and continues with the answers', async () => {
  const { page } = browser;
  await start();
  const rate = dialog().getByLabel('Which rate shall the report use?');
  await rate.waitFor();
  expect(await rate.getAttribute('type')).toBe('text');
  await expect.poll(() => rate.evaluate((field) => field === document.activeElement)).toBe(true);
  await expectGoodScreen(browser, 'prompt');

  // After closing, the dialog can be opened again.
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await expectNothingSerious(browser);
  await page.getByRole('button', { name: 'Answer' }).click();
  await rate.fill('4');
  await dialog().getByRole('button', { name: 'Submit' }).click();

  const word = dialog().getByLabel('The password of the month?');
  await word.waitFor();
  expect(await word.getAttribute('type')).toBe('password');
  await word.fill('hush');
  await expectToFit(browser, 360);
  await photograph(page, 'masked');
  await page.keyboard.press('Enter');

  await page.getByText('The run was successful').waitFor();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('Items at 40.csv').first().waitFor();
  expect(await page.getByText('hush').count()).toBe(0);
  await photograph(page, 'ended');
  expect(browser.errors).toEqual([]);
});

test('the file of an Export step can be downloaded', async () => {
  const { page } = browser;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /Items at 40\.csv/ })
      .first()
      .click(),
  ]);
  expect(download.suggestedFilename()).toBe('Items at 40.csv');
  expect((await readFile(await download.path(), 'utf8')).replace('\uFEFF', '')).toBe("Item,Amount\r\n'=1+1,8\r\n");
});

fullSetTest('the calculated workbook has a button of its own where there are other files', async () => {
  const { page } = browser;
  const button = page.getByRole('button', { name: 'Excel', exact: true });
  await button.scrollIntoViewIfNeeded();
  await expectGoodScreen(browser, 'calculated-workbook');
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toMatch(/ calculated\.xlsx$/);
  const model = readWorkbook(await openPackage(await readFile(await download.path())));
  expect(model.sheets[0]!.name).toBe('S');
  expect(browser.errors).toEqual([]);
});

fullSetTest(
  'a wrong answer ends the run as its check says, and a run that waits says why and can be cancelled',
  async () => {
    const { page } = browser;
    await start();
    await dialog().getByLabel('Which rate shall the report use?').fill('4');
    await page.keyboard.press('Enter');
    await dialog().getByLabel('The password of the month?').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The run failed').waitFor();
    await page.getByText('That is not the password').first().waitFor();

    await start();
    await dialog().waitFor();
    const asking = page.url();
    await page.goto(`${portal.address}/activities/runstatus/${await startBesides()}/`);
    const why = page.getByRole('list', { name: 'Why it waits' });
    await why.getByText('Its activity allows one run at a time, and 1 run is ahead of it.').waitFor();
    await expectNothingSerious(browser);
    await expectToFit(browser, 360);
    await photograph(page, 'waits');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The run was cancelled').first().waitFor();
    await why.waitFor({ state: 'detached' });

    await page.goto(asking);
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The run was cancelled').first().waitFor();
    await dialog().waitFor({ state: 'detached' });
  },
);
