/**
 * The information shown about a sheet before its rows are started, and the confirmation before many of them are
 * cancelled or rerun.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PRICING: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 10,
        A2: 'North',
        A3: { value: 46_053, style: 1 },
        B1: { formula: 'A1*2', value: 20 },
      },
    },
  ],
  formats: ['dd/mm/yyyy'],
  names: { in_Amount: 'S!$A$1', in_Branch: 'S!$A$2', in_Day: 'S!$A$3', out_Total: 'S!$B$1' },
};

/** Its formulas show that it was saved with a decimal comma. */
const GERMAN: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 1.5,
        A2: { formula: 'A1&" kg"', value: '1,5 kg' },
        A3: { formula: 'DATEVALUE("4.3.2015")', value: 42_067 },
        A4: { formula: 'TEXT(A1*1000,"#.##0,00")', value: '1.500,00' },
      },
    },
  ],
  names: { in_Weight: 'S!$A$1', out_Text: 'S!$A$2' },
};

let portal: Portal;
let browser: Browser;
let activity: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  activity = await publish(browser, portal, { Name: 'Pricing', workbook: PRICING, hasSimultaneousRuns: true });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const expectGoodScreen = (name: string) => expectGoodScreenOf(browser, name, { isWholePage: true });

const upload = (text: string): Promise<void> =>
  browser.page
    .getByLabel('Rows of the batch')
    .setInputFiles({ name: 'year.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

test('ambiguous numbers and dates are shown as they were read, before the rows are started', async () => {
  const { page } = browser;
  await visit(page, `${portal.address}/activities/batch/${activity}`);
  const note = page.getByRole('note', { name: 'How the file was read' });
  await upload('Amount,Branch,Day\n5,South,2025-02-01\n');
  await page.getByRole('button', { name: 'Start 1 row' }).waitFor();
  expect(await note.count()).toBe(0);
  await upload('Amount,Branch,Day\n1.234,South,01/02/2025\n2.345,South,31/01/2025\n');
  await note.getByText('Numbers are read as 1,234.5 because the activity does not specify a format.').waitFor();
  await note
    .getByText('1.234 in A2 is read as 1.234, not as 1234; one more cell could also be read differently.')
    .waitFor();
  await note.getByText('01/02/2025 in C2 is read as 1/Feb/2025, not as 2/Jan/2025.').waitFor();
  await expectGoodScreen('batch-readings');
  const german = await publish(browser, portal, { Name: 'Weights', workbook: GERMAN });
  await visit(page, `${portal.address}/activities/batch/${german}`);
  await upload('Weight\n1.234\n');
  await note
    .getByText('Numbers are read in the format of the workbook, 1.234,5. 1.234 in A2 is read as 1234, not as 1,234.')
    .waitFor();
});

test('a sheet with faults in its headers says so, and many rows are not cancelled or run again without a question', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/batch/${activity}`);
  await upload('Menge,Branch\n1,South\n');
  await page.getByText('year.csv: no row can be used, because the headers have one problem.').waitFor();
  await upload('Amount,Branch\n1,South,5\n');
  const issues = page.getByRole('table', { name: 'Invalid cells' });
  await issues.getByText('There is no column name above the value').waitFor();
  await upload(`Amount,Branch\n${'1,South\n'.repeat(3000)}`);
  await page.getByRole('button', { name: 'Start 3,000 rows' }).click();
  await page.getByRole('button', { name: 'Cancel year.csv' }).click();
  const asked = page.getByRole('dialog', { name: 'Cancel year.csv' });
  await asked.getByText(/^[\d,]+ rows have not ended yet\. Cancel all of them\?$/).waitFor();
  await asked.getByRole('button', { name: 'Let them run' }).click();
  await asked.waitFor({ state: 'detached' });
  expect(await page.getByText(/cancelled/).count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel year.csv' }).click();
  await asked.getByRole('button', { name: 'Cancel the rows' }).click();
  await asked.waitFor({ state: 'detached' });
  await page.getByText(/of 3,000 succeeded, [\d,]+ cancelled$/).waitFor();
  await page.getByRole('button', { name: 'Retry failed rows of year.csv' }).click();
  const again = page.getByRole('dialog', { name: 'Retry failed rows of year.csv' });
  await again.getByText(/^[\d,]+ rows did not succeed\. Run all of them again\?$/).waitFor();
  await expectGoodScreen('batch-asked');
  await again.getByRole('button', { name: 'Cancel', exact: true }).click();
  await again.waitFor({ state: 'detached' });
});
