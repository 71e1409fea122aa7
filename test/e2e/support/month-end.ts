/** Shared by the month-end close tests: the sample activities, of which one is broken and fixed, and the approver. */
import { readFile } from 'node:fs/promises';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { makeWorkbook } from '../../../scripts/make-samples.ts';
import { fxExposure } from '../../../scripts/samples/fx-exposure.ts';
import { addTable } from '../../../scripts/samples/layout.ts';
import { firstSignIn, telling, type Browser, type Portal } from './portal.ts';

const INITIAL_PASSWORD = 'Given-Password-1';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SAMPLES = new URL('../../../samples/files/', import.meta.url);

/** Why the broken activity fails. */
export const WHY = 'The rates of the last day of the month are missing';
export const ACTIVITIES = [
  'Invoice reconciliation',
  'Sales commission',
  'FX exposure report',
  'Loan schedule',
  'Month-end report',
];
/** Outputs of the other activities that the report receives as a table. */
export const PASSED_OUTPUTS = [
  ['Received', 'Invoice reconciliation: Received'],
  ['Commission', 'Sales commission: To Pay'],
  ['Loss at Shock', 'FX exposure report: Loss at Shock'],
  ['Open Items', 'Invoice reconciliation: Exceptions'],
] as const;
/** Values shown to the approver. */
export const SHOWN = ['Invoice reconciliation: Overdue', 'Invoice reconciliation: Exceptions'];

export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** The files that the form requires. */
export const statementFiles = (): Promise<ChosenFile[]> =>
  Promise.all(
    ['invoices-2026-10.csv', 'bank-2026-10.csv'].map(async (name) => {
      return { name, mimeType: 'text/csv', buffer: await readFile(new URL(name, SAMPLES)) };
    }),
  );

const asWorkbook = (buffer: Buffer): ChosenFile => ({ name: 'fx-exposure.xlsx', mimeType: XLSX, buffer });

/** The sample activity with a failing check. */
export async function brokenReport(): Promise<ChosenFile> {
  const bytes = await makeWorkbook(createRunsheetEngine(), (workbook) => {
    fxExposure(workbook);
    workbook.addWorksheet('Checks').getCell('A1').value = { formula: '1=2', date1904: false };
    const sheet = workbook.getWorksheet('Portal')!;
    const columns = ['Step', 'Action', 'Cell', 'Message'].map((name) => ({ name }));
    addTable(sheet, 'PortalSteps', { row: sheet.rowCount + 2, col: 1 }, columns, [
      ['Rates', 'Check', 'Checks!A1', WHY],
    ]);
  });
  return asWorkbook(Buffer.from(bytes));
}

/** The sample activity as shipped with the portal. */
export const fixedReport = async (): Promise<ChosenFile> =>
  asWorkbook(await readFile(new URL('fx-exposure.xlsx', SAMPLES)));

/** Uploads a new version of the activity shown in the browser. */
export async function uploadVersion({ page }: Browser, file: ChosenFile, why: string): Promise<void> {
  await page.getByRole('button', { name: 'Change File' }).waitFor();
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByLabel('Change Description').fill(why);
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();
}

export async function breakReport(author: Browser, portal: Portal): Promise<void> {
  const { page } = author;
  await page.goto(`${portal.address}/activities/`);
  const link = page.getByRole('link', { name: 'FX exposure report', exact: true });
  const id = /\/activities\/(\d+)/.exec((await link.getAttribute('href')) ?? '')![1];
  await page.goto(`${portal.address}/activities/edit/${id}/`);
  await uploadVersion(author, await brokenReport(), 'Checks the rates');
}

/** Signs in both users; the author adds the approver. */
export async function signInBoth(author: Browser, approver: Browser, portal: Portal): Promise<void> {
  const { page } = author;
  await firstSignIn(page, portal, 'Newcomer-Pass-1');
  await telling(page, async () => {
    await page.goto(`${portal.address}/newuser/`);
    await page.getByLabel('User Name').fill('ada');
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Password', { exact: true }).fill(INITIAL_PASSWORD);
    await page.getByLabel('Confirm Password').fill(INITIAL_PASSWORD);
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('New user created').waitFor();
  });
  await firstSignIn(approver.page, { ...portal, userName: 'ada', password: INITIAL_PASSWORD }, 'Chosen-Password-2');
}
