/** Grids with a real mouse, real touch, and scrollbars that take up space. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { until } from '#test/support/until.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { print } from './support/print.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const PASSWORD = 'Newcomer-Pass-1';

const DEALS: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: { formula: 'SUM(Deals[Amount])', value: 150 },
        D1: 'Deal',
        E1: 'Amount',
        D2: 'a',
        E2: 120,
        D3: 'b',
        E3: 30,
      },
      tables: [{ name: 'Deals', ref: 'D1:E3', columns: ['Deal', 'Amount'] }],
    },
  ],
  names: { in_Deals: 'Deals', out_Sum: 'S!$A$1', out_Rows: 'S!$D$1:$E$3' },
};

let portal: Portal;
let browser: Browser;
let deals: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser({ hasTouch: true })]);
  await firstSignIn(browser.page, portal, PASSWORD);
  deals = await publish(browser, portal, { Name: 'Deals of a day', workbook: DEALS });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const cell = (row: number, col: number): Locator =>
  browser.page.getByRole('grid', { name: 'Deals' }).locator(`[data-row="${row}"][data-col="${col}"]`);
const editor = (): Locator => browser.page.getByRole('grid', { name: 'Deals' }).locator('textarea');
const text = async (row: number, col: number): Promise<string> => (await cell(row, col).innerText()).trim();

async function middleOf(element: Locator): Promise<[number, number]> {
  const box = (await element.boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function openForm(): Promise<void> {
  await visit(browser.page, `${portal.address}/activities/run/${deals}`);
  await cell(1, 1).waitFor();
}

/** Pastes into the focused element, as from another program's clipboard. */
const paste = (pasted: string): Promise<void> =>
  browser.page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(event);
  }, pasted);

/** Types over the text selected in the editor and waits until the cell shows it. */
async function typeOver(row: number, col: number, typed: string): Promise<void> {
  await editor().waitFor();
  await browser.page.keyboard.type(typed);
  await browser.page.keyboard.press('Enter');
  await until('the cell holds what was typed', async () => (await text(row, col)) === typed);
}

describe('a cell of an input grid is edited', () => {
  test('by a double-click', async () => {
    await openForm();
    await browser.page.mouse.dblclick(...(await middleOf(cell(0, 1))));
    await typeOver(0, 1, '7');
  });

  test('by a click on the selected cell', async () => {
    await openForm();
    const at = await middleOf(cell(1, 1));
    await browser.page.mouse.click(...at);
    expect(await editor().count()).toBe(0);
    // The second click comes later than a double click.
    await browser.page.mouse.click(...at, { clickCount: 1 });
    await typeOver(1, 1, '8');
  });

  fullSetTest('by a tap, and the next tap goes on to another', async () => {
    await openForm();
    await browser.page.touchscreen.tap(...(await middleOf(cell(0, 0))));
    await editor().waitFor();
    await browser.page.keyboard.type('tapped');
    await browser.page.touchscreen.tap(...(await middleOf(cell(1, 0))));
    await until('the first cell is kept', async () => (await text(0, 0)) === 'tapped');
    await typeOver(1, 0, 'second');
  });

  fullSetTest('and left by a click on another cell, which is then the selected one', async () => {
    await openForm();
    await browser.page.mouse.dblclick(...(await middleOf(cell(0, 1))));
    await editor().waitFor();
    await browser.page.keyboard.type('9');
    await browser.page.mouse.click(...(await middleOf(cell(1, 0))));
    await until('the cell holds what was typed', async () => (await text(0, 1)) === '9');
    expect(await browser.page.getByRole('grid', { name: 'Deals' }).getAttribute('aria-activedescendant')).toMatch(
      /-1-0$/,
    );
    expect(await editor().count()).toBe(0);
  });
});

test('dragging from the selected cell selects a block and edits nothing', async () => {
  const { page } = browser;
  await openForm();
  await page.mouse.click(...(await middleOf(cell(0, 0))));
  await page.mouse.move(...(await middleOf(cell(0, 0))));
  await page.mouse.down();
  await page.mouse.move(...(await middleOf(cell(0, 1))), { steps: 4 });
  await page.mouse.move(...(await middleOf(cell(1, 1))), { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => page.getByRole('grid', { name: 'Deals' }).locator('[aria-selected=true]').count()).toBe(4);
  expect(await editor().count()).toBe(0);
});

/** Returns how many pixels a grid's scroll box lacks in width and height; an input grid is its own scroll box. */
const lacking = (grid: Locator): Promise<[number, number]> =>
  grid.evaluate((box) => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]);

describe('scrollbars cover nothing', () => {
  fullSetTest('of an input grid whose rows fit', async () => {
    await openForm();
    expect(await lacking(browser.page.getByRole('grid', { name: 'Deals' }))).toEqual([0, 0]);
  });

  fullSetTest('of the table of a run, whose rows fit', async () => {
    const { page } = browser;
    await openForm();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('The run was successful').waitFor();
    const box = page.locator('.rs-grid .bp6-table-quadrant-main .bp6-table-quadrant-scroll-container').first();
    await box.waitFor();
    expect(await lacking(box)).toEqual([0, 0]);
  });

  fullSetTest('of an input grid with more rows than are shown, whose columns fit', async () => {
    const { page } = browser;
    await openForm();
    await page.mouse.click(...(await middleOf(cell(0, 0))));
    await paste('x\t1\n'.repeat(20));
    await page.getByText('Pasted 20 rows of 2 columns.').waitFor();
    const [width, height] = await lacking(page.getByRole('grid', { name: 'Deals' }));
    expect(width).toBe(0);
    expect(height).toBeGreaterThan(0);
  });
});

fullSetTest('a single pasted cell is announced as one', async () => {
  const { page } = browser;
  await openForm();
  await page.mouse.click(...(await middleOf(cell(0, 1))));
  await paste('5');
  await page.getByText('Pasted 1 row of 1 column.').waitFor();
});

test('rows for which there is no room are reported at once, with their number', async () => {
  const { page } = browser;
  const [sheet] = DEALS.sheets;
  // The merged cells below can only move with whole rows, which would split the other table.
  const codes = Object.fromEntries(Array.from({ length: 19 }, (_, index) => [`G${index + 2}`, `c${index}`]));
  const crowdedSheet = {
    ...sheet!,
    cells: { ...sheet!.cells, C7: 'as of today', G1: 'Code', ...codes },
    merges: ['C7:D7'],
    tables: [...sheet!.tables!, { name: 'Codes', ref: 'G1:G20', columns: ['Code'] }],
  };
  const workbook = { ...DEALS, sheets: [crowdedSheet] };
  const crowded = await publish(browser, portal, { Name: 'Crowded', workbook });
  await visit(page, `${portal.address}/activities/run/${crowded}`);
  await page.mouse.click(...(await middleOf(cell(0, 0))));
  await paste('x\t1\n'.repeat(20));
  await page.getByText('15 rows were skipped: the grid has room for 5 rows.').waitFor();
  expect(await page.locator('[data-row="4"][data-col="1"]').innerText()).toBe('1');
  expect(await page.locator('[data-row="5"][data-col="1"]').count()).toBe(0);
  await expectGoodScreen(browser, 'rows-left-out');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The run was successful').waitFor();
});

describe('a run', () => {
  test('has its number in heading and tab title, and prints all rows of inputs and outputs, without buttons', async () => {
    const { page } = browser;
    await openForm();
    await page.mouse.click(...(await middleOf(cell(0, 0))));
    await paste('x\t1\n'.repeat(300));
    await page.getByText('Pasted 300 rows of 2 columns.').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('The run was successful').waitFor();
    const number = /runstatus\/(\d+)/.exec(page.url())![1]!;
    await page.getByRole('heading', { name: `Deals of a day Run ${number}` }).waitFor();
    expect(await page.title()).toContain(`Deals of a day · Run ${number}`);
    await page.locator('.rs-value-table .rs-grid').waitFor();
    // Phases and log are folded.
    expect(await page.getByText('Succeeded', { exact: true }).count()).toBe(0);

    // The inputs are collapsed on this screen. Both tables have a header row.
    const { rows, pages } = await print(page);
    expect(rows).toBe(2 * 301);
    expect(pages).toBeGreaterThan(10);
    expect(await page.locator('.rs-printed-table').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('button:visible:not([aria-expanded])').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });

  fullSetTest('is a link in the history, which leads there with the focus on its heading', async () => {
    const { page } = browser;
    await page.goto(`${portal.address}/activities/runhistory/${deals}`);
    const link = page.getByRole('gridcell').getByRole('link').first();
    expect(await link.getAttribute('href')).toMatch(/\/activities\/runstatus\/\d+\/$/);
    await link.click();
    const heading = page.getByRole('heading', { level: 1, name: /^Deals of a day Run \d+$/ });
    await heading.waitFor();
    await until('the heading has the focus', () => heading.evaluate((h1) => h1 === document.activeElement));
    await until('the page is announced', async () =>
      ((await page.getByRole('status', { name: 'Page' }).textContent()) ?? '').startsWith('Deals of a day'),
    );
  });
});
