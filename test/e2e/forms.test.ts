/** Forms with calculated values, preset values and sample files, in the browser. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { expectGoodScreen, expectNothingSerious } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';

let portal: Portal;
let browser: Browser;
let thinking: number;
let report: number;

const SHEET: SheetSpec = {
  name: 'S',
  cells: {
    A1: 10,
    A2: { formula: 'A1*2', value: 20 },
    A3: 'North 10',
    B1: { formula: '"North "&A1', value: 'North 10' },
    B2: { formula: '"South "&A1', value: 'South 10' },
    B4: { formula: 'A1+A2', value: 30 },
    D1: 'Deal',
    E1: 'Amount',
    F1: 'Tax',
    D2: 'a',
    E2: 100,
    F2: { formula: 'E2*0.2', value: 20 },
    D3: 'b',
    E3: 50,
    F3: { formula: 'E3*0.2', value: 10 },
  },
  validations: [{ ref: 'A3', type: 'list', formula1: '$B$1:$B$2' }],
};

const PORTAL: SheetSpec = {
  name: 'Portal',
  cells: { A1: 'Name', B1: 'CalculateImmediately', A2: 'Sum', B2: true },
  tables: [{ name: 'PortalOutputs', ref: 'A1:B2', columns: ['Name', 'CalculateImmediately'] }],
};

const THINKING: WorkbookSpec = {
  sheets: [SHEET, PORTAL],
  names: {
    in_Quantity: 'S!$A$1',
    in_Price: 'S!$A$2',
    in_Branch: 'S!$A$3',
    in_Deals: 'S!$D$1:$F$3',
    out_Sum: 'S!$B$4',
  },
};

const REPORT: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 4, A2: { formula: 'A1*2', value: 8 } } }],
  names: { in_Base: 'S!$A$1', out_Twice: 'S!$A$2' },
};

const open = (path: string) => visit(browser.page, portal.address + path);

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
  thinking = await publish(browser, portal, { Name: 'Thinking', workbook: THINKING });
  report = await publish(browser, portal, {
    Name: 'Report of two',
    workbook: REPORT,
    Function: 'Report',
    hasSimultaneousRuns: true,
  });
});

afterAll(async () => {
  await browser.close();
  await portal.stop();
});

describe('a form', () => {
  test('shows what the workbook calculates while one types', async () => {
    const { page } = browser;
    await open(`/activities/run/${thinking}`);
    const outputs = page.getByRole('region', { name: 'Outputs' });
    await outputs.getByText('30', { exact: true }).waitFor();
    await page.getByLabel('Quantity').fill('4');
    await outputs.getByText('12', { exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('Price').inputValue()).toBe('8');
    await page.getByText('Price, Branch updated').first().waitFor();
  });

  test('keeps what was typed, and offers the suggestion', async () => {
    const { page } = browser;
    await page.getByLabel('Price').fill('100');
    await page.getByRole('region', { name: 'Outputs' }).getByText('104', { exact: true }).waitFor();
    await page.getByLabel('Quantity').fill('5');
    await page.getByRole('button', { name: 'Use suggestion: 10' }).click();
    await page.getByRole('region', { name: 'Outputs' }).getByText('15', { exact: true }).waitFor();
    expect(await page.getByLabel('Price').inputValue()).toBe('10');
    expect(await page.getByRole('button', { name: /Use suggestion/ }).count()).toBe(0);
  });

  test('offers the items of a calculated list as they are now', async () => {
    const { page } = browser;
    await page.getByLabel('Branch').fill('');
    await page.getByRole('option', { name: 'South 5' }).click();
    // A fast user keeps the focus: a list that is still closing does not take it back.
    await page.getByLabel('Quantity').focus();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Quantity').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.getByLabel('Branch').inputValue()).toBe('South 5');
  });

  fullSetTest('shows what a calculated column gives, quietly, in each row', async () => {
    const { page } = browser;
    const grid = page.getByRole('grid', { name: 'Deals' });
    const cell = (row: number, col: number) => grid.locator(`[data-row="${row}"][data-col="${col}"]`);
    await expect.poll(() => cell(0, 2).textContent()).toBe('20 suggested');
    await cell(0, 1).click();
    await page.keyboard.type('300');
    await page.keyboard.press('Enter');
    await expect.poll(() => cell(0, 2).textContent()).toBe('60 suggested');
    await cell(0, 2).click();
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await expect.poll(() => cell(0, 2).textContent()).toBe('7');
  });

  fullSetTest('is a good screen', () => expectGoodScreen(browser, 'form-thinking'));

  test('starts by Ctrl+Enter wherever the focus is', async () => {
    const { page } = browser;
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('Control+Enter');
    await page.getByText('The run was successful').waitFor();
    await page.getByRole('button', { name: 'Inputs' }).click();
    await page.getByText('South 5').first().waitFor();
  });

  fullSetTest('gives a sample of a grid', async () => {
    const { page } = browser;
    await open(`/activities/run/${thinking}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Sample file: Deals.xlsx' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Deals.xlsx');
    expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK');
  });
});

describe('preset values', () => {
  const card = () => browser.page.getByRole('region', { name: 'Preset Values' });

  test('are reported if they are invalid', async () => {
    const { page } = browser;
    await open(`/activities/edit/${thinking}/`);
    await card().getByLabel('Quantity').fill('many');
    await card().getByText('Changes not saved').waitFor();
    await card().getByRole('button', { name: 'Save' }).click();
    await card().getByText('Invalid preset values for Quantity').waitFor();
    await card().getByText('Value must be a number', { exact: true }).first().waitFor();
    await expectNothingSerious(browser);
    await page.getByRole('link', { name: 'Runsheet' }).first().click();
    await page.getByText('Your work is not saved! Are you sure you want to leave?').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
  });

  test('are saved, and shown on the form', async () => {
    const { page } = browser;
    await card().getByLabel('Quantity').fill('50');
    await card().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await open(`/activities/run/${thinking}`);
    await page.getByRole('region', { name: 'Outputs' }).getByText('150', { exact: true }).waitFor();
    expect(await page.getByLabel('Quantity').inputValue()).toBe('50');
    expect(await page.getByLabel('Quantity').getAttribute('readonly')).not.toBeNull();
  });

  fullSetTest('let a report start by itself', async () => {
    const { page } = browser;
    await page.goto(`${portal.address}/activities/run/${report}`);
    await page.getByLabel('Base').waitFor();
    await page.goto(`${portal.address}/activities/edit/${report}/`);
    await card().getByLabel('Base').fill('21');
    await card().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.goto(`${portal.address}/activities/run/${report}`);
    await page.getByText('The run was successful').waitFor();
    await page.getByText('42', { exact: true }).waitFor();
    expect(page.url()).toContain('/activities/runstatus/');
    expect(browser.errors).toEqual([]);
  });
});

fullSetTest('a run that is going on is shown in place of the form', async () => {
  const { page } = browser;
  // Mocks the last run as still running, because a run this small ends too quickly to be seen.
  await page.route(`**/api/activities/details/${thinking}`, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { result: { SingleRun: boolean; LastRun: object } };
    expect(body.result).toMatchObject({ SingleRun: true, LastRun: { Status: 'Succeeded' } });
    Object.assign(body.result.LastRun, { Status: 'Started' });
    await route.fulfill({ response, json: body });
  });
  await open(`/activities/run/${thinking}`);
  await page.waitForURL(/\/activities\/runstatus\/\d+/);
  await page.getByText('The run was successful').waitFor();
});

fullSetTest(
  'the form says that others run it now, and that it is not active; the list marks what is not active',
  async () => {
    const { page } = browser;
    const DETAILS = `**/api/activities/details/${thinking}`;
    const openAs = async (changes: object): Promise<void> => {
      await page.unroute(DETAILS);
      await page.route(DETAILS, async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { result: object };
        Object.assign(body.result, { LastRun: null }, changes);
        await route.fulfill({ response, json: body });
      });
      await open(`/activities/run/${thinking}`);
    };
    await openAs({ IsRunning: true });
    await page
      .getByText(
        'The activity is already running. If you start it now, your run waits until the current run has ended.',
      )
      .waitFor();
    expect(await page.getByText('This activity has never been run before!').count()).toBe(0);
    await openAs({ IsActive: false, CanRun: false });
    await page.getByText('The activity is not active and cannot be run').waitFor();
    expect(await page.getByText('You do not have permissions for this operation').count()).toBe(0);
    await page.unroute(DETAILS);

    const LIST = '**/api/activities';
    await page.route(LIST, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      // Changes one activity, wherever it is in the list.
      const json: unknown = JSON.parse(text, (_key, value: { Id?: number; Name?: string } | null) =>
        value?.Name === 'Thinking' ? { ...value, IsActive: false } : value,
      );
      await route.fulfill({ response, json });
    });
    await open('/activities/');
    const tile = page.locator('.rs-tile', { has: page.getByRole('link', { name: 'Thinking', exact: true }) });
    await tile.getByText('Not active').waitFor();
    expect(await page.getByText('Not active').count()).toBe(1);
    await page.unroute(LIST);
  },
);

fullSetTest(
  'a day picked from the calendar leaves the focus in its field, at once, and Escape on the button',
  async () => {
    const { page } = browser;
    await open('/activities/run/4/');
    const field = page.getByLabel('Report Date', { exact: true });
    const button = page.getByRole('button', { name: 'Choose Report Date from a calendar' });
    const calendar = page.locator('.bp6-datepicker');
    const hasFocus = (element: Element): boolean => element === document.activeElement;
    await button.click();
    await calendar.getByRole('gridcell', { name: '15' }).first().click();
    // Typed while the calendar is still fading out.
    await page.keyboard.type('1/Mar/2026');
    await calendar.waitFor({ state: 'detached' });
    expect(await field.evaluate(hasFocus)).toBe(true);
    expect(await field.inputValue()).toBe('1/Mar/2026');
    await button.click();
    await calendar.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await calendar.waitFor({ state: 'detached' });
    expect(await button.evaluate(hasFocus)).toBe(true);
    expect(browser.errors).toEqual([]);
  },
);
