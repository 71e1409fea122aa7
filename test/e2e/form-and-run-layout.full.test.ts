/**
 * The layout of a form and its run on narrow and wide screens, and the path from a run to its changes since the
 * previous one.
 */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { until } from '#test/support/until.ts';
import { compareWithPrevious } from './support/run-page.ts';
import { expectGoodScreen } from './support/good-screen.ts';
import { photograph } from './support/pictures.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './support/portal.ts';
import { publish } from './support/publish.ts';

const lines = Array.from({ length: 16 }, (_, at) => `Line ${at + 1}`);

const PRICE: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Market',
        A2: 'Rate',
        B2: 5,
        A3: 'Spread',
        B3: 1,
        A5: 'Trade',
        ...Object.fromEntries(
          lines.flatMap((line, at): [string, CellSpec][] => [
            [`A${at + 6}`, line],
            [`B${at + 6}`, at],
          ]),
        ),
        D2: { formula: 'B2+B3', value: 6 },
      },
    },
  ],
  names: {
    in_Rate: 'S!$B$2',
    in_Spread: 'S!$B$3',
    ...Object.fromEntries(lines.map((line, at) => [`in_${line.replace(' ', '_')}`, `S!$B$${at + 6}`])),
    out_Price: 'S!$D$2',
  },
};

let portal: Portal;
let browser: Browser;
let price: number;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ RUNSHEET_SAMPLES: 'false' }), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  price = await publish(browser, portal, { Name: 'Price of a trade', workbook: PRICE });
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

const boxOf = async (element: Locator) => (await element.boundingBox())!;
const input = (name: string): Locator => browser.page.getByLabel(name, { exact: true });
const start = (): Locator => browser.page.getByRole('button', { name: 'Start', exact: true });

test('inputs stand under the headings of the sheet, two beside each other where there is room, and Start in sight', async () => {
  const { page } = browser;
  await page.setViewportSize({ width: 1440, height: 600 });
  await page.goto(`${portal.address}/activities/run/${price}`);
  const trade = page.getByRole('region', { name: 'Trade' });
  await trade.getByLabel('Line 1', { exact: true }).waitFor();
  expect(await page.getByRole('region', { name: 'Market' }).getByRole('textbox').count()).toBe(2);
  const [first, second, third] = [
    await boxOf(input('Line 1')),
    await boxOf(input('Line 2')),
    await boxOf(input('Line 3')),
  ];
  expect(second.y).toBe(first.y);
  expect(second.x).toBeGreaterThan(first.x + first.width);
  expect(third.y).toBeGreaterThan(first.y);
  expect(first.width).toBeLessThan(300);
  expect((await boxOf(start())).y).toBeLessThan(600);
  await expectGoodScreen(browser, 'form-sections');
  await page.setViewportSize({ width: 360, height: 600 });
  await expect.poll(async () => (await boxOf(input('Line 2'))).x - (await boxOf(input('Line 1'))).x).toBe(0);
  await expect.poll(async () => (await boxOf(start())).y).toBeLessThan(600);
  await expectGoodScreen(browser, 'form-sections-narrow');
});

test('a run shows inputs beside outputs on wide screens, and in one click what differs from the one before', async () => {
  const { page } = browser;
  await page.setViewportSize({ width: 1800, height: 900 });
  for (const rate of ['5', '7']) {
    await page.goto(`${portal.address}/activities/run/${price}`);
    await input('Rate').fill(rate);
    await start().click();
    await page.getByText('The run was successful').waitFor();
    const [outputs, inputs] = [
      await boxOf(page.getByText('Price', { exact: true })),
      await boxOf(page.getByText('Rate', { exact: true })),
    ];
    expect(inputs.x).toBeGreaterThan(outputs.x + 300);
    if (rate === '5') {
      await compareWithPrevious(page);
      await page.getByText('There is no earlier run that succeeded.').waitFor();
    }
  }
  await expectGoodScreen(browser, 'run');
  await photograph(page, 'run-wide');
  await compareWithPrevious(page);
  await page.getByRole('heading', { name: 'Compare runs - Price of a trade' }).waitFor();
  await page.getByText('2 inputs and outputs differ.').waitFor();
  await until(
    'what differs is shown alone',
    async () => (await page.getByText('Spread', { exact: true }).count()) === 0,
  );
});
