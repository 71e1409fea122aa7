/**
 * Measures the grid of a form with 50,000 rows: how long the page draws no frame after each step of a user with mouse
 * and keyboard. Frames continue while nothing happens, so the longest interval between two frames is the user's waiting
 * time.
 */
import { chromium, type Locator, type Page } from 'playwright-core';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { CHROMIUM_ARGS, chromiumPath } from '../chromium.ts';
import { buildRenderer } from '../renderer-build.ts';
import { printMachine } from './measure.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';
import { storeSession } from './store-session.ts';

const ROWS = 50_000;
/** Maximum interval between two frames, in milliseconds. */
const TARGET = 200;
/** Waiting time after each step. Work that the page deferred begins within it. */
const SETTLED_MS = 500;

const ORDERS: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: { formula: 'SUM(Orders[Amount])', value: 10 },
        D1: 'Name',
        E1: 'Amount',
        F1: 'Due',
        D2: 'Item',
        E2: 10,
        F2: { value: 46_053, style: 1 },
      },
      tables: [{ name: 'Orders', ref: 'D1:F2', columns: ['Name', 'Amount', 'Due'] }],
    },
  ],
  names: { in_Orders: 'Orders', out_Sum: 'S!$A$1' },
  formats: ['dd/mm/yyyy'],
};

/** Runs in the page and records the longest interval between two frames from now on. */
function watchFrames(): void {
  const own = window as unknown as { longestFrame: number };
  own.longestFrame = 0;
  let last = performance.now();
  const note = (): void => {
    const now = performance.now();
    own.longestFrame = Math.max(own.longestFrame, now - last);
    last = now;
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

async function measure(page: Page, step: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate('window.longestFrame = 0');
  await act();
  await page.waitForTimeout(SETTLED_MS);
  const longest = await page.evaluate<number>('window.longestFrame');
  const verdict = longest <= TARGET ? 'within' : 'ABOVE';
  console.log(`  ${step}: ${longest.toFixed(0)} ms without a frame, ${verdict} the target of ${TARGET}`);
}

/**
 * Puts a text into the page where a paste finds it. The transfer from this process to the page must not count as the
 * user's waiting time.
 */
const copy = (page: Page, text: string): Promise<void> =>
  page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', copied);
    (window as unknown as { copied: DataTransfer }).copied = clipboardData;
  }, text);

const paste = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { copied } = window as unknown as { copied: DataTransfer };
    document.activeElement!.dispatchEvent(new ClipboardEvent('paste', { clipboardData: copied, bubbles: true }));
  });

async function work(page: Page, grid: Locator): Promise<void> {
  const { keyboard, mouse } = page;
  const step = (name: string, act: () => Promise<unknown>): Promise<void> => measure(page, name, act);
  const openMenu = (): Promise<void> => grid.getByRole('button', { name: 'Sort and filter Amount' }).click();
  await grid.locator('[data-row="0"][data-col="0"]').click();
  const lines = Array.from({ length: ROWS }, (_, row) => `Row ${row}\t${row % 1000}\t${46_000 + (row % 300)}`);
  await copy(page, lines.join('\n'));
  await step('paste', () => paste(page));
  await step('arrow and page keys', async () => {
    for (const key of ['ArrowDown', 'PageDown', 'ArrowDown', 'PageDown']) await keyboard.press(key);
  });
  await step('type a value', async () => {
    await keyboard.type('Item');
    await keyboard.press('Enter');
  });
  await step('wheel', async () => {
    for (let round = 0; round < 20; round += 1) await mouse.wheel(0, 2000);
  });
  await step('find', async () => {
    await keyboard.press('Control+f');
    await keyboard.type('Row 499');
  });
  await keyboard.press('Escape');
  await step('open the menu of a column', openMenu);
  await step('sort', () => page.getByRole('button', { name: 'Sort largest to smallest' }).click());
  await openMenu();
  await step('search values for a filter', () => page.getByLabel('Search values').pressSequentially('12'));
  await step('filter', () => page.getByRole('button', { name: 'Filter', exact: true }).click());
}

async function openForm(page: Page, portal: BenchPortal): Promise<Locator> {
  const fields = { Id: '0', Schema: 'General', SingleRun: 'false', Name: 'Orders' };
  const { Id } = await portal.upload(fields, 'orders.xlsx', await buildWorkbook(ORDERS));
  await page.addInitScript(storeSession, portal.headers.authorization.replace('Bearer ', ''));
  await page.goto(`${portal.address}/activities/run/${Id}`);
  const grid = page.getByRole('grid', { name: 'Orders' });
  await grid.locator('[data-row="0"][data-col="0"]').waitFor();
  await page.evaluate(watchFrames);
  return grid;
}

export async function benchGrid(): Promise<void> {
  const executablePath = chromiumPath({ install: false });
  if (!executablePath) return;
  printMachine();
  buildRenderer({ quiet: true });
  const portal = await startBenchPortal();
  const browser = await chromium.launch({
    executablePath,
    args: CHROMIUM_ARGS,
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const grid = await openForm(page, portal);
    console.log(`${ROWS} rows in the grid of a form`);
    await work(page, grid);
  } finally {
    await browser.close();
    await portal.stop();
  }
}
