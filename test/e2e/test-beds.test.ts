/** Test cases that prevent publishing a wrong workbook, and sheets whose rows are runs, in the browser. */
import excelJs from 'exceljs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { chooseAction } from './support/run-page.ts';
import { expectNote } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { expectPartsToFit, expectToFit } from './support/layout.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const pricing = (factor: number): WorkbookSpec => ({
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 10,
        A2: 'North',
        B1: { formula: `A1*${factor}`, value: 10 * factor },
        D1: 'Part',
        E1: 'Share',
        D2: 'a',
        D3: 'b',
        E2: { formula: 'B1*0.25', value: 2.5 * factor },
        E3: { formula: 'B1*0.75', value: 7.5 * factor },
      },
      tables: [{ name: 'Parts', ref: 'D1:E3', columns: ['Part', 'Share'] }],
      validations: [{ ref: 'A2', type: 'list', formula1: '"North,South"' }],
    },
  ],
  names: { in_Amount: 'S!$A$1', in_Branch: 'S!$A$2', out_Total: 'S!$B$1', out_Parts: 'Parts[]' },
});

let portal: Portal;
let browser: Browser;
let activity: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  activity = await publish(browser, portal, { Name: 'Pricing', workbook: pricing(2), hasSimultaneousRuns: true });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, name, { isWholePage: true });

test('a case is kept of a run and one entered by hand, and a workbook that fails them is kept and not published', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/run/${activity}`);
  await page.getByLabel('Amount').fill('7');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/runstatus/);
  await chooseAction(page, 'Save as test case');
  await page.getByText('The run was saved as a test case').waitFor();
  await visit(page, `${portal.address}/activities/${activity}`);
  await page.getByRole('main').getByRole('link', { name: 'Tests', exact: true }).click();
  await page.getByRole('button', { name: 'New case' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ten');
  const output = page.getByRole('group', { name: 'Output Total' });
  await output.getByText('Compared', { exact: true }).click();
  await output.getByLabel('Total', { exact: true }).fill('20.04');
  await output.getByLabel('Tolerance', { exact: true }).fill('0.05');
  await expectGoodScreen('test-case');
  await page.getByRole('button', { name: 'Save test case' }).click();
  await page.getByRole('button', { name: 'Replay all' }).click();
  await page.getByText('2 of 2 passed').waitFor();
  await page.getByText('A new workbook must pass all test cases to be published').click();
  await page.getByRole('button', { name: 'Add check' }).click();
  const check = page.getByRole('group', { name: 'Property check 1' });
  await check.getByLabel('Name').fill('Parts make the total');
  await check.getByLabel('Expression').fill('SUM(Parts[Share]) = Total');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();

  await visit(page, `${portal.address}/activities/edit/${activity}`);
  const buffer = await buildWorkbook(pricing(3));
  await page.locator('input[type=file]').setInputFiles({ name: 'Three.xlsx', mimeType: XLSX, buffer });
  await page.getByLabel('Change Description').fill('Three times');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('2 of 2 test cases did not pass').first().waitFor();
  await visit(page, `${portal.address}/activities/testbed/${activity}`);
  const refused = page.getByRole('region', { name: 'Not published: Three.xlsx' });
  await refused.getByText('Three times').waitFor();
  const cells = await refused.getByRole('table').last().getByRole('cell').allTextContents();
  expect(cells).toEqual(['Total', '', '20.04', '30']);
  await expectGoodScreen('test-bed');
  await expectPartsToFit(browser, 360);
  await refused.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await refused.waitFor({ state: 'detached' });
  expect(browser.errors.filter((error) => !error.includes('422'))).toEqual([]);
});

fullSetTest(
  'cases are imported from a table, those that differ say in which cell, and no case is left unsaved without a question',
  async () => {
    const { page } = browser;
    const send = (text: string): Promise<void> =>
      page
        .getByLabel('Table of test cases')
        .setInputFiles({ name: 'cases.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await send('Test case,Amount,Expected Total\nThree,three,6\n');
    const issues = page.getByRole('table', { name: 'Invalid cells' });
    await issues.waitFor();
    expect(await issues.getByRole('cell').allTextContents()).toEqual(['B2', 'Amount', 'Value must be a number']);
    await page.getByText('cases.csv was not imported: one cell is not valid.').waitFor();
    await expectGoodScreen('test-bed-refused');
    await send('Test case\nThree\n,"\n');
    await page.getByText(/^cases.csv was not imported: The file 'cases.csv' cannot be read/).waitFor();
    await send('Test case,Amount,Branch,Expected Total,Tolerance\nThree,3,North,6,0\nFour,4,South,9,0.5\n');
    await page.getByText('2 test cases were imported').waitFor();
    await page.getByText('was not imported').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Replay all' }).click();
    await page.getByText('3 of 4 passed').waitFor();
    const differences = page.getByRole('table', { name: 'Differences of Four' });
    await differences.waitFor();
    expect(await differences.getByRole('cell').allTextContents()).toEqual(['Total', '', '9', '8']);
    await page.getByText('Parts make the total: met, 8 = 8').waitFor();
    await expectGoodScreen('test-bed-differs');
    await page
      .getByRole('link', { name: 'Edit Four' })
      .or(page.getByRole('button', { name: 'Edit Four' }))
      .click();
    await page.getByRole('group', { name: 'Output Total' }).getByLabel('Total', { exact: true }).fill('8.25');
    await page.getByText('All cases', { exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save test case' }).click();
    await page.getByRole('button', { name: 'Replay Four' }).click();
    await page.getByText('1 of 1 passed').waitFor();
    await differences.waitFor({ state: 'detached' });
  },
);

fullSetTest('what is wrong with a case stands at its fields, also what the server refuses', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/testbed/${activity}/case/new`);
  const save = (): Promise<void> => page.getByRole('button', { name: 'Save test case' }).click();
  const amount = page.getByRole('group', { name: 'Input Amount' }).getByLabel('Amount');
  const branch = page.getByRole('group', { name: 'Input Branch' }).getByLabel('Branch');
  const total = page.getByRole('group', { name: 'Output Total' });
  await amount.fill('ten');
  await total.getByText('Compared', { exact: true }).click();
  await total.getByLabel('Total', { exact: true }).fill('twelve');
  await total.getByLabel('Tolerance', { exact: true }).fill('-1');
  await save();
  await expectNote(page.getByLabel('Name', { exact: true }), 'Name must be provided');
  await expectNote(amount, 'Value must be a number');
  await expectNote(total.getByLabel('Total', { exact: true }), 'Value must be a number');
  await expectNote(total.getByLabel('Tolerance', { exact: true }), 'Enter a number of 0 or more');
  await expectGoodScreen('test-case-errors');
  await amount.fill('4');
  await branch.fill('Nowhere');
  await total.getByLabel('Total', { exact: true }).fill('8');
  await total.getByLabel('Tolerance', { exact: true }).fill('0');
  await page.getByLabel('Name', { exact: true }).fill('four');
  await save();
  await expectNote(branch, 'Please choose a valid value.');
  await branch.fill('North');
  await save();
  const taken = 'A test case four already exists: choose another name';
  await expectNote(page.getByLabel('Name', { exact: true }), taken);
  expect(await page.getByText(taken).count()).toBe(1);
  await page.getByLabel('Name', { exact: true }).fill('Another four');
  await total.getByText('Compared', { exact: true }).click();
  await save();
  await page.getByText('Another four').waitFor();
});

fullSetTest('a sheet is filled in from the template, its invalid cells are shown, its valid rows run', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/${activity}`);
  await page.getByRole('main').getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('link', { name: 'Batch', exact: true }).click();
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download template' }).click(),
  ]);
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load((await readFile(await template.path())) as never);
  const sheet = workbook.worksheets[0]!;
  for (let row = 2; row <= 31; row += 1) sheet.getRow(row).values = [row, 'South'];
  sheet.getCell('A5').value = 'many';
  sheet.getCell('B9').value = 'Nowhere';
  const buffer = Buffer.from(await workbook.xlsx.writeBuffer());
  const upload = (): Promise<void> =>
    page.getByLabel('Rows of the batch').setInputFiles({ name: 'march.xlsx', mimeType: XLSX, buffer });
  await upload();
  const issues = page.getByRole('table', { name: 'Invalid cells' });
  await issues.waitFor();
  expect(await issues.getByRole('cell').allTextContents()).toEqual([
    'A5',
    'Amount',
    'Value must be a number',
    'B9',
    'Branch',
    'Please choose a valid value.',
  ]);
  await expectGoodScreen('batch-checked');
  await page.getByRole('button', { name: 'Start the 28 valid rows' }).click();
  await page.getByText('28 of 28 succeeded').waitFor();
  await page.getByText('2 skipped').waitFor();
  await expectGoodScreen('batch');
  const [results] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Results of march.xlsx' }).click(),
  ]);
  await workbook.xlsx.load((await readFile(await results.path())) as never);
  const filled = workbook.worksheets[0]!;
  expect((filled.getRow(4).values as unknown[]).slice(1, 5)).toEqual([4, 'South', 8, 'Succeeded']);
  expect(filled.getCell('D5').value).toBe('Not started');
  await expectToFit(browser, 360);
  await expectPartsToFit(browser, 360);
  await page.getByRole('link', { name: 'march.xlsx' }).click();
  await page.getByText('All rows of the batch have succeeded: 28').waitFor();
  expect(browser.errors.filter((error) => !error.includes('422'))).toEqual([]);
});
