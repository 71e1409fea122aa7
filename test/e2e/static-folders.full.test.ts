/**
 * Activities that read the newest file of a server folder: as preset, in a run, and chosen by the user, in a real
 * browser.
 */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';
import { openDetails } from './support/run-page.ts';

const PASSWORD = 'Newcomer-Pass-1';
const UNCONFIGURED = 'Activity cannot be run because it is not configured correctly';

let portal: Portal;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-folders-'));
  for (const name of ['rates', 'empty']) await mkdir(join(folder, name));
  await put('rates-1.csv', 20_000, 'Code,Rate\nUSD,2\nGBP,3\n');
  await put('rates-2.csv', 20_001, 'Code,Rate\nUSD,20\nGBP,30\n');
  const RUNSHEET_STATIC_FOLDERS = `Rates=${join(folder, 'rates')},Empty=${join(folder, 'empty')}`;
  [portal, browser] = await Promise.all([
    startPortal({ RUNSHEET_STATIC_FOLDERS, RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
  ]);
  await firstSignIn(browser.page, portal, PASSWORD);
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
});

async function put(name: string, day: number, content: string): Promise<void> {
  const path = join(folder, 'rates', name);
  await writeFile(path, content);
  await utimes(path, day * 86_400, day * 86_400);
}

/** Adds up the rates of the newest file. */
const workbook = (usage: string): WorkbookSpec => ({
  sheets: [
    {
      name: 'S',
      cells: { A1: 'Code', B1: 'Rate', A2: 'EUR', B2: 1, D1: { formula: 'SUM(T[Rate])', value: 1 } },
      tables: [{ name: 'T', ref: 'A1:B2', columns: ['Code', 'Rate'] }],
    },
    {
      name: 'Portal',
      cells: {
        A1: 'Name',
        B1: 'CellUsages',
        A2: 'Source',
        B2: usage,
        A4: 'Step',
        B4: 'Action',
        C4: 'Input',
        D4: 'Table',
        E4: 'Pattern',
        A5: 'Read',
        B5: 'Import',
        C5: 'Source',
        D5: 'T',
        E5: 'rates-*.csv',
      },
      tables: [
        { name: 'PortalInputs', ref: 'A1:B2', columns: ['Name', 'CellUsages'] },
        { name: 'PortalSteps', ref: 'A4:E5', columns: ['Step', 'Action', 'Input', 'Table', 'Pattern'] },
      ],
    },
  ],
  names: { in_Source: 'S!$F$1', out_Total: 'S!$D$1' },
});

const create = (Name: string, usage: string) => publish(browser, portal, { Name, workbook: workbook(usage) });

test('an activity that reads a folder runs once its editor has preset which', async () => {
  const { page } = browser;
  const id = await create('Daily rates', '');
  await page.goto(`${portal.address}/activities/run/${id}/`);
  await page.getByText(UNCONFIGURED).first().waitFor();
  expect(await page.getByLabel('Source').getAttribute('readonly')).not.toBeNull();
  expect(await page.getByRole('button', { name: 'Start' }).count()).toBe(0);
  await expectGoodScreen(browser, 'folder-unconfigured');

  await page.goto(`${portal.address}/activities/edit/${id}/`);
  const presets = page.getByRole('form', { name: 'Preset Values' });
  await presets.getByLabel('Source').fill('Elsewhere');
  await presets.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Invalid preset values for Source').waitFor();
  await presets.getByLabel('Source').fill('');
  await page.getByRole('option', { name: 'Empty' }).waitFor();
  await page.getByRole('option', { name: 'Rates' }).click();
  await expectGoodScreen(browser, 'folder-presets');
  await presets.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();

  await page.goto(`${portal.address}/activities/run/${id}/`);
  await page.getByText('Preset', { exact: true }).waitFor();
  expect(await page.getByLabel('Source').inputValue()).toBe('Rates');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await openDetails(page);
  await page.getByText("'rates-2.csv' of the folder 'Rates', changed 2024-10-05 00:00:00 UTC").waitFor();
  await page.getByText('50', { exact: true }).waitFor();
  await expectGoodScreen(browser, 'folder-run');
});

test('another run reads what is the newest by then', async () => {
  const { page } = browser;
  await put('rates-3.csv', 20_002, 'Code,Rate\nUSD,200\n');
  await page.getByRole('button', { name: 'Run Again' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('200', { exact: true }).waitFor();
  await openDetails(page);
  await page.getByText("'rates-3.csv' of the folder 'Rates'").waitFor();
});

test('a folder that the person chooses comes from the list of folders', async () => {
  const { page } = browser;
  const id = await create('Chosen rates', 'FolderPath');
  await page.goto(`${portal.address}/activities/run/${id}/`);
  const source = page.getByRole('combobox');
  await source.fill('/etc');
  await source.press('Escape');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Please choose a valid value.').first().waitFor();
  await source.fill('');
  await page.getByRole('option', { name: 'Empty' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText("the folder 'Empty' has no file 'rates-*.csv'").first().waitFor();
  await page.getByText('The run failed').waitFor();
  await page.getByRole('button', { name: 'Run Again' }).click();
  await source.fill('');
  await page.getByRole('option', { name: 'Rates' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByText('200', { exact: true }).waitFor();
  expect(browser.errors).toEqual([]);
});
