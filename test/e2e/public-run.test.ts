/** Running an activity without signing in: in a real browser, with axe and a small screen. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
/** The browsers of the administrator and of a visitor who has never signed in. */
let staff: Browser;
let visitor: Browser;
const ids: Record<string, number> = {};

const QUOTE: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 2, B1: { formula: 'A1*8', value: 16 } } }],
  names: { in_Amount: 'S!$A$1', out_Total: 'S!$B$1' },
};
const REPORT: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: { formula: '6*7', value: 42 } } }],
  names: { out_Answer: 'S!$A$1' },
};

const ASKING: WorkbookSpec = {
  sheets: [
    { name: 'S', cells: { A1: { value: 1 }, A2: { formula: 'A1*10', value: 10 } } },
    stepSheet([{ Step: 'Rate', Action: 'Prompt', Cell: 'S!A1', Message: 'Which rate shall the report use?' }]),
  ],
  names: { out_Ten: 'S!$A$2' },
};
const CHECKED: WorkbookSpec = {
  sheets: [
    { name: 'S', cells: { A1: 1, B1: { formula: 'A1<10', value: true }, C1: { formula: 'A1*8', value: 8 } } },
    stepSheet([{ Step: 'Small', Action: 'Check', Cell: 'S!B1', Message: 'The amount must be below ten' }]),
  ],
  names: { in_Amount: 'S!$A$1', out_Total: 'S!$C$1' },
};

/** Makes an activity public, as an administrator does. */
async function open(name: string): Promise<void> {
  const { page } = staff;
  await page.goto(`${portal.address}/rights/assignInternetRights/sk.RunActivity/Id/${ids[name]}/`);
  await page.getByRole('button', { name: /^Grant/ }).click();
  // Only a stored grant can be deleted.
  await page.getByRole('button', { name: /^Delete/, disabled: false }).waitFor();
}

const visit = (name: string) => visitor.page.goto(`${portal.address}/public/activities/run/${ids[name]}`);

beforeAll(async () => {
  [portal, staff, visitor] = await Promise.all([
    startPortal({ RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
    openBrowser(),
  ]);
  await firstSignIn(staff.page, portal, PASSWORD);
  const quote = { Name: 'Quote', workbook: QUOTE };
  const answer = { Name: 'Answer', workbook: REPORT, Function: 'Report' };
  for (const activity of [quote, answer]) {
    ids[activity.Name] = await publish(staff, portal, { ...activity, hasSimultaneousRuns: true });
  }
});
afterAll(async () => {
  await Promise.all([staff.close(), visitor.close()]);
  await portal.stop();
});

fullSetTest('an activity that is not open to visitors is not there for them', async () => {
  await visit('Quote');
  await visitor.page.getByText('There is no such activity').waitFor();
  await expectGoodScreen(visitor, 'public-closed');
});

test('a visitor runs an open activity, sees its result, and runs it again', async () => {
  const { page } = visitor;
  await open('Quote');
  await visit('Quote');
  await page.getByRole('heading', { name: 'Quote' }).waitFor();
  await page.getByLabel('Amount', { exact: true }).fill('x');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Please correct the errors shown.').waitFor();
  await page.getByLabel('Amount', { exact: true }).fill('5');
  await expectGoodScreen(visitor, 'public-form');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('40', { exact: true }).waitFor();
  expect(page.url()).toContain('/public/activities/run/');
  await expectGoodScreen(visitor, 'public-run');
  await page.getByRole('button', { name: 'Run Again' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
});

test('the run is among those of the activity, by nobody in particular', async () => {
  const { page } = staff;
  await page.goto(`${portal.address}/activities/runhistory/${ids['Quote']}/`);
  await page.getByText('Public visitor').first().waitFor();
});

fullSetTest('a run that failed is tried again with what was entered', async () => {
  const { page } = visitor;
  ids['Checked'] = await publish(staff, portal, { Name: 'Checked', workbook: CHECKED, hasSimultaneousRuns: true });
  await open('Checked');
  await visit('Checked');
  await page.getByLabel('Amount', { exact: true }).fill('12');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run failed').waitFor();
  await page.getByText('The amount must be below ten').waitFor();
  expect(await page.getByRole('button', { name: 'Run Again' }).count()).toBe(0);
  await expectGoodScreen(visitor, 'public-failed');
  await page.getByRole('button', { name: 'Try Again' }).click();
  const amount = page.getByLabel('Amount', { exact: true });
  await amount.waitFor();
  expect(await amount.inputValue()).toBe('12');
  await amount.fill('4');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('32', { exact: true }).waitFor();
});

fullSetTest('a run asks the visitor, and goes on with the answer', async () => {
  const { page } = visitor;
  ids['Asking'] = await publish(staff, portal, { Name: 'Asking', workbook: ASKING, hasSimultaneousRuns: true });
  await open('Asking');
  await visit('Asking');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /Time remaining: \d+:\d\d/ });
  const rate = dialog.getByLabel('Which rate shall the report use?');
  await rate.waitFor();
  await expectGoodScreen(visitor, 'public-asked');
  await rate.fill('4');
  await rate.press('Enter');
  await page.getByText('The run was successful').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('40', { exact: true }).waitFor();
});

fullSetTest('a report starts by itself for a visitor too', async () => {
  await open('Answer');
  await visit('Answer');
  await visitor.page.getByText('The run was successful').waitFor();
  await visitor.page.getByText('42', { exact: true }).waitFor();
  expect([...visitor.errors, ...staff.errors]).toEqual([]);
});
