/** A right-to-left sheet in the designer: column A is at the right, and each text stands as in Excel. */
import type { Buffer } from 'node:buffer';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workbookParts } from '#test/support/build-workbook.ts';
import { zipParts } from '#test/support/zip-parts.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, visit, type Browser, type Portal } from './support/portal.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
const STYLES = 'xl/styles.xml';

/** Style 1 is a percentage; style 2 is aligned left. */
function rightToLeftWorkbook(): Promise<Buffer> {
  const parts = workbookParts({
    sheets: [
      {
        name: 'נתונים',
        cells: {
          A1: 'ריבית (5%)',
          B1: { value: -0.05, style: 1 },
          A2: 'Rate',
          B2: { value: 'סכום', style: 2 },
          C4: 'An English text that is longer than its cell',
          A5: 'טקסט בעברית שארוך יותר מהתא שלו',
        },
      },
    ],
    formats: ['0%', 'General'],
  });
  parts[SHEET] = String(parts[SHEET]).replace(
    '<sheetFormatPr',
    '<sheetViews><sheetView rightToLeft="1" workbookViewId="0"/></sheetViews><sheetFormatPr',
  );
  parts[STYLES] = String(parts[STYLES]).replace(
    /(<xf numFmtId="165"[^>]*)\/>/,
    '$1 applyAlignment="1"><alignment horizontal="left"/></xf>',
  );
  return zipParts(parts);
}

let portal: Portal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser({ width: 1440 })]);
  await firstSignIn(browser.page, portal, 'Designer-Pass-1');
  await visit(browser.page, `${portal.address}/activities/new/`);
  await browser.page.locator('input[type=file]').setInputFiles({
    name: 'hebrew.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: await rightToLeftWorkbook(),
  });
  await cell('A1').getByText('ריבית').waitFor();
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const grid = () => browser.page.getByRole('grid', { name: /^Sheet/ });
const cell = (address: string) => grid().getByRole('gridcell', { name: new RegExp(`^${address}, `) });
const textOf = (address: string) => cell(address).locator('.rs-cell-text');

async function edges(part: Locator): Promise<{ left: number; right: number }> {
  const { x, width } = (await part.boundingBox())!;
  return { left: x, right: x + width };
}

/** Returns the pixels from the edges of a cell to those of its text; negative if the text goes beyond. */
async function roomBeside(address: string): Promise<{ left: number; right: number }> {
  const [around, text] = [await edges(cell(address)), await edges(textOf(address))];
  return { left: text.left - around.left, right: around.right - text.right };
}

const directionOf = (address: string) => textOf(address).evaluate((element) => getComputedStyle(element).direction);

test('column A is at the right, and the arrows follow the eye', async () => {
  const { page } = browser;
  const head = (name: string) => edges(grid().getByRole('columnheader', { name, exact: true }));
  expect((await head('B')).right).toBeCloseTo((await head('A')).left, 0);
  const numbers = await edges(grid().getByRole('rowheader', { name: '1', exact: true }));
  expect(numbers.left).toBeCloseTo((await edges(cell('A1'))).right, 0);
  await cell('A1').click();
  for (const [key, address] of [
    ['ArrowLeft', 'B1'],
    ['ArrowRight', 'A1'],
    ['ArrowRight', 'A1'],
  ] as const) {
    await page.keyboard.press(key);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(new RegExp(`^${address}, `));
  }
  await expectGoodScreen(browser, 'designer-right-to-left', { isWholePage: true });
  expect(browser.errors).toEqual([]);
});

test('texts stand where they begin, numbers at the right, and chosen alignments name a side', async () => {
  expect([await directionOf('A1'), await directionOf('A2'), await directionOf('B1')]).toEqual(['rtl', 'ltr', 'ltr']);
  for (const address of ['A1', 'B1']) expect((await roomBeside(address)).right).toBeCloseTo(0, 0);
  for (const address of ['A2', 'B2']) expect((await roomBeside(address)).left).toBeCloseTo(0, 0);
});

test('long texts run over the blank cells that follow in their own direction', async () => {
  const english = await roomBeside('C4');
  expect(english.left).toBeCloseTo(0, 0);
  expect(english.right).toBeLessThan(-20);
  const hebrew = await roomBeside('A5');
  expect(hebrew.right).toBeCloseTo(0, 0);
  expect(hebrew.left).toBeLessThan(-20);
});
