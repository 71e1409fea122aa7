/** The task pane of the Excel add-in, in a browser that simulates Excel. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { expectNothingSerious } from './support/good-screen.ts';
import { expectToFit } from './support/layout.ts';
import { playExcel, type ExcelState } from './support/office-host.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([
    startPortal({ RUNSHEET_BASE_PATH: '/portal', RUNSHEET_SAMPLES: 'false' }),
    openBrowser(),
  ]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
  expect(browser.errors).toEqual([]);
});

const DATA: WorkbookSpec = {
  formats: ['yyyy-mm-dd', '#,##0.00'],
  sheets: [
    {
      name: 'Data',
      cells: {
        A1: { value: 100, style: 2 },
        A2: { value: 46_023, style: 1 },
        A3: '1+1',
        B1: { formula: 'A1+SUM(Lines[Price])', value: 106, style: 2 },
        B2: { formula: 'A2+1', value: 46_024, style: 1 },
        B3: { formula: '"="&A3', value: '=1+1' },
        // Its saved value differs from the calculated one.
        B4: { formula: 'A1+1', value: 999 },
        D1: 'Item',
        E1: 'Price',
        D2: 'x',
        E2: 2,
        D3: 'y',
        E3: 4,
        G1: 'Code',
        H1: 'Double',
        G2: { formula: '"007"', value: '007' },
        H2: { formula: 'E2*2', value: 4 },
        G3: { formula: 'D3', value: 'y' },
        H3: { formula: '1/(E3-5)', value: -1 },
      },
      tables: [{ name: 'Lines', ref: 'D1:E3', columns: ['Item', 'Price'] }],
    },
  ],
  names: {
    in_Amount: 'Data!$A$1',
    in_Day: 'Data!$A$2',
    in_Note: 'Data!$A$3',
    in_Lines: 'Lines',
    out_Total: 'Data!$B$1',
    out_Next_Day: 'Data!$B$2',
    out_Text: 'Data!$B$3',
    out_Odd: 'Data!$B$4',
    out_Rows: 'Data!$G$1:$H$3',
  },
};

/** Prompts before it continues, and therefore waits until it is cancelled. */
const ASKING: WorkbookSpec = {
  sheets: [
    { name: 'S', cells: { A1: 1, A2: { formula: 'A1*2', value: 2 } } },
    stepSheet([{ Step: 'Rate', Action: 'Prompt', Cell: 'S!A1', Message: 'Which rate?' }]),
  ],
  names: { in_Base: 'S!$A$1', out_Twice: 'S!$A$2' },
};

const excelState = async (workbook: WorkbookSpec, more: Partial<ExcelState> = {}): Promise<Partial<ExcelState>> => ({
  file: { bytes: [...(await buildWorkbook(workbook))], url: 'https://files.example.org/My%20books/Prices.xlsx' },
  sheets: { Data: { A1: { value: 250 }, C1: { value: 46_100, format: 'yyyy-mm-dd' }, E1: { value: 'Item' } } },
  active: 'Data',
  ...more,
});

interface OpenPane {
  pane: Page;
  /** Addresses of all requests. */
  addresses: string[];
}

/** Opens the pane as Excel does, 350 pixels wide. */
async function openPane({ context }: Browser, state: Partial<ExcelState>): Promise<OpenPane> {
  await playExcel(context, state);
  const addresses: string[] = [];
  context.on('request', (request) => addresses.push(request.url()));
  const pane = await context.newPage();
  await pane.setViewportSize({ width: 350, height: 800 });
  await pane.goto(`${portal.address.replace(/\/*$/, '/')}excel/?_host_Info=Excel$Win32$16.01$en-US$$$$0`);
  return { pane, addresses };
}

/** Signs in through the window, where the browser already has a session. */
async function signInByWindow(pane: Page): Promise<void> {
  const opened = pane.waitForEvent('popup');
  await pane.getByRole('button', { name: 'Sign in', exact: true }).click();
  const window = await opened;
  const closed = window.waitForEvent('close');
  await window.getByRole('heading', { name: 'Sign in to excel' }).waitFor();
  await window.getByRole('button', { name: 'Continue' }).click();
  await closed;
  await pane.getByRole('button', { name: 'Sign out' }).waitFor();
}

const waitForValue = (pane: Page, value: string) =>
  pane.waitForFunction((wanted) => [...document.querySelectorAll('input')].some((one) => one.value === wanted), value);
const sheetOf = (pane: Page, name: string) => pane.evaluate((sheet) => window.testExcel.sheets[sheet], name);
const setExcel = (pane: Page, change: Partial<ExcelState>): Promise<void> =>
  pane.evaluate((given) => void Object.assign(window.testExcel, given), change);

describe('the task pane of Excel', () => {
  let excel: OpenPane;
  beforeAll(async () => {
    excel = await openPane(browser, await excelState(DATA));
  });
  afterAll(() => excel.pane.close());

  test('signs in by a window of the portal, with neither code nor token in any address', async () => {
    const { pane, addresses } = excel;
    await pane.getByRole('heading', { name: 'Runsheet' }).waitFor();
    await expectNothingSerious({ ...browser, page: pane });
    let code = '';
    await browser.context.route('**/api/addin/token', async (route) => {
      ({ Code: code } = route.request().postDataJSON() as { Code: string });
      await route.continue();
    });
    await signInByWindow(pane);
    await browser.context.unroute('**/api/addin/token');
    const storedSession = await pane.evaluate(() => sessionStorage.getItem('runsheet.excel.session'));
    const { token, userName } = JSON.parse(storedSession!) as { token: string; userName: string };
    expect(userName).toBe('admin');
    expect(code).not.toBe('');
    expect(addresses.filter((address) => address.includes(code) || address.includes(token))).toEqual([]);
    // Nothing remains for the next user of the window.
    expect(await browser.page.evaluate(() => sessionStorage.getItem('runsheet.addInCode'))).toBeNull();
  });

  test('publishes the open workbook, and shows the reported cells in Excel', async () => {
    const { pane } = excel;
    await pane.getByRole('tab', { name: 'Publish' }).click();
    expect(await pane.getByLabel('Activity Name').inputValue()).toBe('Prices');
    await pane.getByLabel('Schema').selectOption('General');
    await pane.getByRole('button', { name: 'Publish', exact: true }).click();
    await pane.getByText('Published as version 1.').waitFor();
    await pane.getByRole('heading', { name: 'Different values (1)' }).waitFor();
    await pane.getByText('Excel: 999, calculated: 101').waitFor();
    await expectNothingSerious({ ...browser, page: pane });
    await pane.getByRole('button', { name: 'Data!B4' }).click();
    await pane.waitForFunction(() => window.testExcel.selected === 'B4' && window.testExcel.active === 'Data');
    // The new version belongs to the activity that now exists.
    await pane.getByLabel('What is new').fill('The same once more');
    await pane.getByRole('button', { name: 'Publish new version' }).click();
    await pane.getByText('Published as version 2.').waitFor();
    expect(await pane.evaluate(() => window.testExcel.openFiles)).toBe(0);
  });

  fullSetTest('shows the problems of a workbook that cannot be published, and stores nothing of it', async () => {
    const { pane } = excel;
    const broken = await buildWorkbook({ ...DATA, names: { ...(DATA.names as object), out_Gone: 'Gone!$A$1' } });
    await setExcel(pane, { file: { bytes: [...broken], url: '' } });
    await pane.getByRole('button', { name: 'Publish new version' }).click();
    await pane.getByText('Describe what is new in this version.').waitFor();
    await pane.getByLabel('What is new').fill('Something wrong');
    await pane.getByRole('button', { name: 'Publish new version' }).click();
    await pane.getByRole('heading', { name: 'Problems (1)' }).waitFor();
    await pane.getByText('out_Gone').first().waitFor();
    expect(await pane.getByText(/^Published as/).count()).toBe(0);
    await pane.getByRole('button', { name: 'Check only' }).click();
    await pane.getByRole('heading', { name: 'Problems (1)' }).waitFor();
  });

  test('runs an activity with typed values and selected cells, and brings its results into a sheet as what they are', async () => {
    const { pane } = excel;
    await setExcel(pane, {
      sheets: {
        Data: {
          C1: { value: 46_100, format: 'yyyy-mm-dd' },
          E1: { value: 'Item' },
          F1: { value: 'Price' },
          E2: { value: 'Nut' },
          F2: { value: 1.5 },
          E3: { value: 'Bolt' },
          F3: { value: 5 },
        },
      },
      selected: 'C1',
      maxCells: 4,
    });
    await pane.getByRole('tab', { name: 'Run' }).click();
    await pane.getByRole('button', { name: 'Refresh' }).click();
    await pane.getByLabel('Activity', { exact: true }).selectOption({ label: 'Prices' });
    await pane.getByLabel('Amount', { exact: true }).fill('1,000.5');
    await pane.getByRole('button', { name: 'Use selection for Day' }).click();
    await waitForValue(pane, '19/Mar/2026 (Data!C1)');
    await setExcel(pane, { selected: 'E1:F3' });
    await pane.getByRole('button', { name: 'Use selection for Lines' }).click();
    // Without the row of headings.
    await waitForValue(pane, 'Data!E1:F3: 2 × 2 cells');
    await expectNothingSerious({ ...browser, page: pane });
    await expectToFit({ page: pane }, 320);
    await pane.getByRole('button', { name: 'Start' }).click();
    await pane.getByText('The run succeeded with warnings').waitFor();

    const bring = pane.getByRole('button', { name: 'Insert the results in a new sheet' });
    await setExcel(pane, { failure: 'InvalidOperationInCellEditMode' });
    await bring.click();
    await pane.getByText('You are editing a cell in Excel. Finish editing and try again.').waitFor();
    await bring.click();
    await pane.getByText('The results are on the sheet Prices.').waitFor();
    const sheet = (await sheetOf(pane, 'Prices'))!;
    const names = ['A1', 'A4', 'A6', 'A11', 'A12', 'A13'].map((cell) => sheet[cell]?.value);
    expect(names).toEqual(['Prices', 'Total', 'Rows', 'Next Day', 'Text', 'Odd']);
    expect(sheet.B4).toMatchObject({ value: 1007, format: '#,##0.00' });
    expect(sheet.B11).toMatchObject({ value: 46_101, format: 'yyyy-mm-dd' });
    // Text that looks like a formula or a number stays text.
    expect(sheet.B12).toMatchObject({ value: '=1+1' });
    expect(Object.values(sheet).filter(({ formula }) => formula !== undefined)).toEqual([]);
    expect([sheet.A7?.value, sheet.B7?.value]).toEqual(['Code', 'Double']);
    expect([sheet.A8?.value, sheet.B8?.value]).toEqual(['007', 3]);
    expect([sheet.A9?.value, sheet.B9?.value]).toEqual(['Bolt', '#DIV/0!']);
    // Excel accepts only four cells per call here, and received the table in parts.
    expect(Math.max(...(await pane.evaluate(() => window.testExcel.written)))).toBeLessThanOrEqual(4);

    await bring.click();
    await pane.getByText('The results are on the sheet Prices (2).').waitFor();
  });

  fullSetTest('waits for a run that goes on, after the pane was loaded anew too, and cancels it', async () => {
    const { pane } = excel;
    const { token } = JSON.parse((await pane.evaluate(() => sessionStorage.getItem('runsheet.excel.session')))!) as {
      token: string;
    };
    const form = new FormData();
    for (const [name, value] of Object.entries({ Id: '0', Name: 'Asking', Schema: 'General' })) form.set(name, value);
    form.set('file', new Blob([new Uint8Array(await buildWorkbook(ASKING))]), 'Asking.xlsx');
    const made = await fetch(`${portal.address.replace(/\/*$/, '/')}api/activities/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    expect(made.status).toBe(200);
    await pane.getByRole('button', { name: 'Run another' }).click();
    await pane.getByRole('button', { name: 'Refresh' }).click();
    await pane.getByLabel('Activity', { exact: true }).selectOption({ label: 'Asking' });
    await pane.getByRole('button', { name: 'Start' }).click();
    await pane.getByText('The run has a question. Answer it in the portal.').waitFor();
    await pane.reload();
    await pane.getByText('The run has a question. Answer it in the portal.').waitFor();
    await pane.getByRole('button', { name: 'Cancel run' }).click();
    await pane.getByText('The run was cancelled').waitFor();
    expect(await pane.getByRole('button', { name: /^Insert the results/ }).count()).toBe(0);
  });

  fullSetTest(
    'signs out, says which sets of calls an Excel lacks, and signs in by a code where no window opens',
    async () => {
      const { pane } = excel;
      await pane.getByRole('button', { name: 'Sign out' }).click();
      await pane.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      expect(await pane.evaluate(() => sessionStorage.getItem('runsheet.excel.session'))).toBeNull();
      await setExcel(pane, { sets: ['ExcelApi 1.1'] });
      await pane.getByText('Sign in with a code', { exact: true }).click();
      await pane.getByLabel('Code').fill('x');
      await pane.getByText('requirement set DialogApi 1.1 is missing').waitFor();
      const opened = browser.context.waitForEvent('page');
      await pane.getByRole('button', { name: 'Open the browser' }).click();
      const page = await opened;
      await page.getByRole('button', { name: 'Show code' }).click();
      const code = await page.locator('code').textContent();
      await page.close();
      await pane.getByLabel('Code').fill(code!);
      await pane.getByRole('button', { name: 'Sign in with this code' }).click();
      await pane.getByRole('tab', { name: 'Publish' }).click();
      await pane.getByText('requirement set CompressedFile 1.1 is missing').waitFor();
    },
  );
});

fullSetTest('a window in which nobody agrees, or that is closed, leaves the pane as it was', async () => {
  const { pane } = await openPane(browser, await excelState(DATA));
  for (const end of ['cancel', 'close'] as const) {
    const opened = pane.waitForEvent('popup');
    await pane.getByRole('button', { name: 'Sign in', exact: true }).click();
    const window = await opened;
    const closed = window.waitForEvent('close');
    await window.getByRole('heading', { name: 'Sign in to excel' }).waitFor();
    if (end === 'cancel') await window.getByRole('button', { name: 'Cancel' }).click();
    else await window.close();
    await closed;
    await pane.getByText('Continue in the window that has opened.').waitFor({ state: 'detached' });
  }
  expect(await pane.evaluate(() => sessionStorage.getItem('runsheet.excel.session'))).toBeNull();
  await pane.close();
});

fullSetTest(
  'the page about the add-in says how to get it into Excel, or why this installation has none to offer',
  async () => {
    const { page } = browser;
    await page.goto(`${portal.address.replace(/\/*$/, '/')}excelAddIn`);
    await page.getByRole('heading', { name: 'Excel add-in' }).waitFor();
    await page.getByText('The address of the portal is not in its settings').waitFor();
    await expectNothingSerious(browser);
    // This portal has no https address. The mocked response shows the page as on a portal that has one.
    const ManifestAddress = 'https://portal.example/api/addin/excel/manifest.xml';
    await page.route('**/api/addin/excel', (route) =>
      route.fulfill({ json: { result: { ManifestAddress, Problem: '' } } }),
    );
    await page.reload();
    await page.getByText(ManifestAddress).waitFor();
    await page.getByRole('button', { name: 'Download the manifest' }).waitFor();
    await expectNothingSerious(browser);
    await expectToFit(browser, 360);
  },
);
