/** Demanding use of forms: thousands of pasted rows, texts with several lines, expired sessions, long names. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { until } from '#test/support/until.ts';
import { fallAsleep } from './support/inactivity.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';
const LONG_NAME = 'W'.repeat(30);
const ROWS = 3000;
const WRONG = [2000, 2500];

const ITEMS = { D1: 'Item', E1: 'Amount', D2: 'bolt', E2: 3 };
const TABLE = { name: 'Lines', ref: 'D1:E2', columns: ['Item', 'Amount'] };

const BOOKS: Record<string, WorkbookSpec> = {
  Ledger: {
    sheets: [
      { name: 'S', cells: { A1: 'note', B1: { formula: 'SUM(Lines[Amount])', value: 3 }, ...ITEMS }, tables: [TABLE] },
    ],
    names: { in_Note: 'S!$A$1', in_Lines: 'Lines', out_Sum: 'S!$B$1' },
  },
  Asking: {
    sheets: [
      { name: 'S', cells: { A1: 1, B1: { formula: 'A1*2', value: 2 } } },
      stepSheet([{ Step: 'Rate', Action: 'Prompt', Cell: 'S!A1', Message: 'Which rate?' }]),
    ],
    names: { out_Double: 'S!$B$1' },
  },
  Filtered: {
    sheets: [
      {
        name: 'S',
        cells: { A1: '', B1: { formula: 'A1', value: '' }, ...ITEMS },
        tables: [{ ...TABLE, name: 'Deals' }],
      },
      {
        name: 'Portal',
        cells: {
          A1: 'Name',
          B1: 'CellUsages',
          C1: 'Picker',
          D1: 'PickerSource',
          A2: 'Filter',
          B2: 'Condition',
          C2: 'Condition',
          D2: 'Deals',
        },
        tables: [{ name: 'PortalInputs', ref: 'A1:D2', columns: ['Name', 'CellUsages', 'Picker', 'PickerSource'] }],
      },
    ],
    names: { in_Filter: 'S!$A$1', out_Same: 'S!$B$1' },
  },
  [LONG_NAME]: {
    sheets: [{ name: 'S', cells: { A1: 0, B1: { formula: '1/A1', error: '#DIV/0!' }, ...ITEMS } }],
    names: { in_Divisor: 'S!$A$1', out_Share: 'S!$B$1', out_Rows: 'S!$D$1:$E$2' },
  },
};

let portal: Portal;
let browser: Browser;
const ids: Record<string, number> = {};

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, PASSWORD);
  for (const [Name, workbook] of Object.entries(BOOKS)) ids[Name] = await publish(browser, portal, { Name, workbook });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

/** Pastes into the focused element, as from another program's clipboard. */
const paste = (text: string): Promise<void> =>
  browser.page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(event);
  }, text);

const cell = (row: number, col: number) => browser.page.locator(`[data-row="${row}"][data-col="${col}"]`);

test('of thousands of pasted rows the first wrong one is shown, and correcting it keeps the others marked', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/run/${ids['Ledger']}`);
  const grid = page.getByRole('grid', { name: 'Lines' });
  await cell(0, 0).click();
  const lines = Array.from({ length: ROWS }, (_, row) => `item ${row + 1}\t${WRONG.includes(row + 1) ? '1.2.3' : row}`);
  await paste(['"of two\nlines"\t0', ...lines.slice(1)].join('\n'));
  await page.getByText(`Pasted ${ROWS.toLocaleString('en')} rows of 2 columns.`).waitFor();
  // The view stays at the start of the block.
  expect(await cell(0, 0).isVisible()).toBe(true);
  expect(await grid.getAttribute('aria-activedescendant')).toMatch(/-0-0$/);

  // Editing a cell with two lines preserves both.
  await page.keyboard.press('F2');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  const copied = await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }),
    );
    return clipboardData.getData('text/plain');
  });
  expect(copied).toContain('of two\nlines!');

  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Please correct the errors shown.').waitFor();
  await cell(WRONG[0]! - 1, 1).waitFor();
  expect(await cell(WRONG[0]! - 1, 1).getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('link', { name: `Lines: Value in column Amount must be a number (row ${WRONG[0]})` }).click();
  await until('the keys go to that cell', async () =>
    (await grid.getAttribute('aria-activedescendant'))?.endsWith(`-${WRONG[0]! - 1}-1`),
  );
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await page.getByText(`Value in column Amount must be a number (row ${WRONG[1]})`, { exact: true }).waitFor();
  expect(await page.getByText(`(row ${WRONG[0]})`).count()).toBe(0);
});

test('the names of columns do not run over the numbers of rows', async () => {
  const { page } = browser;
  const former = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 800 });
  const left = await page.getByRole('grid', { name: 'Lines' }).evaluate((grid) => {
    grid.scrollLeft = 100;
    const corner = grid.querySelector('.rs-input-grid-head .rs-input-grid-corner')!;
    return [grid.scrollLeft > 0, corner.getBoundingClientRect().left - grid.getBoundingClientRect().left];
  });
  // The border of the grid is one pixel wide.
  expect(left).toEqual([true, 1]);
  await page.setViewportSize(former);
});

test('a text of several lines keeps them', async () => {
  const { page } = browser;
  const note = page.getByLabel('Note', { exact: true });
  await note.fill('');
  await note.focus();
  await paste('Main Street 1\r\nSpringfield\r\n');
  await until('the field has two lines', async () => (await note.inputValue()) === 'Main Street 1\nSpringfield');
  expect(await note.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(browser.errors).toEqual([]);
});

test('a window that becomes small is not covered by the menu', async () => {
  const { page } = browser;
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.waitFor();
  const former = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 800 });
  await menu.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /menu/i }).first().click();
  await menu.waitFor();
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  await palette.getByRole('combobox').fill('W');
  await palette.getByText(LONG_NAME).first().waitFor();
  await until('the palette is whole', async () => {
    const box = await palette.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 360;
  });
  await page.keyboard.press('Escape');
  await page.setViewportSize(former);
});

test('names without a blank stay inside their cards and notifications on a small screen', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/run/${ids[LONG_NAME]}`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run succeeded with warnings').waitFor();
  const former = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 800 });
  // Parts drawn by scripts are resized slightly after the window.
  const untilInside = (selector: string) =>
    until(`nothing sticks out of ${selector}`, async () => {
      const sticksOut = (all: Element[]): boolean => all.some((one) => one.scrollWidth > one.clientWidth);
      return !(await page.locator(selector).evaluateAll(sticksOut));
    });
  await page.getByRole('button', { name: 'Excel', exact: true }).waitFor();
  await untilInside('.rs-panel');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByRole('list', { name: 'Notifications' }).getByText(LONG_NAME).waitFor();
  await untilInside('.rs-notices');
  await page.keyboard.press('Escape');
  await page.setViewportSize(former);
});

test('the editor of a condition says what is wrong with an invalid text', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/run/${ids['Filtered']}`);
  const text = page.getByLabel('Filter', { exact: true });
  await text.fill("Item = 'bolt' AND");
  await page.getByRole('button', { name: 'Edit Filter' }).click();
  await page
    .getByText('OK replaces the text with the condition that you build here; Cancel leaves it unchanged.')
    .waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await text.inputValue()).toBe("Item = 'bolt' AND");
});

test('a visitor who has to wait for a run can look again', async () => {
  const { page } = browser;
  const id = ids['Asking'];
  await page.goto(`${portal.address}/rights/assignInternetRights/sk.RunActivity/Id/${id}/`);
  await page.getByRole('button', { name: /^Grant/ }).click();
  await page.getByRole('button', { name: /^Delete/, disabled: false }).waitFor();
  await page.goto(`${portal.address}/activities/run/${id}/`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByLabel('Which rate?').waitFor();
  const visitor = await openBrowser();
  await visitor.page.goto(`${portal.address}/public/activities/run/${id}`);
  await visitor.page.getByText('The activity is already running and cannot be run now.').waitFor();
  await page.getByLabel('Which rate?').fill('3');
  await page.keyboard.press('Enter');
  await page.getByText('The run was successful').waitFor();
  await visitor.page.getByRole('button', { name: 'Try Again' }).click();
  await visitor.page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await visitor.close();
});

test('the form of a linked run is there again after the session ended, with what was typed', async () => {
  const { page } = browser;
  await page.goto(`${portal.address}/activities/edit/${ids[LONG_NAME]}/`);
  await page.getByRole('button', { name: 'ADD a linkage' }).click();
  await page.getByLabel('Target Schema').fill('General');
  await page.getByLabel('Target Activity').fill('Ledger');
  await page.getByRole('form', { name: 'Linkage' }).getByLabel(/^Name/).fill('To ledger');
  await page.getByRole('button', { name: 'SAVE' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('heading', { name: 'Edit linkage' }).waitFor();
  await page.goto(`${portal.address}/activities/run/${ids[LONG_NAME]}/`);
  await page.getByLabel('Divisor').fill('4');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run was successful').waitFor();
  await page.getByRole('button', { name: 'To ledger', exact: true }).click();
  await page.getByLabel('Note', { exact: true }).fill('typed for an hour');
  await fallAsleep(browser);
  await page.getByLabel('Username').fill(portal.userName);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  const note = page.getByLabel('Note', { exact: true });
  await note.waitFor();
  expect(await note.inputValue()).toBe('typed for an hour');
  expect(page.url()).toContain('/link/');
});

test('what was typed of an activity and of a linkage is there again after the session ended', async () => {
  const { page } = browser;
  const again = async (): Promise<void> => {
    await fallAsleep(browser);
    await page.getByLabel('Username').fill(portal.userName);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.getByText('What you entered earlier is back. It is not saved yet.').waitFor();
  };
  await page.goto(`${portal.address}/activities/edit/${ids['Ledger']}/`);
  await page.getByLabel('Description', { exact: true }).fill('typed for an hour');
  await again();
  expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('typed for an hour');
  await page.getByRole('button', { name: 'Update Activity' }).click();
  await page.getByText('Activity updated').waitFor();

  await page.goto(`${portal.address}/activities/linkage/edit/1`);
  await page.getByLabel('Name', { exact: false }).last().fill('Renamed');
  await again();
  expect(await page.getByLabel('Name', { exact: false }).last().inputValue()).toBe('Renamed');
  await page.getByRole('button', { name: 'SAVE' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(browser.errors).toEqual([]);
});
