/** The input grid of an activity of orders, with a real mouse, real touch and a real keyboard. */
import type { Locator, Page } from 'playwright-core';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { until } from '#test/support/until.ts';
import { visit, type Portal } from './portal.ts';

const ROWS = [
  ['Item 1', 10, 46_053],
  ['Item 2', 20, 46_081],
  ['Box', 5, 46_112],
  ['Box', 7, 46_142],
] as const;

/** A table of four orders as input, and the sum of their amounts. */
export const ORDERS: WorkbookSpec = {
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

/** `page` returns the page during the call, because hooks open it. */
export function inputGrid(page: () => Page) {
  const grid = (): Locator => page().getByRole('grid', { name: 'Orders' });
  const cell = (row: number, col: number): Locator => grid().locator(`[data-row="${row}"][data-col="${col}"]`);
  const handle = (): Locator => grid().locator('.rs-grid-fill-handle');
  const keys = (...pressed: string[]) =>
    pressed.reduce((before, key) => before.then(() => page().keyboard.press(key)), Promise.resolve());

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

  const click = async (place: Locator): Promise<void> => page().mouse.click(...(await middleOf(place)));

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
    const { mouse, keyboard } = page();
    await mouse.move(...(await handleAt(from)));
    await mouse.down();
    await mouse.move(...(await middleOf(to)), { steps: 5 });
    if (ctrl) await keyboard.down('Control');
    await mouse.up();
    if (ctrl) await keyboard.up('Control');
  }

  async function selectCells(from: Locator, to: Locator): Promise<void> {
    await click(from);
    await page().keyboard.down('Shift');
    await click(to);
    await page().keyboard.up('Shift');
  }

  const paste = (text: string): Promise<void> =>
    page().evaluate((text) => {
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
    await openMenu(name);
    const menu = page().getByRole('dialog', { name: `Sort and filter ${name}` });
    await menu.getByLabel('Search values').fill(value);
    await menu.getByRole('button', { name: 'Filter', exact: true }).click();
    await menu.waitFor({ state: 'hidden' });
  }

  /** Opens the form of the activity with the rows of the workbook. */
  async function openForm(portal: Portal, orders: number): Promise<void> {
    await visit(page(), `${portal.address}/activities/`);
    await visit(page(), `${portal.address}/activities/run/${orders}`);
    await cell(0, 0).waitFor();
    const startOver = page().getByRole('button', { name: 'Start over' });
    if (await startOver.isVisible()) await startOver.click();
  }

  return {
    grid,
    cell,
    keys,
    middleOf,
    handleAt,
    click,
    untilColumn,
    dragHandle,
    selectCells,
    paste,
    openMenu,
    filterBy,
    openForm,
  };
}
