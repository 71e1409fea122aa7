/** The input grid as Excel users expect it, with a real mouse, real touch and a real keyboard. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { until } from '#test/support/until.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal, visit } from './support/portal.ts';
import { publish } from './support/publish.ts';

const ROWS = [
  ['Item 1', 10, 46_053],
  ['Item 2', 20, 46_081],
  ['Box', 5, 46_112],
  ['Box', 7, 46_142],
] as const;

const ORDERS: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: { formula: 'SUM(Orders[Amount])', value: 42 },
        D1: 'Name',
        E1: 'Amount',
        F1: 'Due',
        ...Object.fromEntries(
          ROWS.flatMap(([name, amount, due], at) => [
            [`D${at + 2}`, name],
            [`E${at + 2}`, amount],
            [`F${at + 2}`, { value: due, style: 1 }],
          ]),
        ),
      },
      tables: [{ name: 'Orders', ref: 'D1:F5', columns: ['Name', 'Amount', 'Due'] }],
    },
  ],
  names: { in_Orders: 'Orders', out_Sum: 'S!$A$1' },
  formats: ['dd/mm/yyyy'],
};

let portal: Portal;
let browser: Browser;
let orders: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser({ hasTouch: true })]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  orders = await publish(browser, portal, { Name: 'Orders of a day', workbook: ORDERS });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});
beforeEach(async () => {
  await visit(browser.page, `${portal.address}/activities/`);
  await visit(browser.page, `${portal.address}/activities/run/${orders}`);
  await cell(0, 0).waitFor();
  const startOver = browser.page.getByRole('button', { name: 'Start over' });
  if (await startOver.isVisible()) await startOver.click();
});

const grid = (): Locator => browser.page.getByRole('grid', { name: 'Orders' });
const cell = (row: number, col: number): Locator => grid().locator(`[data-row="${row}"][data-col="${col}"]`);
const handle = (): Locator => grid().locator('.rs-grid-fill-handle');
const keys = (...pressed: string[]) =>
  pressed.reduce((before, key) => before.then(() => browser.page.keyboard.press(key)), Promise.resolve());

async function middleOf(place: Locator): Promise<[number, number]> {
  const box = (await place.boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Returns the middle of the fill handle once it is at the corner of the cell. */
async function handleAt(corner: Locator): Promise<[number, number]> {
  await until('the fill handle is at the corner of the cell', async () => {
    const [drawn, box] = [await handle().boundingBox(), await corner.boundingBox()];
    if (!drawn || !box) return false;
    const [right, bottom] = [drawn.x + drawn.width - box.x - box.width, drawn.y + drawn.height - box.y - box.height];
    return Math.abs(right) <= 2 && Math.abs(bottom) <= 2;
  });
  return middleOf(handle());
}

const click = async (place: Locator): Promise<void> => browser.page.mouse.click(...(await middleOf(place)));

/** Returns the texts of a column, without the empty entry row. */
const column = (col: number): Promise<string[]> =>
  grid().evaluate(
    (box, col) =>
      [...box.querySelectorAll<HTMLElement>(`[data-col="${col}"]`)]
        .sort((a, b) => Number(a.dataset['row']) - Number(b.dataset['row']))
        .map((shown) => (shown.querySelector('.rs-input-grid-text') as HTMLElement).innerText.trim())
        .slice(0, -1),
    col,
  );
const untilColumn = (col: number, texts: readonly string[]): Promise<unknown> =>
  until(`column ${col} holds ${texts.join()}`, async () => (await column(col)).join() === texts.join());

/** Drags the fill handle from the last cell of the selection. */
async function dragHandle(from: Locator, to: Locator, { ctrl = false } = {}): Promise<void> {
  const { mouse, keyboard } = browser.page;
  await mouse.move(...(await handleAt(from)));
  await mouse.down();
  await mouse.move(...(await middleOf(to)), { steps: 5 });
  if (ctrl) await keyboard.down('Control');
  await mouse.up();
  if (ctrl) await keyboard.up('Control');
}

async function selectCells(from: Locator, to: Locator): Promise<void> {
  await click(from);
  await browser.page.keyboard.down('Shift');
  await click(to);
  await browser.page.keyboard.up('Shift');
}

const paste = (text: string): Promise<void> =>
  browser.page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);

const openMenu = (name: string): Promise<void> =>
  grid()
    .getByRole('button', { name: `Sort and filter ${name}` })
    .click();

async function filterBy(name: string, value: string): Promise<void> {
  const { page } = browser;
  await openMenu(name);
  const menu = page.getByRole('dialog', { name: `Sort and filter ${name}` });
  await menu.getByLabel('Search values').fill(value);
  await menu.getByRole('button', { name: 'Filter', exact: true }).click();
  await menu.waitFor({ state: 'hidden' });
}

describe('a paste', () => {
  test('leaves out blank rows, and says how many example rows follow, which one click removes and another brings back', async () => {
    const { page } = browser;
    await click(cell(0, 0));
    await paste('Mine\t1\t2/1/2026\r\n\t\t\r\nOther\t2\t2/1/2026\r\n\t\t\r\n');
    await page.getByText('Pasted 2 rows of 3 columns. 1 blank row was skipped.').waitFor();
    await untilColumn(0, ['Mine', 'Other', 'Box', 'Box']);
    await page.getByText('2 example rows of the workbook follow the pasted rows.').waitFor();
    await page.getByRole('button', { name: 'Remove the example rows' }).click();
    await untilColumn(0, ['Mine', 'Other']);
    await page.getByText('2 example rows were removed.').waitFor();
    await page.getByRole('status').filter({ hasText: 'were removed' }).getByRole('button', { name: 'Undo' }).click();
    await untilColumn(0, ['Mine', 'Other', 'Box', 'Box']);
    await page.getByText('2 example rows of the workbook follow the pasted rows.').waitFor();
    await click(cell(0, 0));
    await keys('Control+z');
    await untilColumn(0, ['Item 1', 'Item 2', 'Box', 'Box']);
    expect(await page.getByText('of the workbook follow').count()).toBe(0);
  });
});

describe('the fill handle', () => {
  test('goes on with numbers, dates and texts, and Ctrl+Z and Ctrl+Y take it back and do it again', async () => {
    await selectCells(cell(0, 0), cell(1, 2));
    await dragHandle(cell(1, 2), cell(3, 2));
    await untilColumn(0, ['Item 1', 'Item 2', 'Item 3', 'Item 4']);
    await untilColumn(1, ['10', '20', '30', '40']);
    await untilColumn(2, ['31/Jan/2026', '28/Feb/2026', '31/Mar/2026', '30/Apr/2026']);
    await keys('Control+z');
    await untilColumn(1, ['10', '20', '5', '7']);
    await keys('Control+y');
    await untilColumn(1, ['10', '20', '30', '40']);
  });

  fullSetTest('copies a number, and counts with Ctrl', async () => {
    await click(cell(0, 1));
    await dragHandle(cell(0, 1), cell(2, 1));
    await untilColumn(1, ['10', '10', '10', '7']);
    await keys('Control+z');
    await click(cell(3, 0));
    await click(cell(0, 1));
    await dragHandle(cell(0, 1), cell(3, 1), { ctrl: true });
    await untilColumn(1, ['10', '11', '12', '13']);
  });

  fullSetTest('held below the grid adds rows', async () => {
    const { mouse } = browser.page;
    await selectCells(cell(0, 1), cell(1, 1));
    await mouse.move(...(await handleAt(cell(1, 1))));
    await mouse.down();
    const box = (await grid().boundingBox())!;
    await mouse.move(box.x + 200, box.y + 480, { steps: 4 });
    await grid().evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          const checkHeight = (): void =>
            element.scrollHeight > 600 ? resolve() : void requestAnimationFrame(checkHeight);
          checkHeight();
        }),
    );
    await mouse.up();
    await until('there are rows', async () => Number(await grid().getAttribute('aria-rowcount')) > 12);
    await browser.page.getByText(/^Filled \d+ cells\.$/).waitFor();
  });

  fullSetTest('is dragged by a finger', async () => {
    const { page } = browser;
    await page.touchscreen.tap(...(await middleOf(cell(0, 1))));
    await grid().locator('textarea').waitFor();
    await page.keyboard.type('4');
    const [x, y] = await handleAt(cell(0, 1));
    const [, bottom] = await middleOf(cell(3, 1));
    const cdp = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
    await touch('touchStart', y);
    for (const part of [0.3, 0.6, 1]) await touch('touchMove', y + (bottom - y) * part);
    await touch('touchEnd');
    await untilColumn(1, ['4', '4', '4', '4']);
  });

  fullSetTest('fills down to where the column beside it ends with a double-click', async () => {
    await click(cell(1, 1));
    await browser.page.mouse.dblclick(...(await handleAt(cell(1, 1))));
    await untilColumn(1, ['10', '20', '20', '20']);
  });
});

test('Ctrl+D fills down and Ctrl+R to the right', async () => {
  await selectCells(cell(0, 1), cell(2, 1));
  await keys('Control+d');
  await untilColumn(1, ['10', '10', '10', '7']);
  await click(cell(0, 2));
  await keys('Control+r');
  await untilColumn(2, ['10/Jan/1900', '28/Feb/2026', '31/Mar/2026', '30/Apr/2026']);
});

test('rows are put in and taken out by keys and by buttons, and come back', async () => {
  const tools = browser.page.getByRole('toolbar', { name: 'Tools of Orders' });
  await click(cell(1, 0));
  await keys('Control++');
  await untilColumn(0, ['Item 1', '', 'Item 2', 'Box', 'Box']);
  await keys('Control+z');
  await selectCells(cell(1, 0), cell(2, 0));
  await tools.getByRole('button', { name: 'Delete rows' }).click();
  await untilColumn(0, ['Item 1', 'Box']);
  await tools.getByRole('button', { name: 'Undo' }).click();
  await untilColumn(0, ['Item 1', 'Item 2', 'Box', 'Box']);
  await click(cell(0, 0));
  await tools.getByRole('button', { name: 'Insert rows' }).click();
  await untilColumn(0, ['', 'Item 1', 'Item 2', 'Box', 'Box']);
});

test('the line under the grid says sum, average, count, least and greatest of the selected cells', async () => {
  await selectCells(cell(0, 1), cell(3, 1));
  const line = browser.page.getByRole('status', { name: 'Selected cells' });
  await until('the sum', async () => (await line.innerText()).includes('Sum: 42'));
  expect(await line.innerText()).toMatch(/Average: 10.5\s+Count: 4\s+Min: 5\s+Max: 20\s+Sum: 42/);
});

fullSetTest('a column is sorted from its header', async () => {
  const { page } = browser;
  await openMenu('Amount');
  await page.getByRole('button', { name: 'Sort smallest to largest' }).click();
  await untilColumn(1, ['5', '7', '10', '20']);
  await untilColumn(0, ['Box', 'Box', 'Item 1', 'Item 2']);
  await keys('Control+z');
  await untilColumn(1, ['10', '20', '5', '7']);
});

describe('while a filter hides rows', () => {
  test('what is sorted, filled, pasted and deleted leaves them as they are', async () => {
    const { page } = browser;
    await filterBy('Name', 'Box');
    await untilColumn(1, ['5', '7']);
    await page.getByText('2 of 4 rows shown', { exact: true }).waitFor();

    await openMenu('Amount');
    await page.getByRole('button', { name: 'Sort largest to smallest' }).click();
    await untilColumn(1, ['7', '5']);
    await click(cell(2, 1));
    await paste('70\n50\n');
    await untilColumn(1, ['70', '50']);
    await selectCells(cell(2, 1), cell(3, 1));
    await keys('Control+d');
    await untilColumn(1, ['70', '70']);
    await click(cell(3, 0));
    await keys('Control+-');
    await untilColumn(1, ['70']);

    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await untilColumn(1, ['10', '20', '70']);
    await keys('Control+z', 'Control+z', 'Control+z', 'Control+z', 'Control+z', 'Control+z');
    await untilColumn(1, ['10', '20', '5', '7']);
  });

  fullSetTest('rows between that are hidden are passed by, and it is said', async () => {
    await filterBy('Amount', '0');
    await untilColumn(1, ['10', '20']);
    await browser.page.getByRole('button', { name: 'Clear all filters' }).click();
    await openMenu('Amount');
    const menu = browser.page.getByRole('dialog', { name: 'Sort and filter Amount' });
    await menu.locator('label', { hasText: /^20$/ }).click();
    await menu.locator('label', { hasText: /^5$/ }).click();
    await menu.getByRole('button', { name: 'Filter', exact: true }).click();
    await untilColumn(1, ['10', '7']);
    await click(cell(0, 1));
    await paste('1\n2\n');
    await browser.page.getByText('Pasted 2 rows of 1 column. Rows hidden by the filter were not changed.').waitFor();
    await browser.page.getByRole('button', { name: 'Clear all filters' }).click();
    await untilColumn(1, ['1', '20', '5', '2']);
  });
});

test('Ctrl+F finds cells and goes from one to the next', async () => {
  const { page } = browser;
  await click(cell(0, 0));
  await keys('Control+f');
  await page.getByLabel('Find in cells').fill('box');
  await keys('Enter');
  await page.getByText('1 of 2', { exact: true }).waitFor();
  await keys('Enter');
  await page.getByText('2 of 2', { exact: true }).waitFor();
  await keys('Escape');
  await until('the grid has the focus', () => grid().evaluate((element) => element === document.activeElement));
  expect(await grid().getAttribute('aria-activedescendant')).toMatch(/-3-0$/);
});

fullSetTest('a column is made wider at its edge, and stays at the left', async () => {
  const { page } = browser;
  const head = grid().getByRole('columnheader', { name: /^Name/ });
  const before = (await head.boundingBox())!;
  const edge = head.locator('.rs-grid-edge');
  await page.mouse.move(...(await middleOf(edge)));
  await page.mouse.down();
  await page.mouse.move(before.x + before.width + 80, before.y + 10, { steps: 4 });
  await page.mouse.up();
  await until('it is wider', async () => (await head.boundingBox())!.width > before.width + 60);
  await click(cell(0, 0));
  await keys('Control+z');
  await until('it is as before', async () => (await head.boundingBox())!.width === before.width);

  await page.setViewportSize({ width: 700, height: 700 });
  await openMenu('Name');
  await page.getByRole('button', { name: 'Freeze' }).click();
  await openMenu('Due');
  for (let times = 0; times < 12; times += 1) await page.getByRole('button', { name: 'Wider' }).click();
  await keys('Escape');
  await grid().evaluate((element) => element.scrollTo({ left: 300 }));
  await until('it is scrolled', () => grid().evaluate((element) => element.scrollLeft > 50));
  const box = (await grid().boundingBox())!;
  expect((await cell(0, 0).boundingBox())!.x).toBeGreaterThanOrEqual(box.x);
  expect((await head.boundingBox())!.x).toBe((await cell(0, 0).boundingBox())!.x);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('what was pasted and is wrong is marked and listed, and a click on it goes to the cell', async () => {
  const { page } = browser;
  await click(cell(0, 0));
  await paste('a\t1\t1/1/2026\nb\tmany\t2/1/2026\nc\t3\tnever\n');
  const wrong = page.getByRole('button', { name: 'Value in column Amount must be a number (row 2)' });
  await wrong.waitFor();
  expect(await cell(1, 1).getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: /^Value in column Due .* \(row 3\)$/ }).click();
  expect(await grid().getAttribute('aria-activedescendant')).toMatch(/-2-2$/);
  await wrong.click();
  expect(await grid().getAttribute('aria-activedescendant')).toMatch(/-1-1$/);
  await page.keyboard.type('2');
  await keys('Enter');
  await wrong.waitFor({ state: 'detached' });
  await expectGoodScreen(browser, 'input-grid');

  // Only Start moves the focus to the summary. Later problems stay at their cells.
  const summary = page.getByRole('alert').filter({ hasText: 'Please correct the errors shown.' });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await summary.and(page.locator(':focus')).waitFor();
  await click(cell(2, 2));
  await page.keyboard.type('3/1/2026');
  await keys('Enter');
  await summary.waitFor({ state: 'detached' });
  await click(cell(0, 1));
  await page.keyboard.type('few');
  await keys('Enter');
  await page.getByRole('button', { name: 'Value in column Amount must be a number (row 1)' }).waitFor();
  await page.keyboard.type('4');
  await keys('Enter');
  await untilColumn(1, ['few', '4', '3', '7']);
  expect(await summary.count()).toBe(0);

  await openMenu('Name');
  await page.getByRole('dialog').waitFor();
  await expectGoodScreen(browser, 'column-menu');
  await keys('Escape');
});

fullSetTest('50,000 rows are pasted, gone through, filled and sorted', async () => {
  const { page } = browser;
  await click(cell(0, 0));
  await paste(
    Array.from({ length: 49_000 }, (_, row) => `Row ${row}\t${row % 100}\t${46_000 + (row % 300)}`).join('\n'),
  );
  await until('the rows are there', async () => (await grid().getAttribute('aria-rowcount')) === '49002');
  await keys('Control+Home', 'ArrowRight', 'PageDown', 'ArrowDown');
  expect(await grid().getAttribute('aria-activedescendant')).toMatch(/-1$/);
  await openMenu('Amount');
  await page.getByRole('button', { name: 'Sort largest to smallest' }).click();
  await page.getByText('Sorted.').waitFor();
  await keys('Control+Home');
  expect(await cell(0, 1).textContent()).toBe('99');
  await keys('Control+f');
  await page.getByLabel('Find in cells').fill('Row 48999');
  // Presses Enter while the search is still running.
  await keys('Enter');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await keys('Escape');
});
